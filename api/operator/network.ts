/** Every paired screen of the installation, with its owner and location. */
import { formatId, NO_HANDLE, parseId, type Handle } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { statusColumn } from '#sql/screens/presence.ts';
import type { Caller } from '../authentication/caller.ts';
import { likeText, readCounted } from '#sql/lists/list-order.ts';
import { BY_CREATION, listed, type List, type Page } from '../lists/paging.ts';
import type { NetworkPlaces, NetworkQuery, NetworkScreen } from './schema.ts';

type ScreenRow = {
  handle: Handle<'screen'>;
  label: string;
  status: NetworkScreen['status'];
  last_seen_at: Date | null;
  platform: string | null;
  workspace: Handle<'workspace'>;
  workspace_name: string;
  venue: Handle<'venue'>;
  name: string;
  type: string;
  city: string;
  lat: number;
  lng: number;
  timezone: string;
};

/** The condition that a screen `s` is one of the network. */
function isOfNetwork(sql: Queryable, { sandbox }: Caller) {
  return sql`s.sandbox = ${sandbox} and not s.simulated and s.unpaired_at is null`;
}

function selectScreens(sql: Queryable, caller: Caller, now: Milliseconds) {
  return sql`
    select s.handle, s.label, s.platform, p.last_seen_at, s.workspace_handle as workspace, w.name as workspace_name,
      v.handle as venue, v.name, v.type, v.city, v.lat, v.lng, v.timezone, ${statusColumn(sql, now)} as status
    from screens s join venues v on v.handle = s.venue_handle join workspaces w on w.handle = s.workspace_handle
      left join screen_presence p on p.screen_handle = s.handle
    where ${isOfNetwork(sql, caller)}`;
}

/** Cities of a network that covers a continent; a map of more shows nothing. */
const PLACES_MAX = 1_000;

/** The places of the screens, by city. The time zone tells cities with one name apart. */
export async function readNetworkPlaces(sql: Postgres, caller: Caller, now: Milliseconds): Promise<NetworkPlaces> {
  const places = await sql<NetworkPlaces['places']>`
    select city, avg(lat) as lat, avg(lng) as lng, count(*)::int as screens,
      count(*) filter (where status = 'online')::int as online
    from (${selectScreens(sql, caller, now)}) as screens group by city, timezone order by count(*) desc, city
    limit ${PLACES_MAX}`;
  return { places: [...places] };
}

type ListOptions = { page: Page; query: NetworkQuery; now: Milliseconds };

/** Lists the screens of all workspaces. */
export async function listNetwork(
  sql: Postgres,
  caller: Caller,
  { page, query: { status, q, count }, now }: ListOptions,
): Promise<List<NetworkScreen>> {
  const wanted = sql`
    select s.handle from screens s left join screen_presence p on p.screen_handle = s.handle
    where ${isOfNetwork(sql, caller)}
      ${status === undefined ? sql`` : sql`and ${statusColumn(sql, now)} = any (${status.split(',')}::text[])`}
      ${q === undefined ? sql`` : sql`and ${isFoundBy(sql, q)}`}`;
  const found = await readCounted<ScreenRow>(sql, page, {
    sorts: BY_CREATION,
    wanted,
    records: selectScreens(sql, caller, now),
    isCounted: count === 'true',
  });
  return listed(found, page, { recordOf: screenRecord });
}

/** Venues and workspaces are far fewer than screens: each of their names is compared once, and not with each screen. */
function isFoundBy(sql: Queryable, text: string) {
  const pattern = likeText(text);
  return sql`(s.label ilike ${pattern} or s.handle = ${parseId('screen', text) ?? NO_HANDLE}
    or s.venue_handle in (select handle from venues where name ilike ${pattern} or city ilike ${pattern})
    or s.workspace_handle in (select handle from workspaces where name ilike ${pattern}))`;
}

/** Whether a screen of the caller's book was ever paired: its decisions are known after it was unpaired. */
export async function isScreen(sql: Queryable, { sandbox }: Caller, handle: Handle<'screen'>): Promise<boolean> {
  const [row] = await sql`select 1 from screens where handle = ${handle} and sandbox = ${sandbox}`;
  return row !== undefined;
}

function screenRecord(row: ScreenRow): NetworkScreen {
  const { label, status, platform, name, type, city, lat, lng, timezone } = row;
  return {
    id: formatId('screen', row.handle),
    label,
    status,
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
    platform,
    workspace: { id: formatId('workspace', row.workspace), name: row.workspace_name },
    venue: { id: formatId('venue', row.venue), name, type, city, lat, lng, timezone },
  };
}
