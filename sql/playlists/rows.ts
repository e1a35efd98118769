/** Playlists in Postgres: lists of them, and single playlists with their items (`items.ts`), read and locked. */
import type { Handle } from '#domain/id.ts';
import { refuse, refuseAbsent, type Refusal } from '#domain/refusal.ts';
import type { Owner } from '#books/unit-of-work.ts';
import { likeText, readListed, type Counted } from '#sql/lists/list-order.ts';
import type { PageOrder, Sorts } from '#sql/lists/sorts.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';
import { selectItems, type ItemRow } from './items.ts';

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
/** A playlist with its items, in their order, and the number of screens and venues that run it. */
export type StoredPlaylist = PlaylistRow & { items: readonly ItemRow[] };

/** The orders of a list of playlists. */
export const PLAYLIST_SORTS = {
  created_at: 'handle',
  name: { column: 'name', type: 'text', valueOf: row => row.name },
  updated_at: { column: 'updated_at', type: 'timestamptz', valueOf: row => row.updated_at.toISOString() },
} as const satisfies Sorts<{ name: string; updated_at: Date }>;

/** `isCounted` requests the total of all pages. */
export type PlaylistFilter = {
  venues?: readonly Handle<'venue'>[];
  assets?: readonly Handle<'asset'>[];
  creatives?: readonly Handle<'creative'>[];
  statuses: readonly string[];
  name?: string;
  isCounted: boolean;
};

function selectPlaylists(sql: Queryable, { workspace, sandbox }: Owner) {
  return sql`
    select handle, name, ad_ratio, created_at, updated_at, archived_at,
      (select count(*) from screens s where s.playlist_handle = p.handle and s.unpaired_at is null) as screens,
      (select count(*) from venues v where v.default_playlist_handle = p.handle and v.deleted_at is null) as venues
    from playlists p where workspace_handle = ${workspace} and sandbox = ${sandbox}`;
}

/** A page of the owner's playlists, with one row more if there is a next page. */
export async function listPlaylists(
  sql: Postgres,
  owner: Owner,
  { page, filter }: { page: PageOrder; filter: PlaylistFilter },
): Promise<Counted<StoredPlaylist>> {
  const { venues, assets, creatives, statuses, name, isCounted } = filter;
  const wanted = sql<PlaylistRow[]>`${selectPlaylists(sql, owner)} and case when archived_at is null then 'active'
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
  const { rows, ...total } = await readListed(sql, page, { sorts: PLAYLIST_SORTS, wanted, isCounted });
  return { rows: await withItems(sql, rows), ...total };
}

/** One playlist of the owner, even if archived. */
export async function findPlaylist(
  sql: Queryable,
  owner: Owner,
  handle: Handle<'playlist'>,
): Promise<StoredPlaylist | undefined> {
  const rows = await sql<PlaylistRow[]>`${selectPlaylists(sql, owner)} and handle = ${handle}`;
  return (await withItems(sql, rows))[0];
}

async function withItems(sql: Queryable, rows: readonly PlaylistRow[]): Promise<StoredPlaylist[]> {
  const items = await selectItems(
    sql,
    rows.map(row => row.handle),
  );
  return rows.map(row => ({ ...row, items: items.get(row.handle) ?? [] }));
}

/** Locks a playlist of the owner; an archived one is refused. */
export async function lockPlaylist(
  tx: Transaction,
  { workspace, sandbox }: Owner,
  handle: Handle<'playlist'>,
): Promise<{ name: string; ad_ratio: number | null } | Refusal> {
  const [row] = await tx<{ name: string; ad_ratio: number | null; archived_at: Date | null }[]>`
    select name, ad_ratio, archived_at from playlists
    where handle = ${handle} and workspace_handle = ${workspace} and sandbox = ${sandbox} for update`;
  if (!row) return refuseAbsent();
  return row.archived_at === null ? row : refuse('state_conflict', 'The playlist is archived.');
}
