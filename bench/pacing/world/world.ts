/**
 * A seeded network in virtual time: screens, campaigns, a forecast that is wrong by city and kind of venue, and one
 * fixed stream of slots with noise, outages of screens and of one whole city. Every rule decides the same stream, and
 * the bound is computed from what really came.
 */
import { type AllocationGraph, createGraph } from '../../../domain/allocation/flow/graph.ts';
import { type Booking, isRunning, makeBookings } from './bookings.ts';
import { CITIES, isOpen, makeScreens, PLACE_KINDS, type Screen } from './places.ts';
import { createRandom, type Random } from './random.ts';
import { AVAILABILITY, makeRequests, type Requests } from './requests.ts';
import { type WorldOptions } from './options.ts';

export type World = {
  options: WorldOptions;
  hours: number;
  screens: Screen[];
  bookings: Booking[];
  groups: number;
  groupOf: Int32Array;
  graph: AllocationGraph;
  /** By cell (group * hours + hour). */
  segmentOf: Int32Array;
  expected: Float64Array;
  forecast: Float64Array;
  forecastPerCampaign: Float64Array;
  /** Impressions by campaign; 0 if a forecast would have refused the booking. */
  goal: Float64Array;
  price: Float64Array;
  /** The share of its goal that was available when it was booked, 0..1; absent: there were no forecasts. */
  foreseen?: Float64Array;
  category: Int32Array;
  /** The hour from which a campaign is booked. */
  knownFrom: Int32Array;
  requests: Requests;
};

/**
 * A world from `makeWorld`. `forecastError` is by screen: what the forecast says, divided by what is to be expected.
 */
export type SeededWorld = World & { forecastError: Float64Array };

const GOAL_MIN = 100;
const LATE_HOURS = 2;

export function makeWorld(options: WorldOptions): SeededWorld {
  const random = createRandom(options.seed);
  const hours = options.days * 24;
  const screens = makeScreens(random, options.screens, options.rated);
  const bookings = makeBookings(random, screens, {
    count: options.campaigns,
    days: options.days,
    lateShare: options.lateShare,
  });
  // Two numbers per campaign are drawn and not used: without them every seed would make another world than the one that
  // the figures in bench/notes.md were measured on.
  for (let word = 0; word < 2 * bookings.length; word++) random.unit();
  const { groupOf, members, zones } = groupScreens(screens, bookings);
  const { graph, segmentOf } = makeSegments(bookings, { members, zones, hours });
  const supply = makeSupply(random, options, { screens, groupOf, groups: members.length, hours });
  const goal = scaleGoals(bookings, graph, { segmentOf, expected: supply.expected, load: options.load });
  const requests = makeRequests(random, options, { screens, hours });
  return {
    options,
    hours,
    screens,
    bookings,
    groups: members.length,
    groupOf,
    graph,
    segmentOf,
    ...supply,
    goal,
    requests,
    price: Float64Array.from(bookings, booking => (options.rated ? 1 : booking.price)),
    category: Int32Array.from(bookings, booking => booking.category),
    knownFrom: Int32Array.from(bookings, booking =>
      booking.late ? Math.max(0, booking.startDay * 24 - LATE_HOURS) : 0,
    ),
  };
}

/** How many of `slots` one campaign may get under frequency and separation. */
export function slotsPerCampaign(slots: number, { separation, frequencyMax }: WorldOptions): number {
  return Math.min(slots, frequencyMax || Infinity, separation ? Math.ceil(slots / 2) : Infinity);
}

function groupScreens(screens: readonly Screen[], bookings: readonly Booking[]) {
  const groupOfKey = new Map<string, number>();
  const members: number[][] = [];
  const zones: number[] = [];
  const groupOf = Int32Array.from(screens, (screen, index) => {
    const fitting = bookings.flatMap((booking, campaign) => (booking.fits[index] === true ? [campaign] : []));
    const key = `${screen.zone}|${fitting.join(',')}`;
    const known = groupOfKey.get(key);
    if (known !== undefined) return known;
    groupOfKey.set(key, members.length);
    zones.push(screen.zone);
    return members.push(fitting) - 1;
  });
  return { groupOf, members, zones };
}

type MakeSegmentsOptions = { members: number[][]; zones: number[]; hours: number };

function makeSegments(bookings: readonly Booking[], { members, zones, hours }: MakeSegmentsOptions) {
  const segmentOfKey = new Map<string, number>();
  const rows: number[][] = [];
  const segmentOf = new Int32Array(members.length * hours);
  for (let group = 0; group < members.length; group++) {
    for (let hour = 0; hour < hours; hour++) {
      const running = members[group]!.filter(campaign => isRunning(bookings[campaign]!, hour, zones[group]!));
      const key = running.join(',');
      const segment = segmentOfKey.get(key) ?? rows.push(running) - 1;
      segmentOfKey.set(key, segment);
      segmentOf[group * hours + hour] = segment;
    }
  }
  const edgeStart = new Int32Array(rows.length + 1);
  rows.forEach((row, segment) => (edgeStart[segment + 1] = edgeStart[segment]! + row.length));
  return { graph: createGraph(bookings.length, edgeStart, Int32Array.from(rows.flat())), segmentOf };
}

type MakeSupplyOptions = { screens: Screen[]; groupOf: Int32Array; groups: number; hours: number };

function makeSupply(random: Random, options: WorldOptions, { screens, groupOf, groups, hours }: MakeSupplyOptions) {
  const errors = Array.from(
    { length: CITIES * PLACE_KINDS },
    () => (1 + options.bias) * random.logNormal(options.forecastError),
  );
  const expected = new Float64Array(groups * hours);
  const forecast = new Float64Array(groups * hours);
  const forecastPerCampaign = new Float64Array(groups * hours);
  screens.forEach((screen, index) => {
    const error = errors[screen.city * PLACE_KINDS + screen.place]!;
    const slots = screen.slotsPerHour * AVAILABILITY;
    for (let hour = 0; hour < hours; hour++) {
      if (!isOpen(screen, hour)) continue;
      const cell = groupOf[index]! * hours + hour;
      expected[cell]! += screen.slotsPerHour * screen.impressions * AVAILABILITY;
      forecast[cell]! += screen.slotsPerHour * screen.impressions * AVAILABILITY * error;
      forecastPerCampaign[cell]! += slotsPerCampaign(slots, options) * screen.impressions * error;
    }
  });
  return {
    expected,
    forecast,
    forecastPerCampaign,
    forecastError: Float64Array.from(screens, screen => errors[screen.city * PLACE_KINDS + screen.place]!),
  };
}

type ScaleGoalsOptions = { segmentOf: Int32Array; expected: Float64Array; load: number };

/**
 * Scales all weights by one factor so that demand is `load` times expected supply; no campaign demands more than 0.9 of
 * its eligible supply.
 */
function scaleGoals(
  bookings: readonly Booking[],
  graph: AllocationGraph,
  { segmentOf, expected, load }: ScaleGoalsOptions,
): Float64Array {
  const eligible = eligibleByCampaign(graph, segmentOf, expected);
  const total = expected.reduce((sum, impressions) => sum + impressions, 0);
  const goalAt = (factor: number, campaign: number) =>
    Math.min(0.9, factor * bookings[campaign]!.weight) * eligible[campaign]!;
  let low = 0;
  let high = 10;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    const demand = bookings.reduce((sum, _, campaign) => sum + goalAt(middle, campaign), 0);
    if (demand < load * total) low = middle;
    else high = middle;
  }
  return Float64Array.from(bookings, (_, campaign) => {
    const goal = Math.floor(goalAt(low, campaign));
    return goal < GOAL_MIN ? 0 : goal;
  });
}

/** Impressions in cells where each campaign is eligible. */
function eligibleByCampaign(graph: AllocationGraph, segmentOf: Int32Array, supply: Float64Array): Float64Array {
  const eligible = new Float64Array(graph.campaigns);
  for (let cell = 0; cell < segmentOf.length; cell++) {
    if (supply[cell]! <= 0) continue;
    const segment = segmentOf[cell]!;
    for (let edge = graph.edgeStart[segment]!; edge < graph.edgeStart[segment + 1]!; edge++)
      eligible[graph.edgeCampaign[edge]!]! += supply[cell]!;
  }
  return eligible;
}

/**
 * By campaign, expected impressions before each hour: `curve[campaign * (hours + 1) + hour]`. The curve that pacing is
 * measured against, or with the forecast what a rule without a plan follows.
 */
export function eligibleCurve(
  { graph, segmentOf, hours, groups }: Pick<World, 'graph' | 'segmentOf' | 'hours' | 'groups'>,
  supply: Float64Array,
): Float64Array {
  const curve = new Float64Array(graph.campaigns * (hours + 1));
  for (let hour = 0; hour < hours; hour++) {
    for (let campaign = 0; campaign < graph.campaigns; campaign++)
      curve[campaign * (hours + 1) + hour + 1] = curve[campaign * (hours + 1) + hour]!;
    for (let group = 0; group < groups; group++) {
      const cell = group * hours + hour;
      const segment = segmentOf[cell]!;
      if (supply[cell]! <= 0) continue;
      for (let edge = graph.edgeStart[segment]!; edge < graph.edgeStart[segment + 1]!; edge++)
        curve[graph.edgeCampaign[edge]! * (hours + 1) + hour + 1]! += supply[cell]!;
    }
  }
  return curve;
}
