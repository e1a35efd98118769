/**
 * The lift of a brand between two groups of answers, with its interval, against figures that were published. Pure
 * rules.
 */
import { assert, constant, integer, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { liftOf } from '../../../domain/reporting/brand-lift.ts';

describe('the lift of a brand', () => {
  // Newcombe (1998), table II, method 10.
  test.each([
    [[56, 70], [48, 80], 0.2, 0.0524, 0.3339],
    [[9, 10], [3, 10], 0.6, 0.1705, 0.809],
    [[6, 7], [2, 7], 0.5714, 0.0582, 0.8062],
    [[5, 56], [0, 29], 0.0893, -0.0381, 0.1926],
    [[0, 10], [0, 20], 0, -0.1611, 0.2775],
    [[10, 10], [0, 10], 1, 0.6075, 1],
  ])('%j against %j is %f, from %f to %f, as published', (exposed, control, delta, low, high) => {
    const lift = liftOf(
      { positive: exposed[0]!, sample: exposed[1]! },
      { positive: control[0]!, sample: control[1]! },
    )!;
    expect(lift.delta).toBeCloseTo(delta, 4);
    expect(lift.low).toBeCloseTo(low, 4);
    expect(lift.high).toBeCloseTo(high, 4);
  });

  test('is absent while a group is empty', () => {
    expect(liftOf({ sample: 0, positive: 0 }, { sample: 10, positive: 3 })).toBeUndefined();
    expect(liftOf({ sample: 10, positive: 3 }, { sample: 0, positive: 0 })).toBeUndefined();
  });

  test('is within its interval, which is between -1 and 1 and mirrored when the groups are swapped', () => {
    const answers = integer({ min: 1, max: 5_000 }).chain(sample =>
      record({ sample: constant(sample), positive: integer({ min: 0, max: sample }) }),
    );
    assert(
      property(answers, answers, (exposed, control) => {
        const lift = liftOf(exposed, control)!;
        const turned = liftOf(control, exposed)!;
        const slack = 1e-12;
        expect(lift.low).toBeLessThanOrEqual(lift.delta + slack);
        expect(lift.high).toBeGreaterThanOrEqual(lift.delta - slack);
        expect(lift.low).toBeGreaterThanOrEqual(-1 - slack);
        expect(lift.high).toBeLessThanOrEqual(1 + slack);
        expect(turned.low).toBeCloseTo(-lift.high, 12);
      }),
    );
  });
});
