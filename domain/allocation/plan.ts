/**
 * The delivery plan. It does not say which campaign gets which slot: it says how much each campaign should get in the
 * next two hours, seen from everything that is still to come, and `pick.ts` gives each slot to the eligible campaign
 * that is furthest behind that. In this order:
 *
 * 1. supply of the rest of the flight by segment, from the forecast corrected by what was seen;
 * 2. flows on that supply with margins taken off say what an impression more is worth to each campaign, and whether all
 *    demand fits without a margin; if not, the policy of overload says what each campaign can still get;
 * 3. SHALE spreads that over the segments, as evenly as supply allows;
 * 4. its shares of the next two hours, added up and drawn a little to the long curve, are the targets; its largest
 *    shares are the shortlists; how far ahead of its target each may run is `lead.ts`.
 */
import { assert } from '../assertion.ts';
import type { AllocationGraph } from './flow/graph.ts';
import { type Attainable, attainableDemand } from './flow/attainable.ts';
import { OVERLOAD_DEFAULT, type OverloadPolicy } from './flow/overload.ts';
import { costsOfUnevenness, leadsOf } from './lead.ts';
import { lateBookings, spareShare } from './flow/late-bookings.ts';
import { type FrequencyCaps, promisedUnderCaps } from './flow/promise.ts';
import { remainingSupply, type SupplyForecast } from './flow/remaining-supply.ts';
import { eligibleSupply, ROUNDS_COLD, ROUNDS_WARM, solveShale } from './shale.ts';
import { compileShortlists, type Shortlists } from './shortlist.ts';

export type PlanInput = {
  graph: AllocationGraph;
  forecast: SupplyForecast;
  campaigns: CampaignDemand;
  /** No category may take more than `share` of a segment; undefined where separation does not apply. */
  separation?: { category: Int32Array; share: number };
  /** Frequency caps, for what the plan promises; undefined: no campaign has one. */
  caps?: FrequencyCaps;
  /** Who gets how much where not all demand can be served. */
  overload?: OverloadPolicy;
  /** The share of its supply that the network usually sells, 0..1; undefined: not known yet. */
  usualShare?: number;
  /** The same of what it sold lately (`flow/late-bookings.ts`); undefined: as usual. */
  latelyShare?: number;
  /** Duals of the last plan by campaign number of this one, 0 for a new campaign; undefined for a cold start. */
  warm?: Float64Array;
};

/** By campaign; impressions as doubles. */
type CampaignDemand = {
  /** What the whole budget buys. */
  goal: Float64Array;
  /** What is left of it; 0 leaves the campaign out. */
  remaining: Float64Array;
  /** Per impression, any one unit. */
  price: Float64Array;
  /** The share of its goal that was free when it was booked, 0..1; undefined: all of it, for all. */
  foreseen?: Float64Array | undefined;
  /** How long its flight is; undefined: all are equally long. */
  days?: Float64Array;
  /** Impressions seen so far in slots that the campaign was eligible for. */
  seenEligible: Float64Array;
  /** The same of the time after the forecast's horizon, for flights that end later; undefined: of none. */
  laterEligible?: Float64Array;
};

/** Hours for which a plan carries targets: one, and one more in case the next plan is late. */
export const HOURS_PLANNED = 2;

export type DeliveryPlan = {
  /** Impressions planned, hour by hour: `target[hour * campaigns + j]`. */
  target: Float64Array;
  /** Impressions by which the campaign is ahead of its long curve now, 0 or more. It may run ahead by so much less. */
  ahead: Float64Array;
  /** How far ahead it may run, as a share of what is left of its goal. */
  lead: Float64Array;
  /** What the campaign can get in all, as a share of its goal, 0..1. Below 0.95 it is at risk. */
  attainable: Float64Array;
  shortlists: Shortlists;
  /** Impressions of each segment that nobody was given. */
  left: Float64Array;
  /** Impressions by segment of the rest of the flight. */
  supply: Float64Array;
  capShare: Float64Array;
  /** The duals, to start the next plan from. */
  alpha: Float64Array;
  /** Whether the forecast holds all demand. */
  fits: boolean;
};

/**
 * A hundredth more than needed is planned, so that rounding and refused plays do not leave the end of a budget unspent.
 */
export const AIM = 1.01;
/**
 * How much of its distance from the long curve a campaign corrects in an hour. SHALE alone would keep a lead for ever,
 * because it spreads what remains evenly over the future. A safe campaign that is ahead returns to its curve quickly,
 * one at risk slowly. Where not all demand fits it keeps its lead, and catches up more slowly because what it gets is
 * taken from others at risk.
 *
 * `behind` is of a campaign of mean cost (`lead.ts`); of others it grows with the square of the cost, up to all of the
 * distance. Where not all can be on their curves, one who knew every slot would keep the dear ones exactly there, let
 * the cheap ones wait for days and serve them last (a linear programme, bench/notes/pacing.md).
 */
const PULL = {
  safe: { ahead: 1, behind: 0.5 },
  atRisk: { ahead: 0.4, behind: 0.5 },
  overload: { ahead: 0, behind: 0.2 },
};

/**
 * Plans from now on. Deterministic: equal input gives equal output.
 * @throws Bug when arrays do not belong together
 */
export function planDelivery(input: PlanInput): DeliveryPlan {
  const { graph, forecast, campaigns } = input;
  assert(
    campaigns.goal.length === graph.campaigns && campaigns.remaining.length === graph.campaigns,
    'campaigns do not match the graph',
  );
  const remaining = remainingSupply(graph, forecast, () => 1);
  const { supply, capShare } = remaining;
  const eligible = eligibleSupply({ graph, supply, capShare });
  const ahead = totalSupply(graph, supply);
  const demand = demandWithin(campaigns, { eligible, ahead });
  const late = lateOf(input, ahead);
  const found = attainableDemand({
    graph,
    forecast,
    demand,
    price: campaigns.price,
    foreseen: campaigns.foreseen,
    done: campaigns.goal.map((goal, campaign) => (goal > 0 ? 1 - campaigns.remaining[campaign]! / goal : 1)),
    supply: remaining,
    overload: input.overload ?? OVERLOAD_DEFAULT,
    late,
    ...(input.separation && { separation: input.separation }),
  });
  const promised = input.caps
    ? promisedUnderCaps({
        graph,
        forecast,
        supply: remaining,
        demand,
        impressions: found.impressions,
        caps: input.caps,
      })
    : found.impressions;
  const aim = demand.map((impressions, campaign) => Math.min(impressions, AIM * found.impressions[campaign]!));
  const cost = costsOfUnevenness(campaigns);
  const { share, alpha } = solveShale(
    { graph, supply, capShare, demand: aim, price: campaigns.price, unevenness: cost },
    input.warm ? ROUNDS_WARM : ROUNDS_COLD,
    input.warm,
  );
  const { target, eligibleByHour } = nextHours(graph, forecast, share);
  const curve = longCurve(campaigns, eligibleByHour, ahead);
  const reach = attainableShare(campaigns, { promised: found.impressions, demand });
  pullToCurve(target, { curve, campaigns, reach, cost, worth: found.worth, fits: found.fits });
  return {
    target,
    ahead: campaigns.goal.map((goal, campaign) =>
      Math.max(0, goal - campaigns.remaining[campaign]! - curve[campaign]! * goal),
    ),
    lead: leadsOf({ worth: found.worth, cost, spare: spareOf(input, { supply, demand }) }),
    attainable: attainableShare(campaigns, { promised, demand }),
    shortlists: compileShortlists(graph, share, segmentsWithin(graph, forecast, HOURS_PLANNED)),
    left: leftOver(graph, supply, share),
    supply,
    capShare,
    alpha,
    fits: found.fits,
  };
}

/** All of it where it is not known what the network usually sells. */
function spareOf(
  { forecast, usualShare, latelyShare }: PlanInput,
  { supply, demand }: { supply: Float64Array; demand: Float64Array },
): number {
  const all = sumOf(supply);
  if (usualShare === undefined || all <= 0) return 1;
  return spareShare({ forecast, booked: sumOf(demand) / all, usualShare, latelyShare: latelyShare ?? usualShare });
}

function sumOf(amounts: Float64Array): number {
  return amounts.reduce((sum, one) => sum + one, 0);
}

/** What will be booked late, where it is known what the network usually sells. */
function lateOf({ graph, forecast, campaigns, usualShare }: PlanInput, ahead: Float64Array) {
  if (usualShare === undefined) return undefined;
  const { goal, remaining, seenEligible, laterEligible } = campaigns;
  const evenShare = goal.map((impressions, campaign) => {
    const whole = seenEligible[campaign]! + ahead[campaign]! + (laterEligible?.[campaign] ?? 0);
    return whole > 0 && remaining[campaign]! > 0 ? impressions / whole : 0;
  });
  return lateBookings({ graph, forecast, evenShare, usualShare });
}

/**
 * What each campaign is to deliver within the horizon: the same share of what is left as the horizon has of its supply.
 */
function demandWithin(
  { remaining, laterEligible }: CampaignDemand,
  { eligible, ahead }: { eligible: Float64Array; ahead: Float64Array },
): Float64Array {
  return remaining.map((impressions, campaign) => {
    if (eligible[campaign]! <= 0) return 0;
    const later = laterEligible?.[campaign] ?? 0;
    return later > 0 ? (impressions * ahead[campaign]!) / (ahead[campaign]! + later) : impressions;
  });
}

/** What the shares come to in each planned hour, and what each campaign is eligible for in it. */
function nextHours(
  graph: AllocationGraph,
  forecast: SupplyForecast,
  share: Float64Array,
): { target: Float64Array; eligibleByHour: Float64Array } {
  const target = new Float64Array(HOURS_PLANNED * graph.campaigns);
  const eligibleByHour = new Float64Array(HOURS_PLANNED * graph.campaigns);
  const { groups, buckets, bucketFrom, bucketsPerHour, segmentOf, supply, factor } = forecast;
  for (let hour = 0; hour < HOURS_PLANNED; hour++) {
    const row = hour * graph.campaigns;
    const first = Math.min(buckets, bucketFrom + hour * bucketsPerHour);
    const last = Math.min(buckets, first + bucketsPerHour);
    for (let group = 0; group < groups; group++) {
      for (let bucket = first; bucket < last; bucket++) {
        const cell = group * buckets + bucket;
        const impressions = supply[cell]! * factor[group]!;
        if (impressions <= 0) continue;
        const segment = segmentOf[cell]!;
        for (let edge = graph.edgeStart[segment]!; edge < graph.edgeStart[segment + 1]!; edge++) {
          const campaign = graph.edgeCampaign[edge]!;
          target[row + campaign]! += impressions * share[edge]!;
          eligibleByHour[row + campaign]! += impressions;
        }
      }
    }
  }
  return { target, eligibleByHour };
}

function totalSupply(graph: AllocationGraph, supply: Float64Array): Float64Array {
  const total = new Float64Array(graph.campaigns);
  for (let edge = 0; edge < graph.edgeCampaign.length; edge++)
    total[graph.edgeCampaign[edge]!]! += supply[graph.edgeSegment[edge]!]!;
  return total;
}

/**
 * The share (0..1) of all supply that a campaign is ever eligible for which is past at the start of the first planned
 * hour (row 0) and at the end of each hour: `curve[row * campaigns + j]`.
 */
function longCurve(
  { seenEligible, laterEligible }: CampaignDemand,
  eligibleByHour: Float64Array,
  ahead: Float64Array,
): Float64Array {
  const campaigns = ahead.length;
  const curve = new Float64Array((HOURS_PLANNED + 1) * campaigns);
  for (let campaign = 0; campaign < campaigns; campaign++) {
    const whole = seenEligible[campaign]! + ahead[campaign]! + (laterEligible?.[campaign] ?? 0);
    let passed = seenEligible[campaign]!;
    for (let hour = 0; hour <= HOURS_PLANNED; hour++) {
      curve[hour * campaigns + campaign] = whole > 0 ? Math.min(1, passed / whole) : 0;
      if (hour < HOURS_PLANNED) passed += eligibleByHour[hour * campaigns + campaign]!;
    }
  }
  return curve;
}

/** `reach`: what the campaign can get in all, as a share of its goal, caps aside. */
type CurveInput = { curve: Float64Array; campaigns: CampaignDemand; reach: Float64Array; cost: Float64Array } & Pick<
  Attainable,
  'worth' | 'fits'
>;

/**
 * Moves the targets of both hours towards the curve, never below 0. One that the policy of overload gives less follows
 * the curve to that: else it would catch up to a goal that it cannot have, with slots of those that are to get more.
 * Campaigns to which SHALE gives nothing are left out.
 */
function pullToCurve(target: Float64Array, { curve, campaigns, reach, cost, worth, fits }: CurveInput): void {
  const count = worth.length;
  for (let campaign = 0; campaign < count; campaign++) {
    const goal = campaigns.goal[campaign]!;
    const behind = curve[campaign]! * reach[campaign]! * goal - (goal - campaigns.remaining[campaign]!);
    const pull = worth[campaign]! <= 0 ? PULL.safe : fits ? PULL.atRisk : PULL.overload;
    // Near the end of a flight a lead is kept, because little time is left to make up for an outage.
    const change =
      behind * (behind > 0 ? Math.min(1, pull.behind * cost[campaign]! ** 2) : pull.ahead * (1 - curve[campaign]!));
    for (let hour = 0; hour < HOURS_PLANNED; hour++) {
      const place = hour * count + campaign;
      if (target[place]! > 0)
        target[place] = Math.max(0, Math.min(campaigns.remaining[campaign]!, target[place]! + change));
    }
  }
}

/** Assumes that the campaign gets as much of its demand after the horizon as within it. */
function attainableShare(
  { goal, remaining }: CampaignDemand,
  { promised, demand }: { promised: Float64Array; demand: Float64Array },
): Float64Array {
  return goal.map((all, campaign) => {
    if (all <= 0) return 0;
    const part = demand[campaign]! > 0 ? promised[campaign]! / demand[campaign]! : 0;
    return Math.min(1, (all - remaining[campaign]! * (1 - part)) / all);
  });
}

function leftOver(graph: AllocationGraph, supply: Float64Array, share: Float64Array): Float64Array {
  const left = new Float64Array(graph.segments).fill(1);
  for (let edge = 0; edge < share.length; edge++) left[graph.edgeSegment[edge]!]! -= share[edge]!;
  return left.map((part, segment) => Math.max(0, part) * supply[segment]!);
}

/** By segment: 1 where it has supply in the next hours. */
function segmentsWithin(
  graph: AllocationGraph,
  { groups, buckets, bucketFrom, bucketsPerHour, segmentOf, supply }: SupplyForecast,
  hours: number,
): Uint8Array {
  const within = new Uint8Array(graph.segments);
  const last = Math.min(buckets, bucketFrom + hours * bucketsPerHour);
  for (let group = 0; group < groups; group++) {
    for (let bucket = bucketFrom; bucket < last; bucket++)
      if (supply[group * buckets + bucket]! > 0) within[segmentOf[group * buckets + bucket]!] = 1;
  }
  return within;
}
