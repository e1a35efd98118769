/**
 * A unit of work writes its rows, audit, outbox and change log together or not at all, and the ledger stays balanced. A
 * real Postgres, also over a proxy that cuts connections.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changesSince, currentPosition } from '#books/change-log.ts';
import { openPostgres, type Postgres } from '#sql/postgres.ts';
import { InsufficientFunds } from '#books/ledger.ts';
import { auditHash, inUnitOfWork, type Actor, type AuditRow, type Unit } from '#books/unit-of-work.ts';
import type { Handle } from '../../../domain/id.ts';
import { refuse } from '../../../domain/refusal.ts';
import { freshPostgres } from '../../support/engines/databases.ts';
import { handle } from '../../support/handle.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';

const ACTOR: Actor = { type: 'operator', source: 'CLI' };
const NOW = new Date('2026-03-01T10:00:00Z');

let sql: Postgres;
let url: string;
let drop: () => Promise<void>;
let workspace: Handle<'workspace'>;

beforeAll(async () => {
  ({ sql, url, drop } = await freshPostgres());
  const [row] = await sql<
    { handle: Handle<'workspace'> }[]
  >`insert into workspaces (kind, name, currency, created_at) values ('brand', 'A brand', 'EUR', ${NOW}) returning handle`;
  workspace = row!.handle;
});
afterAll(() => drop());

const inUnit = <T>(work: (unit: Unit) => Promise<T>) => inUnitOfWork(sql, { actor: ACTOR, now: NOW }, work);
const wallet = () => ({ kind: 'wallet', book: 'live', currency: 'EUR', workspace }) as const;
const funding = { kind: 'funding', book: 'live', currency: 'EUR' } as const;
const topUp = (reference: string, amountMicros: number) =>
  inUnit(unit =>
    unit.post({
      kind: 'top_up',
      reference,
      postings: [
        { account: funding, amountMicros: -amountMicros },
        { account: wallet(), amountMicros },
      ],
    }),
  );
const balance = async () =>
  (
    await sql<
      { balance_micros: number }[]
    >`select balance_micros from ledger_accounts where kind = 'wallet' and workspace_handle = ${workspace}`
  )[0]?.balance_micros ?? 0;
const auditEntry = (to: string) => ({
  workspace,
  action: 'workspace.renamed',
  entityType: 'workspace',
  entityHandle: workspace,
  diff: { name: { from: 'A brand', to } },
});

describe('a unit of work', () => {
  test('that returns a refusal after it has audited a change leaves nothing of it', async () => {
    const refusal = refuse('state_conflict', 'It is closed.');
    const renamed = inUnit(async ({ tx, audit }) => {
      await tx`update workspaces set name = 'Half renamed' where handle = ${workspace}`;
      audit(auditEntry('Half renamed'));
      return refusal;
    });
    await expect(renamed).rejects.toMatchObject({ name: 'Rollback', value: refusal });
    expect(await sql`select 1 from workspaces where name = 'Half renamed'`).toHaveLength(0);
    expect(await sql`select 1 from audit_entries where diff::text like '%Half renamed%'`).toHaveLength(0);
  });

  test('writes rows, audit, outbox and change log together', async () => {
    const before = await currentPosition(sql);
    await inUnit(async unit => {
      unit.audit(auditEntry('B'));
      unit.emit({
        workspace,
        type: 'campaign.created',
        entityType: 'campaign',
        entityHandle: handle('campaign', 7),
        payload: { id: 'cmp_x' },
      });
      unit.changed('campaign', handle('campaign', 7));
      unit.changed('creative', handle('creative', 9));
    });
    expect((await changesSince(sql, before)).changes).toMatchObject([
      { entity: 'campaign', handle: 7 },
      { entity: 'creative', handle: 9 },
    ]);
    expect(await sql`select type from outbox`).toHaveLength(1);
    expect(await sql`select action from audit_entries`).toHaveLength(1);
  });

  test('leaves nothing behind when its work throws', async () => {
    const before = await currentPosition(sql);
    const failing = inUnit(async unit => {
      unit.audit(auditEntry('C'));
      unit.changed('campaign', handle('campaign', 8));
      await unit.tx`insert into workspaces (kind, name, currency, created_at) values ('brand', 'Never', 'EUR', ${NOW})`;
      throw new Error('stop');
    });
    await expect(failing).rejects.toThrow('stop');
    expect((await changesSince(sql, before)).changes).toEqual([]);
    expect(await sql`select 1 from workspaces where name = 'Never'`).toHaveLength(0);
    expect(await sql`select 1 from audit_entries where diff->'name'->>'to' = 'C'`).toHaveLength(0);
  });

  test('leaves nothing behind if its connection is lost between two statements and already reused', async () => {
    const through = new URL(url);
    const proxy = await TcpProxy.start({ host: through.hostname, port: Number(through.port) });
    [through.hostname, through.port] = ['127.0.0.1', String(proxy.port)];
    const pool = openPostgres(through.href, { connectionsMax: 1, applicationName: 'marquee-test' });
    const states = async () =>
      (
        await sql`
      select (select count(*) from change_log) as changes, (select count(*) from audit_entries) as audits, (select count(*) from outbox) as events, (select count(*) from workspaces) as workspaces`
      )[0];
    const before = await states();
    const lost = inUnitOfWork(pool, { actor: ACTOR, now: NOW }, async unit => {
      await unit.tx`insert into workspaces (kind, name, currency, created_at) values ('brand', 'Lost', 'EUR', ${NOW})`;
      unit.audit(auditEntry('Lost'));
      unit.emit({
        workspace,
        type: 'campaign.created',
        entityType: 'campaign',
        entityHandle: handle('campaign', 7),
        payload: { id: 'cmp_x' },
      });
      unit.changed('campaign', handle('campaign', 7));
      proxy.sever();
      await expect
        .poll(() => pool`select 1 as one`.catch((error: { code: string }) => error.code), { interval: 5 })
        .toEqual([{ one: 1 }]);
    });
    await expect(lost).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
    // whatever else the unit had to say came in between
    for (let turns = 0; turns < 50; turns += 1) await pool`select 1`;
    expect(await states()).toEqual(before);
    await pool.end({ timeout: 1 });
    await proxy.close();
  });

  test('chains audit entries by hash, even under concurrency', async () => {
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => inUnit(async unit => unit.audit(auditEntry(`N${index}`)))),
    );
    const rows = await sql<(AuditRow & { hash: Buffer })[]>`
      select workspace_handle, number, at, actor_type, actor_handle, actor_email, source, action, entity_type, entity_handle, ip, user_agent, diff, hash
      from audit_entries where workspace_handle = ${workspace} order by number`;
    let previous: Uint8Array = Buffer.alloc(32);
    rows.forEach(({ hash, ...row }, index) => {
      expect(row.number).toBe(index + 1);
      expect(auditHash(previous, row).equals(hash)).toBe(true);
      previous = hash;
    });
    expect(rows.length).toBeGreaterThan(10);
  });

  test('audit entries and postings can be neither changed nor deleted', async () => {
    await topUp('append-only', 1_000_000);
    await expect(sql`update audit_entries set action = 'x'`).rejects.toThrow(/append-only/);
    await expect(sql`delete from audit_entries`).rejects.toThrow(/append-only/);
    await expect(sql`update ledger_postings set amount_micros = 1`).rejects.toThrow(/append-only/);
    await expect(sql`delete from ledger_transactions`).rejects.toThrow(/append-only/);
  });
});

describe('the ledger', () => {
  test('posts a reference once', async () => {
    const before = await balance();
    expect(await topUp('once', 5_000_000)).toBe('posted');
    expect(await topUp('once', 5_000_000)).toBe('already_posted');
    expect(await balance()).toBe(before + 5_000_000);
  });

  test('a transaction that does not sum to zero is refused by the database', async () => {
    const before = await balance();
    await expect(
      inUnit(unit =>
        unit.post({
          kind: 'top_up',
          reference: 'unbalanced',
          postings: [
            { account: wallet(), amountMicros: 2 },
            { account: { ...wallet(), kind: 'funding' }, amountMicros: -1 },
          ],
        }),
      ),
    ).rejects.toThrow(/does not sum to zero/);
    expect(await balance()).toBe(before);
  });

  test('a wallet never falls below zero, even under concurrency', async () => {
    const before = await balance();
    const reservation = (campaign: Handle<'workspace'>) =>
      ({ kind: 'revenue', book: 'live', currency: 'EUR', workspace: campaign }) as const;
    const take = (index: number) =>
      inUnit(unit =>
        unit.post({
          kind: 'reserve',
          reference: `take-${index}`,
          postings: [
            { account: wallet(), amountMicros: -before / 2 },
            { account: reservation(workspace), amountMicros: before / 2 },
          ],
        }),
      );
    const outcomes = await Promise.allSettled([take(1), take(2), take(3), take(4)]);
    expect(outcomes.filter(outcome => outcome.status === 'fulfilled')).toHaveLength(2);
    expect(
      outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason instanceof InsufficientFunds] : [])),
    ).toEqual([true, true]);
    expect(await balance()).toBe(0);
  });
});

test('an entry reads only the rows of its accounts, even on a connection opened when the ledger was small', async () => {
  const { sql: ours, drop: dropOurs } = await freshPostgres();
  const connection = await ours.reserve();
  const post = (from: number, to: number) => connection`
    select post_entries(jsonb_build_array(jsonb_build_object('kind', 'top_up', 'reference', 'entry ' || number)), jsonb_build_array(
      jsonb_build_object('reference', 'entry ' || number, 'name', 'funding:live:EUR:0:0', 'kind', 'funding', 'book', 'live', 'currency', 'EUR', 'amount', -1000),
      jsonb_build_object('reference', 'entry ' || number, 'name', 'wallet:live:EUR:' || workspace || ':0', 'kind', 'wallet', 'book', 'live', 'currency', 'EUR',
        'workspace', workspace, 'amount', 1000)), ${NOW})
    from (select number, 1 + number % 300 as workspace from generate_series(${from}::int, ${to}::int) as number) as entry`;
  await connection`insert into workspaces (kind, name, currency, created_at) select 'brand', 'A brand', 'EUR', ${NOW} from generate_series(1, 300)`;
  await post(1, 1);
  await post(2, 600);
  const rowsRead = async () => {
    await connection`select pg_stat_force_next_flush()`;
    const [row] = await connection<
      { rows: number }[]
    >`select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as rows from pg_stat_user_tables where relname in ('ledger_accounts', 'ledger_transactions')`;
    return Number(row!.rows);
  };
  const before = await rowsRead();
  await post(601, 650);
  expect((await rowsRead()) - before).toBeLessThan(50 * 20);
  connection.release();
  await dropOurs();
});
