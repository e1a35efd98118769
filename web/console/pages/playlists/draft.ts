/** A playlist during editing: items with their own keys, so that an item keeps its identity when it moves. */
import type { Marquee, RecordOf } from '@marquee/sdk';

export type Playlist = RecordOf<'/v1/playlists'>;
type PlaylistBody = NonNullable<Parameters<typeof Marquee.prototype.post<'/v1/playlists'>>[1]>['body'];
export type Item = PlaylistBody['items'][number];
export type DraftItem = { key: number; item: Item };

/** As the API: more items make a message that screens refuse. */
export const ITEMS_MAX = 100;
const SECOND_MS = 1_000;
/** How long a new item is shown by default. */
const SHOWN_MS = 15 * SECOND_MS;

let keys = 0;

export function draftOf(items: readonly Item[]): DraftItem[] {
  return items.map(withKey);
}

export function withKey(item: Item): DraftItem {
  return { key: (keys += 1), item };
}

/** A new item of a kind; `id` names the picture or the creative. */
export function newItem(type: Item['type'], id = ''): Item {
  if (type === 'ad_slot') return { type, weight: 1 };
  if (type === 'creative') return { type, creative_id: id };
  if (type === 'image') return { type, asset_id: id, duration_ms: SHOWN_MS };
  if (type === 'ai_menu') return { type, template: 'board', duration_ms: SHOWN_MS };
  return { type, sponsor: '', duration_ms: SHOWN_MS };
}

/** The list with the item of one place at another one. */
export function moved(items: readonly DraftItem[], from: number, to: number): DraftItem[] {
  const rest = items.filter((_, index) => index !== from);
  return [...rest.slice(0, to), items[from]!, ...rest.slice(to)];
}

/** Whether two lists would be saved as the same, whatever the order of the fields. */
export function isSame(a: readonly Item[], b: readonly Item[]): boolean {
  return JSON.stringify(a.map(sorted)) === JSON.stringify(b.map(sorted));
}

function sorted(item: Item) {
  return Object.entries(item).sort(([a], [b]) => a.localeCompare(b));
}
