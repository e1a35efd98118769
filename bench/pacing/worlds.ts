/** Decides many worlds in parallel, a thread for each core. Worlds do not depend on each other or on the threads. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Piscina } from 'piscina';
import type { Measures, Volume } from './measures.ts';
import type { RuleName, WorldAnswer, WorldQuestion } from './one-world.ts';
import type { WorldOptions } from './world/options.ts';

/** Measures of each rule, in the order of the seeds; none for unrequested rules. */
export type Results = {
  seeds: readonly number[];
  rules: readonly RuleName[];
  byRule: Record<RuleName, readonly Measures[]>;
  policy: readonly Volume[];
};

type RunWorldsOptions = {
  seeds: readonly number[];
  rules: readonly RuleName[];
  change: Partial<WorldOptions>;
  /** Called when a world is done. */
  onWorld: (answer: WorldAnswer) => void;
};

export async function runWorlds({ seeds, rules, change, onWorld }: RunWorldsOptions): Promise<Results> {
  const pool = new Piscina<WorldQuestion, WorldAnswer>({
    filename: join(import.meta.dirname, 'one-world.ts'),
    maxThreads: availableParallelism(),
    execArgv: ['--import', 'tsx'],
  });
  try {
    const answers = await Promise.all(
      seeds.map(async seed => {
        const answer = await pool.run({ options: { ...change, seed }, rules });
        onWorld(answer);
        return answer;
      }),
    );
    const of = (rule: RuleName) =>
      rules.includes(rule) ? answers.map(({ measures }) => measures[rules.indexOf(rule)]!) : [];
    const byRule = {
      engine: of('engine'),
      planned: of('planned'),
      greedy: of('greedy'),
      throttle: of('throttle'),
      hwm: of('hwm'),
      deficit: of('deficit'),
    };
    return { seeds, rules, byRule, policy: answers.map(({ policy }) => policy) };
  } finally {
    await pool.close({ force: true });
  }
}
