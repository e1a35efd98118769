/**
 * Delivery in seeded worlds in virtual time: its engine, index, screens and reservations, following the plans that the
 * workers make. Beside it the rules that others use, and the plan's algorithm without delivery around it (`planned`),
 * in the same world and measured against the same bound: what a maximum flow could have delivered that knew every slot
 * before it came. Seeds 1 to 16 are for tuning, 101 to 132 for reporting alone: `--seeds 1-16 --loads 0.75,0.9,1.05`
 * (bench/notes.md).
 */
import { boundFigure, round, type Bench, type BenchOptions, type Figure } from '../protocol.ts';
import type { Measures } from './measures.ts';
import { RULES, type RuleName } from './one-world.ts';
import { baseOf, type Compared, meanOf, sideBySide } from './paired.ts';
import { PROMISED_AT } from './promised.ts';
import { WORLD, type WorldOptions } from './world/options.ts';
import { type Results, runWorlds } from './worlds.ts';

const SEEDS = [101, 102, 103, 104, 105, 106, 107, 108];
/** Worlds with frequency and separation are half as large: no rule can meet a third of the demand there. */
const CONSTRAINED: Partial<WorldOptions> = { screens: 150, campaigns: 40, separation: true, frequencyMax: 10 };
const TWICE_TOO_HIGH: Partial<WorldOptions> = { bias: 1 };
/**
 * Plays are charged by their venue's rate, whatever the campaign: here budgets are money and the bound is the most that
 * could have been charged.
 */
const RATED: Partial<WorldOptions> = { rated: true };

/** Goals of A1, A1r and A2 (the design's figures): at a load of 0.75 slots are plenty, above 1 price decides. */
const DELIVERED = { goal: 0.998, worstGoal: 0.985 };
const DEFICIT_LESS_MAX = -0.001;
const PROMISE_OFF_MAX = 0.03;
const CALM_LOAD = 0.75;
const revenueGoal = (load: number): ShareGoal => (load > 1 ? { goal: 0.98, tenthGoal: 0.75 } : { goal: 0.995 });

export const pacing: Bench = {
  about: 'delivered share of the max-flow bound and pacing error beside greedy, throttle and HWM',
  published: { pairs: 1, forSeconds: 1 },
  run: async options => (options.loads === undefined ? runFigures(options) : runLoads(options, options.loads)),
};

/** The figures of the goals: four kinds of worlds at the usual load. */
async function runFigures(options: BenchOptions): Promise<Figure[]> {
  const plain = await decideAll({}, options, `load ${WORLD.load}`);
  const biased = await decideAll(TWICE_TOO_HIGH, options, 'forecast twice too high');
  const constrained = await decideAll(CONSTRAINED, options, 'frequency caps and separation');
  const rated = await decideAll(RATED, options, 'rates by venue');
  if (!plain.rules.includes('engine')) return [];
  return [
    share('A1', plain, 'delivered', DELIVERED),
    ...leastBesideDeficit(plain),
    share('A1r', rated, 'revenue', revenueGoal(WORLD.load)),
    share('A1b', biased, 'delivered', { goal: 0.99 }),
    pacingError(plain, WORLD.load),
    overspend([plain, biased, constrained, rated]),
    share('A6', constrained, 'delivered', { goal: 0.97 }),
    ...promiseFigures(constrained),
    ...pickTimes(plain),
  ];
}

/** Plain worlds at each of the loads. */
async function runLoads(options: BenchOptions, loads: readonly number[]): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const load of loads) {
    const results = await decideAll({ load }, options, `load ${load}`);
    if (!results.rules.includes('engine')) continue;
    figures.push(
      ...[
        share('A1', results, 'delivered', DELIVERED),
        ...leastBesideDeficit(results),
        share('A1r', results, 'revenue', revenueGoal(load)),
        pacingError(results, load),
        overspend([results]),
      ].map(figure => ({ ...figure, variant: `load ${load}` })),
    );
  }
  return figures;
}

async function decideAll(change: Partial<WorldOptions>, options: BenchOptions, name: string): Promise<Results> {
  const rules = RULES.filter(rule => options.rules?.includes(rule) ?? true);
  const ours = baseOf(rules);
  const results = await runWorlds({
    seeds: options.seeds ?? SEEDS,
    rules,
    change,
    onWorld: ({ seed, measures }) => {
      const { delivered, revenue, pacingError } = measures[rules.indexOf(ours)]!;
      options.say(
        `${name}, seed ${seed}: ${percent(delivered)} delivered, ${percent(revenue)} of revenue, pacing error ${percent(pacingError)}`,
      );
    },
  });
  options.say(`\n${name}, ${results.seeds.length} seeds\n${sideBySide(results)}\n`);
  return results;
}

type ShareGoal = { goal: number; worstGoal?: number; tenthGoal?: number };

function share(
  figure: string,
  results: Results,
  key: Compared,
  { goal, worstGoal = 0, tenthGoal = 0 }: ShareGoal,
): Figure {
  const ours = meanOfKey(results, 'engine', key);
  const worst = Math.min(...results.byRule.engine.map(one => one[key]));
  const tenth = meanOfKey(results, 'engine', 'tenth');
  return bounded(figure, `${key} / max-flow bound, mean of ${results.seeds.length} seeds`, {
    ours,
    goal,
    met: ours >= goal && worst >= worstGoal && tenth >= tenthGoal,
    better: 'more',
    details: {
      worst_seed: round(worst),
      ...(worstGoal > 0 && { worst_goal: worstGoal }),
      ...(tenthGoal > 0 && { tenth_percentile: round(tenth), tenth_goal: tenthGoal }),
      ...besides(results, key),
    },
  });
}

/** The seed on which the engine has least beside `deficit`, which leaves no slot idle and foresees nothing. */
function leastBesideDeficit({ rules, byRule }: Results): Figure[] {
  if (!rules.includes('deficit')) return [];
  const ours = Math.min(...byRule.engine.map((one, at) => one.delivered - byRule.deficit[at]!.delivered));
  const goal = { goal: DEFICIT_LESS_MAX, better: 'more' as const };
  return [bounded('A1', 'delivered less what deficit delivers, worst seed', { ours, ...goal, details: {} })];
}

function pacingError(results: Results, load: number): Figure {
  return bounded('A2', 'distance from the curve, by budget', {
    ours: meanOfKey(results, 'engine', 'pacingError'),
    goal: load <= CALM_LOAD ? 0.015 : 0.025,
    better: 'less',
    details: {
      ...besides(results, 'pacingError'),
      within_12_percent: round(meanOfKey(results, 'engine', 'within12')),
      tenth_percentile_delivered: round(meanOfKey(results, 'engine', 'tenth')),
    },
  });
}

function overspend(all: readonly Results[]): Figure {
  return bounded('A3', 'impressions beyond budgets, in all worlds', {
    ours: all.flatMap(results => results.byRule.engine).reduce((sum, one) => sum + one.overspend, 0),
    goal: 0,
    better: 'less',
    details: { worlds: all.reduce((sum, { seeds }) => sum + seeds.length, 0) },
  });
}

/**
 * Promised over final delivery of campaigns, if caps and competitors leave them less than they want. A plan cannot know
 * later bookings and forecasts: halfway through the flight fewer of them remain.
 */
export function promiseFigures({ byRule }: Pick<Results, 'byRule'>): Figure[] {
  return PROMISED_AT.map(at => {
    const ratios = byRule.engine.flatMap(({ promises }) => promises[at]);
    const ours = meanOf(ratios);
    return {
      ...bounded('A6p', 'promised / delivered, mean of campaigns', {
        ours,
        goal: 1 + PROMISE_OFF_MAX,
        met: Math.abs(ours - 1) <= PROMISE_OFF_MAX,
        better: 'less',
        details: {
          worst: round(Math.max(...ratios)),
          least: round(Math.min(...ratios)),
          distance_from_1: round(meanOf(ratios.map(ratio => Math.abs(ratio - 1)))),
          campaigns: ratios.length,
        },
      }),
      variant: at === 'first' ? 'first plan' : 'half through',
    };
  });
}

function pickTimes({ byRule }: Results): Figure[] {
  const worst = (key: 'pickNsMedian' | 'pickNs99') => Math.max(...byRule.engine.map(one => one[key]));
  const details = { timed: 'every 7th pick, the timer included' };
  return [
    bounded('A7', 'ns per pick, p50, worst seed', {
      ours: worst('pickNsMedian'),
      goal: 1_000,
      better: 'less',
      details,
    }),
    bounded('A7', 'ns per pick, p99, worst seed', { ours: worst('pickNs99'), goal: 10_000, better: 'less', details }),
  ];
}

function bounded(
  figure: string,
  unit: string,
  parts: Pick<Figure, 'ours' | 'goal' | 'better' | 'details'> & { met?: boolean },
): Figure {
  return boundFigure({ bench: 'pacing', figure, unit, ...parts });
}

function besides(results: Results, key: Compared): Record<string, number> {
  return Object.fromEntries(
    results.rules.filter(rule => rule !== 'engine').map(rule => [rule, round(meanOfKey(results, rule, key))]),
  );
}

function meanOfKey({ byRule }: Results, rule: RuleName, key: Compared | 'within12' | 'tenth'): number {
  return meanOf(byRule[rule].map((one: Measures) => one[key]));
}

function percent(part: number): string {
  return `${(100 * part).toFixed(2)}%`;
}
