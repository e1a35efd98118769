/**
 * How benchmarks measure: pairs of arms, medians of ratios, and when a figure is only a first look. Samples made here.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonLinesOf } from '../../bench/table.ts';
import { armOrder, figureOf, measurePairs, median, type Pair, type Sample } from '../../bench/protocol.ts';

const sample = (amount: number, cpuSeconds: number, seconds = 30): Sample => ({
  amount,
  seconds,
  cpuSeconds,
  busySeconds: seconds,
});
const about = { bench: 'decisions', figure: 'G1', unit: 'decisions/CPU-s', goal: 0.75, details: { screens: 200 } };

describe('the order of arms', () => {
  test.each([
    [1, ['reference', 'ours']],
    [2, ['reference', 'ours', 'ours', 'reference']],
    [3, ['reference', 'ours', 'ours', 'reference', 'reference', 'ours']],
  ])('%i pairs are measured as %j', (pairs, order) => {
    expect(armOrder(pairs)).toEqual(order);
  });

  test('a pair holds two samples measured next to each other', async () => {
    let number = 0;
    const pairs = await measurePairs(3, async arm => ({ ...sample(1, 1), details: { arm, number: (number += 1) } }));
    expect(pairs.map(({ reference, ours }) => [reference.details!['number'], ours.details!['number']])).toEqual([
      [1, 2],
      [4, 3],
      [5, 6],
    ]);
    expect(
      pairs.every(
        ({ reference, ours }) => reference.details!['arm'] === 'reference' && ours.details!['arm'] === 'ours',
      ),
    ).toBe(true);
  });

  test('no two samples are measured at the same time', async () => {
    let running = 0;
    await measurePairs(2, async () => {
      expect((running += 1)).toBe(1);
      await Promise.resolve();
      running -= 1;
      return sample(1, 1);
    });
  });
});

describe('the median', () => {
  test.each([
    [[3], 3],
    [[1, 9, 2], 2],
    [[4, 1, 3, 2], 2.5],
  ])('of %j is %f', (values, middle) => {
    expect(median(values)).toBe(middle);
  });

  test('does not depend on the order and lies between the extremes', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1 }), values => {
        const middle = median(values);
        expect(median(values.toReversed())).toBe(middle);
        expect(middle).toBeGreaterThanOrEqual(Math.min(...values));
        expect(middle).toBeLessThanOrEqual(Math.max(...values));
      }),
    );
  });

  test('without values is an error of the caller', () => {
    expect(() => median([])).toThrow(RangeError);
  });
});

describe('a figure', () => {
  const pairs: Pair[] = [
    { reference: sample(1000, 10), ours: sample(800, 10) },
    { reference: sample(1000, 10), ours: sample(700, 10) },
    { reference: sample(1000, 10), ours: sample(900, 10) },
  ];

  test('is the median of the ratios of pairs per CPU-second, with the smallest and the largest', () => {
    expect(figureOf(about, pairs)).toMatchObject({
      ...about,
      ours: 80,
      reference: 100,
      ratio: 0.8,
      min: 0.7,
      max: 0.9,
      met: true,
      details: { screens: 200, pairs: 3 },
    });
  });

  test('divides by CPU time, not by wall-clock time', () => {
    const idle = figureOf(about, [{ reference: sample(1000, 10, 40), ours: sample(1000, 20, 40) }]);
    expect(idle.ratio).toBe(0.5);
    expect(idle.met).toBe(false);
    expect(idle.details).toMatchObject({ ratio_per_second: 1 });
  });

  test('is a first look with fewer than five pairs or samples under six seconds', () => {
    const five = Array.from({ length: 5 }, () => pairs[0]!);
    expect(figureOf(about, five).details['first_look']).toBe(false);
    expect(figureOf(about, five.slice(1)).details['first_look']).toBe(true);
    expect(
      figureOf(about, [...five.slice(1), { reference: sample(1000, 10, 5), ours: sample(800, 10) }]).details[
        'first_look'
      ],
    ).toBe(true);
  });

  test('says when two samples of the reference differ by more than a tenth', () => {
    expect(figureOf(about, pairs).details).toMatchObject({ quiet: true, reference_spread: 0 });
    expect(figureOf(about, pairs.slice(1, 2)).details).not.toHaveProperty('quiet');
    expect(figureOf(about, [...pairs, { reference: sample(1120, 10), ours: sample(800, 10) }]).details).toMatchObject({
      quiet: false,
      reference_spread: 0.12,
    });
  });

  test('says that the server was the bottleneck only when both arms kept it busy', () => {
    const idle = { ...sample(1000, 10), busySeconds: 27 };
    expect(figureOf(about, pairs).details['server_is_bottleneck']).toBe(true);
    expect(figureOf(about, [{ reference: idle, ours: sample(800, 10) }]).details['server_is_bottleneck']).toBe(false);
  });
});

test('figures for programs are a line of JSON for each goal, its numbers as the table has them', () => {
  const pair = (reference: number, ours: number): Pair => ({
    reference: sample(reference, 10),
    ours: sample(ours, 10),
  });
  const figure = figureOf(about, [pair(1_000, 750), pair(1_000, 800), pair(1_000, 850)]);
  const lines = jsonLinesOf([figure, { ...figure, variant: 'small' }])
    .trimEnd()
    .split('\n');
  expect(lines.map(line => JSON.parse(line) as object)).toEqual([
    {
      bench: 'decisions',
      figure: 'G1',
      unit: 'decisions/CPU-s',
      ours: figure.ours,
      reference: figure.reference,
      ratio: 0.8,
      min: 0.75,
      max: 0.85,
      goal: 0.75,
      met: true,
      details: figure.details,
    },
    expect.objectContaining({ figure: 'G1', variant: 'small', ratio: 0.8 }),
  ]);
});
