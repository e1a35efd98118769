/**
 * The messages of the server besides `fill`, one function for each. Their shapes are part of the protocol and never
 * change.
 */
import type { Label } from '#domain/law/label.ts';
import type { PlayRefusal } from '#domain/plays/play.ts';
import type { WovenAdSlot } from '#domain/screens/ad-weaving.ts';
import type { CommandMessage } from '#domain/screens/command.ts';
import type { Orientation } from '#domain/screens/screen.ts';
import type { ErrorCode } from './inbound.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** A screen's settings besides its name and its venue's: thousands of screens share one object. */
export type ScreenSettings = {
  timezone: string;
  ad_ratio: number;
  orientation: Orientation;
  sensor: boolean;
  playlist: readonly PlaylistItem[];
};
/** `url` is a file, or for `ai_menu` and `sponsorship_card` a page of HTML. `ad_ms`: @see WovenAdSlot */
export type PlaylistItem =
  | WovenAdSlot
  | { type: 'ai_menu'; template: string; duration_ms: Milliseconds; url: string }
  | { type: 'sponsorship_card'; duration_ms: Milliseconds; url: string }
  | { type: 'image'; asset_id: string; duration_ms: Milliseconds; url: string }
  | {
      type: 'creative';
      creative_id: string;
      kind: 'video' | 'still';
      duration_ms: Milliseconds;
      url: string;
      labels?: readonly Label[];
    };
export type RefusedPlay = { play_id: string; reason: PlayRefusal };

/** A file that a screen may fetch ahead of need. */
type Asset = { url: string; sha256: string; bytes: number };

/** The playlist of a screen without one: ads, at its ratio. */
export const PLAYLIST_DEFAULT: ScreenSettings['playlist'] = [{ type: 'ad_slot', weight: 1, ad_ms: null }];

/** The names of a screen and of its venue. */
type Names = { screen_id: string; venue_id: string };

export function welcome({ screen_id, venue_id }: Names, settings: ScreenSettings, time: number): object {
  return { t: 'welcome', screen_id, venue_id, ...settings, time };
}

/**
 * The settings that differ, and the venue if it changed; undefined if nothing changed. The same playlist object means
 * no change.
 */
export function config(
  before: ScreenSettings,
  after: ScreenSettings,
  venueId?: string,
): ({ t: 'config'; venue_id?: string } & Partial<ScreenSettings>) | undefined {
  const changed = Object.entries(after).filter(([name, value]) => before[name as keyof ScreenSettings] !== value);
  if (changed.length === 0 && venueId === undefined) return undefined;
  return { t: 'config', ...(venueId !== undefined && { venue_id: venueId }), ...Object.fromEntries(changed) };
}

/**
 * `holdMs`: send no more plays for this time. `unattested`: the number of plays whose people were ignored, so that the
 * estimate counts.
 */
export function ack(
  id: number,
  { refused, unattested, holdMs }: { refused: readonly RefusedPlay[]; unattested: number; holdMs: Milliseconds },
): object {
  return { t: 'ack', id, refused, ...(unattested > 0 && { unattested }), ...(holdMs > 0 && { hold_ms: holdMs }) };
}

export function withdraw(what: { campaign_id: string } | { creative_id: string }): object {
  return { t: 'withdraw', ...what };
}

/** `name`: of the whole list of a screen, @see Hello; additional files have none. */
export function prefetch({ assets, name }: { assets: readonly Asset[]; name?: string }): object {
  return { t: 'prefetch', ...(name !== undefined && { list: name }), assets };
}

/** Sent only to players that listed the command in their `hello`. */
export function command(message: CommandMessage): object {
  return { t: 'command', ...message };
}

export function unpaired(): object {
  return { t: 'unpaired' };
}

export function error(code: ErrorCode, message: string, id?: number): object {
  return { t: 'error', code, message, ...(id !== undefined && { id }) };
}
