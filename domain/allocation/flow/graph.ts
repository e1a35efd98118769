/**
 * Who may play where, as a bipartite graph in compressed rows: segments on one side, campaigns on the other. A segment
 * is one distinct set of eligible campaigns; all the time of all the screens that share it is one supply. Merging equal
 * sets loses nothing for a flow, and makes the graph a hundred times smaller than screens x hours.
 */
import { assert } from '../../assertion.ts';

export type AllocationGraph = {
  readonly segments: number;
  readonly campaigns: number;
  /** Edges of segment i are edgeStart[i] to edgeStart[i + 1]. */
  readonly edgeStart: Int32Array;
  readonly edgeCampaign: Int32Array;
  readonly edgeSegment: Int32Array;
  /** The same edges by campaign: numbers of edges, campaignStart[j] to campaignStart[j + 1]. */
  readonly campaignStart: Int32Array;
  readonly campaignEdge: Int32Array;
  /**
   * Their segments: edgeSegment[campaignEdge[place]], stored contiguously because the plan reads them about a hundred
   * times.
   */
  readonly campaignSegment: Int32Array;
};

/**
 * Adds the reverse direction to compressed rows, in O(edges).
 * @param edgeStart segments + 1 offsets, never falling, the first 0 and the last the number of edges
 * @param edgeCampaign campaign numbers 0..campaigns - 1, each at most once per segment
 */
export function createGraph(campaigns: number, edgeStart: Int32Array, edgeCampaign: Int32Array): AllocationGraph {
  const segments = edgeStart.length - 1;
  const edges = edgeCampaign.length;
  assert(segments >= 0 && edgeStart[0] === 0 && edgeStart[segments] === edges, 'rows do not cover the edges');
  const edgeSegment = new Int32Array(edges);
  const campaignStart = new Int32Array(campaigns + 1);
  for (let segment = 0; segment < segments; segment++) {
    for (let edge = edgeStart[segment]!; edge < edgeStart[segment + 1]!; edge++) {
      edgeSegment[edge] = segment;
      campaignStart[edgeCampaign[edge]! + 1]!++;
    }
  }
  for (let campaign = 0; campaign < campaigns; campaign++) campaignStart[campaign + 1]! += campaignStart[campaign]!;
  const at = campaignStart.slice(0, campaigns);
  const campaignEdge = new Int32Array(edges);
  const campaignSegment = new Int32Array(edges);
  for (let edge = 0; edge < edges; edge++) {
    const place = at[edgeCampaign[edge]!]!++;
    campaignEdge[place] = edge;
    campaignSegment[place] = edgeSegment[edge]!;
  }
  return { segments, campaigns, edgeStart, edgeCampaign, edgeSegment, campaignStart, campaignEdge, campaignSegment };
}
