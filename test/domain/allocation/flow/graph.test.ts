/** The graph of segments and campaigns: built from rows of edges, read from both sides, or refused. */
import { expect, test } from 'vitest';
import { createGraph } from '#domain/allocation/flow/graph.ts';

test('the edges of a campaign are found from any segment', () => {
  const graph = createGraph(3, Int32Array.of(0, 2, 2, 4), Int32Array.of(0, 2, 2, 1));
  expect(graph.segments).toBe(3);
  expect(Array.from(graph.edgeSegment)).toEqual([0, 0, 2, 2]);
  const edgesOf = (campaign: number) =>
    Array.from(graph.campaignEdge.subarray(graph.campaignStart[campaign], graph.campaignStart[campaign + 1]));
  expect([0, 1, 2].map(edgesOf)).toEqual([[0], [3], [1, 2]]);
});

test.each([
  ['a first row that does not begin at 0', [1, 2]],
  ['a last row that ends before the edges do', [0, 1]],
  ['a last row that ends behind them', [0, 3]],
  ['no row', []],
])('%s is a bug of the caller', (_rows, edgeStart) => {
  expect(() => createGraph(2, Int32Array.from(edgeStart), Int32Array.of(0, 1))).toThrow('rows do not cover the edges');
});
