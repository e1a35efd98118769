/**
 * The messages of docs/screen-protocol.md, and how they become frames. What the server says is not checked field by
 * field: a screen ignores types that it does not know.
 */

/** A slot with an ad. All times are of the server's clock, in ms since 1970. */
export type Fill = {
  play_id: string;
  campaign_id: string;
  creative_id: string;
  kind: 'video' | 'still';
  url: string;
  duration_ms: number;
  scan_url: string;
  /** Show each with the ad: `synthetic` is "AI-generated", `political` is "Political ad" with the sponsor's name. */
  labels?: readonly string[];
  /** For political ads: the sponsor, and the election or process that they are linked to. */
  political?: { sponsor: string; process?: string };
  starts_at: number;
  expires_at: number;
};
export type Slot = Fill | { no_fill: string };
export type PlaylistItem = { type: string } & Readonly<Record<string, unknown>>;

/** The settings of the screen from `welcome`, changed by `config`. */
export type Settings = {
  screen_id: string;
  venue_id: string;
  timezone: string;
  ad_ratio: number;
  orientation: string;
  sensor: boolean;
  playlist: readonly PlaylistItem[];
};
export type Asset = { url: string; sha256: string; bytes: number };
export type Withdrawal = { campaign_id?: string; creative_id?: string; play_ids?: readonly string[] };
/**
 * Commands for the screen, among those that the player lists in its `hello`. `screenshot`: send a JPEG or WebP within
 * the bounds to `upload_url` by PUT in the next 30 seconds, or `{"fault": "page" | "protected" | "nothing" | "other"}`
 * as JSON.
 */
export type Command =
  | { command: 'identify'; name: string; duration_ms: number }
  | { command: 'reload' }
  | { command: 'screenshot'; upload_url: string; bytes_max: number; width_max: number };
export type Play = { play_id: string; started_at: number; played_ms: number; audience?: number };
export type CannotPlayReason = 'asset' | 'decode' | 'expired' | 'withdrawn' | 'other';
export type Refused = { play_id: string; reason: string };

export type ServerMessage =
  | ({ t: 'welcome'; time: number } & Settings)
  | { t: 'fill'; id: number; slots: readonly Slot[] }
  | { t: 'ack'; id: number; refused?: readonly Refused[]; hold_ms?: number }
  | ({ t: 'withdraw' } & Withdrawal)
  | ({ t: 'config' } & Partial<Settings>)
  | { t: 'prefetch'; assets: readonly Asset[]; list?: string }
  | ({ t: 'command' } & Command)
  | { t: 'unpaired' }
  | { t: 'error'; code: string; message: string; id?: number };

/** How messages become frames. Give one of your own to speak MessagePack: `marquee.v1.msgpack`, `pack` and `unpack`. */
export type Codec = {
  subprotocol: string;
  encode(message: object): string | Uint8Array;
  decode(frame: string | ArrayBuffer): unknown;
};

export const JSON_CODEC: Codec = {
  subprotocol: 'marquee.v1.json',
  encode: message => JSON.stringify(message),
  decode: frame => JSON.parse(String(frame)) as unknown,
};

export function isFill(slot: Slot): slot is Fill {
  return (slot as Partial<Fill>).play_id !== undefined;
}
