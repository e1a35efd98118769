/** Playlists in Postgres: list, creation, changes and archiving, with their items. */
import { randomBytes } from 'node:crypto';
import { formatId, type Handle } from '#domain/id.ts';
import type { PlaylistItem, SponsorshipCard } from '#domain/screens/playlist.ts';
import { isRefusal, refuse, refuseFields, type FieldFault, type Refusal } from '#domain/refusal.ts';
import { jsonb, type Postgres, type Queryable, type Transaction } from '#sql/postgres.ts';
import { inUnitOfWork } from '#books/unit-of-work.ts';
import type { Caller } from '../authentication/caller.ts';
import { diffOfChange, diffOfNew } from '../audit/diff.ts';
import { refuseAbsent } from '../refusals.ts';
import { positionIn, sliceOf, totalOf } from '../lists/list-order.ts';
import { envelope, type List, type Page } from '../lists/paging.ts';
import { likeText } from '../shapes.ts';
import { PLAYLIST_SORTS, type Playlist } from './schema.ts';
import type { Milliseconds } from '#domain/unit.ts';

type ItemRow = {
  playlist_handle: Handle<'playlist'>;
  type: PlaylistItem['type'];
  template: string | null;
  asset_handle: Handle<'asset'> | null;
  creative_handle: Handle<'creative'> | null;
  duration_ms: Milliseconds | null;
  weight: number | null;
  card: SponsorshipCard | null;
  page_name: string | null;
};
/** 128 random bits, so that the name of a page cannot be guessed. */
const PAGE_NAME_BYTES = 16;
type PlaylistRow = {
  handle: Handle<'playlist'>;
  name: string;
  ad_ratio: number | null;
  created_at: Date;
  updated_at: Date;
  archived_at: Date | null;
  screens: number;
  venues: number;
};

/** Fields of a playlist that a request sets. */
export type PlaylistFields = { name?: string; items?: readonly PlaylistItem[]; adRatio?: number | null };
export type PlaylistFilter = {
  venues?: readonly Handle<'venue'>[];
  statuses: readonly string[];
  name?: string;
  isCounted: boolean;
};
function selectPlaylists(sql: Queryable, caller: Caller) {
  return sql`
    select handle, name, ad_ratio, created_at, updated_at, archived_at,
      (select count(*) from screens s where s.playlist_handle = p.handle and s.unpaired_at is null) as screens,
      (select count(*) from venues v where v.default_playlist_handle = p.handle and v.deleted_at is null) as venues
    from playlists p where workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox}`;
}

/** Playlists of the caller's workspace and book. */
export async function listPlaylists(
  sql: Postgres,
  caller: Caller,
  { page, filter }: { page: Page; filter: PlaylistFilter },
): Promise<List<Playlist>> {
  const { venues, statuses, name, isCounted } = filter;
  const wanted = sql`and case when archived_at is null then 'active'
    else 'archived' end = any (${[...statuses]}::text[])
      ${name === undefined ? sql`` : sql`and name ilike ${likeText(name)}`}
    ${
      venues === undefined
        ? sql``
        : sql`and handle in (
      select playlist_handle from screens where venue_handle = any(${[...venues]}::bigint[]) and unpaired_at is null
      union all select default_playlist_handle from venues where handle = any(${[...venues]}::bigint[]))`
    }`;
  const { behind, order } = sliceOf(sql, page, { sorts: PLAYLIST_SORTS });
  const [rows, total] = await Promise.all([
    sql<PlaylistRow[]>`${selectPlaylists(sql, caller)} ${wanted} ${behind} ${order}`,
    totalOf(sql, isCounted, sql`${selectPlaylists(sql, caller)} ${wanted}`),
  ]);
  const items = await selectItems(
    sql,
    rows.map(row => row.handle),
  );
  return {
    ...envelope(rows, page, {
      positionOf: positionIn(page, PLAYLIST_SORTS),
      recordOf: row => playlistRecord(row, items.get(row.handle) ?? []),
    }),
    ...total,
  };
}

export async function readPlaylist(
  sql: Queryable,
  caller: Caller,
  handle: Handle<'playlist'>,
): Promise<Playlist | Refusal> {
  const [row] = await sql<PlaylistRow[]>`${selectPlaylists(sql, caller)} and handle = ${handle}`;
  return row ? playlistRecord(row, (await selectItems(sql, [handle])).get(handle) ?? []) : refuseAbsent();
}

async function selectItems(
  sql: Queryable,
  playlists: readonly Handle<'playlist'>[],
): Promise<Map<Handle<'playlist'>, ItemRow[]>> {
  if (playlists.length === 0) return new Map();
  const rows = await sql<ItemRow[]>`
    select playlist_handle, type, template, asset_handle, creative_handle, duration_ms, weight, card, page_name
    from playlist_items
    where playlist_handle = any(${[...playlists]}) order by playlist_handle, position`;
  const byPlaylist = new Map<Handle<'playlist'>, ItemRow[]>(playlists.map(handle => [handle, []]));
  for (const row of rows) byPlaylist.get(row.playlist_handle)!.push(row);
  return byPlaylist;
}

/** @param fields name and items, and the ad ratio where it is not the screen's own */
export async function createPlaylist(
  sql: Postgres,
  caller: Caller,
  { fields, now }: { fields: PlaylistFields; now: Milliseconds },
): Promise<Playlist | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const { name, items = [], adRatio = null } = fields;
    const refusal = await checkItems(unit.tx, caller, items);
    if (refusal) return refusal;
    const [row] = await unit.tx<{ handle: Handle<'playlist'> }[]>`
      insert into playlists (workspace_handle, sandbox, name, ad_ratio, created_at, updated_at)
      values (${caller.workspace}, ${caller.sandbox}, ${name!}, ${adRatio}, ${unit.now}, ${unit.now}) returning handle`;
    const { handle } = row!;
    await insertItems(unit.tx, handle, items);
    unit.audit({
      workspace: caller.workspace,
      action: 'playlist.created',
      entityType: 'playlist',
      entityHandle: handle,
      diff: diffOfNew({ name, ad_ratio: adRatio, items: items.map(spellItem) }),
    });
    unit.changed('playlist', handle);
    return readPlaylist(unit.tx, caller, handle);
  });
}

/** Changes the given fields; items are replaced as a whole. A change of nothing writes nothing. */
export async function changePlaylist(
  sql: Postgres,
  caller: Caller,
  { handle, fields, now }: { handle: Handle<'playlist'>; fields: PlaylistFields; now: Milliseconds },
): Promise<Playlist | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const before = await lockPlaylist(unit.tx, caller, handle);
    if (isRefusal(before)) return before;
    const { name, items, adRatio } = fields;
    const refusal = items && (await checkItems(unit.tx, caller, items));
    if (refusal) return refusal;
    const itemsBefore = items && ((await selectItems(unit.tx, [handle])).get(handle) ?? []).map(spellRow);
    const diff = diffOfChange(
      { name: before.name, ad_ratio: before.ad_ratio, items: itemsBefore },
      { name, ad_ratio: adRatio, items: items?.map(spellItem) },
    );
    if (Object.keys(diff).length > 0) {
      await unit.tx`update playlists set name = ${name ?? before.name},
          ad_ratio = ${adRatio === undefined ? before.ad_ratio : adRatio}, updated_at = ${unit.now}
        where handle = ${handle}`;
      if (items && diff['items']) {
        await unit.tx`delete from playlist_items where playlist_handle = ${handle}`;
        await insertItems(unit.tx, handle, items);
      }
      unit.audit({
        workspace: caller.workspace,
        action: 'playlist.updated',
        entityType: 'playlist',
        entityHandle: handle,
        diff,
      });
      unit.changed('playlist', handle);
    }
    return readPlaylist(unit.tx, caller, handle);
  });
}

/** Archives: screens that run it fall back to their venue's default, venues whose default it is to ads alone. */
export async function archivePlaylist(
  sql: Postgres,
  caller: Caller,
  { handle, now }: { handle: Handle<'playlist'>; now: Milliseconds },
): Promise<undefined | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const before = await lockPlaylist(unit.tx, caller, handle);
    if (isRefusal(before)) return before;
    await unit.tx`update playlists set archived_at = ${unit.now}, updated_at = ${unit.now} where handle = ${handle}`;
    const screens = await unit.tx`update screens set playlist_handle = null where playlist_handle = ${handle}`;
    const venues =
      await unit.tx`update venues set default_playlist_handle = null where default_playlist_handle = ${handle}`;
    unit.audit({
      workspace: caller.workspace,
      action: 'playlist.archived',
      entityType: 'playlist',
      entityHandle: handle,
      diff: {
        status: { from: 'active', to: 'archived' },
        screens: { from: screens.count, to: 0 },
        venues: { from: venues.count, to: 0 },
      },
    });
    unit.changed('playlist', handle);
    return undefined;
  });
}

async function lockPlaylist(
  tx: Transaction,
  caller: Caller,
  handle: Handle<'playlist'>,
): Promise<{ name: string; ad_ratio: number | null } | Refusal> {
  const [row] = await tx<{ name: string; ad_ratio: number | null; archived_at: Date | null }[]>`
    select name, ad_ratio, archived_at from playlists
    where handle = ${handle} and workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} for update`;
  if (!row) return refuseAbsent();
  return row.archived_at === null ? row : refuse('state_conflict', 'The playlist is archived.');
}

/**
 * Whether a screen or a venue of the caller may be bound to the playlist. It is locked until the end of the
 * transaction, so that it is not archived meanwhile; ask before the lock on the screen or the venue, which archiving
 * takes later.
 */
export async function isBindable(tx: Transaction, caller: Caller, handle: Handle<'playlist'>): Promise<boolean> {
  const rows = await tx`
    select 1 from playlists where handle = ${handle} and workspace_handle = ${caller.workspace}
      and sandbox = ${caller.sandbox} and archived_at is null for share`;
  return rows.length > 0;
}

type FoundMedia = { handle: Handle<'asset' | 'creative'>; status: string; kind: string; duration_ms: Milliseconds };

/**
 * Refuses assets and creatives that are not the workspace's own, or not ready, and a video that should last another
 * time than it does.
 */
async function checkItems(
  tx: Transaction,
  caller: Caller,
  items: readonly PlaylistItem[],
): Promise<Refusal | undefined> {
  const assets = items.flatMap(item => (item.type === 'image' ? [item.asset] : []));
  const creatives = items.flatMap(item => (item.type === 'creative' ? [item.creative] : []));
  const ofCaller = tx`workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox}`;
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
    where handle = any(${creatives}) and ${ofCaller} and detached_at is null`;
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
    else if (found.status !== 'ready')
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

async function insertItems(
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

type ShownItem = Playlist['items'][number];

function spellItem(item: PlaylistItem): ShownItem {
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

function spellRow(row: ItemRow): ShownItem {
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
  const [row] = await sql<{ card: SponsorshipCard }[]>`select card from playlist_items where page_name = ${pageName}`;
  return row?.card;
}

function playlistRecord(row: PlaylistRow, items: readonly ItemRow[]): Playlist {
  return {
    id: formatId('playlist', row.handle),
    name: row.name,
    status: row.archived_at === null ? 'active' : 'archived',
    items: items.map(spellRow),
    ad_ratio: row.ad_ratio,
    screens: row.screens,
    venues: row.venues,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
