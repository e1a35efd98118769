/**
 * Makes the plan of a network: turns supply and campaigns into the input of `planDelivery`, and its result into the
 * published plan.
 */
import { compileCurve, eligibleMs } from '../../campaigns/pacing.ts';
import type { Handle } from '../../id.ts';
import { venueRateMicros } from '../../money/rate-card.ts';
import type { FlightRule } from '../../screens/schedule.ts';
import { eligibleSupply } from '../demand.ts';
import type { FrequencyCaps } from '../flow/promise.ts';
import type { OverloadPolicy } from '../flow/overload.ts';
import { BUCKET_MS, BUCKETS_PER_HOUR, type Network } from './network.ts';
import { type DeliveryPlan, planDelivery } from '../plan.ts';
import { type PublishedPlan, publishPlan } from '../plan-codec.ts';
import type { Micros, Milliseconds } from '../../unit.ts';

/** The facts of a campaign for the plan besides its places. In the order of the network's campaigns. */
export type BookedCampaign = {
  handle: Handle<'campaign'>;
  flight: FlightRule;
  /** The start of its curve: when it last went live, or the start of its flight. */
  sinceMs: Milliseconds;
  /** The spend by then; absent: 0. */
  baseMicros?: Micros;
  budgetMicros: Micros;
  spentMicros: Micros;
  /** The revenue from each unit of its budget after its discount: 1 without a discount; absent: 1. */
  price?: number;
  /**
   * The part of its budget with available supply at the booking (`../../campaigns/foreseen.ts`); absent: unknown, as if
   * all.
   */
  foreseenMicros?: Micros;
};

const DAY_MS = 86_400_000;
/**
 * The plan counts money in units of about one impression's price, so that its tolerances mean the same as for
 * impressions.
 */
const UNIT_MICROS = 5_000;

/**
 * The weight of an impression at a place in the plan: its price there, because a play at an expensive venue takes more
 * of a budget.
 */
export function worthOf({ venueType }: { venueType: string }): number {
  return venueRateMicros(venueType) / UNIT_MICROS;
}

/** The networks are compiled with `worthOf`, from the same places and campaigns. */
type NetworkSupply = {
  network: Network;
  /** Compiled for the week until now: the supply that a campaign could have had so far. */
  past: Network;
  campaigns: readonly BookedCampaign[];
  atMs: Milliseconds;
};
/** `overload`: `OVERLOAD_DEFAULT` by default. */
type NetworkPlanInput = NetworkSupply & {
  caps?: FrequencyCaps | undefined;
  overload?: OverloadPolicy;
  usualShare?: number;
  latelyShare?: number;
};

/** Plans a network from `atMs` on. Targets and leads are published in micro-units of the budget. */
export function planNetwork(input: NetworkPlanInput): PublishedPlan {
  const { network, past, campaigns, atMs, caps, overload, usualShare, latelyShare } = input;
  const bucketFrom = Math.floor((atMs - network.fromMs) / BUCKET_MS);
  const plan = planDelivery({
    graph: network.graph,
    forecast: {
      groups: network.groups.length,
      buckets: network.buckets,
      bucketFrom,
      bucketsPerHour: BUCKETS_PER_HOUR,
      segmentOf: network.segmentOf,
      supply: network.supply,
      supplyPerCampaign: null,
      factor: new Float64Array(network.groups.length).fill(1),
    },
    campaigns: demandOf({ network, past, campaigns, atMs }),
    ...(caps && { caps }),
    ...(overload && { overload }),
    ...(usualShare !== undefined && { usualShare }),
    ...(latelyShare !== undefined && { latelyShare }),
  });
  const handles = Float64Array.from(campaigns, ({ handle }) => handle);
  return publishPlan(inMicros(plan), {
    handles,
    left: Float64Array.from(campaigns, leftMicros),
    segmentKeys: network.segmentKeys,
    plannedAtMs: atMs,
  });
}

function leftMicros({ budgetMicros, spentMicros }: BookedCampaign): Micros {
  return Math.max(0, budgetMicros - spentMicros);
}

function isForeseen({ foreseenMicros }: BookedCampaign): boolean {
  return foreseenMicros !== undefined;
}

/** The share of its goal that was available when it was booked. Spend before it went live was part of that. */
function foreseenShare({ budgetMicros, baseMicros = 0, foreseenMicros = budgetMicros }: BookedCampaign): number {
  const goal = budgetMicros - baseMicros;
  return goal > 0 ? Math.min(1, Math.max(0, (foreseenMicros - baseMicros) / goal)) : 1;
}

function demandOf({ network, past, campaigns, atMs }: NetworkSupply) {
  const around = supplyAround({ network, past, campaigns, atMs });
  return {
    goal: Float64Array.from(
      campaigns,
      ({ budgetMicros, baseMicros = 0 }) => Math.max(0, budgetMicros - baseMicros) / UNIT_MICROS,
    ),
    remaining: Float64Array.from(campaigns, campaign => leftMicros(campaign) / UNIT_MICROS),
    // Supply is counted in money already, so all campaigns without a discount have the same price.
    price: Float64Array.from(campaigns, ({ price = 1 }) => price),
    days: Float64Array.from(campaigns, ({ flight }) => flight.endsOn - flight.startsOn + 1),
    ...(campaigns.some(isForeseen) && { foreseen: Float64Array.from(campaigns, foreseenShare) }),
    ...around,
  };
}

/**
 * The eligible supply before now and after the horizon. For the last week it is what the network had, hour by hour in
 * the zone of each venue. Before that and after the horizon it is estimated: as much per eligible hour as in these two
 * weeks. If they have none, no estimate is possible, and the campaign gets no target yet.
 */
function supplyAround({ network, past, campaigns, atMs }: NetworkSupply): {
  seenEligible: Float64Array;
  laterEligible: Float64Array;
} {
  const lately = supplyWithin(past, { fromMs: past.fromMs, toMs: atMs });
  const ahead = supplyWithin(network, { fromMs: atMs, toMs: network.fromMs + network.buckets * BUCKET_MS });
  const seenEligible = new Float64Array(campaigns.length);
  const laterEligible = new Float64Array(campaigns.length);
  campaigns.forEach(({ flight, sinceMs }, campaign) => {
    const curve = compileCurve(flight);
    const at = (ms: Milliseconds): number => eligibleMs(curve, ms);
    const [from, now, until] = [at(past.fromMs), at(atMs), at(network.fromMs + network.buckets * BUCKET_MS)];
    const perMs = until > from ? (lately[campaign]! + ahead[campaign]!) / (until - from) : 0;
    // A campaign that went live during this week could not have had the supply before that.
    const since = at(Math.min(atMs, sinceMs));
    const own = now > from ? Math.min(1, (now - since) / (now - from)) : 1;
    seenEligible[campaign] = lately[campaign]! * own + Math.max(0, from - since) * perMs;
    laterEligible[campaign] = Math.max(0, at((flight.endsOn + 2) * DAY_MS) - until) * perMs;
  });
  return { seenEligible, laterEligible };
}

/** The supply that each campaign could have had between two times. */
function supplyWithin(
  { graph, groups, buckets, segmentOf, supply, fromMs: networkFromMs }: Network,
  { fromMs, toMs }: { fromMs: Milliseconds; toMs: Milliseconds },
): Float64Array {
  const bySegment = new Float64Array(graph.segments);
  const first = Math.max(0, Math.floor((fromMs - networkFromMs) / BUCKET_MS));
  const end = Math.min(buckets, Math.floor((toMs - networkFromMs) / BUCKET_MS));
  groups.forEach((_, group) => {
    for (let bucket = first; bucket < end; bucket++) {
      const cell = group * buckets + bucket;
      bySegment[segmentOf[cell]!]! += supply[cell]!;
    }
  });
  return eligibleSupply({ graph, supply: bySegment, capShare: new Float64Array(graph.segments).fill(1) });
}

function inMicros(plan: DeliveryPlan): DeliveryPlan {
  const micros = (amounts: Float64Array) => amounts.map(units => units * UNIT_MICROS);
  return { ...plan, target: micros(plan.target), ahead: micros(plan.ahead) };
}
