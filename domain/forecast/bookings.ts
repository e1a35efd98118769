/**
 * Booked campaigns as the demand side of the graph. It is coarser than the graph of the delivery plan: a segment is one
 * kind of place in one piece of time, and campaigns with the same segments are merged. The segments of the plan would
 * number a hundred thousand for a thousand campaigns over four weeks.
 */
import { type AllocationGraph, createGraph } from '../allocation/flow/graph.ts';
import { shareUnderCap } from '../allocation/network/frequency-caps.ts';
import type { Handle } from '../id.ts';
import type { NetworkCampaign } from '../allocation/network/network.ts';
import { HORIZON_DAYS, HORIZON_HOURS, type ForecastSupply, type PlaceKind, supplyAt } from './supply/supply.ts';
import { HOURS_PER_DAY, MINUTES_PER_DAY, weekdayOf } from '../time/calendar.ts';
import type { FlightRule } from '../screens/schedule.ts';
import { isInCircle } from '../geography.ts';
import { matchesPlace } from '../campaigns/targeting.ts';

export type BookedCampaign = NetworkCampaign & {
  /** The impressions that the rest of its budget buys. */
  impressionsLeft: number;
  /** Plays an hour on one screen; 0 or absent: no cap. */
  frequencyPerHourMax?: number;
};

/** `part`: its part of the demand of the graph's campaign, 0..1. */
export type BookingPlace = { campaign: number; part: number };

export type Bookings = {
  graph: AllocationGraph;
  demand: Float64Array;
  /** The position of each booking in the graph, which merges some. */
  placeOf: ReadonlyMap<Handle<'campaign'>, BookingPlace>;
  /** Impressions by segment at the forecast's level. */
  supply: Float64Array;
  /** Segment of a kind in an hour of the horizon: `kind * pieces + pieceOf[hour]`. */
  pieces: number;
  pieceOf: Int32Array;
};

/** Days x hours of one piece of time, the finest first. */
const PIECES = [
  [1, 1],
  [1, 2],
  [1, 4],
  [2, 4],
  [4, 4],
  [8, 4],
  [8, 8],
  [HORIZON_DAYS, 8],
  [HORIZON_DAYS, 24],
] as const;
/** With this many edges the graph and one flow take 50 MB of typed arrays, and the flow about a second. */
const EDGES_MAX = 900_000;
/** Kilometres per degree of latitude; used only to skip kinds that are certainly too far. */
const KM_PER_DEGREE = 111.3;

type Wants = { handle: Handle<'campaign'>; kinds: readonly number[]; hours: Float32Array; impressions: number };

/**
 * Compiles the bookings with demand within the horizon.
 * @param edgesMax the more edges are allowed, the finer time is divided
 */
export function compileBookings(
  supply: ForecastSupply,
  campaigns: readonly BookedCampaign[],
  edgesMax = EDGES_MAX,
): Bookings {
  const hoursOf = createFlightHours(supply.firstDay);
  const kindsOf = createKinds(supply);
  const mostOf = createMostUnderCap(supply);
  const wants = campaigns.flatMap((campaign): Wants[] => {
    const wanted = { handle: campaign.handle, kinds: kindsOf(campaign), hours: hoursOf(campaign.flight) };
    const most = mostOf(wanted, campaign.frequencyPerHourMax ?? 0);
    const impressions = Math.min(bookedWithin(campaign, supply.firstDay), most);
    return impressions > 0 ? [{ ...wanted, impressions }] : [];
  });
  for (const [days, hours] of PIECES) {
    const { pieces, pieceOf } = cutTime(days, hours);
    const isLast = days === HORIZON_DAYS && hours === 24;
    const found = demandsOf(wants, pieces, { pieceOf, edgesMax: isLast ? Infinity : edgesMax });
    if (found !== undefined)
      return {
        ...graphOf(found, supply.kinds.length, pieces),
        supply: supplyByPiece(supply, pieces, pieceOf),
        pieces,
        pieceOf,
      };
  }
  throw new RangeError('the coarsest cut of time takes any number of edges');
}

/**
 * The part of each hour of some days in which a flight runs: as `checkFlight` decides for each minute, computed day by
 * day.
 */
export function flightHours(
  { startsOn, endsOn, daypart, days }: FlightRule,
  firstDay: number,
  count = HORIZON_DAYS,
): Float32Array {
  const hours = new Float32Array(count * HOURS_PER_DAY);
  const startMinute = daypart?.startMinute ?? 0;
  const endMinute =
    daypart === undefined
      ? MINUTES_PER_DAY
      : daypart.endMinute + (daypart.endMinute < daypart.startMinute ? MINUTES_PER_DAY : 0);
  // A daypart over midnight that began on the day before may reach into the first.
  for (let day = Math.max(startsOn, firstDay - 1); day <= Math.min(endsOn, firstDay + count - 1); day++) {
    if (days !== undefined && (days & (1 << weekdayOf(day))) === 0) continue;
    const midnight = (day - firstDay) * MINUTES_PER_DAY;
    for (let minute = midnight + startMinute; minute < midnight + endMinute;) {
      const next = Math.min(midnight + endMinute, (Math.floor(minute / 60) + 1) * 60);
      const hour = Math.floor(minute / 60);
      if (hour >= 0 && hour < hours.length) hours[hour]! += (next - minute) / 60;
      minute = next;
    }
  }
  return hours;
}

function createFlightHours(firstDay: number): (rule: FlightRule) => Float32Array {
  const known = new Map<string, Float32Array>();
  return rule => {
    const key = JSON.stringify([
      Math.max(firstDay, rule.startsOn),
      rule.endsOn,
      rule.days,
      rule.daypart?.startMinute,
      rule.daypart?.endMinute,
    ]);
    const hours = known.get(key) ?? flightHours(rule, firstDay);
    known.set(key, hours);
    return hours;
  };
}

function allowsKind({ sandbox, category, targets, orientations }: BookedCampaign, kind: PlaceKind): boolean {
  return (
    sandbox === kind.sandbox &&
    orientations.includes(kind.orientation) &&
    !kind.blockedCategories.includes(category) &&
    matchesPlace(targets, kind)
  );
}

/**
 * Kinds of places that a campaign may run on. A campaign with areas has a kind when one of its places is in an area.
 */
function createKinds({
  kinds,
  memberStart,
  lat,
  lng,
}: ForecastSupply): (campaign: BookedCampaign) => readonly number[] {
  const known = new Map<string, readonly number[]>();
  const byCity = new Map<string, number[]>();
  kinds.forEach(({ cityFolded }, kind) => byCity.set(cityFolded, [...(byCity.get(cityFolded) ?? []), kind]));
  const placesOf = kinds.map((_, kind) =>
    Array.from({ length: memberStart[kind + 1]! - memberStart[kind]! }, (_none, number) => ({
      lat: lat[memberStart[kind]! + number]!,
      lng: lng[memberStart[kind]! + number]!,
    })),
  );
  const belts = placesOf.map(beltOf);
  return campaign => {
    const { areas, ...named } = campaign.targets;
    const key = JSON.stringify([
      named.citiesFolded,
      named.venueTypes,
      named.orientations,
      campaign.category,
      campaign.orientations,
      campaign.sandbox,
    ]);
    let found = known.get(key);
    if (found === undefined) {
      const anywhere = { ...campaign, targets: { ...named, areas: [] } };
      const candidates =
        named.citiesFolded.length === 0 ? kinds.keys() : named.citiesFolded.flatMap(city => byCity.get(city) ?? []);
      found = [...candidates].filter(kind => allowsKind(anywhere, kinds[kind]!)).sort((a, b) => a - b);
      known.set(key, found);
    }
    if (areas.length === 0) return found;
    return found.filter(kind =>
      areas.some(area => isNear(belts[kind]!, area) && placesOf[kind]!.some(place => isInCircle(area, place))),
    );
  };
}

type Belt = { south: number; north: number };

function beltOf(places: readonly { lat: number }[]): Belt {
  const shown = places.filter(({ lat }) => !Number.isNaN(lat));
  return shown.reduce(({ south, north }, { lat }) => ({ south: Math.min(south, lat), north: Math.max(north, lat) }), {
    south: 90,
    north: -90,
  });
}

/** False only if a circle is certainly too far north or south. */
function isNear({ south, north }: Belt, { lat, radiusKm }: { lat: number; radiusKm: number }): boolean {
  const degrees = radiusKm / KM_PER_DEGREE + 0.1;
  return lat >= south - degrees && lat <= north + degrees;
}

/** The part of a booking within the horizon, by days. */
function bookedWithin({ flight, impressionsLeft }: BookedCampaign, firstDay: number): number {
  const first = Math.max(firstDay, flight.startsOn);
  const days = flight.endsOn - first + 1;
  const within = Math.min(flight.endsOn, firstDay + HORIZON_DAYS - 1) - first + 1;
  return within <= 0 ? 0 : impressionsLeft * (within / days);
}

/**
 * A campaign's supply under its cap at the forecast's level: a large budget with a small cap leaves most slots to
 * others. Campaigns with the same kinds and cap share the sum over places, by hour.
 */
function createMostUnderCap(supply: ForecastSupply): (wants: Omit<Wants, 'impressions'>, cap: number) => number {
  const known = new Map<readonly number[], Map<number, Float64Array>>();
  return ({ kinds, hours }, cap) => {
    if (cap === 0) return Infinity;
    const byCap = known.get(kinds) ?? new Map<number, Float64Array>();
    known.set(kinds, byCap);
    const byHour = byCap.get(cap) ?? hoursUnderCap(supply, kinds, cap);
    byCap.set(cap, byHour);
    return byHour.reduce((sum, impressions, hour) => sum + impressions * hours[hour]!, 0);
  };
}

function hoursUnderCap(supply: ForecastSupply, kinds: readonly number[], cap: number): Float64Array {
  const { memberStart, part, slotsPerHour } = supply;
  const byHour = new Float64Array(HORIZON_HOURS);
  for (const kind of kinds) {
    let share = 0;
    for (let member = memberStart[kind]!; member < memberStart[kind + 1]!; member++)
      share += part[member]! * shareUnderCap(cap, slotsPerHour[member]!);
    for (let hour = 0; hour < HORIZON_HOURS; hour++) byHour[hour]! += share * supplyAt(supply, kind, hour);
  }
  return byHour;
}

function cutTime(days: number, hours: number): { pieces: number; pieceOf: Int32Array } {
  const perDay = 24 / hours;
  const pieceOf = Int32Array.from(
    { length: HORIZON_HOURS },
    (_, hour) => Math.floor(hour / 24 / days) * perDay + Math.floor((hour % 24) / hours),
  );
  return { pieces: Math.ceil(HORIZON_DAYS / days) * perDay, pieceOf };
}

type Demand = {
  kinds: readonly number[];
  pieces: readonly number[];
  impressions: number;
  merged: Pick<Wants, 'handle' | 'impressions'>[];
};

/** Merges campaigns with the same kinds and pieces; undefined if they have too many edges. */
function demandsOf(
  wants: readonly Wants[],
  pieces: number,
  { pieceOf, edgesMax }: { pieceOf: Int32Array; edgesMax: number },
): Demand[] | undefined {
  const demands = new Map<string, Demand>();
  const numbers = new Map<readonly number[], number>();
  const piecesOfHours = new Map<Float32Array, readonly number[]>();
  let edges = 0;
  for (const { handle, kinds, hours, impressions } of wants) {
    let own = piecesOfHours.get(hours);
    if (own === undefined) piecesOfHours.set(hours, (own = piecesOf(hours, pieces, pieceOf)));
    if (own.length === 0) continue;
    let kindsNumber = numbers.get(kinds);
    if (kindsNumber === undefined) numbers.set(kinds, (kindsNumber = numbers.size));
    const key = `${kindsNumber} ${own.join()}`;
    const known = demands.get(key);
    const merged = known?.merged ?? [];
    merged.push({ handle, impressions });
    demands.set(key, { kinds, pieces: own, impressions: impressions + (known?.impressions ?? 0), merged });
    if (known === undefined && (edges += kinds.length * own.length) > edgesMax) return undefined;
  }
  return [...demands.values()];
}

/** The pieces of time with at least half of the flight's running time in its longest piece. */
function piecesOf(hours: Float32Array, pieces: number, pieceOf: Int32Array): number[] {
  const covered = new Float64Array(pieces);
  for (let hour = 0; hour < HORIZON_HOURS; hour++) covered[pieceOf[hour]!]! += hours[hour]!;
  const most = covered.reduce((a, b) => Math.max(a, b), 0);
  return most === 0 ? [] : [...covered.keys()].filter(piece => covered[piece]! >= most / 2);
}

function graphOf(
  demands: readonly Demand[],
  kinds: number,
  pieces: number,
): Pick<Bookings, 'graph' | 'demand' | 'placeOf'> {
  const start = new Int32Array(kinds * pieces + 1);
  for (const demand of demands)
    for (const kind of demand.kinds) for (const piece of demand.pieces) start[kind * pieces + piece + 1]!++;
  for (let segment = 0; segment < start.length - 1; segment++) start[segment + 1]! += start[segment]!;
  const at = start.slice();
  const campaigns = new Int32Array(start.at(-1)!);
  demands.forEach((demand, number) => {
    for (const kind of demand.kinds)
      for (const piece of demand.pieces) campaigns[at[kind * pieces + piece]!++] = number;
  });
  return {
    graph: createGraph(demands.length, start, campaigns),
    demand: Float64Array.from(demands, demand => demand.impressions),
    placeOf: new Map(
      demands.flatMap(({ impressions, merged }, campaign) =>
        merged.map(one => [one.handle, { campaign, part: one.impressions / impressions }] as const),
      ),
    ),
  };
}

function supplyByPiece(supply: ForecastSupply, pieces: number, pieceOf: Int32Array): Float64Array {
  const impressions = new Float64Array(supply.kinds.length * pieces);
  for (let kind = 0; kind < supply.kinds.length; kind++) {
    for (let hour = 0; hour < HORIZON_HOURS; hour++)
      impressions[kind * pieces + pieceOf[hour]!]! += supplyAt(supply, kind, hour);
  }
  return impressions;
}
