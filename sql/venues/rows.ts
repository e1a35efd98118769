/** Venues in Postgres: single venues and lists of them, what they are bound to, and their time zones. */
import { foldCity } from '#domain/geography.ts';
import type { Handle } from '#domain/id.ts';
import type { VenueRow } from '#domain/screens/stored-venue.ts';
import type { Micros } from '#domain/unit.ts';
import type { Owner } from '#books/unit-of-work.ts';
import { likeText, readListed, type Counted, type Statement } from '#sql/lists/list-order.ts';
import { BY_CREATION, type PageOrder, type Sorts } from '#sql/lists/sorts.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';

/** The orders of a list of venues. */
export const VENUE_SORTS = {
  created_at: 'handle',
  name: { column: 'name', type: 'text', valueOf: row => row.name },
  city: { column: 'city', type: 'text', valueOf: row => row.city },
} as const satisfies Sorts<{ name: string; city: string }>;

/** `isCounted` requests the total of all pages. */
export type VenueFilter = {
  types?: readonly string[];
  citiesFolded?: readonly string[];
  name?: string;
  isCounted: boolean;
};

/** A condition: the venue is the owner's and not archived. */
const isOf = (sql: Queryable, { workspace, sandbox }: Owner) =>
  sql`workspace_handle = ${workspace} and sandbox = ${sandbox} and deleted_at is null`;

/** A page of the owner's venues, with one row more if there is a next page. */
export async function listVenues(
  sql: Postgres,
  owner: Owner,
  { page, filter: { types, citiesFolded, name, isCounted } }: { page: PageOrder; filter: VenueFilter },
): Promise<Counted<VenueRow>> {
  const own = isOf(sql, owner);
  const cities = citiesFolded && (await citiesNamed(sql, own, citiesFolded));
  const wanted = sql<VenueRow[]>`
    select * from venues where ${own}
      ${types === undefined ? sql`` : sql`and type = any(${[...types]}::text[])`}
      ${cities === undefined ? sql`` : sql`and city = any(${cities}::text[])`}
      ${name === undefined ? sql`` : sql`and name ilike ${likeText(name)}`}`;
  return readListed(sql, page, { sorts: VENUE_SORTS, wanted, isCounted });
}

/**
 * The names of the cities of these venues, by their form without case and accents.
 * @param venues a condition
 */
async function citiesNamed(sql: Queryable, venues: Statement, folded: readonly string[]): Promise<string[]> {
  const rows = await sql<{ city: string }[]>`select distinct city from venues where ${venues}`;
  return rows.map(row => row.city).filter(city => folded.includes(foldCity(city)));
}

/** The same among the venues of all workspaces in a book. */
export async function citiesOfBook(sql: Queryable, sandbox: boolean, folded: readonly string[]): Promise<string[]> {
  return citiesNamed(sql, sql`sandbox = ${sandbox} and deleted_at is null`, folded);
}

export type WaitingVenueRow = VenueRow & { workspace_name: string };

/** A page of the venues of all workspaces whose figures wait for the operator. */
export async function listWaitingFigures(
  sql: Postgres,
  { page, sandbox, isCounted }: { page: PageOrder; sandbox: boolean; isCounted: boolean },
): Promise<Counted<WaitingVenueRow>> {
  const wanted = sql<WaitingVenueRow[]>`
    select v.*, w.name as workspace_name from venues v join workspaces w on w.handle = v.workspace_handle
    where v.pending_figures is not null and v.deleted_at is null and v.sandbox = ${sandbox}`;
  return readListed(sql, page, { sorts: BY_CREATION, handle: 'v.handle', wanted, isCounted });
}

/** Venues of all workspaces, or of one, those with the oldest review first; with `pending` only those that wait. */
export async function listFigures(
  sql: Postgres,
  { workspace, pending, limit }: { workspace: Handle<'workspace'> | undefined; pending: boolean; limit: number },
): Promise<VenueRow[]> {
  return sql<VenueRow[]>`
    select * from venues where deleted_at is null ${pending ? sql`and pending_figures is not null` : sql``}
      ${workspace === undefined ? sql`` : sql`and workspace_handle = ${workspace}`}
    order by review_requested_at, handle limit ${limit}`;
}

/** One venue of the owner that is not archived. */
export async function findVenue(sql: Queryable, owner: Owner, handle: Handle<'venue'>): Promise<VenueRow | undefined> {
  const [row] = await sql<VenueRow[]>`select * from venues where handle = ${handle} and ${isOf(sql, owner)}`;
  return row;
}

/** Locks and reads one venue that is not archived, of the owner if there is one. */
export async function lockVenue(
  tx: Transaction,
  handle: Handle<'venue'>,
  owner?: Owner,
): Promise<VenueRow | undefined> {
  const [row] = await tx<VenueRow[]>`
    select * from venues where handle = ${handle} and ${owner ? isOf(tx, owner) : tx`deleted_at is null`} for update`;
  return row;
}

/** Whether the owner may put screens into the venue. It is locked, so that it is not archived before they are there. */
export async function holdVenue(tx: Transaction, owner: Owner, handle: Handle<'venue'>): Promise<boolean> {
  const rows = await tx`select 1 from venues where handle = ${handle} and ${isOf(tx, owner)} for share`;
  return rows.length > 0;
}

/**
 * Whether the owner may bind a screen or a venue to the playlist. It is locked, so that it is not archived meanwhile;
 * ask before the lock on the screen or the venue, which archiving takes later.
 */
export async function holdPlaylist(
  tx: Transaction,
  { workspace, sandbox }: Owner,
  handle: Handle<'playlist'>,
): Promise<boolean> {
  const rows = await tx`
    select 1 from playlists where handle = ${handle} and workspace_handle = ${workspace}
      and sandbox = ${sandbox} and archived_at is null for share`;
  return rows.length > 0;
}

/** Whether a venue has earned anything, in the book that it belongs to. */
export async function hasEarned(tx: Transaction, venue: Handle<'venue'>): Promise<boolean> {
  const [row] = await tx<{ earned: boolean }[]>`
    select exists (select 1 from venue_earnings where venue_handle = ${venue} and earned_micros > 0) as earned`;
  return row!.earned;
}

/** What these venues of the owner have earned since the first of the month where they are, by currency. */
export async function sumMonthsEarnings(
  sql: Queryable,
  { workspace, sandbox }: Owner,
  { venues, now }: { venues: readonly Handle<'venue'>[]; now: Date },
): Promise<{ venue: Handle<'venue'>; currency: string; earned: Micros }[]> {
  return sql<{ venue: Handle<'venue'>; currency: string; earned: Micros }[]>`
    select e.venue_handle as venue, e.currency, sum(e.earned_micros)::bigint as earned
    from venue_earnings e join venues v on v.handle = e.venue_handle
    where e.venue_handle = any(${[...venues]}::bigint[]) and e.workspace_handle = ${workspace}
      and e.sandbox = ${sandbox} and e.day >= date_trunc('month', ${now}::timestamptz at time zone v.timezone)::date
    group by 1, 2 order by 1, 2`;
}

/** Which time zone a venue had at a time; undefined for a venue that is not there. */
type ZoneAt = (venue: Handle<'venue'>, at: Date) => string | undefined;

/** For a few venues only: each call of the returned function looks through all of their zones. */
export async function readZones(sql: Queryable, venues: readonly Handle<'venue'>[]): Promise<ZoneAt> {
  const rows = await sql<{ venue: Handle<'venue'>; until: Date | null; timezone: string }[]>`
    select handle as venue, null as until, timezone from venues where handle = any(${[...venues]}::bigint[])
    union all select venue_handle, until, timezone from venue_zones where venue_handle = any(${[...venues]}::bigint[])
    order by venue, until nulls last`;
  return (venue, at) => rows.find(row => row.venue === venue && (row.until === null || at < row.until))?.timezone;
}

/** The venues of a workspace, or one of them, by time zone; at most `limit` of them. */
export async function listByZone(
  sql: Queryable,
  { workspace, venue, limit }: { workspace: Handle<'workspace'>; venue: Handle<'venue'> | undefined; limit: number },
): Promise<{ timezone: string; venues: Handle<'venue'>[] }[]> {
  return sql<{ timezone: string; venues: Handle<'venue'>[] }[]>`
    select timezone, array_agg(handle order by handle) as venues from (
      select handle, timezone from venues where workspace_handle = ${workspace}
        ${venue === undefined ? sql`` : sql`and handle = ${venue}`} limit ${limit}) v group by timezone
      order by timezone`;
}

/** A city with its venues that have a paired screen, and those screens. */
type City = { name: string; venues: number; screens: number };

/** Names of a city that differ in case and accents are one city. It gets the name that most of its venues use. */
export async function countCities(
  sql: Postgres,
  { sandbox, citiesMax }: { sandbox: boolean; citiesMax: number },
): Promise<City[]> {
  const rows = await sql<City[]>`
    select v.city as name, count(distinct v.handle)::int as venues, count(*)::int as screens from screens s
    join venues v on v.handle = s.venue_handle
    where s.unpaired_at is null and not s.simulated and v.deleted_at is null and s.sandbox = ${sandbox} group by v.city
    order by venues desc, v.city`;
  const cities = new Map<string, City>();
  for (const row of rows) {
    const known = cities.get(foldCity(row.name));
    if (known) {
      known.venues += row.venues;
      known.screens += row.screens;
    } else cities.set(foldCity(row.name), { ...row });
  }
  return [...cities.values()].sort((a, b) => b.screens - a.screens || (a.name < b.name ? -1 : 1)).slice(0, citiesMax);
}
