/** Playlists in Postgres: list, creation, changes and archiving, with their items (`items.ts`). */
import { formatId, type Handle } from '#domain/id.ts';
import type { PlaylistItem } from '#domain/screens/playlist.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';
import { inUnitOfWork } from '#books/unit-of-work.ts';
import { clearPlaylist } from '#sql/screens/units.ts';
import { clearDefaultPlaylist } from '#sql/venues/units.ts';
import type { Caller } from '../authentication/caller.ts';
import { diffOfChange, diffOfNew } from '#domain/access/audit-diff.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { likeText, positionIn, sliceOf, totalOf } from '#sql/lists/list-order.ts';
import { envelope, type List, type Page } from '../lists/paging.ts';
import { checkItems, insertItems, selectItems, showRow, spellItem, spellRow, type ItemRow } from './items.ts';
import { PLAYLIST_SORTS, type Playlist } from './schema.ts';
import type { Milliseconds } from '#domain/unit.ts';

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
  assets?: readonly Handle<'asset'>[];
  creatives?: readonly Handle<'creative'>[];
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
  const { venues, assets, creatives, statuses, name, isCounted } = filter;
  const wanted = sql`and case when archived_at is null then 'active'
    else 'archived' end = any (${[...statuses]}::text[])
      ${name === undefined ? sql`` : sql`and name ilike ${likeText(name)}`}
    ${
      venues === undefined
        ? sql``
        : sql`and handle in (
      select playlist_handle from screens where venue_handle = any(${[...venues]}::bigint[]) and unpaired_at is null
      union all select default_playlist_handle from venues where handle = any(${[...venues]}::bigint[]))`
    }
    ${
      assets === undefined
        ? sql``
        : sql`and handle in (select playlist_handle from playlist_items
      where asset_handle = any(${[...assets]}::bigint[]))`
    }
    ${
      creatives === undefined
        ? sql``
        : sql`and handle in (select playlist_handle from playlist_items
      where creative_handle = any(${[...creatives]}::bigint[]))`
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

/** @param fields name and items, and the ad ratio where it is not the screen's own */
export async function createPlaylist(
  sql: Postgres,
  caller: Caller,
  { fields, now }: { fields: PlaylistFields; now: Milliseconds },
): Promise<Playlist | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const { name, items = [], adRatio = null } = fields;
    const refusal = await checkItems(unit.tx, caller, { items, before: [] });
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
    const rowsBefore = items && ((await selectItems(unit.tx, [handle])).get(handle) ?? []);
    const refusal = items && rowsBefore && (await checkItems(unit.tx, caller, { items, before: rowsBefore }));
    if (refusal) return refusal;
    const diff = diffOfChange(
      { name: before.name, ad_ratio: before.ad_ratio, items: rowsBefore?.map(spellRow) },
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
    const screens = await clearPlaylist(unit.tx, handle);
    const venues = await clearDefaultPlaylist(unit.tx, handle);
    unit.audit({
      workspace: caller.workspace,
      action: 'playlist.archived',
      entityType: 'playlist',
      entityHandle: handle,
      diff: {
        status: { from: 'active', to: 'archived' },
        screens: { from: screens, to: 0 },
        venues: { from: venues, to: 0 },
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

function playlistRecord(row: PlaylistRow, items: readonly ItemRow[]): Playlist {
  return {
    id: formatId('playlist', row.handle),
    name: row.name,
    status: row.archived_at === null ? 'active' : 'archived',
    items: items.map(showRow),
    ad_ratio: row.ad_ratio,
    screens: row.screens,
    venues: row.venues,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
