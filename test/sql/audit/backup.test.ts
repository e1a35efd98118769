/**
 * A backup that is restored into empty engines is whole: the authority is rebuilt, and what was not settled is charged
 * once. Real Postgres, Redis and ClickHouse, twice.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseId, type Handle } from '#domain/id.ts';
import { reserve } from '#domain/money/ledger.ts';
import { backUp, restore } from '#audit/backup.ts';
import { createAuthority } from '#authority/authority.ts';
import { openRedis, redisReady } from '#sql/redis.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import { verify } from '#audit/verify.ts';
import { createWorkspace, fundWallet } from '../../../cli/operator.ts';
import { streamKeys } from '../../../ingest/queue/stream-keys.ts';
import { createPlayGroups } from '../../../ingest/queue/play-groups.ts';
import { createPlayQueue, PLAY_QUEUE_NAME } from '../../../ingest/queue/play-queue.ts';
import { rebuildAuthority } from '../../../workers/budgets/rebuild-authority.ts';
import { settleSpend } from '../../../workers/settlement/settle-spend.ts';
import type { JobContext } from '../../../workers/schedule.ts';
import { openHarness, silentLog, type Harness } from '../../ingest/harness.ts';
import { factsOf, reportOf } from '../../ingest/reports.ts';
import { restoreInstance } from '../../../cli/backup.ts';
import { freshClickhouse, freshPostgres, freshRedisUrl } from '../../support/engines/databases.ts';
import { handle } from '../../support/handle.ts';

const BUDGET = 10_000_000;
const COST = 5_000;
const MANY = 5_000;
const OUTBOX_LAST = 7_000_000;
/** Ends of line that ClickHouse does not escape. */
const USER_AGENT = 'an agent\u2028of two\u2029or three\rlines';
let source: Harness;
let campaign: Handle<'campaign'>;
const folder = mkdtempSync(join(tmpdir(), 'marquee-backup-'));
const contextOf = (
  parts: Pick<JobContext, 'sql' | 'clickhouse' | 'authority' | 'playQueue' | 'playGroups'>,
): JobContext => ({ ...parts, log: silentLog, now: () => new Date() }) as JobContext;
const playsFrom = (first: number) =>
  Array.from({ length: 10 }, (_, at) => reportOf(factsOf({ campaign, issueNumber: first + at })));

const othersMayRead = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(
    name => (statSync(join(path, name)).mode & 0o077) !== 0,
  );

beforeAll(async () => {
  source = await openHarness();
  const { sql } = source.postgres;
  const workspace = await createWorkspace(sql, new Date(), {
    kind: 'brand',
    name: 'A brand\twith a tab',
    currency: 'EUR',
    plan: 'standard',
  });
  await fundWallet(sql, new Date(), { workspace, amountMicros: 2 * BUDGET, book: 'live' });
  campaign = await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now: new Date() }, async unit => {
    const [row] = await unit.tx<{ handle: Handle<'campaign'> }[]>`
      insert into campaigns (workspace_handle, name, category, status, sandbox, currency, budget_micros, handed_micros, starts_on, ends_on, targets, rate_micros, forecast, created_at)
      values (${workspace}, 'Campaign', 'food', 'live', false, 'EUR', ${BUDGET}, ${BUDGET}, '2020-01-01', '2099-12-31', '{}', 1000, '{}', now()) returning handle`;
    await unit.post(
      reserve({
        book: 'live',
        currency: 'EUR',
        workspace,
        campaign: row!.handle,
        amountMicros: BUDGET,
        reference: `reserve:${row!.handle}`,
      }),
    );
    return row!.handle;
  });
  await source.authority.hand(campaign, BUDGET);
  await source.authority.grant(campaign, 1, 1, BUDGET);
  await source.startWorker();
  await source.playQueue.add({ id: 'settled', plays: playsFrom(0), scans: [], releases: [] });
  await source.drained(['settled']);
  await settleSpend(
    contextOf({
      sql,
      clickhouse: source.clickhouse.client,
      authority: source.authority,
      playQueue: source.playQueue,
      playGroups: source.playGroups,
    }),
  );
  const scan = {
    scanId: 'one',
    campaign,
    creative: handle('creative', 1),
    screen: handle('screen', 1),
    venue: handle('venue', 1),
    slotAt: Date.now(),
    scannedAt: Date.now(),
    daypart: 'evening',
    sandbox: false,
  };
  await source.playQueue.add({ id: 'unsettled', plays: playsFrom(100), scans: [scan], releases: [] });
  await source.drained(['settled', 'unsettled']);
  // Far more than one read of a connection brings.
  await sql`insert into workspaces (kind, name, currency, plan, created_at)
    select 'brand', 'Brand ' || number || repeat('.', 100), 'EUR', 'standard', now()
    from generate_series(1, ${MANY}::integer) as number`;
  await source.clickhouse.client.insert({
    table: 'private_api_calls',
    values: [{ at: '2026-11-01 00:00:00', workspace_handle: 1, number: 1, kept_years: 1, user_agent: USER_AGENT }],
    format: 'JSONEachRow',
  });
  // Numbers of which no row is left.
  await sql`select setval(pg_get_serial_sequence('outbox', 'handle'), ${OUTBOX_LAST})`;
}, 60_000);
afterAll(async () => {
  await source.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a restored installation is complete: the authority is rebuilt, unsettled plays are charged once, and new numbers leave a gap', async () => {
  const taken = await backUp({ sql: source.postgres.sql, clickhouse: source.clickhouse.client }, folder, new Date());
  expect(taken.clickhouse.filter(({ table }) => table === 'plays_raw').reduce((sum, { rows }) => sum + rows, 0)).toBe(
    20,
  );
  await expect(
    backUp({ sql: source.postgres.sql, clickhouse: source.clickhouse.client }, folder, new Date()),
  ).rejects.toMatchObject({ code: 'folder_not_empty' });

  expect(othersMayRead(folder)).toEqual([]);

  const [postgres, clickhouse] = await Promise.all([freshPostgres(), freshClickhouse()]);
  const redis = openRedis(await freshRedisUrl(), { role: 'commands' });
  await redisReady(redis); // not in a backup: this one knows of nothing, and has an authority that answers
  const target = { sql: postgres.sql, clickhouse: clickhouse.client };
  expect(await restoreInstance(postgres.sql, { clickhouseUrl: clickhouse.url, from: folder })).toMatchObject({
    folder,
    taken_at: taken.taken_at,
  });
  await expect(restore(target, folder)).rejects.toMatchObject({ code: 'not_empty' });

  const authority = createAuthority(redis);
  const playQueue = createPlayQueue({ redis });
  const context = contextOf({ ...target, authority, playQueue, playGroups: createPlayGroups({ redis }) });
  while ((await rebuildAuthority(context, { insertMsMax: 0 })) === 0) await authority.life.state();
  const amounts = await authority.amounts(campaign);
  expect(amounts).toMatchObject({ handed: BUDGET, spent: 20 * COST });
  expect(amounts.handed).toBe(amounts.free + amounts.open + amounts.inDoubt + amounts.spent + amounts.returned);
  await settleSpend(context);
  const [money] = await postgres.sql<
    { charged: number; name: string }[]
  >`select c.charged_micros as charged, w.name from campaigns c join workspaces w on w.handle = c.workspace_handle where c.handle = ${campaign}`;
  expect(money).toEqual({ charged: 20 * COST, name: 'A brand\twith a tab' });
  const rolled = await (
    await clickhouse.client.query({
      query:
        'select (select sum(plays) from plays_quarter_hour) as plays, (select sum(scans) from scans_quarter_hour) as scans',
      format: 'JSONEachRow',
    })
  ).json<{ plays: number; scans: number }>();
  expect(rolled.map(({ plays, scans }) => [Number(plays), Number(scans)])).toEqual([[20, 1]]);
  expect(
    await verify({
      ...target,
      redis,
      streams: [streamKeys(PLAY_QUEUE_NAME, 0)],
      asOf: () => playQueue.asOf(),
      handleOf: id => parseId('campaign', id),
    }),
  ).toEqual({ ok: true, breaches: [], unchecked: [] });
  const [{ next }] = await postgres.sql<
    [{ next: number }]
  >`insert into delivery_epochs (node, boot_id, started_at) values ('n', 'b', now()) returning epoch as next`;
  expect(next).toBeGreaterThan(1_000_000);

  expect(
    await postgres.sql`select nextval(pg_get_serial_sequence('outbox', 'handle')) > ${OUTBOX_LAST} as new`,
  ).toEqual([{ new: true }]);
  const calls = await clickhouse.client.query({
    query: 'select user_agent from private_api_calls',
    format: 'JSONEachRow',
  });
  expect(await calls.json()).toEqual([{ user_agent: USER_AGENT }]);

  await playQueue.close();
  redis.disconnect();
  await Promise.all([postgres.drop(), clickhouse.drop()]);
}, 60_000);

test('rows left by an interrupted restore in ClickHouse keep the next restore from adding to them, even without new plays', async () => {
  const [postgres, clickhouse] = await Promise.all([freshPostgres(), freshClickhouse()]);
  await clickhouse.client.insert({
    table: 'plays_campaign_quarter_hour',
    values: [{ bucket: 1_500_000_000, campaign_id: 'cmp_1', creative_id: 'cre_1', plays: 1 }],
    format: 'JSONEachRow',
  });
  await expect(restore({ sql: postgres.sql, clickhouse: clickhouse.client }, folder)).rejects.toMatchObject({
    code: 'not_empty',
    message: expect.stringContaining('ClickHouse has rows in plays_campaign_quarter_hour') as string,
  });
  await Promise.all([postgres.drop(), clickhouse.drop()]);
});

test('a folder without a manifest, and a backup of another schema, are refused by name', async () => {
  const target = { sql: source.postgres.sql, clickhouse: source.clickhouse.client };
  await expect(restore(target, tmpdir())).rejects.toMatchObject({ code: 'no_backup' });
});
