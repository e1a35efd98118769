/**
 * `admin verify` finds each invariant that is broken on purpose, and the repair mends it. A small instance on real
 * engines whose batches have gone through ingest and settlement.
 */
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId, type Handle } from '../../../domain/id.ts';
import { reserve, topUp } from '../../../domain/money/ledger.ts';
import { streamKeys } from '../../../ingest/queue/stream-keys.ts';
import { PLAY_QUEUE_NAME } from '../../../ingest/queue/play-queue.ts';
import { shardKeys } from '#authority/authority-keys.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import { repairRollups, type RepairedRollup } from '#audit/repair-rollups.ts';
import { INVARIANTS, type Breach } from '#audit/checks/findings.ts';
import { SOURCES } from '#audit/rollups.ts';
import { verify } from '#audit/verify.ts';
import { forgetRawJob } from '../../../workers/upkeep/forget-raw.ts';
import { settleSpend } from '../../../workers/settlement/settle-spend.ts';
import type { JobContext } from '../../../workers/schedule.ts';
import { openHarness, silentLog, type Harness } from '../../ingest/harness.ts';
import { factsOf, reportOf } from '../../ingest/reports.ts';
import { handle } from '../../support/handle.ts';
import { standIn } from '../../support/stand-in.ts';

const BUDGET = 1_000_000;
const COST = 5_000;
const keys = streamKeys(PLAY_QUEUE_NAME, 0);
const { amounts, bits } = shardKeys(0);
let harness: Harness;
let context: JobContext;
let workspace: number;
let campaign: Handle<'campaign'>;
let unplayed: Handle<'campaign'>;
let screen: Handle<'screen'>;
let venue: Handle<'venue'>;

beforeAll(async () => {
  harness = await openHarness();
  const { sql } = harness.postgres;
  context = standIn<JobContext>({
    sql,
    clickhouse: harness.clickhouse.client,
    authority: harness.authority,
    playQueue: harness.playQueue,
    playGroups: harness.playGroups,
    log: silentLog,
    now: () => new Date(),
  });
  [, unplayed] = await makeCampaign();
  await harness.authority.hand(unplayed, BUDGET);
  [workspace, campaign] = await makeCampaign();
  await harness.startWorker();
  await playOut('a-1', { from: 0, count: 40 });
  await playOut('a-2', { from: 20, count: 60 });
  await harness.playQueue.add({
    id: 'a-3',
    plays: [],
    scans: [
      {
        scanId: 'scan_1',
        campaign,
        creative: handle('creative', 2),
        screen,
        venue,
        slotAt: Date.now(),
        scannedAt: Date.now(),
        daypart: 'night',
        sandbox: false,
      },
    ],
    releases: [],
  });
  await harness.drained(['a-3']);
  await settle();
});
afterAll(() => harness.close());

async function makeCampaign(): Promise<[workspace: Handle<'workspace'>, campaign: Handle<'campaign'>]> {
  const { sql } = harness.postgres;
  const [brand] = await sql<
    { handle: Handle<'workspace'> }[]
  >`insert into workspaces (kind, name, currency, created_at) values ('brand', 'Brand', 'EUR', now()) returning handle`;
  const [house] = await sql<
    { handle: number }[]
  >`insert into workspaces (kind, name, currency, created_at) values ('venue', 'House', 'EUR', now()) returning handle`;
  venue = (
    await sql<{ handle: Handle<'venue'> }[]>`
    insert into venues (workspace_handle, name, type, city, lat, lng, timezone, daily_visitors, dwell_minutes, created_at)
    values (${house!.handle}, 'Bar', 'entertainment.bars', 'Berlin', 1, 1, 'Europe/Berlin', 100, 10, now()) returning handle`
  )[0]!.handle;
  screen = (
    await sql<
      { handle: Handle<'screen'> }[]
    >`insert into screens (workspace_handle, venue_handle, sandbox, created_at) values (${house!.handle}, ${venue}, false, now()) returning handle`
  )[0]!.handle;
  return inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now: new Date() }, async unit => {
    const [row] = await unit.tx<{ handle: Handle<'campaign'> }[]>`
      insert into campaigns (workspace_handle, name, category, status, sandbox, currency, budget_micros, handed_micros, starts_on, ends_on, targets, rate_micros, forecast, created_at)
      values (${brand!.handle}, 'Campaign', 'food', 'live', false, 'EUR', ${BUDGET}, ${BUDGET}, '2020-01-01', '2099-12-31', '{}', 1000, '{}', now()) returning handle`;
    const place = { book: 'live', currency: 'EUR', workspace: brand!.handle } as const;
    await unit.post(topUp({ ...place, amountMicros: 2 * BUDGET, reference: `fund ${brand!.handle}` }));
    await unit.post(
      reserve({ ...place, campaign: row!.handle, amountMicros: BUDGET, reference: `reserve ${row!.handle}` }),
    );
    for (const action of ['campaign.created', 'campaign.approved'])
      unit.audit({ workspace: brand!.handle, action, entityType: 'campaign', entityHandle: row!.handle, diff: {} });
    return [brand!.handle, row!.handle];
  });
}

async function playOut(id: string, { from, count }: { from: number; count: number }): Promise<void> {
  await harness.authority.hand(campaign, BUDGET);
  await harness.authority.grant(campaign, 1, from + 1, count * COST);
  await harness.playQueue.add({
    id,
    plays: Array.from({ length: count }, (_, i) => reportOf(factsOf({ campaign, venue, issueNumber: from + i }))),
    scans: [],
    releases: [],
  });
  await harness.drained([id]);
}

async function settle(): Promise<void> {
  while ((await settleSpend(context)) > 0);
}

const check = () =>
  verify({
    sql: harness.postgres.sql,
    clickhouse: harness.clickhouse.client,
    redis: harness.redis,
    streams: [keys],
    asOf: () => harness.playQueue.asOf(),
    handleOf: id => parseId('campaign', id),
  });

/** Mends the rollups of every month that has raw rows. */
async function mendMonths(): Promise<RepairedRollup[]> {
  const months = await harness.rows<{ month: number }>(
    'select distinct toYYYYMM(slot_at) as month from plays_raw union distinct select toYYYYMM(scanned_at) from scans_raw',
  );
  const mended: RepairedRollup[] = [];
  for (const { month } of months)
    mended.push(
      ...(await repairRollups(
        { sql: harness.postgres.sql, clickhouse: harness.clickhouse.client, redis: harness.redis, streams: [keys] },
        Number(month),
      )),
    );
  return mended;
}

/** Runs SQL past the guards that keep a ledger, an audit and a campaign's columns from such edits. */
async function tamper(query: string): Promise<void> {
  await harness.postgres.sql.begin(async tx => {
    await tx`set local session_replication_role = replica`;
    await tx.unsafe(query);
  });
}

const clickhouse = (query: string) =>
  harness.clickhouse.client.command({ query, clickhouse_settings: { mutations_sync: '2' } });

type Damage = {
  invariant: Breach['invariant'];
  detail: RegExp;
  harm: () => Promise<unknown>;
  mend: () => Promise<unknown>;
};

const damages: [what: string, damage: Damage][] = [
  [
    'an acknowledged batch that lost its payload',
    {
      invariant: 'batches',
      detail: /lost-1 is not complete and its payload is gone/,
      harm: () =>
        harness.redis
          .multi()
          .hset(`${keys.jobPrefix}lost-1`, { data: '{"events":1,"payload":""}', added: 1 })
          .zadd(keys.pending, Date.now() + 60_000, 'lost-1')
          .exec(),
      mend: () => harness.redis.multi().del(`${keys.jobPrefix}lost-1`).zrem(keys.pending, 'lost-1').exec(),
    },
  ],
  [
    'an acknowledged batch that no worker will find',
    {
      invariant: 'batches',
      detail: /lost-2 is not complete and does not hold as_of back/,
      harm: () => harness.redis.hset(`${keys.jobPrefix}lost-2`, { data: '{"events":1,"payload":"kA=="}', added: 1 }),
      mend: () => harness.redis.del(`${keys.jobPrefix}lost-2`),
    },
  ],
  [
    'a batch among the failed',
    {
      invariant: 'batches',
      detail: /1 batches stand among the failed/,
      harm: () => harness.redis.zadd(`${keys.jobPrefix}failed`, 1, 'x'),
      mend: () => harness.redis.del(`${keys.jobPrefix}failed`),
    },
  ],
  [
    'a counted bit without its row',
    {
      invariant: 'counted_bits',
      detail: /issue numbers 133, have no row/,
      harm: () => harness.redis.call('BITFIELD', bits(campaign, 1), 'SET', 'u2', '#133', 1),
      mend: () => harness.redis.call('BITFIELD', bits(campaign, 1), 'SET', 'u2', '#133', 0),
    },
  ],
  ...([1, 3] as const).map((bit): [string, Damage] => [
    `the ${bit === 1 ? 'counted' : 'late'} bit of the first play of an epoch without any row`,
    {
      invariant: 'counted_bits',
      detail: /of epoch 7, issue numbers 0, have no row/,
      harm: () => harness.redis.call('BITFIELD', bits(campaign, 7), 'SET', 'u2', '#0', bit),
      mend: () => harness.redis.del(bits(campaign, 7)),
    },
  ]),
  [
    'a row without its bit',
    {
      invariant: 'counted_bits',
      detail: /issue numbers 40, have no bit/,
      harm: () => harness.redis.call('BITFIELD', bits(campaign, 1), 'SET', 'u2', '#40', 0),
      mend: () => harness.redis.call('BITFIELD', bits(campaign, 1), 'SET', 'u2', '#40', 1),
    },
  ],
  [
    'a charged play whose bit says that it was late',
    {
      invariant: 'counted_bits',
      detail: /issue numbers 5, have no bit, or that of the other kind/,
      harm: () => harness.redis.call('BITFIELD', bits(campaign, 1), 'SET', 'u2', '#5', 3),
      mend: () => harness.redis.call('BITFIELD', bits(campaign, 1), 'SET', 'u2', '#5', 1),
    },
  ],
  [
    'a play in the number of counted ones that nobody played',
    {
      invariant: 'counted_bits',
      detail: /the authority counted 81 plays, 80 of them have a row/,
      harm: () => harness.redis.hincrby(amounts(campaign), 'counted', 1),
      mend: () => harness.redis.hincrby(amounts(campaign), 'counted', -1),
    },
  ],
  [
    'a counted play of a campaign that never played',
    {
      invariant: 'counted_bits',
      detail: /the authority counted 1 plays, 0 of them have a row/,
      harm: () => harness.redis.hincrby(amounts(unplayed), 'counted', 1),
      mend: () => harness.redis.hincrby(amounts(unplayed), 'counted', -1),
    },
  ],
  [
    'a rollup with a play too many',
    {
      invariant: 'rollups',
      detail: /plays_quarter_hour has plays 81 of \w+ on [-\d]+, a recount 80/,
      harm: () =>
        clickhouse(
          'insert into plays_quarter_hour select bucket, campaign_id, creative_id, screen_id, venue_id, sandbox, 1, 0, 0, 0 from plays_quarter_hour limit 1',
        ),
      mend: async () => {
        await clickhouse('truncate table plays_quarter_hour');
        await refill('plays_quarter_hour');
      },
    },
  ],
  [
    'a rollup with the right sums in a wrong row',
    {
      invariant: 'rollups',
      detail: /plays_venue_quarter_hour has weighed rows/,
      harm: async () => {
        await clickhouse('truncate table plays_venue_quarter_hour');
        await refill('plays_venue_quarter_hour', { screen_id: "'scr_other'" });
      },
      mend: async () => {
        await clickhouse('truncate table plays_venue_quarter_hour');
        await refill('plays_venue_quarter_hour');
      },
    },
  ],
  [
    'a rollup that is empty',
    {
      invariant: 'rollups',
      detail: /plays_screen_day has cost 0/,
      harm: () => clickhouse('truncate table plays_screen_day'),
      mend: () => mendMonths(),
    },
  ],
  [
    'scans that a rollup does not have',
    {
      invariant: 'rollups',
      detail: /scans_quarter_hour has scans 0/,
      harm: () => clickhouse('truncate table scans_quarter_hour'),
      mend: () => mendMonths(),
    },
  ],
  [
    'a group that was charged another amount',
    {
      invariant: 'charges',
      detail: /group .* was charged amount/,
      harm: () => tamper(`update charges set amount_micros = amount_micros + 1 where campaign_handle = ${campaign}`),
      mend: () => tamper(`update charges set amount_micros = amount_micros - 1 where campaign_handle = ${campaign}`),
    },
  ],
  [
    'a campaign that was charged less than its rows',
    {
      invariant: 'charges',
      detail: /was charged plays 79, its rows say 80/,
      harm: () => tamper(`update charges set plays = plays - 1 where group_id = (select min(group_id) from charges)`),
      mend: () => tamper(`update charges set plays = plays + 1 where group_id = (select min(group_id) from charges)`),
    },
  ],
  [
    'money that left the authority',
    {
      invariant: 'budgets',
      detail: /handed 1000000 is not free/,
      harm: () => harness.redis.hincrby(amounts(campaign), 'free', -7),
      mend: () => harness.redis.hincrby(amounts(campaign), 'free', 7),
    },
  ],
  [
    'more spent than the budget',
    {
      invariant: 'budgets',
      detail: /spent 1000001 of a budget of 1000000/,
      harm: () =>
        harness.redis
          .multi()
          .hincrby(amounts(campaign), 'spent', 600_001)
          .hincrby(amounts(campaign), 'free', -600_001)
          .exec(),
      mend: () =>
        harness.redis
          .multi()
          .hincrby(amounts(campaign), 'spent', -600_001)
          .hincrby(amounts(campaign), 'free', 600_001)
          .exec(),
    },
  ],
  [
    'more in the authority than Postgres handed',
    {
      invariant: 'budgets',
      detail: /the authority was handed 1000000, Postgres handed 999999/,
      harm: () => tamper(`update campaigns set handed_micros = 999999 where handle = ${campaign}`),
      mend: () => tamper(`update campaigns set handed_micros = ${BUDGET} where handle = ${campaign}`),
    },
  ],
  [
    'a wallet that is not its postings',
    {
      invariant: 'ledger',
      detail: /an account is the sum of its postings/,
      harm: () => tamper(`update ledger_accounts set balance_micros = balance_micros + 1 where kind = 'wallet'`),
      mend: () => tamper(`update ledger_accounts set balance_micros = balance_micros - 1 where kind = 'wallet'`),
    },
  ],
  [
    'a transaction that does not sum to zero',
    {
      invariant: 'ledger',
      detail: /every transaction sums to zero/,
      harm: () =>
        tamper(
          `update ledger_postings set amount_micros = amount_micros + 1 where handle = (select min(handle) from ledger_postings)`,
        ),
      mend: () =>
        tamper(
          `update ledger_postings set amount_micros = amount_micros - 1 where handle = (select min(handle) from ledger_postings)`,
        ),
    },
  ],
  [
    'an audit entry that was changed',
    {
      invariant: 'audit',
      detail: /entry 1: is not what it was/,
      harm: () =>
        tamper(
          `update audit_entries set action = 'campaign.forged' where number = 1 and workspace_handle = ${workspace}`,
        ),
      mend: () =>
        tamper(
          `update audit_entries set action = 'campaign.created' where number = 1 and workspace_handle = ${workspace}`,
        ),
    },
  ],
  [
    'a delivery that was given up without a reason',
    {
      invariant: 'outbox',
      detail: /was given up without a reason/,
      harm: async () => {
        await tamper(
          `insert into webhooks (handle, workspace_handle, sandbox, surface, url, events, created_at, deleted_at) overriding system value values (1, ${workspace}, false, 'agency', 'https://example.com', '{x}', now(), now())`,
        );
        await tamper(
          `insert into webhook_deliveries (webhook_handle, outbox_handle, state, created_at) values (1, 1, 'failed', now())`,
        );
      },
      mend: () => tamper(`delete from webhook_deliveries; delete from webhooks`),
    },
  ],
];

const COLUMNS: Record<string, string[]> = {
  plays_quarter_hour: ['bucket', 'campaign_id', 'creative_id', 'screen_id', 'venue_id', 'sandbox'],
  plays_venue_quarter_hour: ['bucket', 'campaign_id', 'venue_id', 'screen_id', 'sandbox'],
  plays_screen_day: ['day', 'campaign_id', 'venue_id', 'screen_id', 'sandbox'],
};

/** Fills an emptied rollup of plays again from the raw table. */
async function refill(table: string, changes: Record<string, string> = {}): Promise<void> {
  const columns = COLUMNS[table]!;
  const times: Record<string, string> = {
    bucket: "toStartOfInterval(slot_at, interval 15 minute, 'UTC')",
    day: "toDate(slot_at, 'UTC')",
  };
  await clickhouse(`insert into ${table} (${columns.join(', ')}, plays, late_plays, impressions_thousandths, cost_micros)
    select ${columns.map(column => `${changes[column] ?? times[column] ?? column} as ${column}_`).join(', ')}, countIf(not late), countIf(late), sumIf(impressions_thousandths, not late), sum(cost_micros) from plays_raw group by ${columns.map(column => `${column}_`).join(', ')}`);
}

/** Puts the projections of a table with twice the plays in the place of those of `plays_screen_day`, on the disk. */
async function exchangeProjections(): Promise<void> {
  await clickhouse('truncate table plays_screen_day');
  await refill('plays_screen_day');
  await clickhouse('create table plays_twice as plays_screen_day');
  await clickhouse(
    'insert into plays_twice select day, campaign_id, venue_id, screen_id, sandbox, 2 * plays, late_plays, impressions_thousandths, cost_micros from plays_screen_day',
  );
  const [twice] = await pathsOf('system.parts', `table = 'plays_twice' and active`);
  await clickhouse('alter table plays_screen_day detach partition all');
  for (const path of await pathsOf('system.detached_parts', `table = 'plays_screen_day'`)) {
    for (const projection of ['campaign_day.proj', 'campaign_screens.proj']) {
      await rm(join(path, projection), { recursive: true });
      await cp(join(twice!, projection), join(path, projection), { recursive: true });
    }
  }
  await clickhouse('alter table plays_screen_day attach partition all');
  await clickhouse('drop table plays_twice');
}

async function pathsOf(table: string, where: string): Promise<string[]> {
  const result = await harness.clickhouse.client.query({
    query: `select path from ${table} where database = currentDatabase() and ${where}`,
    format: 'JSONEachRow',
  });
  return (await result.json<{ path: string }>()).map(({ path }) => path);
}

describe('admin verify', () => {
  test('finds nothing on an instance with counted and settled plays', async () => {
    expect(
      (await harness.postgres.sql`select charged_micros, charged_plays from campaigns where handle = ${campaign}`)[0],
    ).toEqual({ charged_micros: 80 * COST, charged_plays: 80 });
    expect(await check()).toEqual({ ok: true, breaches: [], unchecked: [] });
  });

  describe('on an instance with damage', () => {
    let breaches: Breach[];
    // All at once: each look is repeated before it is believed, which takes seconds.
    beforeAll(async () => {
      for (const [, { harm }] of damages) await harm();
      ({ breaches } = await check());
      for (const [, { mend }] of damages.toReversed()) await mend();
    });

    test.each(damages)('finds %s', (_, { invariant, detail }) => {
      expect(breaches.filter(breach => breach.invariant === invariant && detail.test(breach.detail))).not.toEqual([]);
    });
  });

  test('finds damage of every invariant, and all of it can be repaired', async () => {
    expect([...new Set(damages.map(([, { invariant }]) => invariant))].sort()).toEqual([...INVARIANTS].sort());
    expect(await check()).toEqual({ ok: true, breaches: [], unchecked: [] });
  });

  test('finds projections that differ from their rows', async () => {
    await exchangeProjections();
    const { breaches } = await check();
    expect(breaches.map(({ invariant, detail }) => `${invariant}: ${detail}`)).toEqual([
      expect.stringMatching(/^rollups: .* projection campaign_day \(160,.*, its rows have \(80,/),
    ]);
    await clickhouse('truncate table plays_screen_day');
    await refill('plays_screen_day');
    expect(await check()).toEqual({ ok: true, breaches: [], unchecked: [] });
  });

  test('counts every column of every rollup again', async () => {
    const columns = await harness.clickhouse.client.query({
      query:
        'select table, groupArray(name) as names from system.columns where database = currentDatabase() group by table',
      format: 'JSONEachRow',
    });
    const found = new Map(
      (await columns.json<{ table: string; names: string[] }>()).map(({ table, names }) => [table, names.sort()]),
    );
    for (const { lines, rollups } of SOURCES)
      for (const { table, time, dimensions } of rollups)
        expect({ table, columns: found.get(table) }).toEqual({
          table,
          columns: [
            'campaign_id',
            'sandbox',
            time,
            ...dimensions,
            ...Object.values(lines).map(line => line.rollup),
          ].sort(),
        });
  });

  test('missing plays are added to a rollup once, row by row, and complete rows stay unchanged', async () => {
    expect(await mendMonths()).toEqual([]);
    await clickhouse('alter table plays_quarter_hour delete where true');
    await clickhouse('optimize table plays_campaign_quarter_hour final');
    await clickhouse(
      'alter table plays_campaign_quarter_hour update plays = plays - 3, cost_micros = cost_micros - 15000 where true',
    );
    const mended = await mendMonths();
    expect(mended.map(({ table, plays, cost_micros }) => ({ table, plays, cost_micros }))).toEqual([
      { table: 'plays_quarter_hour', plays: 80, cost_micros: 80 * COST },
      { table: 'plays_campaign_quarter_hour', plays: 3, cost_micros: 15_000 },
    ]);
    expect(await mendMonths()).toEqual([]);
    expect(await check()).toEqual({ ok: true, breaches: [], unchecked: [] });
  });

  test('rows of a pending group are not touched until it is complete', async () => {
    const lacking = {
      plays_quarter_hour: 'creative_id',
      plays_campaign_quarter_hour: 'creative_id',
      plays_venue_quarter_hour: 'venue_id',
      plays_screen_day: 'venue_id',
    };
    const removePlay = () =>
      Promise.all(
        Object.entries(lacking).map(([table, column]) =>
          clickhouse(`alter table ${table} delete where ${column} = 'of_way'`),
        ),
      );
    await harness.redis.multi().hset(`${keys.jobPrefix}way`, 'group', 'g-way').zadd(keys.grouped, 1, 'way').exec();
    await clickhouse(`insert into plays_raw (played_at, slot_at, received_at, campaign_id, campaign_handle, creative_id, venue_id, epoch, issue_number, group_id)
      select played_at, slot_at, received_at, campaign_id, campaign_handle, 'of_way', 'of_way', 9, 1, 'g-way' from plays_raw limit 1`);
    await removePlay();
    expect(await mendMonths()).toEqual([]);
    await harness.redis.multi().del(`${keys.jobPrefix}way`).zrem(keys.grouped, 'way').exec();
    expect((await mendMonths()).map(({ table, rows, plays }) => ({ table, rows, plays }))).toEqual(
      Object.keys(lacking).map(table => ({ table, rows: 1, plays: 1 })),
    );
    await clickhouse("alter table plays_raw delete where group_id = 'g-way'");
    await removePlay();
    expect(await check()).toEqual({ ok: true, breaches: [], unchecked: [] });
  });

  test('two repairs do not run at once, and a month without raw rows is refused', async () => {
    const { sql } = harness.postgres;
    const deps = { sql, clickhouse: harness.clickhouse.client, redis: harness.redis, streams: [keys] };
    const month = 100 * new Date().getUTCFullYear() + new Date().getUTCMonth() + 1;
    const both = await Promise.allSettled([repairRollups(deps, month), repairRollups(deps, month)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'already_mending', retryable: true },
    });
    await sql`update raw_retention set kept_from = 202401`;
    await expect(repairRollups(deps, 202312)).rejects.toMatchObject({
      code: 'raw_rows_gone',
      message: 'raw rows are kept from 202401 on: 202312 has none to compare with',
    });
    await sql`update raw_retention set kept_from = 0`;
  });

  test('finds nothing when raw rows are deleted after 25 months, and the rest is still charged by its rows', async () => {
    const monthAgo = (months: number, days: number) =>
      new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - months, 1) - days * 86_400_000);
    // 24 months and some days, and the last day of the month before the 25
    const [keptAt, goneAt] = [monthAgo(24, 0), monthAgo(25, 1)];
    for (const [index, at] of [keptAt, goneAt].entries()) await pastPlay(at, 500 + index);
    const raw = () => rowsByMonth('plays_raw', 'slot_at');
    const rollups = async () =>
      Promise.all(
        ['plays_quarter_hour', 'plays_campaign_quarter_hour', 'plays_venue_quarter_hour', 'scans_quarter_hour'].map(
          table => rowsByMonth(table, 'bucket', table.startsWith('plays') ? 'sum(plays)' : 'sum(scans)'),
        ),
      );
    const [rawBefore, rollupsBefore] = [await raw(), await rollups()];
    expect(await check()).toMatchObject({ ok: true });
    const { run } = forgetRawJob(undefined);

    // A rollup that is no recount of the old month keeps its rows.
    await clickhouse(
      `insert into plays_quarter_hour select bucket, campaign_id, creative_id, screen_id, venue_id, sandbox, 1, 0, 0, 0 from plays_quarter_hour where toYYYYMM(bucket) = ${monthOf(goneAt)} limit 1`,
    );
    expect([await run(context), await raw()]).toEqual([0, rawBefore]);
    await clickhouse(
      `insert into plays_quarter_hour select bucket, campaign_id, creative_id, screen_id, venue_id, sandbox, toUInt64(-1), 0, 0, 0 from plays_quarter_hour where toYYYYMM(bucket) = ${monthOf(goneAt)} limit 1`,
    );

    expect(await run(context)).toBe(2); // plays and scans
    const left = rawBefore.filter(({ month }) => month !== monthOf(goneAt));
    expect([rawBefore.length - left.length, left.some(({ month }) => month === monthOf(keptAt))]).toEqual([1, true]);
    expect([await raw(), await rollups()]).toEqual([left, rollupsBefore]);
    expect((await rowsByMonth('scans_raw', 'scanned_at')).map(({ month }) => month)).not.toContain(monthOf(goneAt));
    expect(await run(context)).toBe(0);
    await harness.redis.call('BITFIELD', bits(campaign, 1), 'SET', 'u2', '#501', 0); // bits end after 45 days
    expect(await check()).toEqual({ ok: true, breaches: [], unchecked: [] });

    // What is gone still counts, and what is kept is still compared.
    await tamper(`update charges set plays = plays + 1 where group_id = (select min(group_id) from charges)`);
    await clickhouse('truncate table plays_screen_day');
    const { breaches } = await check();
    expect(
      breaches.some(({ invariant, detail }) => invariant === 'charges' && detail.includes('was charged plays')),
    ).toBe(true);
    const months = new Set(
      breaches
        .filter(({ invariant }) => invariant === 'rollups')
        .map(({ detail }) => / on (\d{4})-(\d\d)/.exec(detail)!.slice(1).join('')),
    );
    expect([months.has(String(monthOf(keptAt))), months.has(String(monthOf(goneAt)))]).toEqual([true, false]);
    await tamper(`update charges set plays = plays - 1 where group_id = (select min(group_id) from charges)`);
    await refill('plays_screen_day');
  }, 60_000);

  test('needs no bit for a play that nobody can report any more, as after a rebuild of the authority', async () => {
    const unset = (issueNumber: number) =>
      harness.redis.call('BITFIELD', bits(campaign, 1), 'SET', 'u2', `#${issueNumber}`, 0);
    for (const [days, issueNumber] of [
      [31, 512],
      [29, 513],
    ] as const) {
      await pastPlay(new Date(Date.now() - days * 86_400_000), issueNumber);
      expect(Number(await unset(issueNumber))).not.toBe(0);
    }
    expect(await check()).toMatchObject({
      breaches: [{ invariant: 'counted_bits', detail: expect.stringMatching(/issue numbers 513, have no bit/) }],
    });
    await harness.redis.call('BITFIELD', bits(campaign, 1), 'SET', 'u2', '#513', 3);
    expect(await check()).toMatchObject({ ok: true, breaches: [] });
  }, 60_000);

  test('finds nothing, and has nothing to repair, while plays flow and are settled', async () => {
    const stop = new AbortController();
    const flow = (async () => {
      for (let round = 0; !stop.signal.aborted; round += 1)
        await playOut(`flow-${round}`, { from: 1_000 + 10 * round, count: 1 });
    })();
    const settling = (async () => {
      while (!stop.signal.aborted) await settleSpend(context);
    })();
    for (const _ of [1, 2]) {
      expect(await check()).toEqual({ ok: true, breaches: [], unchecked: [] });
      expect(await mendMonths()).toEqual([]);
    }
    stop.abort();
    await Promise.all([flow, settling]);
  }, 60_000);
});

const monthOf = (at: Date) => 100 * at.getUTCFullYear() + at.getUTCMonth() + 1;

async function rowsByMonth(table: string, time: string, rows = 'count()'): Promise<{ month: number; rows: number }[]> {
  const result = await harness.clickhouse.client.query({
    query: `select toYYYYMM(${time}) as month, toInt64(${rows}) as rows from ${table} group by month order by month`,
    format: 'JSONEachRow',
  });
  return result.json<{ month: number; rows: number }>();
}

/** A play and a scan of back then, counted and settled. */
async function pastPlay(at: Date, issueNumber: number): Promise<void> {
  const id = `old-${issueNumber}`;
  const atMs = at.getTime();
  await harness.authority.hand(campaign, BUDGET);
  await harness.authority.grant(campaign, 1, issueNumber + 1, COST);
  const scan = {
    scanId: `scan-${id}`,
    campaign,
    creative: handle('creative', 2),
    screen,
    venue,
    slotAt: atMs,
    scannedAt: atMs,
    daypart: 'night',
    sandbox: false,
  };
  await harness.playQueue.add({
    id,
    plays: [reportOf(factsOf({ campaign, screen, venue, issueNumber, startsAt: atMs }))],
    scans: [scan],
    releases: [],
  });
  await harness.drained([id]);
  await settle();
}
