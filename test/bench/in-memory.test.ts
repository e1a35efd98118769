/** Benchmarks in memory print their figures. Their worlds are so small that the figures mean nothing here. */
import { expect, test } from 'vitest';
import { runDecide } from '../../bench/delivery/decide.ts';
import { promiseFigures } from '../../bench/pacing/pacing.ts';
import { runWorlds } from '../../bench/pacing/worlds.ts';
import { SCALE } from '../../bench/pacing/scale.ts';
import { runStart } from '../../bench/start.ts';

// With small worlds its figures mean nothing; that both kinds of them are there, for both mixes, is what is looked at.
test(
  'decide prints the ratio to its smallest world and the time of a decision, for both mixes',
  { timeout: 60_000 },
  async () => {
    const figures = await runDecide({ forSeconds: 0.05, pairs: 1, say: () => undefined }, [20, 300]);
    expect(figures.map(({ figure, goal, details }) => [figure, goal, details['mix'], details['campaigns']])).toEqual([
      ['G2', 0.8, 'targeted', 300],
      ['G1b', 10, 'targeted', 20],
      ['G2', 0.8, 'untargeted', 300],
      ['G1b', 10, 'untargeted', 20],
    ]);
    expect(figures.every(({ ours }) => ours > 0)).toBe(true);
  },
);

/** Only its plan is measured, so nothing is started. */
const SIZE = {
  campaigns: 0,
  screens: 0,
  scale: { ...SCALE, campaigns: 50, segments: 200, edges: 2_000, groups: 20, hours: 4 },
};
const PLAN_ALONE = { forSeconds: 1, pairs: 1, only: ['G16'], say: () => undefined };

test('start makes a plan at each requested load, and above 1 not all demand fits', async () => {
  const figures = await runStart({ ...PLAN_ALONE, loads: [0.5, 1.2] }, SIZE);
  expect(figures.map(({ figure, variant, details }) => [figure, variant, details['demand_fits']])).toEqual([
    ['G16', 'load 0.5', true],
    ['G16', 'load 1.2', false],
  ]);
});

test('start makes one plan without a requested load', async () => {
  const figures = await runStart(PLAN_ALONE, SIZE);
  expect(figures.map(({ figure, variant }) => [figure, variant])).toEqual([['G16', undefined]]);
});

test('start refuses an unknown figure', async () => {
  await expect(runStart({ ...PLAN_ALONE, only: ['G17'] }, SIZE)).rejects.toThrow("there is no figure 'G17'");
});

test(
  'pacing prints promised over delivered impressions, by the first plan and halfway through',
  { timeout: 60_000 },
  async () => {
    const results = await runWorlds({
      seeds: [1],
      rules: ['engine'],
      change: { screens: 20, campaigns: 6, days: 2, separation: true, frequencyMax: 10 },
      onWorld: () => undefined,
    });
    const figures = promiseFigures(results);
    expect(figures.map(({ figure, variant, details }) => [figure, variant, details['campaigns']])).toEqual([
      ['A6p', 'first plan', 6],
      ['A6p', 'half through', 6],
    ]);
    for (const { ours, details } of figures) {
      expect(ours).toBeGreaterThan(0);
      expect(details['worst']).toBeGreaterThanOrEqual(ours);
    }
  },
);
