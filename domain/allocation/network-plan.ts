import { compileCurve, eligibleMs } from '../pacing.ts';
import type { FlightRule } from '../schedule.ts';
import { BUCKET_MS, BUCKETS_PER_HOUR, type Network } from './network.ts';
import { type DeliveryPlan, planDelivery } from './plan.ts';
import { type PublishedPlan, publishPlan } from './plan-codec.ts';
import { eligibleSupply } from './shale.ts';

/** What the plan asks of a campaign beside where it may play. In the order of the network's campaigns. */
export type BookedCampaign = {
  handle: number;
  flight: FlightRule;
  /** From when on it could play: its submission, or the start of its flight. */
  sinceMs: number;
  budgetMicros: number;
  spentMicros: number;
  /** Per impression, its mean over the venues it is eligible for. */
  rateMicros: number;
};

const DAY_MS = 86_400_000;

/**
 * Plans a compiled network from `atMs` on. Targets and leads are published in micro-units of the budget.
 * @param factor by group of the network: what was seen over what is forecast
 * @param warm duals of the last plan by handle
 */
export function planNetwork({ network, campaigns, atMs, factor, warm }: { network: Network; campaigns: readonly BookedCampaign[]; atMs: number; factor: Float64Array; warm?: ReadonlyMap<number, number> }): PublishedPlan {
  const bucketFrom = Math.floor((atMs - network.fromMs) / BUCKET_MS);
  const plan = planDelivery({
    graph: network.graph,
    forecast: { groups: network.groups.length, buckets: network.buckets, bucketFrom, bucketsPerHour: BUCKETS_PER_HOUR, segmentOf: network.segmentOf, supply: network.supply, supplyPerCampaign: null, factor },
    campaigns: demandOf({ network, campaigns, atMs, factor }),
    ...(warm && { warm: Float64Array.from(campaigns, ({ handle }) => warm.get(handle) ?? 0) }),
  });
  const handles = Float64Array.from(campaigns, ({ handle }) => handle);
  return publishPlan(inMicros(plan, campaigns), { handles, segmentKeys: network.segmentKeys, plannedAtMs: atMs });
}

function demandOf({ network, campaigns, atMs, factor }: { network: Network; campaigns: readonly BookedCampaign[]; atMs: number; factor: Float64Array }) {
  const impressions = (micros: number, { rateMicros }: BookedCampaign): number => Math.max(0, micros) / Math.max(1, rateMicros);
  const around = supplyAround({ network, campaigns, atMs, factor });
  return {
    goal: Float64Array.from(campaigns, campaign => impressions(campaign.budgetMicros, campaign)),
    remaining: Float64Array.from(campaigns, campaign => impressions(campaign.budgetMicros - campaign.spentMicros, campaign)),
    price: Float64Array.from(campaigns, ({ rateMicros }) => rateMicros),
    ...around,
  };
}

/**
 * The eligible supply before now and after the horizon, as much per eligible hour as within it: a week is like the next.
 * Where the horizon holds none there is nothing to go by, and the campaign gets no target yet.
 */
function supplyAround({ network, campaigns, atMs, factor }: { network: Network; campaigns: readonly BookedCampaign[]; atMs: number; factor: Float64Array }): { seenEligible: Float64Array; laterEligible: Float64Array } {
  const ahead = supplyAhead(network, { atMs, factor });
  const untilMs = network.fromMs + network.buckets * BUCKET_MS;
  const seenEligible = new Float64Array(campaigns.length);
  const laterEligible = new Float64Array(campaigns.length);
  campaigns.forEach(({ flight, sinceMs }, campaign) => {
    const curve = compileCurve(flight);
    const [since, now, until, end] = [Math.min(sinceMs, atMs), atMs, untilMs, (flight.endsOn + 2) * DAY_MS].map(ms => eligibleMs(curve, ms)) as [number, number, number, number];
    const perMs = until > now ? ahead[campaign]! / (until - now) : 0;
    seenEligible[campaign] = (now - since) * perMs;
    laterEligible[campaign] = Math.max(0, end - until) * perMs;
  });
  return { seenEligible, laterEligible };
}

/** Impressions by campaign from now to the horizon, of all that it is eligible for. */
function supplyAhead({ graph, groups, buckets, segmentOf, supply, fromMs }: Network, { atMs, factor }: { atMs: number; factor: Float64Array }): Float64Array {
  const bySegment = new Float64Array(graph.segments);
  const first = Math.floor((atMs - fromMs) / BUCKET_MS);
  groups.forEach((_, group) => {
    for (let cell = group * buckets + first; cell < (group + 1) * buckets; cell++) bySegment[segmentOf[cell]!]! += supply[cell]! * factor[group]!;
  });
  return eligibleSupply({ graph, supply: bySegment, capShare: new Float64Array(graph.segments).fill(1) });
}

function inMicros(plan: DeliveryPlan, campaigns: readonly BookedCampaign[]): DeliveryPlan {
  const micros = (amounts: Float64Array) => amounts.map((impressions, place) => impressions * campaigns[place % campaigns.length]!.rateMicros);
  return { ...plan, target: micros(plan.target), ahead: micros(plan.ahead) };
}
