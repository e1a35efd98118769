import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimOnce, keepReply, type Once } from '../../sql/once.ts';
import type { Postgres } from '../../sql/postgres.ts';
import { freshPostgres } from '../support/databases.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const DAY_MS = 86_400_000;
let database: Awaited<ReturnType<typeof freshPostgres>>;

beforeAll(async () => { database = await freshPostgres(); });
afterAll(() => database.drop());

const onceOf = (name: string): Once => ({ scope: Buffer.alloc(32, name), fingerprint: Buffer.alloc(32, 1), replyOf: () => undefined, progress: { state: 'open' } });
const reply = (text: string) => ({ status: 201, body: Buffer.from(text) });
const bodies = async () => (await database.sql<{ body: Buffer }[]>`select body from idempotent_replies order by created_at`).map(row => row.body.toString());

test('a claim takes its lock before it looks for the reply, so that no commit falls between the two', async () => {
  const statements: string[] = [];
  const watched = postgres(database.url, { max: 1, debug: (_connection, query) => { statements.push(query); } }) as unknown as Postgres;
  await watched.begin(tx => claimOnce(tx, onceOf('order'), NOW));
  await watched.end();
  const [lock, look] = ['pg_try_advisory_xact_lock', 'from idempotent_replies'].map(text => statements.findIndex(statement => statement.includes(text)));
  expect(lock).toBeGreaterThanOrEqual(0);
  expect(look).toBeGreaterThan(lock!);
});

test('a reply is never written over one of the same day, and is over an older one', async () => {
  expect(await keepReply(database.sql, onceOf('kept'), { reply: reply('first'), now: NOW })).toBe(true);
  expect(await keepReply(database.sql, onceOf('kept'), { reply: reply('second'), now: new Date(NOW.getTime() + DAY_MS - 1) })).toBe(false);
  expect(await bodies()).toEqual(['first']);
  expect(await keepReply(database.sql, onceOf('kept'), { reply: reply('third'), now: new Date(NOW.getTime() + DAY_MS) })).toBe(true);
  expect(await bodies()).toEqual(['third']);
});
