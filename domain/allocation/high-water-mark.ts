/**
 * The high-water mark (Chen et al., EC 2012): a campaign takes the same share of every segment it is eligible for, or
 * what is left of the segment. Campaigns are served in turn, those with the least eligible supply first. It is the
 * classical baseline. Delivery does not use it for campaigns without a plan: the next plan comes soon, and in the
 * benchmark campaigns on their even curves for the first hour cost 0 to 0.3% of all impressions
 * (bench/notes/pacing.md).
 */
import type { Index } from '../id.ts';
import type { AllocationGraph } from './flow/graph.ts';
import { type Evaluation, findRoot } from './root.ts';

export type Placement = {
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
export function placeCampaign(segments: Int32Array, { supply, left, capShare, demand }: CampaignDemand): Placement {
  const evaluate = (mark: number, at: Evaluation) => {
    let value = 0;
    let slope = 0;
    for (const segment of segments) {
      const most = supply[segment]! * capShare[segment]!;
      if (left[segment]! <= most * mark) value += left[segment]!;
      else {
        value += most * mark;
        slope += most;
      }
    }
    at.value = value;
    at.slope = slope;
  };
  // A thousandth of an impression: placements are added up over thousands of campaigns.
  const mark = demand <= 0 ? 0 : findRoot(evaluate, { wanted: demand, low: 0, high: 1, start: 0, tolerance: 1e-3 });
  let impressions = 0;
  for (const segment of segments) {
    const part = Math.min(left[segment]!, supply[segment]! * capShare[segment]! * mark);
    left[segment]! -= part;
    impressions += part;
  }
  return { mark, impressions };
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
export function segmentsOf(graph: AllocationGraph, campaign: Index<'campaign'>): Int32Array {
  return graph.campaignSegment.subarray(graph.campaignStart[campaign], graph.campaignStart[campaign + 1]);
}
