/**
 * The plan over time: how much each campaign should get in each period until the end of the forecast, so that early and
 * late delivery cost least and little is lost. One minimum-cost flow computes it. Supply of a segment in a period goes
 * to campaigns that are eligible there; a campaign's periods are joined in both directions, as stock and backlog of a
 * factory are in the lot sizing of Wagner and Whitin (Management Science 5, 1958): delivery before the campaign's curve
 * waits at the price of being early, and delivery after it was owed at the price of being late.
 *
 * Future supply is uncertain. The first hour counts in full. The nearly certain part of later supply is free. The less
 * certain the next parts are, the more they cost: the chance that they do not come, or are booked by others, times the
 * cost of a lost impression (the newsvendor's rule, Arrow, Harris and Marschak, Econometrica 19, 1951). So a campaign
 * plays early if that costs less than the risk of waiting, the cheapest first, and campaigns that must wait still have
 * supply left.
 */
import { meanByGoal, wholeSupply } from '../demand.ts';
import type { AllocationGraph } from '../flow/graph.ts';
import type { SupplyForecast } from '../flow/remaining-supply.ts';
import { type Cells, cellsOf, HOURS_PLANNED, type Period, periodsOf } from './periods.ts';
import { COST_UNITS, horizonNetwork, type Part } from './horizon-network.ts';
import { cheapestFlow } from './min-cost-flow.ts';
import { WORTH_MIN } from '../lead.ts';

export type HorizonInput = {
  graph: AllocationGraph;
  forecast: SupplyForecast;
  /** The largest network that there is time for, in arcs from supply to campaigns. */
  arcsMax: number;
  /** The share of segment i that one campaign may take, 0..1. */
  capShare: Float64Array;
  /**
   * By campaign: its goal, the share of it (0..1) that it should get if not all demand fits, and its delivery so far.
   */
  goal: Float64Array;
  granted: Float64Array;
  done: Float64Array;
  /** Its eligible impressions so far. */
  seenEligible: Float64Array;
  /** Its eligible supply after the forecast's horizon; absent: none. */
  laterEligible?: Float64Array;
  /** Per impression, any one unit. */
  price: Float64Array;
  /** How long its flight is; absent: as long as the forecast. */
  days?: Float64Array;
  /** The share of supply that will be booked late, by hours ahead. */
  late: (hoursAhead: number) => number;
  /** How crowded the network usually is, 0..1 (`crowdedness`). */
  crowded: number;
};

export type HorizonPlan = {
  /** Impressions of the first two periods, an hour each: `target[period * campaigns + j]`. */
  target: Float64Array;
  /** By edge: the share of its segment in the first of these periods in which the segment has supply. */
  share: Float64Array;
  /** By campaign: the saving of one more impression in the first hour, relative to a lost one, 0..1. */
  worth: Float64Array;
};

/**
 * Period lengths, shortest first: the first with which the network has few enough arcs for the time of a plan is used.
 */
const PERIOD_HOURS = [8, 24] as const;
/**
 * The cost of a lost impression relative to one that is a whole flight early, of a campaign of mean price. Found on
 * tuning seeds (bench/notes.md).
 */
const LOST = 9;
/** The same for an impression that the overload policy does not grant: served last, but before slots stay idle. */
const LOST_BEYOND = 0.8 * LOST;
/**
 * Later supply in parts: the share of all up to which a part goes, less a multiple of the expected late bookings, and
 * the chance that the part does not come. Bookings fall on few segments, so a crowded network reserves more than the
 * average late bookings if little can be lost (`lateMore`). And now and then a city is dark. In a crowded network no
 * campaign can play elsewhere then, so waiting campaigns are early by some hours (`chanceCrowded`: in the benchmark's
 * worlds one of twenty cities is dark for six hours of five days, and about one cell in a hundred loses so much). The
 * others were found on tuning seeds.
 */
const RISKS = [
  { upTo: 0.6, lateTimes: 1, lateMore: 1, chance: 0, chanceCrowded: 0 },
  { upTo: 0.8, lateTimes: 1, lateMore: 1, chance: 0, chanceCrowded: 0.01 },
  { upTo: 0.9, lateTimes: 1, lateMore: 0.5, chance: 0.03, chanceCrowded: 0 },
  { upTo: 0.95, lateTimes: 1, lateMore: 0.25, chance: 0.1, chanceCrowded: 0 },
  { upTo: 1, lateTimes: 1, lateMore: 0, chance: 0.4, chanceCrowded: 0 },
  { upTo: 1, lateTimes: 0, lateMore: 0, chance: 0.6, chanceCrowded: 0 },
] as const;
/**
 * Targets are a multiple of what the flow gives. Slots come elsewhere than planned, and a slot for which no campaign is
 * behind goes to one that is a little early. The next plan subtracts the surplus. Campaigns with an above-minimum value
 * of an impression now get more of it (`lead.ts`). Found on tuning seeds.
 */
export const TARGET_TIMES = { calm: 1.12, atRisk: 1.25 } as const;
/** At least this share of each cell is certain, so that every campaign can wait for some supply. */
const SURE_MIN = 0.02;

/** Deterministic. Undefined if the network is too large. */
export function planHorizon(input: HorizonInput): HorizonPlan | undefined {
  for (const hours of PERIOD_HOURS) {
    const periods = periodsOf(input.forecast, hours);
    const cells = cellsOf(input.graph, input.forecast, periods);
    if (arcsOf(input.graph, cells) <= input.arcsMax) return solve(input, periods, cells);
  }
  return undefined;
}

function arcsOf({ edgeStart }: AllocationGraph, { segment }: Cells): number {
  return segment.reduce((sum, one) => sum + edgeStart[one + 1]! - edgeStart[one]!, 0);
}

function solve(input: HorizonInput, periods: readonly Period[], cells: Cells): HorizonPlan | undefined {
  const { graph, capShare } = input;
  const plan = {
    target: new Float64Array(HOURS_PLANNED * graph.campaigns),
    share: new Float64Array(graph.edgeCampaign.length),
    worth: new Float64Array(graph.campaigns),
  };
  const { due, beyond } = dueOf(input, { periods, cells });
  if (due.at(-1)!.every((impressions, campaign) => impressions + beyond[campaign]! <= 0)) return plan;
  const { network, gives, firstNode, impressionsPerUnit } = horizonNetwork({
    graph,
    capShare,
    periods,
    cells,
    parts: periods.map((period, number) => (number === 0 ? CERTAIN : partsOf(period, input))),
    due,
    beyond,
    hourly: hourlyCosts(input),
    lost: LOST,
    lostBeyond: LOST_BEYOND,
  });
  const cheapest = cheapestFlow(network);
  if (cheapest === undefined) return undefined;
  const { flow, price } = cheapest;
  firstNode.forEach((node, campaign) => {
    if (node >= 0) plan.worth[campaign] = Math.max(0, price[node]! / (LOST * COST_UNITS));
  });
  const firstPeriod = new Int8Array(graph.segments).fill(-1);
  gives.arc.forEach((arc, at) => {
    const [cell, edge] = [gives.cell[at]!, gives.edge[at]!];
    const period = cells.period[cell]!;
    if (period >= HOURS_PLANNED) return;
    const segment = cells.segment[cell]!;
    if (firstPeriod[segment]! < 0) firstPeriod[segment] = period;
    const impressions = flow[arc]! * impressionsPerUnit;
    const campaign = graph.edgeCampaign[edge]!;
    const times = plan.worth[campaign]! > WORTH_MIN ? TARGET_TIMES.atRisk : TARGET_TIMES.calm;
    plan.target[period * graph.campaigns + campaign]! += times * impressions;
    if (firstPeriod[segment] === period) plan.share[edge] = Math.min(1, impressions / cells.impressions[cell]!);
  });
  return plan;
}

const CERTAIN: readonly Part[] = [{ upTo: 1, cost: 0 }];

function partsOf({ startsInHours, hours }: Period, { late, crowded }: HorizonInput): Part[] {
  let lateShare = 0;
  for (let hour = 0; hour < hours; hour++) lateShare += late(startsInHours + hour) / Math.ceil(hours);
  const parts: Part[] = [];
  let before = 0;
  for (const { upTo, lateTimes, lateMore, chance, chanceCrowded } of RISKS) {
    const share = Math.max(SURE_MIN, upTo - (lateTimes + crowded * lateMore) * lateShare);
    if (share <= before) continue;
    parts.push({ upTo: share, cost: (chance + crowded * chanceCrowded) * LOST });
    before = share;
  }
  return parts;
}

type Due = { due: Float64Array[]; beyond: Float64Array };

/**
 * By period, then campaign: the amount due from now until the period's end, by the curve to its granted total. And by
 * campaign its further demand until the horizon, at any time.
 */
function dueOf(input: HorizonInput, { periods, cells }: { periods: readonly Period[]; cells: Cells }): Due {
  const { graph, goal, granted, done, seenEligible } = input;
  const eligible = eligibleBy(graph, { periods, cells });
  const ahead = new Float64Array(graph.campaigns);
  for (const row of eligible) row.forEach((impressions, campaign) => (ahead[campaign]! += impressions));
  const whole = wholeSupply(input, ahead);
  const passed = seenEligible.slice();
  const passedShare = (campaign: number): number =>
    ahead[campaign]! > 0 ? Math.min(1, passed[campaign]! / whole[campaign]!) : 0;
  const due = eligible.map((row, period) =>
    row.map((impressions, campaign) => {
      passed[campaign]! += impressions;
      if (ahead[campaign]! <= 0) return 0;
      const now = goal[campaign]! * granted[campaign]! * passedShare(campaign) - done[campaign]!;
      return period === periods.length - 1 ? Math.max(0, now) : now;
    }),
  );
  const beyond = goal.map((impressions, campaign) =>
    Math.max(0, impressions * passedShare(campaign) - done[campaign]! - due.at(-1)![campaign]!),
  );
  return { due, beyond };
}

/** By period, then campaign: its eligible impressions. */
function eligibleBy(
  graph: AllocationGraph,
  { periods, cells }: { periods: readonly Period[]; cells: Cells },
): Float64Array[] {
  const eligible = periods.map(() => new Float64Array(graph.campaigns));
  cells.segment.forEach((segment, cell) => {
    const row = eligible[cells.period[cell]!]!;
    for (let edge = graph.edgeStart[segment]!; edge < graph.edgeStart[segment + 1]!; edge++)
      row[graph.edgeCampaign[edge]!]! += cells.impressions[cell]!;
  });
  return eligible;
}

/**
 * The cost of an impression that is early or late by an hour: its price over the mean price, over its flight's hours.
 */
function hourlyCosts({ forecast, goal, price, days }: HorizonInput): Float64Array {
  const { buckets, bucketFrom, bucketsPerHour } = forecast;
  const mean = meanByGoal(price, goal);
  const horizonHours = (buckets - bucketFrom) / bucketsPerHour;
  return price.map((one, campaign) => one / mean / (days === undefined ? horizonHours : 24 * days[campaign]!));
}
