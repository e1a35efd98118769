/**
 * The supply that booked campaigns leave for a new plan. At a few levels of supply the allocation serves all booked
 * demand, and its flow is stored. A new plan takes the free supply of its segments first, then as much more as the
 * campaigns that use them can get elsewhere. These are the two shortest kinds of paths that a maximum flow with one
 * more sink would find, so no search of the graph is needed per forecast.
 */
import { assert } from '../assertion.ts';
import type { AllocationGraph } from '../allocation/flow/graph.ts';
import type { BookingPlace } from './bookings.ts';
import { admitDemand, flowOnEdge, openSupplyFlow, pushEvenly, pushSupply } from '../allocation/flow/supply-flow.ts';

export type Residual = {
  factor: number;
  /** Free impressions by segment. */
  free: Float32Array;
  /** Impressions by edge. */
  flow: Float32Array;
  /** By campaign: the free supply of all its segments. */
  slack: Float32Array;
  freeTotal: number;
};

/** The part of the graph that a forecast reads. */
export type BookedEdges = Pick<AllocationGraph, 'campaigns' | 'edgeStart' | 'edgeCampaign'>;

/**
 * The levels, as supply over its forecast; results between them are interpolated. Flows at 8 levels would take more
 * memory than the thread pool has.
 */
const SUPPLY_LEVELS: readonly number[] = [0.5, 0.75, 0.9, 1, 1.1, 1.35];
/**
 * Reading this many edges takes half a millisecond. If a plan touches more, only every n-th segment is read, and counts
 * n times.
 */
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
  const network = openSupplyFlow(graph, { supply, edgeMax: null, separation: null }, campaign => demand[campaign]! > 0);
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

/**
 * The rest at each level without one booking: its flow becomes free in its segments, for the plan and for competing
 * campaigns.
 */
export function residualsWithout(
  residuals: readonly Residual[],
  { edgeStart, edgeCampaign }: BookedEdges,
  { campaign, part }: BookingPlace,
): Residual[] {
  const own: { edge: number; segment: number }[] = [];
  for (let segment = 0; segment < edgeStart.length - 1; segment++) {
    for (let edge = edgeStart[segment]!; edge < edgeStart[segment + 1]!; edge++)
      if (edgeCampaign[edge] === campaign) own.push({ edge, segment });
  }
  return residuals.map(({ factor, freeTotal, ...before }) => {
    const [free, flow, slack] = [before.free.slice(), before.flow.slice(), before.slack.slice()];
    let released = 0;
    for (const { edge, segment } of own) {
      const here = flow[edge]! * part;
      flow[edge]! -= here;
      free[segment]! += here;
      released += here;
      for (let other = edgeStart[segment]!; other < edgeStart[segment + 1]!; other++)
        slack[edgeCampaign[other]!]! += here;
    }
    return { factor, free, flow, slack, freeTotal: freeTotal + released };
  });
}

/** The demand of a plan: at the forecast's level its cells have `wanted` impressions of each of `segments`. */
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

/** How much the campaigns that use the plan's segments could get outside of them. */
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
