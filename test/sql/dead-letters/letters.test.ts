/** Dead letters of groups of any size are stored, each once. A real Postgres. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countLetters, keepLetters } from '#sql/dead-letters/letters.ts';
import { freshPostgres } from '../../support/engines/databases.ts';

let postgres: Awaited<ReturnType<typeof freshPostgres>>;
beforeAll(async () => {
  postgres = await freshPostgres();
});
afterAll(() => postgres.drop());

test('10,000 letters of one group are stored, and a repeat of the group adds none', async () => {
  const letters = Array.from({ length: 10_000 }, (_, position) => ({
    job: `b-${position % 3}`,
    kind: 'play' as const,
    position,
    step: 'verify',
    reason: 'bad_signature',
    payload: { playId: String(position) },
  }));
  for (let repeat = 0; repeat < 2; repeat++) {
    await keepLetters(postgres.sql, letters, new Date());
    expect(await countLetters(postgres.sql, {})).toBe(letters.length);
  }
});
