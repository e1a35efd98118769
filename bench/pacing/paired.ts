/**
 * Rules side by side: what the engine has and another rule has in the same worlds. Worlds differ by more than rules do,
 * so the differences by world are what is compared, with the interval that holds their mean in 95 of 100 cases.
 */
import type { Measures } from './measures.ts';
import { RULES, type RuleName } from './one-world.ts';
import { createRandom } from './world/random.ts';
import type { Results } from './worlds.ts';

export type Compared = 'delivered' | 'revenue' | 'pacingError';

type Difference = {
  /** Mean of ours less theirs, and its interval. */
  mean: number;
  low: number;
  high: number;
  /** The world in which ours is lowest beside theirs, and by how much. */
  least: number;
  leastSeed: number;
};

/** Enough for two digits of the interval's ends. */
const RESAMPLES = 10_000;
const TAIL = 0.025;

/**
 * The percentile bootstrap (Efron 1979): differences have long tails, for which an interval of Student's is too narrow
 * on the one side. Seeded, so that equal worlds print equal intervals.
 */
function differenceOf(ours: readonly number[], theirs: readonly number[], seeds: readonly number[]): Difference {
  const differences = ours.map((value, at) => value - theirs[at]!);
  const random = createRandom(differences.length);
  const means = Float64Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    for (let draw = 0; draw < differences.length; draw++) sum += differences[random.integer(differences.length)]!;
    return sum / differences.length;
  }).sort();
  const least = Math.min(...differences);
  return {
    mean: meanOf(differences),
    low: means[Math.floor(TAIL * RESAMPLES)]!,
    high: means[Math.ceil((1 - TAIL) * RESAMPLES) - 1]!,
    least,
    leastSeed: seeds[differences.indexOf(least)]!,
  };
}

/** A table for people: a line for each rule. */
export function sideBySide({ seeds, byRule }: Results): string {
  const lines = RULES.map(rule => {
    const all = byRule[rule];
    const of = (key: keyof Measures & (Compared | 'tenth')) => all.map(one => one[key]);
    const cells = [
      `${share(meanOf(of('delivered')))} (${share(Math.min(...of('delivered')))})`,
      share(meanOf(of('revenue'))),
      share(meanOf(of('tenth'))),
      share(meanOf(of('pacingError'))),
      ...(['delivered', 'revenue', 'pacingError'] as const).map(key => besides({ seeds, byRule }, rule, key)),
    ];
    return line([rule, ...cells]);
  });
  return [line(HEAD), ...lines].join('\n');
}

const HEAD = [
  'rule',
  'delivered (worst)',
  'revenue',
  'p10',
  'pacing error',
  'engine less rule: delivered',
  'revenue',
  'pacing error',
];
const WIDTHS = [9, 19, 9, 9, 14, 34, 34, 34];

function besides({ seeds, byRule }: Results, rule: RuleName, key: Compared): string {
  if (rule === 'engine') return '';
  const { mean, low, high, least, leastSeed } = differenceOf(
    byRule.engine.map(one => one[key]),
    byRule[rule].map(one => one[key]),
    seeds,
  );
  return `${signed(mean)} (${signed(low)}..${signed(high)}) ${signed(least)} #${leastSeed}`;
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

const share = (value: number): string => value.toFixed(4);
const signed = (value: number): string => `${value < 0 ? '' : '+'}${value.toFixed(4)}`;
const line = (cells: readonly string[]): string =>
  cells
    .map((cell, column) => cell.padEnd(WIDTHS[column]!))
    .join(' ')
    .trimEnd();
