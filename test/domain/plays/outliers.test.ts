/** What is usual among many values, and how unlikely a small count is. Pure rules, against published figures. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { poissonAtMost, scoreOf, usualOf } from '#domain/plays/traffic/outliers.ts';

describe('the usual value', () => {
  test('is the median, and the spread of normal values is their standard deviation', () => {
    // Quantiles of a normal distribution of mean 50 and deviation 10.
    const normal = [
      33.55, 37.18, 39.64, 41.58, 43.26, 44.76, 46.15, 47.47, 48.74, 50, 51.26, 52.53, 53.85, 55.24, 56.74, 58.42,
      60.36, 62.82, 66.45,
    ];
    expect(usualOf(normal).median).toBe(50);
    expect(usualOf(normal).spread).toBeCloseTo(10, 0);
  });

  test('is not changed by fewer than half of the values, however wrong', () => {
    const honest = Array.from({ length: 11 }, (_, index) => 10 + index);
    fc.assert(
      fc.property(fc.array(fc.double({ min: 1e3, max: 1e12, noNaN: true }), { maxLength: 10 }), wrong => {
        const { median: middle, spread } = usualOf([...honest, ...wrong]);
        expect(middle).toBeLessThanOrEqual(20);
        expect(spread).toBeLessThanOrEqual(1.4826 * 1e12);
        expect(scoreOf(15, usualOf(honest), 1)).toBe(0);
      }),
    );
  });

  test('leaves room if all are equal', () => {
    expect(scoreOf(11, usualOf([10, 10, 10, 10]), 0.5)).toBe(2);
  });
});

describe('the lower tail of Poisson', () => {
  // Tables of the distribution, e.g. Abramowitz and Stegun 26.7 by the chi-square relation.
  test.each([
    [0, 1, 0.36788],
    [1, 1, 0.73576],
    [3, 5, 0.26503],
    [10, 10, 0.58304],
    [0, 14, 8.3153e-7],
  ])('of at most %d with %d expected', (count, expected, probability) => {
    expect(poissonAtMost(count, expected)).toBeCloseTo(probability, 5);
  });

  test('does not vanish for large numbers', () => {
    expect(poissonAtMost(1_000, 1_000)).toBeCloseTo(0.508, 2);
    expect(poissonAtMost(5_000, 1_000)).toBeCloseTo(1, 9);
  });
});
