/**
 * The supply of a network as forecasts need it. Places that no target by name distinguishes are one kind, and time is
 * the local hour of the venues over four weeks. So the work of a forecast does not grow with the number of screens, and
 * a flight needs no time zone.
 */
import { type NetworkPlace, timesOf } from '../../allocation/network/network.ts';
import type { ShownPosition } from '../../geography.ts';
import type { Handle } from '../../id.ts';
import { venueRateMicros } from '../../money/rate-card.ts';
import { isOpen, localTime, type OpeningHours, zoneOffsetMinutes } from '../../screens/schedule.ts';
import { hourOfWeek, HOURS_PER_WEEK } from '../../time/calendar.ts';
import { expectedParts, type SupplyModel } from './supply-model.ts';
import { trendOf } from './supply-trend.ts';
import type { Milliseconds } from '../../unit.ts';

export type ForecastPlace = NetworkPlace & {
  venue: Handle<'venue'>;
  screens: number;
  /** Whether its plays are counted by a sensing module. */
  sensor: boolean;
  /** Slots of ads in an open minute, of all its screens. */
  playsPerMinute: number;
};

/** The properties of a place for targets by name and for categories. */
export type PlaceKind = Pick<
  ForecastPlace,
  'sandbox' | 'cityFolded' | 'venueType' | 'orientation' | 'blockedCategories' | 'timed'
> &
  ShownPosition;

/** Flat typed arrays, so that it is passed from one thread to another in milliseconds. */
export type ForecastSupply = {
  kinds: readonly PlaceKind[];
  /** Places by kind: numbers memberStart[kind] to memberStart[kind + 1] of the lists below. */
  memberStart: Int32Array;
  venue: Float64Array;
  /** Degrees as shown; NaN if hidden, and then in no circle. */
  lat: Float64Array;
  lng: Float64Array;
  screens: Int32Array;
  /** Slots of ads that one of the place's screens has in an open hour. */
  slotsPerHour: Float64Array;
  /** The place's part of its kind's impressions, 0 .. 1. */
  part: Float64Array;
  /** Impressions by local hour of the week, Monday 00:00 first: `week[kind * 168 + hour]`. */
  week: Float64Array;
  rateMicros: Float64Array;
  playsPerImpression: Float64Array;
  /** The day since 1970-01-01 with which the horizon begins, the same for all zones. */
  firstDay: number;
  /** By kind: the current hour of the horizon there; earlier hours are over. */
  nowHour: Int32Array;
  /** The factor by which the network grows, by hour of the horizon. */
  growth: Float64Array;
};

/** Four weeks, and one more day because the date is not the same everywhere. */
export const HORIZON_DAYS = 29;
export const HORIZON_HOURS = HORIZON_DAYS * 24;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** No place on Earth is further behind UTC. */
export const LAST_ZONE_MS = 12 * HOUR_MS;
const MINUTES_PER_HOUR = 60;
const QUARTERS = 4;
const QUARTER_MS = HOUR_MS / QUARTERS;
/** A Monday. */
const MONDAY = 4;

/** Adds up places by kind with the model. @param atMs the present */
export function compileSupply({
  places,
  model,
  atMs,
}: {
  places: readonly ForecastPlace[];
  model: SupplyModel;
  atMs: Milliseconds;
}): ForecastSupply {
  const groups = new Map<string, ForecastPlace[]>();
  for (const place of places) {
    const key = `${place.sandbox ? 1 : 0}|${place.cityFolded}|${place.venueType}|${place.orientation}|${place.timezone}|${place.blockedCategories.join()}|${timesOf(place)}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [place]);
    else known.push(place);
  }
  const openOf = createOpenShares();
  const firstDay = Math.floor((atMs - LAST_ZONE_MS) / DAY_MS);
  const sorted = [...groups.values()];
  const members = sorted.flat();
  const memberStart = new Int32Array(sorted.length + 1);
  const week = new Float64Array(sorted.length * HOURS_PER_WEEK);
  const part = new Float64Array(places.length);
  const playsPerImpression = new Float64Array(sorted.length);
  sorted.forEach((group, kind) => {
    const first = memberStart[kind]!;
    memberStart[kind + 1] = first + group.length;
    const hours = week.subarray(kind * HOURS_PER_WEEK, (kind + 1) * HOURS_PER_WEEK);
    group.forEach(
      (place, number) => (part[first + number] = addPlace(hours, place, { open: openOf(place.hours), model })),
    );
    const total = hours.reduce((sum, impressions) => sum + impressions, 0);
    if (total === 0) return;
    group.forEach((place, number) => {
      const own = (part[first + number]! /= total);
      if (own > 0) playsPerImpression[kind]! += (own * place.playsPerMinute) / place.impressionsPerMinute;
    });
  });
  return {
    kinds: sorted.map(([place]) => kindOf(place!)),
    memberStart,
    part,
    week,
    playsPerImpression,
    firstDay,
    venue: Float64Array.from(members, place => place.venue),
    lat: Float64Array.from(members, place => place.lat ?? NaN),
    lng: Float64Array.from(members, place => place.lng ?? NaN),
    screens: Int32Array.from(members, place => place.screens),
    slotsPerHour: Float64Array.from(members, place => (place.playsPerMinute * MINUTES_PER_HOUR) / place.screens),
    rateMicros: Float64Array.from(sorted, ([place]) => venueRateMicros(place!.venueType)),
    nowHour: Int32Array.from(sorted, ([place]) => nowAt(place!.timezone, atMs, firstDay)),
    growth: Float64Array.from({ length: HORIZON_HOURS }, (_, hour) => trendOf(model, hour / 24)),
  };
}

/** Impressions of a kind in an hour of the horizon. */
export function supplyAt({ week, firstDay, nowHour, growth }: ForecastSupply, kind: number, hour: number): number {
  return hour < nowHour[kind]! ? 0 : week[kind * HOURS_PER_WEEK + hourOfWeek(firstDay, hour)]! * growth[hour]!;
}

function kindOf({
  sandbox,
  cityFolded,
  venueType,
  orientation,
  blockedCategories,
  timed,
  lat,
  lng,
}: ForecastPlace): PlaceKind {
  return { sandbox, cityFolded, venueType, orientation, blockedCategories, ...(timed && { timed }), lat, lng };
}

/** Adds a place's impressions by hour of the week, and returns their sum. */
function addPlace(
  into: Float64Array,
  place: ForecastPlace,
  { open, model }: { open: Float64Array; model: SupplyModel },
): number {
  const expected = expectedParts(model, place);
  let sum = 0;
  for (let hour = 0; hour < HOURS_PER_WEEK; hour++) {
    const impressions = place.impressionsPerMinute * MINUTES_PER_HOUR * open[hour]! * expected[hour]!;
    into[hour]! += impressions;
    sum += impressions;
  }
  return sum;
}

/** The open part of each hour of the week, by quarters; many venues share their hours. */
function createOpenShares(): (hours: OpeningHours | undefined) => Float64Array {
  const known = new Map<string, Float64Array>();
  return hours => {
    const key = JSON.stringify(hours ?? null);
    const before = known.get(key);
    if (before !== undefined) return before;
    const shares = new Float64Array(HOURS_PER_WEEK);
    for (let quarter = 0; quarter < HOURS_PER_WEEK * QUARTERS; quarter++) {
      if (isOpen(hours, 0, MONDAY * DAY_MS + quarter * QUARTER_MS + QUARTER_MS / 2))
        shares[Math.floor(quarter / QUARTERS)]! += 1 / QUARTERS;
    }
    known.set(key, shares);
    return shares;
  };
}

function nowAt(zone: string, atMs: Milliseconds, firstDay: number): number {
  const { day, minute } = localTime(zoneOffsetMinutes(zone, atMs), atMs);
  return (day - firstDay) * 24 + Math.floor(minute / MINUTES_PER_HOUR);
}
