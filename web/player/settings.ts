/** The settings of the screen as this player shows them: fields of a wrong type get their default. */
import type { Settings as Welcomed } from '#sdk/screen/index.ts';

/**
 * An item of a playlist that this player can show. The address of a menu or a card is that of a page, which changes
 * with it. `ad_ms`: ad time that falls due at the place each round; null: no end.
 */
export type PlaylistItem =
  | { type: 'ai_menu' | 'sponsorship_card' | 'image' | 'video'; url: string; duration_ms: number; labels?: string[] }
  | { type: 'ad_slot'; ad_ms: number | null };
export type Settings = Pick<Welcomed, 'screen_id' | 'venue_id' | 'timezone' | 'ad_ratio'> & {
  playlist: PlaylistItem[];
};

/** Shorter items would flicker. */
const ITEM_MS_MIN = 1_000;
const ITEM_MS_DEFAULT = 10_000;

export function readSettings(fields: Partial<Record<keyof Settings, unknown>>): Settings {
  const { screen_id, venue_id, timezone, ad_ratio, playlist } = fields;
  return {
    screen_id: textOf(screen_id, ''),
    venue_id: textOf(venue_id, ''),
    timezone: textOf(timezone, 'UTC'),
    ad_ratio: Math.min(1, Math.max(0, numberOf(ad_ratio, 1))),
    playlist: Array.isArray(playlist) ? playlist.flatMap(readItem) : [],
  };
}

/** Skips an item of an unknown kind. */
function readItem(value: unknown): PlaylistItem[] {
  if (typeof value !== 'object' || value === null) return [];
  const { type, kind, url, duration_ms, labels, ad_ms } = value as Record<string, unknown>;
  const durationMs = Math.max(ITEM_MS_MIN, numberOf(duration_ms, ITEM_MS_DEFAULT));
  if (type === 'ad_slot') return [{ type, ad_ms: typeof ad_ms === 'number' ? Math.max(0, ad_ms) : null }];
  if (typeof url !== 'string') return [];
  if (type === 'image' || type === 'ai_menu' || type === 'sponsorship_card')
    return [{ type, url, duration_ms: durationMs }];
  return type === 'creative'
    ? [{ type: kind === 'video' ? 'video' : 'image', url, duration_ms: durationMs, labels: textsOf(labels) }]
    : [];
}

function numberOf(value: unknown, fallback: number): number {
  return typeof value === 'number' && isFinite(value) ? value : fallback;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : [];
}

function textOf(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}
