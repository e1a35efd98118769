/**
 * What separation leaves competitors of a segment. Two ads of one category never follow each other on a screen if they
 * are of different owners, but an owner may follow itself. So what a category may have of a segment depends on how its
 * owners share it: one alone may have all of it, and of two that want the same each may have a quarter.
 */
import type { AllocationGraph } from './graph.ts';

/** By campaign: a number for each category, and one for each owner in each category. */
export type Competitors = { category: Int32Array; side: Int32Array };

type SeparateInput = {
  graph: AllocationGraph;
  /** Impressions by segment. */
  supply: Float64Array;
  /** By edge, what a campaign may take of a segment, in impressions. */
  edgeMax: Float64Array;
  /** By campaign, the share of all that it may take which it wants, 0..1. */
  wanted: Float64Array;
  competitors: Competitors;
};

/**
 * By edge, what separation leaves of `edgeMax`: the same array where that is all. If the owners of a category want a
 * and b of a segment, the larger a, at least one slot of another must lie on both sides of each run of b's. So
 * a + b + 2 b fit a segment, and where owners want more, what each may take is cut by the same part. More than two
 * owners are one that wants most and the others, who have to be kept apart from each other, too: 2 (a + b) fit where a
 * is less than b.
 */
export function separateEdges({ graph, supply, edgeMax, wanted, competitors }: SeparateInput): Float64Array {
  const { category, side } = competitors;
  let left = edgeMax;
  const ofCategory = new Float64Array(largest(category) + 1);
  const ofSide = new Float64Array(largest(side) + 1);
  const mostOfCategory = new Float64Array(ofCategory.length);
  for (let segment = 0; segment < graph.segments; segment++) {
    const first = graph.edgeStart[segment]!;
    const last = graph.edgeStart[segment + 1]!;
    for (let edge = first; edge < last; edge++) {
      const campaign = graph.edgeCampaign[edge]!;
      ofCategory[category[campaign]!] = ofSide[side[campaign]!] = mostOfCategory[category[campaign]!] = 0;
    }
    for (let edge = first; edge < last; edge++) {
      const campaign = graph.edgeCampaign[edge]!;
      const wants = edgeMax[edge]! * wanted[campaign]!;
      const [of, own] = [category[campaign]!, side[campaign]!];
      ofCategory[of]! += wants;
      ofSide[own]! += wants;
      mostOfCategory[of] = Math.max(mostOfCategory[of]!, ofSide[own]!);
    }
    for (let edge = first; edge < last; edge++) {
      const of = category[graph.edgeCampaign[edge]!]!;
      const all = ofCategory[of]!;
      const others = all - mostOfCategory[of]!;
      const needed = all + 2 * Math.min(all / 2, others);
      if (others <= 0 || needed <= supply[segment]!) continue;
      if (left === edgeMax) left = edgeMax.slice();
      left[edge]! *= supply[segment]! / needed;
    }
  }
  return left;
}

function largest(numbers: Int32Array): number {
  return numbers.reduce((most, one) => Math.max(most, one), -1);
}
