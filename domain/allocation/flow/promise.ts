/**
 * What the plan promises each campaign: what it can get of its demand under frequency caps. The plan itself ignores
 * caps, because delivery enforces them slot by slot without a loss (bench/notes.md), but a campaign that wants
 * more than its cap allows would be promised all of it.
 */
import type { AllocationGraph } from './graph.ts';
import type { RemainingSupply, SupplyForecast } from './remaining-supply.ts';
import { admitDemand, openSupplyFlow, pushEvenly, pushSupply, servedBy } from './supply-flow.ts';

export type FrequencyCaps = {
  /** By campaign: which cap it has; -1: none. */
  number: Int32Array;
  /** By cap and group of places: the share of its slots that a campaign may take, 0..1. */
  share: readonly Float64Array[];
};

type PromiseInput = {
  graph: AllocationGraph;
  forecast: SupplyForecast;
  supply: RemainingSupply;
  /** Impressions wanted by campaign, and what each would get without caps. */
  demand: Float64Array;
  impressions: Float64Array;
  caps: FrequencyCaps;
};

/**
 * Impressions by campaign, at most its demand. One flow in two steps: first the amounts without caps, limited by each
 * cap, then the rest. Sharing by the overload policy again would take about twenty steps, and minutes for the network
 * of a large installation.
 */
export function promisedUnderCaps(input: PromiseInput): Float64Array {
  const { graph, supply, demand, impressions, caps } = input;
  const shares = caps.share.map(ofGroup => shareBySegment(input, ofGroup));
  const edgeMax = Float64Array.from(graph.edgeSegment, (segment, edge) => {
    const cap = caps.number[graph.edgeCampaign[edge]!]!;
    return supply.supply[segment]! * (cap < 0 ? supply.capShare[segment]! : shares[cap]![segment]!);
  });
  const reach = new Float64Array(graph.campaigns);
  graph.edgeCampaign.forEach((campaign, edge) => (reach[campaign]! += edgeMax[edge]!));
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

/** The share of each segment that a cap leaves one campaign, from the groups of its supply. */
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
