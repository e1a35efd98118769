/** One world of the pacing benchmark, decided by every rule: what runs in each thread. */
import { boundOf, sharedByPolicy } from './bound.ts';
import { measure, type Measures, type Volume, volumeOf } from './measures.ts';
import { replay, type Rule, type RuleState } from './replay.ts';
import { engine } from './rules/engine.ts';
import { planned } from './rules/planned.ts';
import { deficit, greedy, highWaterMark, throttle } from './rules/published.ts';
import { WORLD, type WorldOptions } from './world/options.ts';
import { makeWorld, type SeededWorld } from './world/world.ts';

export const RULES = ['engine', 'planned', 'greedy', 'throttle', 'hwm', 'deficit'] as const;
export type RuleName = (typeof RULES)[number];

/** The differences from the usual world, and the rules that decide it. */
export type WorldQuestion = { options: Partial<WorldOptions> & { seed: number }; rules: readonly RuleName[] };
/**
 * `measures` of the requested rules, in order. `policy`: the result of the overload policy with full knowledge; the
 * whole bound without overload.
 */
export type WorldAnswer = { seed: number; measures: readonly Measures[]; policy: Volume };

const OTHERS: Record<Exclude<RuleName, 'engine'>, (state: RuleState) => Rule> = {
  planned,
  greedy,
  throttle,
  hwm: highWaterMark,
  deficit,
};

export default function runWorld({ options, rules }: WorldQuestion): WorldAnswer {
  const world = makeWorld({ ...WORLD, ...options });
  const bound = boundOf(world);
  return {
    seed: options.seed,
    measures: rules.map(name => measure(world, decide(world, name), bound)),
    policy: volumeOf(world, sharedByPolicy(world), bound),
  };
}

function decide(world: SeededWorld, name: RuleName) {
  return name === 'engine' ? replay(ownSeparation(world), state => engine(state, world)) : replay(world, OTHERS[name]);
}

/**
 * A world with the engine's own rule of separation: competitors with different owners never follow each other, but a
 * campaign may follow itself. The bound keeps the world's rule.
 */
function ownSeparation(world: SeededWorld): SeededWorld {
  return { ...world, options: { ...world.options, separation: false } };
}
