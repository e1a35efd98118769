/**
 * Units of one statement are written whole or not at all, once per call; and the ledger's triggers keep what it posts
 * whole.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { InsufficientFunds } from '#books/ledger.ts';
import type { LedgerTransaction } from '#domain/money/ledger.ts';
import { findReplies, OnceRefused, RepliedBefore, type Once } from '#books/once.ts';
import { verifyAuditChain } from '#books/audit-chain.ts';
import { inUnitOfWork, writeUnits, type Actor, type PlannedUnit } from '#books/unit-of-work.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Handle } from '../../../domain/id.ts';
import { freshPostgres } from '../../support/engines/databases.ts';

const ACTOR: Actor = { type: 'operator', source: 'CLI' };
const NOW = new Date('2026-03-01T10:00:00Z');

let sql: Postgres;
let drop: () => Promise<void>;
let workspace: Handle<'workspace'>;

beforeAll(async () => {
  ({ sql, drop } = await freshPostgres());
  const [row] = await sql<
    { handle: Handle<'workspace'> }[]
  >`insert into workspaces (kind, name, currency, created_at) values ('brand', 'A brand', 'EUR', ${NOW}) returning handle`;
  workspace = row!.handle;
});
afterAll(() => drop());

const posting = (reference: string, amountMicros: number): LedgerTransaction => ({
  kind: 'top_up',
  reference,
  postings: [
    { account: { kind: 'funding', book: 'live', currency: 'EUR' }, amountMicros: -amountMicros },
    { account: { kind: 'wallet', book: 'live', currency: 'EUR', workspace }, amountMicros },
  ],
});
const onceOf = (name: string, fingerprint = 1): Once => ({
  scope: Buffer.alloc(32, name),
  fingerprint: Buffer.alloc(32, fingerprint),
  replyOf: value => ({ status: 201, body: Buffer.from(String(value)) }),
  progress: { state: 'open' },
});
/** A unit that makes a person and writes one line of everything else. */
const unitOf = (email: string, { amountMicros = 1_000_000, once }: { amountMicros?: number; once?: Once } = {}) =>
  ({
    actor: ACTOR,
    once,
    entries: [posting(`of ${email}`, amountMicros)],
    audits: [
      {
        workspace,
        action: 'workspace.renamed',
        entityType: 'workspace',
        entityHandle: workspace,
        diff: { name: { from: null, to: email } },
      },
    ],
    events: [
      { workspace, type: 'campaign.created', entityType: 'workspace', entityHandle: workspace, payload: { email } },
    ],
    changes: [{ entity: 'workspace', handle: workspace }],
    value: email,
  }) satisfies PlannedUnit<string>;
/** Writes units with one statement; `isWritten` is its condition. */
const writeAll = (units: readonly PlannedUnit<string>[], isWritten = true) =>
  writeUnits(sql, {
    now: NOW,
    rows: sql`written as (insert into people (email, created_at) select unnest(${units.map(({ value }) => value)}::text[]), ${NOW} where ${isWritten} returning handle)`,
    units,
  });
const write = (email: string, once?: Once) => writeAll([unitOf(email, { ...(once && { once }) })]);
const countsOf = async () =>
  (
    await sql`
    select (select count(*) from people) as people, (select count(*) from ledger_postings) as postings, (select count(*) from audit_entries) as audits,
      (select count(*) from outbox) as events, (select count(*) from change_log) as changes, (select count(*) from idempotent_replies) as replies`
  )[0] as Record<string, number>;

test('a unit of one statement writes its rows, ledger, audit, events, changes and reply together', async () => {
  const before = await countsOf();
  expect(await write('together@example.com', onceOf('together'))).toBe(true);
  const after = await countsOf();
  expect(Object.entries(after).map(([name, count]) => [name, count - before[name]!])).toEqual([
    ['people', 1],
    ['postings', 2],
    ['audits', 1],
    ['events', 1],
    ['changes', 1],
    ['replies', 1],
  ]);
  const { scope } = onceOf('together');
  expect((await findReplies(sql, [scope], NOW)).get(scope)?.body.toString()).toBe('together@example.com');
});

test('it writes nothing if its rows are not written', async () => {
  const before = await countsOf();
  const once = onceOf('condition');
  expect(await writeAll([unitOf('condition@example.com', { once })], false)).toBe(false);
  expect(await countsOf()).toEqual(before);
  expect(await write('condition@example.com', once)).toBe(true); // the same call may try again
});

test('it writes nothing if an account would fall below zero', async () => {
  const before = await countsOf();
  const poor = unitOf('poor@example.com', { amountMicros: -1e12, once: onceOf('poor') });
  await expect(writeAll([poor])).rejects.toThrow(InsufficientFunds);
  expect(await countsOf()).toEqual(before);
});

test('a repeat writes nothing and gets the reply, or learns that its content differs', async () => {
  await write('repeat@example.com', onceOf('repeat'));
  const before = await countsOf();
  await expect(write('again@example.com', onceOf('repeat'))).rejects.toMatchObject({
    reply: { status: 201, body: Buffer.from('repeat@example.com') },
  });
  await expect(write('again@example.com', onceOf('repeat'))).rejects.toThrow(RepliedBefore);
  await expect(write('again@example.com', onceOf('repeat', 2))).rejects.toMatchObject({ reason: 'reused' });
  expect(await countsOf()).toEqual(before);
});

test('it is refused without waiting while a unit of several statements has claimed the same call', async () => {
  await inUnitOfWork(sql, { actor: ACTOR, now: NOW, once: onceOf('flight') }, async () => {
    await expect(write('flight@example.com', onceOf('flight'))).rejects.toThrow(OnceRefused);
    return 'long';
  });
  await expect(write('flight@example.com', onceOf('flight'))).rejects.toThrow(RepliedBefore);
});

test('exactly one of many simultaneous units with one key is written', async () => {
  const before = await countsOf();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => write(`many${index}@example.com`, onceOf('many'))),
  );
  expect(outcomes.filter(outcome => outcome.status === 'fulfilled')).toHaveLength(1);
  expect((await countsOf())['people']).toBe(before['people']! + 1);
});

test('units of one statement are written together, each with its own reply', async () => {
  const before = await countsOf();
  const [one, other] = [onceOf('one of two'), onceOf('other of two')];
  const units = [unitOf('one@example.com', { once: one }), unitOf('other@example.com', { once: other })];
  expect(await writeAll(units)).toBe(true);
  const after = await countsOf();
  expect(Object.entries(after).map(([name, count]) => [name, count - before[name]!])).toEqual([
    ['people', 2],
    ['postings', 4],
    ['audits', 2],
    ['events', 2],
    ['changes', 1], // both changed the same workspace
    ['replies', 2],
  ]);
  const replies = await findReplies(sql, [one.scope, other.scope], NOW);
  expect([...replies.values()].map(reply => reply.body.toString())).toEqual(['one@example.com', 'other@example.com']);
  expect(await verifyAuditChain(sql, workspace)).toEqual([]);
});

test('no unit of a statement is written if one of them cannot be', async () => {
  await write('before@example.com', onceOf('before'));
  const before = await countsOf();
  const poor = unitOf('poor@example.com', { amountMicros: -1e12 });
  await expect(writeAll([unitOf('rich@example.com'), poor])).rejects.toThrow(/not_overdrawn/);
  const repeat = unitOf('repeated@example.com', { once: onceOf('before') });
  await expect(writeAll([unitOf('first@example.com', { once: onceOf('first') }), repeat])).rejects.toThrow(
    'the call is claimed',
  );
  expect(await countsOf()).toEqual(before);
});

test('simultaneous units keep the audit chain complete', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, index) => write(`chain${index}@example.com`)));
  expect(await verifyAuditChain(sql, workspace)).toEqual([]);
});

test('a posting refers to an existing account and entry, and no account can be deleted', async () => {
  const [account] = await sql<{ handle: number }[]>`select handle from ledger_accounts where kind = 'wallet'`;
  const [entry] = await sql<{ handle: number }[]>`select max(handle) as handle from ledger_transactions`;
  const post = (transaction: number, of: number) =>
    sql`insert into ledger_postings (transaction_handle, account_handle, amount_micros) values (${transaction}, ${of}, 5), (${transaction}, ${of}, -5)`;
  await expect(post(entry!.handle, 987_654)).rejects.toThrow(/no ledger account/);
  await expect(post(987_654, account!.handle)).rejects.toThrow(/is not there/);
  await expect(sql`delete from ledger_accounts`).rejects.toThrow(/append-only/);
});
