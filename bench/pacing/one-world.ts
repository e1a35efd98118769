/** One world of the pacing benchmark, decided by every rule: what runs in each thread. */
import { boundOf } from './bound.ts';
import { measure, type Measures } from './measures.ts';
import { replay, type Rule, type RuleState } from './replay.ts';
import { engine } from './rules/engine.ts';
import { planned } from './rules/planned.ts';
import { deficit, greedy, highWaterMark, throttle } from './rules/published.ts';
import { WORLD, type WorldOptions } from './world/options.ts';
import { makeWorld, type SeededWorld } from './world/world.ts';

export const RULES = ['engine', 'planned', 'greedy', 'throttle', 'hwm', 'deficit'] as const;
export type RuleName = (typeof RULES)[number];

/** What differs from the usual world. */
export type WorldQuestion = Partial<WorldOptions> & { seed: number };
export type WorldAnswer = { seed: number; measures: Record<RuleName, Measures> };

const OTHERS: Record<Exclude<RuleName, 'engine'>, (state: RuleState) => Rule> = {
  planned,
  greedy,
  throttle,
  hwm: highWaterMark,
  deficit,
};

export default function runWorld(question: WorldQuestion): WorldAnswer {
  const world = makeWorld({ ...WORLD, ...question });
  const bound = boundOf(world);
  const of = (name: RuleName) => measure(world, decide(world, name), bound);
  return {
    seed: question.seed,
    measures: {
      engine: of('engine'),
      planned: of('planned'),
      greedy: of('greedy'),
      throttle: of('throttle'),
      hwm: of('hwm'),
      deficit: of('deficit'),
    },
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
