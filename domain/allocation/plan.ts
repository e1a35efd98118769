/**
 * The delivery plan. It does not assign slots: it has the amount that each campaign should get in the next two hours,
 * given the whole future, and `pick.ts` gives each slot to the eligible campaign furthest behind that. In this order:
 *
 * 1. supply of the rest of the flight by segment, from the forecast corrected by the seen supply;
 * 2. flows on that supply less margins decide whether all demand fits; if not, the overload policy decides what each
 *    campaign can still get;
 * 3. a minimum-cost flow over the time ahead spreads campaigns over time (`horizon/`); its amounts in the next two
 *    hours are the targets, its largest shares the shortlists, and campaigns for which one more impression saves
 *    something may take slots that no other campaign wants (`lead.ts`);
 * 4. if the network is too large for that, the flow spreads demand over the segments instead (`even-plan.ts`), and the
 *    allowed lead of each campaign grows with its risk of falling short.
 */
import { assert } from '../assertion.ts';
import {
  attainableShare,
  type CampaignDemand,
  demandWithin,
  eligibleSupply,
  totalSupply,
  wholeSupply,
} from './demand.ts';
import { planEvenly } from './even-plan.ts';
import type { AllocationGraph } from './flow/graph.ts';
import { attainableDemand, lateUnknown } from './flow/attainable.ts';
import { OVERLOAD_DEFAULT, type OverloadPolicy } from './flow/overload.ts';
import { leadsInTime } from './lead.ts';
import { crowdedness, lateBookings, spareShare, toMakeUp } from './flow/late-bookings.ts';
import { type FrequencyCaps, promisedUnderCaps } from './flow/promise.ts';
import { remainingSupply, type SupplyForecast } from './flow/remaining-supply.ts';
import { HOURS_PLANNED } from './horizon/periods.ts';
import { planHorizon } from './horizon/horizon-plan.ts';
import { compileShortlists, type Shortlists } from './shortlist.ts';

export type PlanInput = {
  graph: AllocationGraph;
  forecast: SupplyForecast;
  campaigns: CampaignDemand;
  /** No category may take more than `share` of a segment; undefined if separation does not apply. */
  separation?: { category: Int32Array; share: number };
  /** Frequency caps, for the promises of the plan; undefined: no campaign has one. */
  caps?: FrequencyCaps;
  /** The shares if not all demand can be served. */
  overload?: OverloadPolicy;
  /** The share of its supply that the network usually sells, 0..1; undefined: unknown so far. */
  usualShare?: number;
  /** The same for recent sales (`flow/late-bookings.ts`); undefined: as usual. */
  latelyShare?: number;
  /** The largest network that is planned over time, in arcs; absent: `ARCS_MAX`. */
  arcsMax?: number;
};

export type DeliveryPlan = {
  /** Impressions planned, hour by hour: `target[hour * campaigns + j]`. */
  target: Float64Array;
  /**
   * Impressions by which the campaign is ahead of its long curve now, 0 or more. It may run ahead by that much less.
   */
  ahead: Float64Array;
  /** How far ahead it may run, as a share of the rest of its goal. */
  lead: Float64Array;
  /** The total that the campaign can get, as a share of its goal, 0..1. Below 0.95 it is at risk. */
  attainable: Float64Array;
  shortlists: Shortlists;
  /** Whether the forecast supply fits all demand. */
  fits: boolean;
};

/** A plan is made every minute, and this many arcs take about two seconds of CPU time. */
const ARCS_MAX = 150_000;

/**
 * Plans from now on. Deterministic: equal input gives equal output.
 * @throws Bug if arrays do not belong together
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
  const whole = wholeSupply(campaigns, ahead);
  const late = lateOf(input, whole);
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
  const { impressions } = found;
  const promised = input.caps
    ? promisedUnderCaps({ graph, forecast, supply: remaining, demand, impressions, caps: input.caps })
    : impressions;
  const reach = attainableShare(campaigns, { promised: impressions, demand });
  const inTime = planHorizon({
    arcsMax: input.arcsMax ?? ARCS_MAX,
    graph,
    forecast,
    capShare,
    ...campaigns,
    granted: reach,
    done: campaigns.goal.map((goal, campaign) => goal - campaigns.remaining[campaign]!),
    late: late === undefined ? lateUnknown(1) : lateByPeriod(input, late),
    crowded: crowdedness(input.usualShare),
  });
  const beyondCurve = beyondCurveOf(campaigns, whole);
  const made = inTime
    ? { ...inTime, ...leadsInTime(inTime.worth, beyondCurve) }
    : {
        ...planEvenly({
          graph,
          forecast,
          supply,
          campaigns,
          ahead,
          reach,
          found,
          spare: spareOf(input, { supply, demand }),
        }),
        ahead: beyondCurve,
      };
  return {
    target: made.target,
    ahead: made.ahead,
    lead: made.lead,
    attainable: attainableShare(campaigns, { promised, demand }),
    shortlists: compileShortlists(graph, made.share, segmentsWithin(graph, forecast, HOURS_PLANNED)),
    fits: found.fits,
  };
}

/** Impressions by which each campaign is ahead of its curve now, 0 or more. */
function beyondCurveOf({ goal, remaining, seenEligible }: CampaignDemand, whole: Float64Array): Float64Array {
  return goal.map((all, campaign) => {
    const passed = whole[campaign]! > 0 ? Math.min(1, seenEligible[campaign]! / whole[campaign]!) : 0;
    return Math.max(0, all - remaining[campaign]! - all * passed);
  });
}

/** Over the whole period: bookings missing on days with low sales usually come later. */
function lateByPeriod(
  { forecast, usualShare = 0, latelyShare = usualShare }: PlanInput,
  late: (hoursAhead: number) => number,
): (hoursAhead: number) => number {
  const more = toMakeUp({ forecast, usualShare, latelyShare });
  return hours => Math.max(0, late(hours) + more);
}

/** All of it if the usual sales of the network are unknown. */
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

/** Expected late bookings, if the usual sales of the network are known. */
function lateOf({ graph, forecast, campaigns, usualShare }: PlanInput, whole: Float64Array) {
  if (usualShare === undefined) return undefined;
  const evenShare = campaigns.goal.map((impressions, campaign) =>
    whole[campaign]! > 0 && campaigns.remaining[campaign]! > 0 ? impressions / whole[campaign]! : 0,
  );
  return lateBookings({ graph, forecast, evenShare, usualShare });
}

/** By segment: 1 if it has supply in the next hours. */
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
