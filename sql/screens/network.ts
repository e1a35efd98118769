/** The network: every paired screen of the installation, with its owner and location. It has no simulated screens. */
import { NO_HANDLE, parseId, type Handle } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { likeText, readCounted, type Counted } from '#sql/lists/list-order.ts';
import { BY_CREATION, type PageOrder } from '#sql/lists/sorts.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { statusColumn } from './presence.ts';

export type NetworkRow = {
  handle: Handle<'screen'>;
  label: string;
  status: 'paired_idle' | 'online' | 'offline';
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
function isOfNetwork(sql: Queryable, sandbox: boolean) {
  return sql`s.sandbox = ${sandbox} and not s.simulated and s.unpaired_at is null`;
}

function selectScreens(sql: Queryable, sandbox: boolean, now: Milliseconds) {
  return sql`
    select s.handle, s.label, s.platform, p.last_seen_at, s.workspace_handle as workspace, w.name as workspace_name,
      v.handle as venue, v.name, v.type, v.city, v.lat, v.lng, v.timezone, ${statusColumn(sql, now)} as status
    from screens s join venues v on v.handle = s.venue_handle join workspaces w on w.handle = s.workspace_handle
      left join screen_presence p on p.screen_handle = s.handle
    where ${isOfNetwork(sql, sandbox)}`;
}

type PlaceRow = { city: string; lat: number; lng: number; screens: number; online: number };

/** The places of the screens, by city, the largest first. The time zone tells cities with one name apart. */
export async function readNetworkPlaces(
  sql: Postgres,
  sandbox: boolean,
  { placesMax, now }: { placesMax: number; now: Milliseconds },
): Promise<PlaceRow[]> {
  return sql<PlaceRow[]>`
    select city, avg(lat) as lat, avg(lng) as lng, count(*)::int as screens,
      count(*) filter (where status = 'online')::int as online
    from (${selectScreens(sql, sandbox, now)}) as screens group by city, timezone order by count(*) desc, city
    limit ${placesMax}`;
}

type NetworkFilter = {
  page: PageOrder;
  statuses: readonly string[] | undefined;
  text: string | undefined;
  isCounted: boolean;
  now: Milliseconds;
};

/** A page of the screens of all workspaces. */
export async function listNetwork(
  sql: Postgres,
  sandbox: boolean,
  { page, statuses, text, isCounted, now }: NetworkFilter,
): Promise<Counted<NetworkRow>> {
  const wanted = sql`
    select s.handle from screens s left join screen_presence p on p.screen_handle = s.handle
    where ${isOfNetwork(sql, sandbox)}
      ${statuses === undefined ? sql`` : sql`and ${statusColumn(sql, now)} = any (${[...statuses]}::text[])`}
      ${text === undefined ? sql`` : sql`and ${isFoundBy(sql, text)}`}`;
  return readCounted<NetworkRow>(sql, page, {
    sorts: BY_CREATION,
    wanted,
    records: selectScreens(sql, sandbox, now),
    isCounted,
  });
}

/** Venues and workspaces are far fewer than screens: each of their names is compared once, and not with each screen. */
function isFoundBy(sql: Queryable, text: string) {
  const pattern = likeText(text);
  return sql`(s.label ilike ${pattern} or s.handle = ${parseId('screen', text) ?? NO_HANDLE}
    or s.venue_handle in (select handle from venues where name ilike ${pattern} or city ilike ${pattern})
    or s.workspace_handle in (select handle from workspaces where name ilike ${pattern}))`;
}

/** Whether a screen of the caller's book was ever paired: its decisions are known after it was unpaired. */
export async function isScreen(sql: Queryable, sandbox: boolean, handle: Handle<'screen'>): Promise<boolean> {
  const [row] = await sql`select 1 from screens where handle = ${handle} and sandbox = ${sandbox}`;
  return row !== undefined;
}
