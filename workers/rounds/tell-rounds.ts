/** Publishes the last round of each job for operators, every two seconds. */
import type { Job } from '../schedule.ts';
import type { JobRounds, KnownJob, Round } from './job-rounds.ts';
import { ON_REQUEST } from './on-request.ts';

export type RoundTeller = { note(round: Round): void; job(jobs: readonly Job[]): Job };

export function createRoundTeller(rounds: JobRounds): RoundTeller {
  /** The last round of each job since it was last published: at most one per job. */
  let untold = new Map<string, Round>();
  const canRun = new Set(ON_REQUEST.map(({ name }) => name));
  return {
    note: round => void untold.set(round.name, round),
    job(jobs) {
      const known = jobs.map(({ name, everyMs }): KnownJob => ({ name, everyMs, canRun: canRun.has(name) }));
      return {
        // A person looks at it; one small write.
        name: 'tell-rounds',
        everyMs: 2_000,
        lock: undefined,
        async run() {
          const told = untold;
          untold = new Map();
          await rounds.tell(known, [...told.values()]);
          return 0;
        },
      };
    },
  };
}
