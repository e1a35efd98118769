/**
 * The high-water mark (Chen et al., EC 2012): a campaign takes the same share of every segment it is eligible for, or
 * what is left of the segment. Campaigns are served in turn, those with the least eligible supply first. It is the
 * classical baseline.
 */
import type { AllocationGraph } from '../../../domain/allocation/flow/graph.ts';
import type { Index } from '../../../domain/id.ts';

/** A billionth of a segment. */
const HALVINGS = 30;

type Placement = {
  /** The share taken if there was enough, 0..1. */
  mark: number;
  impressions: number;
};

type CampaignDemand = { supply: Float64Array; left: Float64Array; capShare: Float64Array; demand: number };

/**
 * Places one campaign and subtracts its impressions from `left`.
 * @param segments its eligible segments, each once
 * @param supply impressions by segment; `left` the free ones, changed in place
 * @param capShare the share of a segment that one campaign may take, 0..1
 * @param demand impressions wanted, 0 or more
 */
function placeCampaign(segments: Int32Array, { supply, left, capShare, demand }: CampaignDemand): Placement {
  const placedAt = (mark: number): number =>
    segments.reduce((sum, segment) => sum + Math.min(left[segment]!, supply[segment]! * capShare[segment]! * mark), 0);
  const mark = demand <= 0 ? 0 : lowestMark(placedAt, demand);
  let impressions = 0;
  for (const segment of segments) {
    const part = Math.min(left[segment]!, supply[segment]! * capShare[segment]! * mark);
    left[segment]! -= part;
    impressions += part;
  }
  return { mark, impressions };
}

/** The lowest mark at which so much is placed, or 1 if there is less. */
function lowestMark(placedAt: (mark: number) => number, demand: number): number {
  if (placedAt(1) <= demand) return 1;
  let [below, above] = [0, 1];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (below + above) / 2;
    if (placedAt(middle) < demand) below = middle;
    else above = middle;
  }
  return above;
}

type PlacementInput = { supply: Float64Array; capShare: Float64Array; demand: Float64Array };

/** All campaigns in the given order; returns the mark of each. */
export function placeAll(
  graph: AllocationGraph,
  order: readonly number[],
  { supply, capShare, demand }: PlacementInput,
): Float64Array {
  const left = supply.slice();
  const marks = new Float64Array(graph.campaigns);
  for (const campaign of order)
    marks[campaign] = placeCampaign(segmentsOf(graph, campaign), {
      supply,
      left,
      capShare,
      demand: demand[campaign]!,
    }).mark;
  return marks;
}

/** The segments a campaign is eligible for. */
function segmentsOf(graph: AllocationGraph, campaign: Index<'campaign'>): Int32Array {
  return graph.campaignSegment.subarray(graph.campaignStart[campaign], graph.campaignStart[campaign + 1]);
}
