/**
 * The candidates with a share of a segment in the plan, largest share first. They are tried before all others, so that
 * a campaign served in other segments leaves the slot to one without another. It is also fast: if a segment has
 * hundreds of candidates, most slots are decided among these few.
 */
import type { AllocationGraph } from './flow/graph.ts';

export type Shortlists = {
  /** Entries of segment i are start[i] to start[i + 1]; none for a segment without supply in the planned hours. */
  start: Int32Array;
  campaign: Int32Array;
};

/** Candidates listed per segment. With 32 a pick takes less than a microsecond. */
export const SHORTLIST_MAX = 32;
/** A smaller share comes from rounding and counts as none. */
const SHARE_MIN = 0.001;

/** @param wanted 1 for each segment to list */
export function compileShortlists(graph: AllocationGraph, share: Float64Array, wanted: Uint8Array): Shortlists {
  const start = new Int32Array(graph.segments + 1);
  const listed: number[] = [];
  for (let segment = 0; segment < graph.segments; segment++) {
    if (wanted[segment] === 1) listed.push(...largest(graph, share, segment));
    start[segment + 1] = listed.length;
  }
  return { start, campaign: Int32Array.from(listed) };
}

function largest(graph: AllocationGraph, share: Float64Array, segment: number): number[] {
  const edges: number[] = [];
  for (let edge = graph.edgeStart[segment]!; edge < graph.edgeStart[segment + 1]!; edge++)
    if (share[edge]! >= SHARE_MIN) edges.push(edge);
  edges.sort((a, b) => share[b]! - share[a]! || a - b);
  return edges.slice(0, SHORTLIST_MAX).map(edge => graph.edgeCampaign[edge]!);
}
