/** The items of playlists in Postgres: read, checked and written, and their form in the audit log. */
import { randomBytes } from 'node:crypto';
import { formatId, type Handle } from '#domain/id.ts';
import { refuseFields, type FieldFault, type Refusal } from '#domain/refusal.ts';
import type { PlaylistItem, SpelledItem, SponsorshipCard } from '#domain/screens/playlist.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Owner } from '#books/unit-of-work.ts';
import { jsonb, type Queryable, type Transaction } from '#sql/postgres.ts';

export type ItemRow = {
  playlist_handle: Handle<'playlist'>;
  type: PlaylistItem['type'];
  template: string | null;
  asset_handle: Handle<'asset'> | null;
  creative_handle: Handle<'creative'> | null;
  creative_status: string | null;
  duration_ms: Milliseconds | null;
  weight: number | null;
  card: SponsorshipCard | null;
  page_name: string | null;
};
/** 128 random bits, so that the name of a page cannot be guessed. */
const PAGE_NAME_BYTES = 16;

/** The items of each of these playlists, in their order. */
export async function selectItems(
  sql: Queryable,
  playlists: readonly Handle<'playlist'>[],
): Promise<Map<Handle<'playlist'>, ItemRow[]>> {
  if (playlists.length === 0) return new Map();
  const rows = await sql<ItemRow[]>`
    select i.playlist_handle, i.type, i.template, i.asset_handle, i.creative_handle, c.status as creative_status,
      i.duration_ms, i.weight, i.card, i.page_name
    from playlist_items i left join creatives c on c.handle = i.creative_handle
    where i.playlist_handle = any(${[...playlists]}) order by i.playlist_handle, i.position`;
  const byPlaylist = new Map<Handle<'playlist'>, ItemRow[]>(playlists.map(handle => [handle, []]));
  for (const row of rows) byPlaylist.get(row.playlist_handle)!.push(row);
  return byPlaylist;
}

type FoundMedia = { handle: Handle<'asset' | 'creative'>; status: string; kind: string; duration_ms: Milliseconds };

/**
 * Refuses assets and creatives that are not the workspace's own, or not ready, and a video that should last another
 * time than it does. A workspace may have keys of both sides: the creatives of its brand are not those of its venues.
 * A creative that was deleted while the playlist showed it (`before`) may stay, so that its items can be sent back.
 */
export async function checkItems(
  tx: Transaction,
  { workspace, sandbox }: Owner,
  { items, before }: { items: readonly PlaylistItem[]; before: readonly ItemRow[] },
): Promise<Refusal | undefined> {
  const kept = before.flatMap(row => (row.creative_status === 'detached' ? [row.creative_handle!] : []));
  const assets = items.flatMap(item => (item.type === 'image' ? [item.asset] : []));
  const creatives = items.flatMap(item => (item.type === 'creative' ? [item.creative] : []));
  const ofCaller = tx`workspace_handle = ${workspace} and sandbox = ${sandbox}`;
  const foundAssets =
    assets.length === 0
      ? []
      : await tx<FoundMedia[]>`
    select handle, status, 'still' as kind, 0 as duration_ms from assets
    where handle = any(${assets}) and ${ofCaller} and archived_at is null order by handle for share`;
  const foundCreatives =
    creatives.length === 0
      ? []
      : await tx<FoundMedia[]>`
    select handle, status, kind, duration_ms from creatives
    where handle = any(${creatives}) and ${ofCaller} and of_venue
      and (detached_at is null or handle = any(${kept}::bigint[]))`;
  const faults: FieldFault[] = [];
  items.forEach((item, index) => {
    if (item.type !== 'image' && item.type !== 'creative') return;
    const [kind, rows, handle] =
      item.type === 'image'
        ? (['asset', foundAssets, item.asset] as const)
        : (['creative', foundCreatives, item.creative] as const);
    const found = rows.find(row => row.handle === handle);
    const pointer = `/items/${index}/${kind}_id`;
    if (!found)
      faults.push({
        pointer,
        code: `unknown_${kind}`,
        detail: `is not a${kind === 'asset' ? 'n asset' : ' creative'} of this workspace`,
      });
    else if (found.status !== 'ready' && found.status !== 'detached')
      faults.push({ pointer, code: 'not_ready', detail: `is ${found.status}; only a ready one can be shown` });
    else if (found.kind === 'video' && item.durationMs !== undefined && item.durationMs !== found.duration_ms) {
      faults.push({
        pointer: `/items/${index}/duration_ms`,
        code: 'out_of_range',
        detail: `a video lasts its own ${found.duration_ms} ms; leave it out`,
      });
    }
  });
  return faults.length > 0 ? refuseFields(faults) : undefined;
}

/** Writes the items of a playlist that has none. */
export async function insertItems(
  tx: Transaction,
  playlist: Handle<'playlist'>,
  items: readonly PlaylistItem[],
): Promise<void> {
  const rows = items.map((item, position) => ({
    playlist_handle: playlist,
    position,
    type: item.type,
    template: item.type === 'ai_menu' ? item.template : null,
    asset_handle: item.type === 'image' ? item.asset : null,
    creative_handle: item.type === 'creative' ? item.creative : null,
    duration_ms: item.type === 'ad_slot' ? null : (item.durationMs ?? null),
    weight: item.type === 'ad_slot' ? item.weight : null,
    card:
      item.type === 'sponsorship_card'
        ? jsonb(tx, { sponsor: item.sponsor, ...(item.message !== undefined && { message: item.message }) })
        : null,
    page_name: item.type === 'sponsorship_card' ? randomBytes(PAGE_NAME_BYTES).toString('hex') : null,
  }));
  await tx`insert into playlist_items ${tx(rows)}`;
}

/** An item of a request, as the audit shows it. */
export function spellItem(item: PlaylistItem): SpelledItem {
  if (item.type === 'ad_slot') return { type: item.type, weight: item.weight };
  const duration = item.durationMs === undefined ? {} : { duration_ms: item.durationMs };
  if (item.type === 'ai_menu') return { type: item.type, template: item.template, ...duration };
  if (item.type === 'sponsorship_card')
    return {
      type: item.type,
      sponsor: item.sponsor,
      ...(item.message !== undefined && { message: item.message }),
      ...duration,
    };
  if (item.type === 'image') return { type: item.type, asset_id: formatId('asset', item.asset), ...duration };
  return { type: item.type, creative_id: formatId('creative', item.creative), ...duration };
}

/** An item as it was written, for the audit. */
export function spellRow(row: ItemRow): SpelledItem {
  return {
    type: row.type,
    ...(row.template !== null && { template: row.template }),
    ...(row.asset_handle !== null && { asset_id: formatId('asset', row.asset_handle) }),
    ...(row.creative_handle !== null && { creative_id: formatId('creative', row.creative_handle) }),
    ...(row.card && { sponsor: row.card.sponsor }),
    ...(row.card?.message !== undefined && { message: row.card.message }),
    ...(row.duration_ms !== null && { duration_ms: row.duration_ms }),
    ...(row.weight !== null && { weight: row.weight }),
  };
}

/** The words of a page's card, by its name. */
export async function findCardPage(sql: Queryable, pageName: string): Promise<SponsorshipCard | undefined> {
  const [row] = await sql<{ card: SponsorshipCard | null }[]>`
    select card from playlist_items where page_name = ${pageName}`;
  return row?.card ?? undefined;
}
