/**
 * Small allocation problems for the tests of flow and plan: random ones for fast-check, and their graph in the form
 * that the code takes.
 */
import * as fc from 'fast-check';
import { type AllocationGraph, createGraph } from '../../../domain/allocation/flow/graph.ts';

/** A small allocation problem in plain arrays. */
export type Sketch = { campaigns: number; rows: number[][]; supply: number[]; demand: number[]; price: number[] };

export function graphOf({ campaigns, rows }: Pick<Sketch, 'campaigns' | 'rows'>): AllocationGraph {
  const start = new Int32Array(rows.length + 1);
  rows.forEach((row, segment) => (start[segment + 1] = start[segment]! + row.length));
  return createGraph(campaigns, start, Int32Array.from(rows.flat()));
}

/** Sketches of up to `segmentsMax` segments and `campaignsMax` campaigns with whole impressions. */
export function sketches({
  segmentsMax,
  campaignsMax,
  impressionsMax,
}: {
  segmentsMax: number;
  campaignsMax: number;
  impressionsMax: number;
}): fc.Arbitrary<Sketch> {
  return fc
    .integer({ min: 1, max: campaignsMax })
    .chain(campaigns =>
      fc
        .integer({ min: 1, max: segmentsMax })
        .chain(segments =>
          fc.record({
            campaigns: fc.constant(campaigns),
            rows: fc.array(fc.uniqueArray(fc.integer({ min: 0, max: campaigns - 1 })), {
              minLength: segments,
              maxLength: segments,
            }),
            supply: fc.array(fc.integer({ min: 0, max: impressionsMax }), { minLength: segments, maxLength: segments }),
            demand: fc.array(fc.integer({ min: 0, max: impressionsMax }), {
              minLength: campaigns,
              maxLength: campaigns,
            }),
            price: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: campaigns, maxLength: campaigns }),
          }),
        ),
    );
}
