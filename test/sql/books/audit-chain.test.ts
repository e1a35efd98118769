/**
 * The chain of audit entries: every change, removal or insertion of one is found, and only retention takes entries
 * away. A real Postgres; the test breaks the chain by hand.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forgetAudit, verifyAuditChain } from '#books/audit-chain.ts';
import type { Postgres, Transaction } from '#sql/postgres.ts';
import { auditHash, inUnitOfWork, type AuditRow } from '#books/unit-of-work.ts';
import type { Handle } from '../../../domain/id.ts';
import { freshPostgres } from '../../support/engines/databases.ts';
import { handle } from '../../support/handle.ts';

let postgres: Awaited<ReturnType<typeof freshPostgres>>;
let sql: Postgres;
beforeAll(async () => {
  postgres = await freshPostgres();
  ({ sql } = postgres);
});
afterAll(() => postgres.drop());

const YEAR_MS = 365.25 * 86_400_000;
const yearsAgo = (years: number) => new Date(Date.now() - years * YEAR_MS);

async function createWorkspace({
  plan = 'standard',
  parent = null,
}: { plan?: string; parent?: number | null } = {}): Promise<Handle<'workspace'>> {
  const [row] = await sql<{ handle: Handle<'workspace'> }[]>`
    insert into workspaces (kind, name, currency, plan, parent_handle, created_at) values ('brand', 'W', 'EUR', ${plan}, ${parent}, ${new Date()}) returning handle`;
  return row!.handle;
}

async function record(workspace: Handle<'workspace'>, now: Date, name = 'A'): Promise<void> {
  await inUnitOfWork(
    sql,
    { actor: { type: 'user', source: 'API', handle: handle('user', 1), email: 'a@example.com', ip: '192.0.2.1' }, now },
    async unit => {
      unit.audit({
        workspace,
        action: 'campaign.updated',
        entityType: 'campaign',
        entityHandle: handle('campaign', 1),
        diff: { name: { from: null, to: name } },
        sandbox: name === 'B',
      });
    },
  );
}

const numbersOf = async (workspace: number) =>
  (
    await sql<
      { number: number }[]
    >`select number from audit_entries where workspace_handle = ${workspace} order by number`
  ).map(row => row.number);

/** As one who has the database in hand, and none of the rules in the way. */
async function tamper(change: (tx: Transaction) => Promise<unknown>): Promise<void> {
  await sql.begin(async tx => {
    await tx`set local session_replication_role = replica`; // triggers do not fire
    await change(tx);
  });
}

/** Rewrites the entry of that number, and recomputes its hash and all that follow; only the head stays as it was. */
async function rewriteFrom(tx: Transaction, workspace: Handle<'workspace'>, from: number): Promise<void> {
  const rows = await tx<(AuditRow & { hash: Buffer })[]>`
    select workspace_handle, number, at, actor_type, actor_handle, actor_email, source, action, entity_type,
      entity_handle, ip, user_agent, diff, hash
    from audit_entries where workspace_handle = ${workspace} and number >= ${from - 1} order by number`;
  let previous = rows[0]!.hash;
  for (const { hash: _, ...row } of rows.slice(1)) {
    if (row.number === from) row.action = 'campaign.archived';
    previous = auditHash(previous, row);
    await tx`update audit_entries set action = ${row.action}, hash = ${previous}
      where workspace_handle = ${workspace} and number = ${row.number}`;
  }
}

describe('verifyAuditChain', () => {
  test('finds nothing in a complete chain of mixed live and sandbox entries', async () => {
    const workspace = await createWorkspace();
    for (const name of ['A', 'B', 'C', 'B']) await record(workspace, new Date(), name);
    expect(await verifyAuditChain(sql, workspace)).toEqual([]);
  });

  test.each([
    [
      'a changed diff',
      (w: number) => (tx: Transaction) =>
        tx`update audit_entries set diff = '{}' where workspace_handle = ${w} and number = 2`,
      { number: 2, fault: 'changed' },
    ],
    [
      'a changed book',
      (w: number) => (tx: Transaction) =>
        tx`update audit_entries set sandbox = true where workspace_handle = ${w} and number = 3`,
      { number: 3, fault: 'changed' },
    ],
    [
      'an entry that is gone',
      (w: number) => (tx: Transaction) => tx`delete from audit_entries where workspace_handle = ${w} and number = 2`,
      { number: 2, fault: 'missing' },
    ],
    [
      'a first entry that is gone',
      (w: number) => (tx: Transaction) => tx`delete from audit_entries where workspace_handle = ${w} and number = 1`,
      { number: 1, fault: 'missing' },
    ],
    [
      'a last entry that is gone',
      (w: number) => (tx: Transaction) => tx`delete from audit_entries where workspace_handle = ${w} and number = 4`,
      { number: 4, fault: 'missing' },
    ],
    [
      "two entries in each other's place",
      (w: number) => async (tx: Transaction) => {
        await tx`update audit_entries set number = -number where workspace_handle = ${w} and number in (2, 3)`;
        await tx`update audit_entries set number = 5 + number where workspace_handle = ${w} and number in (-2, -3)`;
      },
      { number: 2, fault: 'changed' },
    ],
  ])('names %s', async (_name, change, breach) => {
    const workspace = await createWorkspace();
    for (let count = 0; count < 4; count += 1) await record(workspace, new Date(), `N${count}`);
    await tamper(change(workspace));
    expect(await verifyAuditChain(sql, workspace)).toEqual([{ workspace, ...breach }]);
    expect((await verifyAuditChain(sql)).filter(found => found.workspace === workspace)).toHaveLength(1);
  });

  test.each([
    ['the last entry', 4],
    ['an earlier entry', 2],
  ])('names the head if %s was rewritten and every hash after it was recomputed', async (_name, from) => {
    const workspace = await createWorkspace();
    for (let count = 0; count < 4; count += 1) await record(workspace, new Date(), `N${count}`);
    await tamper(tx => rewriteFrom(tx, workspace, from));
    expect(await verifyAuditChain(sql, workspace)).toEqual([{ workspace, number: 4, fault: 'head' }]);
  });

  test('names the head if it is before the last entry', async () => {
    const workspace = await createWorkspace();
    for (let count = 0; count < 4; count += 1) await record(workspace, new Date(), `N${count}`);
    await tamper(
      tx => tx`
        update audit_heads h set number = 3, hash = e.hash from audit_entries e
        where h.workspace_handle = ${workspace} and e.workspace_handle = ${workspace} and e.number = 3`,
    );
    expect(await verifyAuditChain(sql, workspace)).toEqual([{ workspace, number: 4, fault: 'head' }]);
  });
});

describe('retention', () => {
  test.each([
    ['standard', undefined, [9, 5, 2.1, 1.9, 0], [4, 5]],
    ['top', undefined, [9, 7.1, 6.9, 2.1, 0], [3, 4, 5]],
    ['standard, of an agency on top', 'top', [9, 6.9, 2.1, 0], [2, 3, 4]],
  ])(
    'on the plan %s deletes older entries, and the rest of the chain still verifies',
    async (plan, parentPlan, ages, kept) => {
      const parent = parentPlan ? await createWorkspace({ plan: parentPlan }) : null;
      const workspace = await createWorkspace({ plan: plan.startsWith('top') ? 'top' : 'standard', parent });
      for (const age of ages) await record(workspace, yearsAgo(age));
      while ((await forgetAudit(sql, 1)) > 0);
      expect(await numbersOf(workspace)).toEqual(kept);
      expect(await verifyAuditChain(sql, workspace)).toEqual([]);
      await record(workspace, new Date());
      expect(await verifyAuditChain(sql, workspace)).toEqual([]);
      await tamper(
        tx =>
          tx`update audit_entries set action = 'x.y' where workspace_handle = ${workspace} and number = ${kept[0]!}`,
      );
      expect(await verifyAuditChain(sql, workspace)).toMatchObject([{ number: kept[0], fault: 'changed' }]);
    },
  );

  test('stops before a recent entry between old ones, and deletes in batches', async () => {
    const workspace = await createWorkspace();
    for (const age of [5, 5, 5, 1, 5]) await record(workspace, yearsAgo(age));
    const [row] = await sql<{ deleted: number }[]>`select audit_forget(${workspace}, 2) as deleted`;
    expect(row!.deleted).toBe(2);
    await sql`select audit_forget(${workspace}, 100)`;
    expect(await numbersOf(workspace)).toEqual([4, 5]);
    expect(await verifyAuditChain(sql, workspace)).toEqual([]);
  });

  test('is the only way to delete: recent or unaccounted entries stay, none changes, and no head moves back', async () => {
    const workspace = await createWorkspace();
    for (const age of [5, 1]) await record(workspace, yearsAgo(age));
    await expect(sql`delete from audit_entries where workspace_handle = ${workspace} and number = 1`).rejects.toThrow(
      /append-only/,
    );
    await expect(sql`delete from audit_entries where workspace_handle = ${workspace}`).rejects.toThrow(/append-only/);
    await expect(
      sql`update audit_entries set at = now() - interval '9 years' where workspace_handle = ${workspace}`,
    ).rejects.toThrow(/append-only/);
    await expect(sql`truncate audit_entries`).rejects.toThrow(/append-only/);
    await expect(sql`truncate ledger_postings`).rejects.toThrow(/append-only/);
    await sql`update audit_heads set forgotten_number = 2 where workspace_handle = ${workspace}`;
    await expect(sql`delete from audit_entries where workspace_handle = ${workspace} and number = 2`).rejects.toThrow(
      /append-only/,
    );
    await expect(sql`update audit_heads set number = 1 where workspace_handle = ${workspace}`).rejects.toThrow(
      /only move forward/,
    );
    await expect(sql`delete from audit_heads where workspace_handle = ${workspace}`).rejects.toThrow(
      /only move forward/,
    );
  });
});
