/**
 * The candidates of a segment that the plan gives part of it, largest share first. A pick looks at these before all
 * others: a campaign that the plan serves elsewhere leaves the slot to one that has no elsewhere. And where a segment
 * has hundreds of candidates, a slot that finds one behind its target here costs no more than one with a few.
 */
import type { AllocationGraph } from './flow/graph.ts';

export type Shortlists = {
  /** Entries of segment i are start[i] to start[i + 1]; none for a segment without supply in the planned hours. */
  start: Int32Array;
  campaign: Int32Array;
};

/** Candidates listed per segment. At 32 a pick stays within a microsecond. */
export const SHORTLIST_MAX = 32;
/** A smaller share than this is a rounding of none. */
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
