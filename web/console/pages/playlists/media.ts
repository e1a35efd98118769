/** The pictures and creatives of the workspace that a playlist can show, with the names that people gave them. */
import { useList } from '../../api/api.ts';
import { t, term } from '../../text/text.ts';
import type { Item } from './draft.ts';

/** Media for a list; `durationMs` is its own duration. */
export type Medium = { id: string; name: string; url: string | null; durationMs: number | undefined };
export type Media = { images: Medium[]; creatives: Medium[]; of: (item: Item) => Medium | undefined };

/** How long a creative is taken to last until its record is there. */
const CREATIVE_MS = 10_000;

export function useMedia(): Media {
  const assets = useList(['assets', 'ready'], (api, page, signal) =>
    api.get('/v1/assets', { query: { ...page, status: 'ready' }, signal }),
  );
  const ready = useList(['creatives', 'ready'], (api, page, signal) =>
    api.get('/v1/creatives', { query: { ...page, status: 'ready' }, signal }),
  );
  const images = assets.rows.map(({ id, name, play_url: url }): Medium => ({ id, name, url, durationMs: undefined }));
  const creatives = ready.rows.map(({ id, name, poster_url: url, duration_ms: durationMs }): Medium => ({
    id,
    name,
    url,
    durationMs,
  }));
  const all = new Map([...images, ...creatives].map(medium => [medium.id, medium]));
  return { images, creatives, of: item => all.get(item.asset_id ?? item.creative_id ?? '') };
}

export function lengthOf(media: Media, creative: string): number {
  return media.creatives.find(({ id }) => id === creative)?.durationMs ?? CREATIVE_MS;
}

/** The display name of an item. */
export function nameOf(item: Item, media: Media): string {
  if (item.type === 'sponsorship_card' && item.sponsor) return t('playlist.cardOf', { sponsor: item.sponsor });
  return media.of(item)?.name ?? item.asset_id ?? item.creative_id ?? term('item', item.type);
}
