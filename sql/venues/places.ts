/** Venues as readers other than their owners see them: hidden values are not in the rows. */
import type { Handle } from '#domain/id.ts';
import type { CoordinatesShown } from '#domain/screens/place.ts';
import type { Orientation } from '#domain/screens/screen.ts';
import { likeText, sliceOf } from '#sql/lists/list-order.ts';
import { BY_CREATION, type PageOrder } from '#sql/lists/sorts.ts';
import type { Queryable } from '#sql/postgres.ts';

export type PlaceRow = {
  handle: Handle<'venue'>;
  shown_name: string | null;
  type: string;
  city: string;
  timezone: string;
  shown_lat: number | null;
  shown_lng: number | null;
  coordinates_shown: CoordinatesShown;
  photo_object: string | null;
};

function placeColumns(sql: Queryable) {
  return sql`v.handle, v.shown_name, v.type, v.city, v.timezone, v.shown_lat, v.shown_lng, v.coordinates_shown,
      v.photo_object`;
}

/** The venues with these handles, in no order. */
export async function readPlaces(sql: Queryable, handles: readonly Handle<'venue'>[]): Promise<PlaceRow[]> {
  return sql<PlaceRow[]>`
    select ${placeColumns(sql)} from venues v where handle = any(${[...handles]}::bigint[])`;
}

/** A venue that could be booked. */
export type BookableRow = PlaceRow & {
  opening_hours: unknown;
  daily_visitors: number;
  dwell_minutes: number;
  audience_max: number | null;
  blocked_categories: string[];
  screens: number;
  orientations: Orientation[];
  screens_near: number;
};

/** In degrees; `west` is above `east` where it crosses the antimeridian. */
export type Box = { west: number; south: number; east: number; north: number };
type BookableFilter = {
  sandbox: boolean;
  box: Box | undefined;
  cities: readonly string[] | undefined;
  name: string | undefined;
  visitorsMin: number;
  page: PageOrder;
};

/** A page of the venues with a paired screen that pass the filter. */
export async function listBookable(
  sql: Queryable,
  { sandbox, box, cities, name, visitorsMin, page }: BookableFilter,
): Promise<BookableRow[]> {
  const { behind, order } = sliceOf(sql, page, { sorts: BY_CREATION, handle: 'v.handle' });
  const inLng =
    box &&
    (box.west <= box.east
      ? sql`v.shown_lng between ${box.west} and ${box.east}`
      : sql`(v.shown_lng >= ${box.west} or v.shown_lng <= ${box.east})`);
  const rows = await sql<BookableRow[]>`
    with chosen as (
      select ${placeColumns(sql)}, v.opening_hours, v.daily_visitors, v.dwell_minutes, v.audience_max,
        v.blocked_categories, s.screens, s.orientations
      from venues v join lateral (
        select count(*)::int as screens, array_agg(distinct orientation order by orientation) as orientations
        from screens where venue_handle = v.handle and unpaired_at is null and not simulated
          and sandbox = ${sandbox}) s on s.screens > 0
      where v.sandbox = ${sandbox} and v.deleted_at is null ${behind} and v.daily_visitors >= ${visitorsMin}
        ${box && inLng ? sql`and v.shown_lat between ${box.south} and ${box.north} and ${inLng}` : sql``}
        ${cities ? sql`and v.city = any(${[...cities]}::text[])` : sql``}
          ${name === undefined ? sql`` : sql`and v.shown_name ilike ${likeText(name)}`}
      ${order})
    select chosen.*, near.screens as screens_near from chosen
    join screens_near((select array_agg(handle) from chosen)) near on near.venue_handle = chosen.handle`;
  return rows.sort((a, b) => (page.isDescending ? b.handle - a.handle : a.handle - b.handle));
}
