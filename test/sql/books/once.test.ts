/** Effects that happen once per idempotency key, on a real Postgres with several connections. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimOnce, keptAfter, replyRow, type Once } from '#books/once.ts';
import { jsonb, type Queryable } from '#sql/postgres.ts';
import { freshPostgres } from '../../support/engines/databases.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const DAY_MS = 86_400_000;
let database: Awaited<ReturnType<typeof freshPostgres>>;

beforeAll(async () => {
  database = await freshPostgres();
});
afterAll(() => database.drop());

const onceOf = (name: string): Once => ({
  scope: Buffer.alloc(32, name),
  fingerprint: Buffer.alloc(32, 1),
  replyOf: () => undefined,
  progress: { state: 'open' },
});
const reply = (text: string) => ({ status: 201, body: Buffer.from(text) });
/** As a unit of work does at its end. */
const keep = (sql: Queryable, once: Once, { text, now }: { text: string; now: Date }) =>
  sql`select keep_replies(${jsonb(sql, [replyRow(once, reply(text))])}, ${now}, ${keptAfter(now)})`;
const bodies = async () =>
  (await database.sql<{ body: Buffer }[]>`select body from idempotent_replies order by created_at`).map(row =>
    row.body.toString(),
  );

test('a claim looks for the reply after it has the lock, so that no commit can happen in between', async () => {
  const { scope, fingerprint } = onceOf('order');
  const lock = scope.readBigInt64BE(0).toString();
  // The statement has its snapshot before the reply is committed, and reaches the claim after it.
  const claimLate = () =>
    database.sql.begin(
      tx => tx`
    select claim.* from (select pg_advisory_xact_lock_shared(77)::text) waits, lateral (select * from claim_once(${scope}, ${lock}::bigint, ${new Date(NOW.getTime() - DAY_MS)}) offset 0) claim where waits is not null`,
    );
  const claim = await database.sql.begin(async tx => {
    await tx`select pg_advisory_xact_lock(77)`;
    const late = claimLate();
    await expect
      .poll(
        async () =>
          (await tx`select 1 from pg_locks where locktype = 'advisory' and not granted and objid = 77`).length,
        { interval: 5 },
      )
      .toBe(1);
    // In a transaction of its own: a commit releases its locks one by one, and the claim tries that of the scope.
    await database.sql.begin(other => keep(other, { ...onceOf('order'), fingerprint }, { text: 'made', now: NOW }));
    return { late };
  });
  expect(await claim.late).toMatchObject([{ is_locked: true, reply_status: 201 }]);
  await database.sql`delete from idempotent_replies`;
});

test('a call claims an effect once: a second call gets the reply, or learns that its content differs', async () => {
  await database.sql.begin(async tx => {
    await claimOnce(tx, onceOf('twice'), NOW);
    await expect(database.sql.begin(other => claimOnce(other, onceOf('twice'), NOW))).rejects.toMatchObject({
      reason: 'in_flight',
    });
    await keep(tx, onceOf('twice'), { text: 'first', now: NOW });
  });
  await expect(database.sql.begin(tx => claimOnce(tx, onceOf('twice'), NOW))).rejects.toMatchObject({
    reply: { status: 201 },
  });
  await expect(
    database.sql.begin(tx => claimOnce(tx, { ...onceOf('twice'), fingerprint: Buffer.alloc(32, 2) }, NOW)),
  ).rejects.toMatchObject({ reason: 'reused' });
  await database.sql`delete from idempotent_replies`;
});

test('a reply never overwrites one of the same day, and overwrites an older one', async () => {
  await keep(database.sql, onceOf('kept'), { text: 'first', now: NOW });
  const almostADay = new Date(NOW.getTime() + DAY_MS - 1);
  await expect(keep(database.sql, onceOf('kept'), { text: 'second', now: almostADay })).rejects.toMatchObject({
    code: 'MQ003',
  });
  expect(await bodies()).toEqual(['first']);
  await keep(database.sql, onceOf('kept'), { text: 'third', now: new Date(NOW.getTime() + DAY_MS) });
  expect(await bodies()).toEqual(['third']);
});
