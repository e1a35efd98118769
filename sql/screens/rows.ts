/** Screens in Postgres: lists of them, and single screens, read and locked. */
import type { Handle } from '#domain/id.ts';
import type { ScreenCommand } from '#domain/screens/command.ts';
import type { ScreenStatus } from '#domain/screens/screen.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Owner } from '#books/unit-of-work.ts';
import { likeText, readCounted, type Statement } from '#sql/lists/list-order.ts';
import type { PageOrder, Sorts } from '#sql/lists/sorts.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';
import { statusColumn } from './presence.ts';

const EARTH_RADIUS_KM = 6371.0088;

export type ScreenRow = {
  handle: Handle<'screen'>;
  venue_handle: Handle<'venue'>;
  venue_name: string;
  venue_type: string;
  city: string;
  label: string;
  platform: string | null;
  status: ScreenStatus;
  last_seen_at: Date | null;
  commands: ScreenCommand[] | null;
  sensor_paired: boolean;
  sensor_serial: string | null;
  sensor_paired_at: Date | null;
  audience_attested_at: Date | null;
  ad_ratio: number;
  playlist_handle: Handle<'playlist'> | null;
  orientation: string;
  opening_hours: unknown;
  blocked_categories: string[];
  created_at: Date;
};

/** The orders of a list of screens. */
export const SCREEN_SORTS = {
  created_at: 'handle',
  label: { column: 'label', type: 'text', valueOf: row => row.label },
  // By its name: those that are offline come first, then those that are online.
  status: { column: 'status', type: 'text', valueOf: row => row.status },
} as const satisfies Sorts<{ label: string; status: string }>;

/** `isCounted` requests the total of all pages, and how many screens have each status. */
export type ScreenFilter = {
  venues?: readonly Handle<'venue'>[];
  isCounted: boolean;
  statuses?: readonly string[];
  platforms?: readonly string[];
  /** A part of the label, of the venue's name or of its city. */
  text?: string;
  area?: { lat: number; lng: number; radiusKm: number };
};

/** The condition that a screen `s` is one of the owner's. */
export function isOwn(sql: Queryable, { workspace, sandbox }: Owner) {
  return sql`s.workspace_handle = ${workspace} and s.sandbox = ${sandbox} and s.unpaired_at is null`;
}

function selectScreens(sql: Queryable, owner: Owner, now: Milliseconds) {
  return sql`
    select s.handle, s.venue_handle, v.name as venue_name, v.type as venue_type, v.city, s.label,
      s.platform, p.last_seen_at, p.commands,
      s.sensor_paired, k.serial as sensor_serial, k.paired_at as sensor_paired_at,
      s.audience_attested_at, s.ad_ratio, s.playlist_handle, s.orientation, v.opening_hours, s.blocked_categories,
        s.created_at, ${statusColumn(sql, now)} as status
    from screens s join venues v on v.handle = s.venue_handle left join screen_presence p on p.screen_handle = s.handle
    left join sensors k on k.screen_handle = s.handle
    where ${isOwn(sql, owner)}`;
}

/** A page of the owner's screens, with one row more if there is a next page. */
export async function listScreens(
  sql: Postgres,
  owner: Owner,
  { page, filter, now }: { page: PageOrder; filter: ScreenFilter; now: Milliseconds },
): Promise<{ rows: ScreenRow[]; total?: number; by_status?: Record<ScreenStatus, number> }> {
  const { venues, statuses, platforms, text, area, isCounted } = filter;
  const status = statusColumn(sql, now);
  const ofAnyStatus = sql`
    select s.handle, s.label, ${status} as status
    from screens s left join screen_presence p on p.screen_handle = s.handle
    where ${isOwn(sql, owner)}
      ${venues === undefined ? sql`` : sql`and s.venue_handle = any(${[...venues]}::bigint[])`}
      ${platforms === undefined ? sql`` : sql`and s.platform = any (${[...platforms]}::text[])`}
      ${text === undefined ? sql`` : sql`and ${isNamed(sql, owner, text)}`}
      ${area === undefined ? sql`` : sql`and s.venue_handle in (${selectVenuesWithin(sql, owner, area)})`}`;
  const wanted =
    statuses === undefined ? ofAnyStatus : sql`${ofAnyStatus} and ${status} = any (${[...statuses]}::text[])`;
  const list = await readCounted<ScreenRow>(sql, page, {
    sorts: SCREEN_SORTS,
    wanted,
    records: selectScreens(sql, owner, now),
    isCounted,
  });
  return { ...list, ...(isCounted && { by_status: await countByStatus(sql, ofAnyStatus) }) };
}

/** How many screens these venues of the owner have, and how many of them are online. */
export async function countScreens(
  sql: Queryable,
  owner: Owner,
  { venues, now }: { venues: readonly Handle<'venue'>[]; now: Milliseconds },
): Promise<{ venue: Handle<'venue'>; paired: number; online: number }[]> {
  return sql<{ venue: Handle<'venue'>; paired: number; online: number }[]>`
    select s.venue_handle as venue, count(*)::int as paired,
      (count(*) filter (where ${statusColumn(sql, now)} = 'online'))::int as online
    from screens s left join screen_presence p on p.screen_handle = s.handle
    where ${isOwn(sql, owner)} and s.venue_handle = any(${[...venues]}::bigint[]) group by 1`;
}

/** By one statement, so that the counts add up to all screens. */
async function countByStatus(sql: Queryable, screens: Statement): Promise<Record<ScreenStatus, number>> {
  const rows = await sql<{ status: ScreenStatus; total: number }[]>`
    select status, count(*)::int as total from (${screens}) as screens group by status`;
  return { online: 0, offline: 0, paired_idle: 0, ...Object.fromEntries(rows.map(row => [row.status, row.total])) };
}

/**
 * Venues by the distance of the haversine formula; there are far fewer of them than screens, so it is computed for each
 * once.
 */
function selectVenuesWithin(
  sql: Queryable,
  { workspace }: Owner,
  { lat, lng, radiusKm }: NonNullable<ScreenFilter['area']>,
) {
  return sql`
    select handle from venues where workspace_handle = ${workspace}
      and ${EARTH_RADIUS_KM * 2} * asin(sqrt(least(1, pow(sin(radians(lat - ${lat}) / 2), 2)
      + cos(radians(${lat})) * cos(radians(lat)) * pow(sin(radians(lng - ${lng}) / 2), 2)))) <= ${radiusKm}`;
}

/** A condition: the text is a part of the label of a screen `s`, of its venue's name or of its city. */
function isNamed(sql: Queryable, { workspace }: Owner, text: string) {
  const like = likeText(text);
  return sql`(s.label ilike ${like} or s.venue_handle in (
    select handle from venues where workspace_handle = ${workspace} and (name ilike ${like} or city ilike ${like})))`;
}

/** One paired screen of the owner. */
export async function findScreen(
  sql: Queryable,
  owner: Owner,
  { handle, now }: { handle: Handle<'screen'>; now: Milliseconds },
): Promise<ScreenRow | undefined> {
  const [row] = await sql<ScreenRow[]>`${selectScreens(sql, owner, now)} and s.handle = ${handle}`;
  return row;
}

/** The ad ratios in force: a playlist's, if the screen has one. */
export async function readAdRatios(
  sql: Queryable,
  handles: readonly Handle<'screen'>[],
): Promise<Map<Handle<'screen'>, number>> {
  const rows = await sql<{ handle: Handle<'screen'>; ratio: number }[]>`
    select handle, ad_ratio_of(handle) as ratio from screens where handle = any(${[...handles]}::bigint[])`;
  return new Map(rows.map(({ handle, ratio }) => [handle, ratio]));
}

/** Columns of a screen that a request sets. */
export type ScreenColumns = Partial<{
  label: string;
  venue_handle: Handle<'venue'>;
  ad_ratio: number;
  playlist_handle: Handle<'playlist'> | null;
  orientation: string;
  sensor_paired: boolean;
  blocked_categories: string[];
}>;
type LockedScreen = Required<ScreenColumns>;

/** A paired screen of the owner, locked until the unit ends. */
export async function lockScreen(
  tx: Transaction,
  { workspace, sandbox }: Owner,
  handle: Handle<'screen'>,
): Promise<LockedScreen | undefined> {
  const [row] = await tx<LockedScreen[]>`
    select label, venue_handle, ad_ratio, playlist_handle, orientation, sensor_paired, blocked_categories from screens
    where handle = ${handle} and workspace_handle = ${workspace} and sandbox = ${sandbox}
      and unpaired_at is null for update`;
  return row;
}
