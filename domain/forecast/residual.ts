/**
 * What booked campaigns leave. At a handful of levels of supply the allocation serves all booked demand, and its flow is
 * kept. A new plan takes what is free in its own cells first, and then as much of the rest as those who use it can be
 * served elsewhere: the two shortest kinds of path that a maximum flow with one more sink would find, without a search of
 * the graph per question.
 */
import { assert } from '../assertion.ts';
import type { AllocationGraph } from '../allocation/flow/graph.ts';
import { admitDemand, flowOnEdge, openSupplyFlow, pushEvenly, pushSupply } from '../allocation/flow/supply-flow.ts';

export type Residual = {
  factor: number;
  /** Impressions by segment that nobody has. */
  free: Float32Array;
  /** Impressions by edge. */
  flow: Float32Array;
  /** By campaign: what is free in all of its segments. */
  slack: Float32Array;
  freeTotal: number;
};

/** The part of a graph that questions walk. */
export type BookedEdges = Pick<AllocationGraph, 'campaigns' | 'edgeStart' | 'edgeCampaign'>;

/** Levels of supply over its forecast; between them the answer is interpolated. With 8 the flows would take more memory than the pool has. */
const SUPPLY_LEVELS: readonly number[] = [0.5, 0.75, 0.9, 1, 1.1, 1.35];
/** A plan that touches more edges is broad: then only every n-th of its segments is looked at, and counts n times. A walk of so many takes half a millisecond. */
const EDGES_WALKED_MAX = 30_000;

/** @param supply impressions by segment, as forecast · @param demand impressions still booked by campaign */
export function residualsOf(
  graph: AllocationGraph,
  { supply, demand }: { supply: Float64Array; demand: Float64Array },
): Residual[] {
  assert(
    supply.length === graph.segments && demand.length === graph.campaigns,
    'supply and demand do not match the graph',
  );
  return SUPPLY_LEVELS.map(factor =>
    residualAt(graph, { supply: supply.map(impressions => impressions * factor), demand, factor }),
  );
}

type SupplyLevel = { supply: Float64Array; demand: Float64Array; factor: number };

function residualAt(graph: AllocationGraph, { supply, demand, factor }: SupplyLevel): Residual {
  const { edgeCampaign, edgeSegment } = graph;
  const network = openSupplyFlow(
    graph,
    { supply, edgeMax: supply, separation: null },
    campaign => demand[campaign]! > 0,
  );
  for (let campaign = 0; campaign < graph.campaigns; campaign++)
    if (demand[campaign]! > 0) admitDemand(network, campaign, demand[campaign]!);
  pushEvenly(network);
  pushSupply(network);
  const flow = Float32Array.from(edgeCampaign, (_, edge) => flowOnEdge(network, edge));
  const free = Float32Array.from(supply);
  for (let edge = 0; edge < flow.length; edge++)
    free[edgeSegment[edge]!] = Math.max(0, free[edgeSegment[edge]!]! - flow[edge]!);
  const slack = new Float32Array(graph.campaigns);
  for (let edge = 0; edge < flow.length; edge++) slack[edgeCampaign[edge]!]! += free[edgeSegment[edge]!]!;
  return { factor, free, flow, slack, freeTotal: free.reduce((sum, impressions) => sum + impressions, 0) };
}

/** What a plan wants: at the forecast's level its cells hold `wanted` impressions of each of `segments`. */
export type Wanted = { segments: Int32Array; wanted: Float64Array };

/** Impressions that a plan can still get. */
export function attainableOf(residual: Residual, edges: BookedEdges, plan: Wanted): number {
  const { factor, free, freeTotal } = residual;
  let direct = 0;
  let lacking = 0;
  plan.segments.forEach((segment, place) => {
    const cap = plan.wanted[place]! * factor;
    const here = Math.min(cap, free[segment]!);
    direct += here;
    lacking += cap - here;
  });
  const most = Math.min(lacking, Math.max(0, freeTotal - direct));
  if (most <= 0) return direct;
  const walked = plan.segments.reduce(
    (sum, segment) => sum + edges.edgeStart[segment + 1]! - edges.edgeStart[segment]!,
    0,
  );
  return (
    direct +
    Math.min(most, movedBy(residual, edges, { ...plan, step: Math.max(1, Math.ceil(walked / EDGES_WALKED_MAX)) }))
  );
}

/** What users of the plan's segments can be served with outside of it. */
function movedBy(
  { factor, free, flow, slack }: Residual,
  { campaigns, edgeStart, edgeCampaign }: BookedEdges,
  { segments, wanted, step }: Wanted & { step: number },
): number {
  const outside = Float64Array.from({ length: campaigns }, (_, campaign) => slack[campaign]!);
  for (let place = 0; place < segments.length; place += step) {
    const segment = segments[place]!;
    const here = step * Math.min(wanted[place]! * factor, free[segment]!);
    for (let edge = edgeStart[segment]!; edge < edgeStart[segment + 1]!; edge++) outside[edgeCampaign[edge]!]! -= here;
  }
  let moved = 0;
  for (let place = 0; place < segments.length; place += step) {
    const segment = segments[place]!;
    let lacking = step * (wanted[place]! * factor - Math.min(wanted[place]! * factor, free[segment]!));
    for (let edge = edgeStart[segment]!; edge < edgeStart[segment + 1]! && lacking > 0; edge++) {
      const campaign = edgeCampaign[edge]!;
      const part = Math.min(lacking, step * flow[edge]!, outside[campaign]!);
      if (part <= 0) continue;
      outside[campaign]! -= part;
      lacking -= part;
      moved += part;
    }
  }
  return moved;
}
