/** Stores acknowledged events that cannot be processed in Postgres, where an operator reads and retries them. */
import { counter } from '#runtime/metrics.ts';
import { jsonb, type Postgres } from '#sql/postgres.ts';
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
      if (letters.length === 0) return;
      const rows = letters.map(letter => ({
        job_id: letter.job,
        kind: letter.kind,
        position: letter.position,
        step: letter.step,
        reason: letter.reason,
        payload: jsonb(sql, letter.payload),
        created_at: now,
      }));
      await sql`insert into dead_letters ${sql(rows)} on conflict do nothing`;
      for (const letter of letters) deadLetters.inc({ step: letter.step });
    },
  };
}
