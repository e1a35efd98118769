/**
 * Rules side by side: what the engine has and another rule has in the same worlds. Worlds differ by more than rules do,
 * so the differences by world are what is compared, with the interval that holds their mean in 95 of 100 cases.
 */
import type { Volume } from './measures.ts';
import type { RuleName } from './one-world.ts';
import { createRandom } from './world/random.ts';
import type { Results } from './worlds.ts';

const COMPARED = ['delivered', 'revenue', 'tenth', 'pacingError'] as const;
export type Compared = (typeof COMPARED)[number];

type Difference = {
  /** Mean of ours less theirs, and its interval. */
  mean: number;
  low: number;
  high: number;
  /** The world in which ours is lowest compared with theirs, and by how much. */
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

/** A table for people: a line for each rule, and one for the policy of overload with hindsight. */
export function sideBySide(results: Results): string {
  const { rules, byRule, policy } = results;
  const ours = baseOf(rules);
  const lines = rules.map(rule => {
    const differences = COMPARED.map(key => (rule === ours ? '' : besides(results, rule, key)));
    return line([
      rule,
      ...volumes(byRule[rule]),
      share(meanOf(byRule[rule].map(one => one.pacingError))),
      ...differences,
    ]);
  });
  return [line(headOf(ours)), ...lines, line(['policy', ...volumes(policy)])].join('\n');
}

/** The rule that others are compared with: delivery's engine, or the first if it was not requested. */
export function baseOf(rules: readonly RuleName[]): RuleName {
  return rules.includes('engine') ? 'engine' : rules[0]!;
}

function headOf(ours: RuleName): string[] {
  const head = ['rule', 'delivered (worst)', 'revenue (worst)', 'p10', 'pacing error'];
  return [...head, `${ours} less rule: delivered`, 'revenue', 'p10', 'pacing error'];
}
const WIDTHS = [9, 19, 19, 9, 14, 34, 34, 34, 34];

function volumes(all: readonly Volume[]): string[] {
  const meanAndWorst = (values: readonly number[]) => `${share(meanOf(values))} (${share(Math.min(...values))})`;
  return [
    meanAndWorst(all.map(one => one.delivered)),
    meanAndWorst(all.map(one => one.revenue)),
    share(meanOf(all.map(one => one.tenth))),
  ];
}

function besides({ seeds, rules, byRule }: Results, rule: RuleName, key: Compared): string {
  const { mean, low, high, least, leastSeed } = differenceOf(
    byRule[baseOf(rules)].map(one => one[key]),
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
