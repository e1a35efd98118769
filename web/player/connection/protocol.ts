/**
 * The screen protocol as this player speaks it (JSON frames). What the server says is read field by field: an unknown
 * type, or a message without its fields, is ignored.
 */
export type Fill = {
  play_id: string;
  campaign_id: string;
  creative_id: string;
  kind: string;
  url: string;
  duration_ms: number;
  scan_url: string;
  /** Server time, ms. */
  starts_at: number;
  expires_at: number;
};
export type Slot = Fill | { no_fill: string };

/**
 * An item of a playlist that this player can show. The address of a menu or a card is that of a page, which changes
 * with it. `ad_ms`: ad time that falls due at the place each round; null: no end.
 */
export type PlaylistItem =
  | { type: 'ai_menu' | 'sponsorship_card' | 'image' | 'video'; url: string; duration_ms: number }
  | { type: 'ad_slot'; ad_ms: number | null };

/** Settings of the screen, as `welcome` gives them and `config` changes them. */
export type Settings = {
  screen_id: string;
  venue_id: string;
  timezone: string;
  ad_ratio: number;
  orientation: string;
  sensor: boolean;
  playlist: PlaylistItem[];
};
export type Asset = { url: string; sha256: string; bytes: number };
export type Withdrawal = { campaign_id?: string; creative_id?: string; play_ids?: string[] };

export type Play = { play_id: string; started_at: number; played_ms: number };
export type CannotPlayReason = 'asset' | 'decode' | 'expired' | 'withdrawn' | 'other';
/** `at` is server time, ms; absent means now. */
export type SlotRequest = { at?: number; count: number; max_duration_ms: number; plan: boolean };

export type ServerMessage =
  | { t: 'welcome'; settings: Settings; time: number }
  | { t: 'fill'; id: number; slots: Slot[] }
  | { t: 'ack'; id: number; refused: { play_id: string; reason: string }[]; holdMs: number }
  | { t: 'withdraw'; what: Withdrawal }
  | { t: 'config'; settings: Partial<Settings> }
  | { t: 'prefetch'; assets: Asset[]; list: string | undefined }
  | { t: 'unpaired' }
  | { t: 'error'; code: string; message: string; id: number | undefined };

type Fields = Record<string, unknown>;

/** A frame of the server, or undefined when it says nothing that this player knows. */
export function readMessage(text: string): ServerMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined; // not JSON: a newer server, or a proxy's page
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Fields;
  switch (fields['t']) {
    case 'welcome':
      return { t: 'welcome', settings: { ...DEFAULTS, ...readSettings(fields) }, time: numberOf(fields['time'], 0) };
    case 'config':
      return { t: 'config', settings: readSettings(fields) };
    case 'fill':
      return { t: 'fill', id: numberOf(fields['id'], -1), slots: listOf(fields['slots']).map(readSlot) };
    case 'ack':
      return {
        t: 'ack',
        id: numberOf(fields['id'], -1),
        refused: listOf(fields['refused']).map(readRefused),
        holdMs: numberOf(fields['hold_ms'], 0),
      };
    case 'withdraw':
      return { t: 'withdraw', what: fields };
    case 'prefetch':
      return {
        t: 'prefetch',
        assets: listOf(fields['assets']).flatMap(readAsset),
        list: typeof fields['list'] === 'string' ? fields['list'] : undefined,
      };
    case 'unpaired':
      return { t: 'unpaired' };
    case 'error':
      return {
        t: 'error',
        code: String(fields['code']),
        message: String(fields['message']),
        id: typeof fields['id'] === 'number' ? fields['id'] : undefined,
      };
    default:
      return undefined;
  }
}

const DEFAULTS: Settings = {
  screen_id: '',
  venue_id: '',
  timezone: 'UTC',
  ad_ratio: 1,
  orientation: 'landscape',
  sensor: false,
  playlist: [],
};

/** The settings that the message names and that have their type. */
function readSettings(fields: Fields): Partial<Settings> {
  const settings: Partial<Settings> = {};
  const target = settings as Fields;
  for (const name of ['screen_id', 'venue_id', 'timezone', 'orientation'] as const)
    if (typeof fields[name] === 'string') target[name] = fields[name];
  if (typeof fields['ad_ratio'] === 'number') settings.ad_ratio = Math.min(1, Math.max(0, fields['ad_ratio']));
  if (typeof fields['sensor'] === 'boolean') settings.sensor = fields['sensor'];
  if (Array.isArray(fields['playlist'])) settings.playlist = fields['playlist'].flatMap(readItem);
  return settings;
}

/** Shorter items would flicker; a duration that is none becomes ten seconds. */
const ITEM_MS_MIN = 1_000;
const ITEM_MS_DEFAULT = 10_000;

/** An item of a kind that this player does not know is left out. */
function readItem(value: unknown): PlaylistItem[] {
  if (typeof value !== 'object' || value === null) return [];
  const item = value as Fields;
  const duration_ms = Math.max(ITEM_MS_MIN, numberOf(item['duration_ms'], ITEM_MS_DEFAULT));
  if (item['type'] === 'ad_slot')
    return [{ type: 'ad_slot', ad_ms: typeof item['ad_ms'] === 'number' ? Math.max(0, item['ad_ms']) : null }];
  if (typeof item['url'] !== 'string') return [];
  if (item['type'] === 'image' || item['type'] === 'ai_menu' || item['type'] === 'sponsorship_card')
    return [{ type: item['type'], url: item['url'], duration_ms }];
  return item['type'] === 'creative'
    ? [{ type: item['kind'] === 'video' ? 'video' : 'image', url: item['url'], duration_ms }]
    : [];
}

/** A slot without a play id, whatever else it holds, is not filled. */
function readSlot(value: unknown): Slot {
  const slot = (typeof value === 'object' && value !== null ? value : {}) as Fields;
  return typeof slot['play_id'] === 'string' && typeof slot['url'] === 'string'
    ? (slot as Fill)
    : { no_fill: String(slot['no_fill']) };
}

function readRefused(value: unknown): { play_id: string; reason: string } {
  const refused = (typeof value === 'object' && value !== null ? value : {}) as Fields;
  return { play_id: String(refused['play_id']), reason: String(refused['reason']) };
}

function readAsset(value: unknown): Asset[] {
  const asset = (typeof value === 'object' && value !== null ? value : {}) as Fields;
  return typeof asset['url'] === 'string'
    ? [{ url: asset['url'], sha256: String(asset['sha256']), bytes: numberOf(asset['bytes'], 0) }]
    : [];
}

export function isFill(slot: Slot): slot is Fill {
  return 'play_id' in slot;
}

/** Whether a withdrawal names the fill. */
export function isWithdrawn(fill: Fill, what: Withdrawal): boolean {
  return (
    fill.campaign_id === what.campaign_id ||
    fill.creative_id === what.creative_id ||
    (what.play_ids || []).indexOf(fill.play_id) >= 0
  );
}

function numberOf(value: unknown, fallback: number): number {
  return typeof value === 'number' && isFinite(value) ? value : fallback;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
