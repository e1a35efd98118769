/** The inventory: venues that could be booked, with their price and availability on some days, filtered and sorted. */
import type { Handle } from '#domain/id.ts';
import type { Availability } from '#domain/forecast/availability.ts';
import { SLOT_DEFAULT_MS } from '#domain/screens/screen.ts';
import { costMicros, MICROS_PER_UNIT } from '#domain/money/money.ts';
import { venueRateMicros } from '#domain/money/rate-card.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import { formatDate, LAST_DAY, parseDate } from '#domain/time/calendar.ts';
import { openMinutesPerDay, parseOpeningHours } from '#domain/screens/schedule.ts';
import { foldCity } from '#domain/geography.ts';
import { parseVenueType, venueTypeMatches } from '#domain/campaigns/taxonomy.ts';
import { audienceFiguresOf, impressionsThousandths, meanAudience } from '#domain/screens/venue.ts';
import type { Postgres } from '#sql/postgres.ts';
import { listBookable, type BookableRow, type Box } from '#sql/venues/places.ts';
import { citiesOfBook } from '#sql/venues/rows.ts';
import type { Caller } from '../authentication/caller.ts';
import type { Forecaster } from '../forecasts/forecaster.ts';
import { positionIn } from '#sql/lists/list-order.ts';
import { envelope, type List, type Page } from '../lists/paging.ts';
import { money } from '../wire/shapes.ts';
import { placeFieldsOf } from './record.ts';
import { INVENTORY_SORTS, type InventoryParameters, type InventoryPlace } from './schema.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

type Days = { startsOn: number; endsOn: number };
export type InventoryFilter = Days & {
  box?: Box;
  citiesFolded?: readonly string[];
  types?: readonly string[];
  name?: string;
  audienceMin: number;
  visitorsMin: number;
  cpmMicrosMax: Micros;
  priceMicrosMax: Micros;
  playsMin: number;
};

const DAY_MS = 86_400_000;
/** As far ahead as bookings are considered by the hour. */
const DAYS_DEFAULT = 28;
const DAYS_MAX = 1_100; // three years, the longest campaign
/** Venues that are read at a time: enough to fill a page in one step unless filters leave few. */
const STEP = 500;
const THOUSAND = 1_000;

/** Parses the filter, beyond what the schema has checked. */
export function parseInventoryFilter(query: InventoryParameters, now: Milliseconds): InventoryFilter | Refusal {
  const box = query.bbox === undefined ? undefined : parseBox(query.bbox);
  if (isRefusal(box)) return box;
  const types = query.venue_type?.split(',').map(parseVenueType);
  if (types?.includes(undefined))
    return refuse('bad_query_parameter', 'venue_type must be OpenOOH venue types (GET /v1/venue-types).');
  const days = parseDays(query, now);
  if (isRefusal(days)) return days;
  const micros = (text: string | undefined) =>
    text === undefined ? Infinity : Math.round(Number(text) * MICROS_PER_UNIT);
  return {
    ...days,
    ...(box && { box }),
    ...(types && { types: types as string[] }),
    ...(query.q !== undefined && { name: query.q }),
    ...(query.city !== undefined && { citiesFolded: query.city.split(',').map(foldCity) }),
    audienceMin: Number(query.audience_min ?? 0),
    visitorsMin: Number(query.daily_visitors_min ?? 0),
    playsMin: Number(query.plays_available_min ?? 0),
    cpmMicrosMax: micros(query.cpm_max),
    priceMicrosMax: micros(query.price_max),
  };
}

function parseBox(text: string): Box | Refusal {
  const [west, south, east, north] = text.split(',').map(Number) as [number, number, number, number];
  if (
    Math.max(Math.abs(west), Math.abs(east)) > 180 ||
    Math.max(Math.abs(south), Math.abs(north)) > 90 ||
    south > north
  ) {
    return refuse('bad_query_parameter', 'bbox must be west,south,east,north in degrees, with south not above north.');
  }
  return { west, south, east, north };
}

function parseDays({ start, end }: InventoryParameters, now: Milliseconds): Days | Refusal {
  const today = Math.floor(now / DAY_MS);
  const lastDay = end === undefined ? undefined : parseDate(end);
  const startsOn = start === undefined ? Math.min(today, lastDay ?? today) : parseDate(start);
  const endsOn = end === undefined ? (startsOn ?? 0) + DAYS_DEFAULT - 1 : lastDay;
  if (startsOn === undefined || endsOn === undefined || Math.max(startsOn, endsOn) > LAST_DAY)
    return refuse('bad_query_parameter', 'start and end must be dates of the calendar, YYYY-MM-DD, before 2100.');
  if (endsOn < startsOn) return refuse('bad_query_parameter', 'end must not be before start.');
  return endsOn - startsOn < DAYS_MAX
    ? { startsOn, endsOn }
    : refuse('bad_query_parameter', `start and end cover at most ${DAYS_MAX} days.`);
}

/** A venue with its sort keys besides creation time: the price and the audience of a play, remaining plays. */
type Offer = {
  handle: Handle<'venue'>;
  priceMicros: Micros;
  audienceThousandths: number;
  plays: number;
  place: InventoryPlace;
};
type InventoryDependencies = { sql: Postgres; forecasts: Forecaster; publicUrl: string };

/**
 * Venues of the book with paired screens that pass the filter. In the order of their making they are looked at step by
 * step until the page is full; what orders them otherwise is worked out here, so all of them are.
 */
export async function listInventory(
  dependencies: InventoryDependencies,
  caller: Caller,
  { filter, page }: { filter: InventoryFilter; page: Page },
): Promise<List<InventoryPlace>> {
  const cities = filter.citiesFolded && (await citiesOfBook(dependencies.sql, caller.sandbox, filter.citiesFolded));
  const isAsMade = page.sort === 'created_at';
  const step: Page = { ...page, limit: STEP - 1, ...(!isAsMade && { sort: 'created_at', after: undefined }) };
  const found: Offer[] = [];
  for (;;) {
    const rows = await listBookable(dependencies.sql, {
      sandbox: caller.sandbox,
      box: filter.box,
      cities,
      name: filter.name,
      visitorsMin: filter.visitorsMin,
      page: step,
    });
    const passing = rows.filter(
      row => filter.types === undefined || filter.types.some(type => venueTypeMatches(type, row.type)),
    );
    const free = await dependencies.forecasts.available({
      sandbox: caller.sandbox,
      venues: new Set(passing.map(row => row.handle)),
      startsOn: filter.startsOn,
      endsOn: filter.endsOn,
    });
    found.push(
      ...passing.flatMap(
        row =>
          offerOf(row, {
            filter,
            free: free.get(row.handle),
            currency: caller.currency,
            publicUrl: dependencies.publicUrl,
          }) ?? [],
      ),
    );
    if (rows.length < STEP || (isAsMade && found.length > page.limit)) break;
    step.after = String(rows.at(-1)!.handle);
  }
  return envelope(isAsMade ? found : inOrder(found, page), page, {
    positionOf: positionIn(page, INVENTORY_SORTS),
    recordOf: ({ place }) => place,
  });
}

/** The venues after the position of a page sorted by a value, in order. */
function inOrder(found: readonly Offer[], page: Page): Offer[] {
  const { valueOf } = INVENTORY_SORTS[page.sort as 'price'];
  const sign = page.isDescending ? -1 : 1;
  const compare = (a: readonly [number, number], b: readonly [number, number]) => sign * (a[0] - b[0] || a[1] - b[1]);
  const [handle, value] = (page.after ?? '').split(' ').map(Number) as [number, number];
  return found
    .filter(offer => page.after === undefined || compare([valueOf(offer), offer.handle], [value, handle]) > 0)
    .sort((a, b) => compare([valueOf(a), a.handle], [valueOf(b), b.handle]));
}

/** A venue with its price and availability, or undefined if it does not pass the filter. */
function offerOf(
  row: BookableRow,
  {
    filter,
    free,
    currency,
    publicUrl,
  }: { filter: InventoryFilter; free: Availability | undefined; currency: string; publicUrl: string },
): Offer | undefined {
  const perPlay = impressionsOfPlay(row);
  const rateMicros = venueRateMicros(row.type);
  const price = { cpm: rateMicros * THOUSAND, perPlay: costMicros(rateMicros, perPlay) };
  const impressions = Math.floor(free?.free ?? 0);
  const plays = Math.floor((impressions * THOUSAND) / perPlay);
  if (
    perPlay < filter.audienceMin * THOUSAND ||
    price.cpm > filter.cpmMicrosMax ||
    price.perPlay > filter.priceMicrosMax ||
    plays < filter.playsMin
  )
    return undefined;
  const share = free && free.impressions > 0 ? Math.min(1, free.free / free.impressions) : 0;
  return {
    handle: row.handle,
    priceMicros: price.perPlay,
    audienceThousandths: perPlay,
    plays,
    place: {
      ...placeFieldsOf(row, publicUrl),
      opening_hours: row.opening_hours,
      screens: row.screens,
      orientations: row.orientations,
      blocked_categories: row.blocked_categories,
      audience: { daily_visitors: row.daily_visitors, dwell_minutes: row.dwell_minutes, per_play: perPlay / THOUSAND },
      price: { cpm: money(price.cpm, currency), per_play: money(price.perPlay, currency) },
      availability: {
        start: formatDate(filter.startsOn),
        end: formatDate(filter.endsOn),
        plays,
        impressions,
        share: Math.round(share * THOUSAND) / THOUSAND,
      },
    },
  };
}

/** Impressions of a play of the default slot, in thousandths: its charge basis without a sensing module. */
function impressionsOfPlay(row: BookableRow): number {
  const hours = parseOpeningHours(row.opening_hours);
  return impressionsThousandths(
    meanAudience(audienceFiguresOf(row), openMinutesPerDay(isRefusal(hours) ? undefined : hours)),
    SLOT_DEFAULT_MS,
  );
}
