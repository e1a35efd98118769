/** The chance that supply reaches the level at which a plan gets what it wants, on curves that can be read off. */
import { describe, expect, test } from 'vitest';
import { attainableAt, fillChance } from '#domain/forecast/fill-chance.ts';

/** In proportion up to the forecast, half as steep above it. */
const CURVE = [
  { factor: 0.5, impressions: 500 },
  { factor: 1, impressions: 1_000 },
  { factor: 2, impressions: 1_500 },
];

describe('the impressions at a level of supply', () => {
  test.each([
    [0.25, 250],
    [0.5, 500],
    [0.75, 750],
    [1, 1_000],
    [1.5, 1_250],
    [2, 1_500],
    [4, 3_000],
  ])(
    'are read between the levels, and in proportion beyond them: at %d times the forecast %d',
    (factor, impressions) => {
      expect(attainableAt(CURVE, Math.log(factor))).toBeCloseTo(impressions, 6);
    },
  );
});

describe('the chance', () => {
  test.each([
    [250, 0.25],
    [1_000, 1],
    [1_250, 1.5],
    [3_000, 4],
  ])('of %d impressions is the chance of the lowest level that has them: %d times the forecast', (wanted, level) => {
    expect(fillChance(CURVE, wanted, factor => factor)).toBeCloseTo(level, 5);
  });

  test('is zero if no level has any impressions', () => {
    expect(fillChance([{ factor: 1, impressions: 0 }], 1, () => 1)).toBe(0);
  });
});
