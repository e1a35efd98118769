/** Stores acknowledged events that cannot be processed in Postgres, where an operator reads and retries them. */
import { counter } from '#runtime/metrics.ts';
import { keepLetters } from '#sql/dead-letters/letters.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { DeadLetter } from './outcome.ts';

/** A repeat of the same group writes the same letters again, which adds nothing. */
export type DeadLetters = { keep(letters: readonly DeadLetter[], now: Date): Promise<void> };

const deadLetters = counter({
  name: 'ingest_dead_letters_total',
  help: 'Events that were acknowledged and cannot be processed',
  labels: ['step'],
});
// An alert needs the initial zero to see the first one.
for (const step of ['decode', 'verify'] as const) deadLetters.inc({ step }, 0);

export function createDeadLetters(sql: Postgres): DeadLetters {
  return {
    async keep(letters, now) {
      await keepLetters(sql, letters, now);
      for (const letter of letters) deadLetters.inc({ step: letter.step });
    },
  };
}
