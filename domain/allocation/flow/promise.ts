/**
 * What the plan promises each campaign: what it can get of its demand under frequency caps and beside its competitors.
 * The plan's shares add up to that, no more: what one wants beyond its cap would take slots of those that can have
 * theirs. Each segment is shared without these limits, which delivery keeps slot by slot.
 */
import { type Competitors, separateEdges } from './competitors.ts';
import type { AllocationGraph } from './graph.ts';
import type { RemainingSupply, SupplyForecast } from './remaining-supply.ts';
import { admitDemand, openSupplyFlow, pushEvenly, pushSupply, servedBy } from './supply-flow.ts';

export type FrequencyCaps = {
  /** By campaign: which cap it has; -1: none. */
  number: Int32Array;
  /** By cap and group of places: the share of its slots that a campaign may take, 0..1. */
  share: readonly Float64Array[];
};

/**
 * Less than this part of what is wanted finds room elsewhere: among many campaigns competitors rarely meet, and a flow
 * takes seconds there.
 */
const LOST_MIN = 0.005;

type PromiseInput = {
  graph: AllocationGraph;
  forecast: SupplyForecast;
  supply: RemainingSupply;
  /** Impressions wanted by campaign, and what each would get if caps did not count. */
  demand: Float64Array;
  impressions: Float64Array;
  /** Undefined: no campaign has a cap, none has a competitor. */
  caps?: FrequencyCaps | undefined;
  competitors?: Competitors | undefined;
};

/**
 * Impressions by campaign, at most its demand. One flow in two steps: first what each would get without limits, as far
 * as its own allow, then what that leaves. To share by the policy of overload again would take some twenty steps, and
 * minutes over the network of a large installation.
 */
export function promisedWithin(input: PromiseInput): Float64Array {
  const { graph, supply, demand, impressions, competitors } = input;
  if (!input.caps && !competitors) return impressions;
  const capped = maxUnderCaps(input);
  const edgeMax = competitors ? separated(input, capped, competitors) : capped;
  if (edgeMax === undefined) return impressions;
  const reach = reachOf(graph, edgeMax);
  const first = impressions.map((amount, campaign) => Math.min(amount, reach[campaign]!));
  const flow = openSupplyFlow(
    graph,
    { supply: supply.supply, edgeMax, separation: null },
    campaign => demand[campaign]! > 0,
  );
  first.forEach((amount, campaign) => admitDemand(flow, campaign, amount));
  pushEvenly(flow);
  pushSupply(flow);
  first.forEach((amount, campaign) =>
    admitDemand(flow, campaign, Math.max(0, Math.min(demand[campaign]!, reach[campaign]!) - amount)),
  );
  pushSupply(flow);
  return first.map((_, campaign) => servedBy(flow, campaign));
}

function maxUnderCaps(input: PromiseInput): Float64Array {
  const { graph, supply, caps } = input;
  const shares = caps?.share.map(ofGroup => shareBySegment(input, ofGroup));
  return Float64Array.from(graph.edgeSegment, (segment, edge) => {
    const cap = caps?.number[graph.edgeCampaign[edge]!] ?? -1;
    return supply.supply[segment]! * (cap < 0 ? supply.capShare[segment]! : shares![cap]![segment]!);
  });
}

/**
 * What competitors leave of that, where each campaign wants the same part of all that it may take. Undefined where
 * neither caps nor competitors change what can be promised.
 */
function separated({ graph, supply, demand, caps }: PromiseInput, capped: Float64Array, competitors: Competitors) {
  const reach = reachOf(graph, capped);
  const wanted = demand.map((amount, campaign) => (amount > 0 ? Math.min(1, amount / reach[campaign]!) : 0));
  const left = separateEdges({ graph, supply: supply.supply, edgeMax: capped, wanted, competitors });
  if (caps) return left;
  let lost = 0;
  if (left !== capped)
    graph.edgeCampaign.forEach((campaign, edge) => (lost += (capped[edge]! - left[edge]!) * wanted[campaign]!));
  return lost > LOST_MIN * demand.reduce((sum, amount) => sum + amount, 0) ? left : undefined;
}

/** By campaign, what it may take in all. */
function reachOf(graph: AllocationGraph, edgeMax: Float64Array): Float64Array {
  const reach = new Float64Array(graph.campaigns);
  graph.edgeCampaign.forEach((campaign, edge) => (reach[campaign]! += edgeMax[edge]!));
  return reach;
}

/** The share of each segment that a cap leaves one campaign, from the groups that its supply comes from. */
function shareBySegment({ graph, forecast, supply }: PromiseInput, ofGroup: Float64Array): Float64Array {
  const { groups, buckets, bucketFrom, segmentOf, supply: cells, factor } = forecast;
  const capped = new Float64Array(graph.segments);
  for (let group = 0; group < groups; group++) {
    for (let cell = group * buckets + bucketFrom; cell < (group + 1) * buckets; cell++)
      if (cells[cell]! > 0) capped[segmentOf[cell]!]! += cells[cell]! * factor[group]! * ofGroup[group]!;
  }
  return capped.map((impressions, segment) => {
    const whole = supply.supply[segment]!;
    return whole > 0 ? Math.min(1, impressions / whole) : 1;
  });
}
