/**
 * Supply as a flow: source -> segment -> campaign -> sink, in impressions. An edge takes at most the part of a segment
 * that frequency and separation leave one campaign; with categories, a node in between limits each category of a
 * segment to its share. The caller opens campaigns. All at once, the flow says whether all demand fits. In descending
 * order of price, it is also the flow of the highest value, because the sets of impressions that can be served form a
 * matroid.
 */
import type { Index } from '../../id.ts';
import { addArc, augment, createFlowNetwork, flowOf, type FlowNetwork, isBehindCut, widenArc } from './max-flow.ts';
import type { AllocationGraph } from './graph.ts';

export type SupplyLimits = {
  /** Impressions by segment. */
  supply: Float64Array;
  /** By edge: impressions of the segment that the campaign may take, at most the supply; null: all of it. */
  edgeMax: Float64Array | null;
  /** Category number by campaign, and the limit of one category in each segment; null without separation. */
  separation: { category: Int32Array; categoryMax: Float64Array } | null;
};

export type SupplyFlow = {
  readonly network: FlowNetwork;
  readonly graph: AllocationGraph;
  /** Arcs of segment i are segmentArc[i] to segmentArc[i + 1], the one from the source first; none without supply. */
  readonly segmentArc: Int32Array;
  readonly sinkArc: Int32Array;
  /** Arc of each edge; -1 if the segment has no supply or the campaign no demand. */
  readonly edgeArc: Int32Array;
  readonly isSeparated: boolean;
};

/** Builds the network with all campaigns closed. `wanted[j]` false omits a campaign's edges. */
export function openSupplyFlow(
  graph: AllocationGraph,
  limits: SupplyLimits,
  wanted: (campaign: Index<'campaign'>) => boolean,
): SupplyFlow {
  const { segments, campaigns, edgeStart, edgeCampaign } = graph;
  const { supply, edgeMax, separation } = limits;
  const edges = edgeCampaign.length;
  const network = createFlowNetwork(
    segments + campaigns + (separation ? edges : 0) + 2,
    segments + campaigns + edges * (separation ? 2 : 1),
  );
  const segmentArc = new Int32Array(segments + 1);
  const sinkArc = new Int32Array(campaigns);
  const edgeArc = new Int32Array(edges).fill(-1);
  for (let campaign = 0; campaign < campaigns; campaign++)
    sinkArc[campaign] = addArc(network, segments + campaign, network.sink, 0);
  const categoryNode = new Map<number, number>();
  let nodes = segments + campaigns;
  for (let segment = 0; segment < segments; segment++) {
    segmentArc[segment + 1] = segmentArc[segment] = network.arcs;
    if (supply[segment]! <= 0) continue;
    addArc(network, network.source, segment, supply[segment]!);
    categoryNode.clear();
    for (let edge = edgeStart[segment]!; edge < edgeStart[segment + 1]!; edge++) {
      const campaign = edgeCampaign[edge]!;
      if (!wanted(campaign)) continue;
      let from = segment;
      if (separation) {
        const category = separation.category[campaign]!;
        const known = categoryNode.get(category);
        from = known ?? nodes++;
        if (known === undefined) {
          categoryNode.set(category, from);
          addArc(network, segment, from, separation.categoryMax[segment]!);
        }
      }
      edgeArc[edge] = addArc(network, from, segments + campaign, edgeMax?.[edge] ?? supply[segment]!);
    }
    segmentArc[segment + 1] = network.arcs;
  }
  return { network, graph, segmentArc, sinkArc, edgeArc, isSeparated: separation !== null };
}

/** Raises a campaign's limit; `pushSupply` does the work. */
export function admitDemand(flow: SupplyFlow, campaign: Index<'campaign'>, impressions: number): void {
  widenArc(flow.network, flow.sinkArc[campaign]!, impressions);
}

/**
 * Sets a campaign's total limit. Its excess returns to its segments in equal proportion, except the part bound by
 * `closeAtCut`. It stays free until the next `pushSupply`.
 */
export function setDemand(flow: SupplyFlow, campaign: Index<'campaign'>, impressions: number): void {
  const { network, sinkArc } = flow;
  const sink = sinkArc[campaign]!;
  const served = flowOf(network, sink);
  const left = served > impressions ? served - giveBackAll(flow, campaign, served - impressions) : served;
  network.room[sink] = Math.max(0, impressions - left);
  network.room[sink ^ 1] = left;
}

/** Returns how much was given back: less than `impressions` if more is bound. */
function giveBackAll(flow: SupplyFlow, campaign: Index<'campaign'>, impressions: number): number {
  const { network, graph, edgeArc } = flow;
  const from = graph.campaignStart[campaign]!;
  const to = graph.campaignStart[campaign + 1]!;
  const flowAt = (place: number): number => {
    const arc = edgeArc[graph.campaignEdge[place]!]!;
    return arc < 0 ? 0 : Math.max(0, flowOf(network, arc));
  };
  let free = 0;
  for (let place = from; place < to; place++) free += flowAt(place);
  const part = free > 0 ? Math.min(1, impressions / free) : 0;
  for (let place = from; place < to; place++) {
    const back = part * flowAt(place);
    if (back > 0)
      giveBack(flow, { arc: edgeArc[graph.campaignEdge[place]!]!, segment: graph.campaignSegment[place]!, back });
  }
  return part * free;
}

/** Removes flow from an edge and everything that leads to it. */
function giveBack(
  { network, segmentArc }: SupplyFlow,
  { arc, segment, back }: { arc: number; segment: number; back: number },
): void {
  const { room, to, next, head } = network;
  const from = to[arc ^ 1]!;
  const used = [arc, segmentArc[segment]!];
  if (from !== segment) {
    // A category's node has one arc from its segment.
    let own = head[from]!;
    while (to[own] !== segment) own = next[own]!;
    used.push(own ^ 1);
  }
  for (const one of used) {
    room[one]! += back;
    room[one ^ 1]! -= back;
  }
}

/**
 * After `pushSupply`: separates the campaigns that compete for supply behind the minimum cut from the others. Arcs from
 * behind the cut to the others are closed: they have no flow, and from now on the others cannot take that supply. Arcs
 * from before the cut to the first group are full, and the group needs all of it: it is bound, so that no other
 * campaign gets it. With separation it is not bound, because campaigns of a category share it.
 */
export function closeAtCut(
  { network, graph, segmentArc, isSeparated }: SupplyFlow,
  competes: (campaign: Index<'campaign'>) => boolean,
): void {
  const { room, to, source } = network;
  const { segments, campaigns } = graph;
  for (let arc = segmentArc[0]!; arc < segmentArc[segments]!; arc += 2) {
    const from = to[arc ^ 1]!;
    const target = to[arc]!;
    if (from === source) continue;
    const isFromBehind = isBehindCut(network, from);
    const isCampaign = target >= segments && target < segments + campaigns;
    if (isFromBehind === (isCampaign ? competes(target - segments) : isBehindCut(network, target))) continue;
    if (isFromBehind) room[arc] = 0;
    else if (!isSeparated) room[arc ^ 1] = 0;
  }
}

/** Multiplies a segment's supply and the limits of its edges and categories by a factor of 1 or more. */
export function growSegment(flow: SupplyFlow, segment: number, factor: number): void {
  const { room } = flow.network;
  for (let arc = flow.segmentArc[segment]!; arc < flow.segmentArc[segment + 1]!; arc += 2)
    room[arc]! += (room[arc]! + room[arc ^ 1]!) * (factor - 1);
}

/**
 * A flow in two passes over the edges, on top of the existing flow: every admitted campaign takes the same share of all
 * supply free for it, scaled down if a segment is requested too much. This finds most of a maximum flow and leaves room
 * everywhere to rearrange the rest, so `pushSupply` has little to search. The maximum flow and its cut are the same
 * with it. Returns the impressions: 0 with separation, when it does not apply.
 */
export function pushEvenly({ network, graph, segmentArc, sinkArc, isSeparated }: SupplyFlow): number {
  if (isSeparated) return 0;
  const { room, to } = network;
  const share = new Float64Array(graph.campaigns);
  for (let segment = 0; segment < graph.segments; segment++) {
    const free = segmentArc[segment]! < segmentArc[segment + 1]! ? room[segmentArc[segment]!]! : 0;
    if (free <= 0) continue;
    for (let arc = segmentArc[segment]! + 2; arc < segmentArc[segment + 1]!; arc += 2)
      share[to[arc]! - graph.segments]! += Math.min(free, room[arc]!);
  }
  for (let campaign = 0; campaign < graph.campaigns; campaign++)
    share[campaign] = share[campaign]! > 0 ? Math.min(1, room[sinkArc[campaign]!]! / share[campaign]!) : 0;
  let pushed = 0;
  for (let segment = 0; segment < graph.segments; segment++) {
    const supplyArc = segmentArc[segment]!;
    const free = supplyArc < segmentArc[segment + 1]! ? room[supplyArc]! : 0;
    if (free <= 0) continue;
    let asked = 0;
    for (let arc = supplyArc + 2; arc < segmentArc[segment + 1]!; arc += 2)
      asked += Math.min(free, room[arc]!) * share[to[arc]! - graph.segments]!;
    const scale = asked > 0 ? Math.min(1, free / asked) : 0;
    if (scale === 0) continue;
    for (let arc = supplyArc + 2; arc < segmentArc[segment + 1]!; arc += 2) {
      const campaign = to[arc]! - graph.segments;
      const sink = sinkArc[campaign]!;
      const part = Math.min(
        room[supplyArc]!,
        room[sink]!,
        room[arc]!,
        Math.min(free, room[arc]!) * share[campaign]! * scale,
      );
      if (part <= 0) continue;
      room[supplyArc]! -= part;
      room[supplyArc + 1]! += part;
      room[arc]! -= part;
      room[arc + 1]! += part;
      room[sink]! -= part;
      room[sink + 1]! += part;
      pushed += part;
    }
  }
  return pushed;
}

/** Augments to the maximum, or until `enough` were added, and returns the added impressions. */
export function pushSupply(flow: SupplyFlow, enough?: number): number {
  return augment(flow.network, enough);
}

/** The flow of a campaign. */
export function servedBy(flow: SupplyFlow, campaign: Index<'campaign'>): number {
  return flowOf(flow.network, flow.sinkArc[campaign]!);
}

/** The flow along an edge. */
export function flowOnEdge(flow: SupplyFlow, edge: number): number {
  const arc = flow.edgeArc[edge]!;
  return arc < 0 ? 0 : flowOf(flow.network, arc);
}

/**
 * After `pushSupply`: whether the campaign competes only for segments of which every impression is needed, so that each
 * missing one is lost. Any other campaign gets all its demand.
 */
export function isAtRisk(flow: SupplyFlow, campaign: Index<'campaign'>): boolean {
  return isBehindCut(flow.network, flow.graph.segments + campaign);
}
