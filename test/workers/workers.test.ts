/**
 * The jobs about budgets and settlement: handing out budgets, fencing silent nodes, lapsing plays, charging counted
 * plays, finishing campaigns, and the schedule that runs them all. The jobs run in this process, one round at a time,
 * on the real engines of the ingest harness.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keysOf } from '#authority/authority-keys.ts';
import { openPostgres } from '#sql/postgres.ts';
import { createPlayQueue } from '../../ingest/queue/play-queue.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import { formatId, type Handle } from '../../domain/id.ts';
import { reserve, topUp } from '../../domain/money/ledger.ts';
import { fenceNodes } from '../../workers/budgets/fence-nodes.ts';
import { finishCampaigns } from '../../workers/campaigns/finish-campaigns.ts';
import { handBudgets, retellHanded } from '../../workers/budgets/hand-budgets.ts';
import { lapsePlays } from '../../workers/budgets/lapse-plays.ts';
import { settleSpend } from '../../workers/settlement/settle-spend.ts';
import { sweepPresence } from '#sql/screens/presence.ts';
import { takeUpCounts } from '../../workers/settlement/take-up-counts.ts';
import { JOBS } from '../../workers/jobs.ts';
import { runOnce, startJobs, type JobContext } from '../../workers/schedule.ts';
import { openHarness, silentLog, type Harness } from '../ingest/harness.ts';
import { factsOf, reportOf } from '../ingest/reports.ts';
import { CLOCK } from '../support/engines/redis.ts';
import { standIn } from '../support/stand-in.ts';

const BUDGET = 1_000_000;
const COST = 5_000;
let harness: Harness;
let context: JobContext;
let workspace: Handle<'workspace'>;

beforeAll(async () => {
  harness = await openHarness();
  context = {
    sql: harness.postgres.sql,
    clickhouse: harness.clickhouse.client,
    authority: harness.authority,
    playQueue: harness.playQueue,
    playGroups: harness.playGroups,
    plans: standIn({}),
    pool: standIn({}),
    log: silentLog,
    now: () => new Date(),
  };
  const [row] = await harness.postgres.sql<
    { handle: Handle<'workspace'> }[]
  >`insert into workspaces (kind, name, currency, created_at) values ('brand', 'Brand', 'EUR', now()) returning handle`;
  workspace = row!.handle;
  await inUnitOfWork(harness.postgres.sql, { actor: SYSTEM_ACTOR, now: new Date() }, unit =>
    unit.post(topUp({ book: 'live', currency: 'EUR', workspace, amountMicros: 100 * BUDGET, reference: 'fund' })),
  );
  await harness.startWorker();
});
beforeEach(() => harness.redis.del('{plays:0}:hand:wanted'));
afterAll(() => harness.close());

async function makeCampaign(
  changes: { status?: string; endsOn?: string; targets?: { daypart?: { start: string; end: string } } } = {},
): Promise<Handle<'campaign'>> {
  const { sql } = harness.postgres;
  return inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now: new Date() }, async unit => {
    const [row] = await unit.tx<{ handle: Handle<'campaign'> }[]>`
      insert into campaigns (workspace_handle, name, category, status, sandbox, currency, budget_micros, starts_on, ends_on, targets, rate_micros, forecast, created_at)
      values (${workspace}, 'Campaign', 'food', ${changes.status ?? 'live'}, false, 'EUR', ${BUDGET}, '2020-01-01', ${changes.endsOn ?? '2099-12-31'}, ${unit.tx.json(changes.targets ?? {})}, 1000, '{}', now())
      returning handle`;
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
}

const readCampaign = async (handle: number) =>
  (
    await harness.postgres.sql<
      { status: string; handed_micros: number; charged_micros: number; charged_plays: number }[]
    >`
  select status, handed_micros, charged_micros, charged_plays from campaigns where handle = ${handle}`
  )[0]!;

/** Leases, plays and reports `count` plays of a campaign in one batch; resolves when it is complete. */
async function playOut(
  campaign: Handle<'campaign'>,
  id: string,
  { from, count }: { from: number; count: number },
): Promise<void> {
  await harness.authority.grant(campaign, 1, from, count * COST);
  await harness.playQueue.add({
    id,
    plays: Array.from({ length: count }, (_, i) => reportOf(factsOf({ campaign, issueNumber: from + i }))),
    scans: [],
    releases: [],
  });
  await harness.drained([id]);
}

describe('hand-budgets', () => {
  test('a campaign that ran short gets 5% of its budget, and its total rises in Postgres first', async () => {
    const campaign = await makeCampaign();
    await harness.authority.wantHand(campaign, COST);
    expect(await handBudgets(context)).toBe(1);
    expect((await readCampaign(campaign)).handed_micros).toBe(50_000);
    expect(await harness.authority.amounts(campaign)).toMatchObject({ handed: 50_000, free: 50_000 });
    expect(await handBudgets(context)).toBe(0);
  });

  test('a play more expensive than a tranche gets its amount, and the last tranche ends at the budget', async () => {
    const campaign = await makeCampaign();
    await harness.authority.wantHand(campaign, 900_000);
    await handBudgets(context);
    expect((await readCampaign(campaign)).handed_micros).toBe(900_000);
    for (let i = 0; i < 4; i += 1) {
      await harness.authority.wantHand(campaign, 900_000);
      await handBudgets(context);
    }
    expect((await harness.authority.amounts(campaign)).handed).toBe(BUDGET);
  });

  test.each(['paused', 'finished', 'draft'])('a campaign that is %s gets nothing', async status => {
    const campaign = await makeCampaign({ status });
    await harness.authority.wantHand(campaign, COST);
    await handBudgets(context);
    expect((await readCampaign(campaign)).handed_micros).toBe(0);
  });

  test('a committed total unknown to the authority is sent again', async () => {
    const campaign = await makeCampaign();
    await harness.postgres.sql`update campaigns set handed_micros = 70000 where handle = ${campaign}`;
    await retellHanded(context);
    await retellHanded(context);
    expect(await harness.authority.amounts(campaign)).toMatchObject({ handed: 70_000, free: 70_000 });
  });
});

describe('hand-budgets for many', () => {
  test('hands over hundreds in one round, skips a locked row, and does not forget it', async () => {
    const campaigns: Handle<'campaign'>[] = [];
    for (let count = 0; count < 12; count += 1) campaigns.push(await makeCampaign());
    await harness.authority.wantHandAll(campaigns.map(campaign => ({ campaign, wantMicros: COST })));
    await harness.postgres.sql.begin(async tx => {
      await tx`select from campaigns where handle = ${campaigns[3]!} for update`;
      expect(await handBudgets(context)).toBe(11);
    });
    expect((await harness.authority.amounts(campaigns[3]!)).handed).toBe(0);
    expect(await handBudgets(context)).toBe(1);
    for (const campaign of campaigns) expect((await harness.authority.amounts(campaign)).handed).toBe(50_000);
  });
});

describe('a node that falls silent', () => {
  test('is fenced, and its money waits in doubt; its plays still count', async () => {
    const { authority, redis } = harness;
    const campaign = await makeCampaign();
    const epoch = 900;
    await authority.hand(campaign, 100_000);
    await authority.epochs.renew(epoch);
    await authority.grant(campaign, epoch, 1, 60_000);
    await fenceNodes(context);
    expect(await authority.amounts(campaign)).toMatchObject({ open: 60_000, inDoubt: 0 });
    await redis.set(CLOCK, 121_000);
    await fenceNodes(context);
    expect(await authority.amounts(campaign)).toMatchObject({ free: 40_000, open: 0, inDoubt: 60_000 });
    expect(await authority.epochs.closing()).toEqual([]);
    expect(
      await authority.count('fenced', campaign, [{ epoch, issueNumber: 1, reservationMicros: COST, costMicros: COST }]),
    ).toEqual(['counted']);
    await redis.del(CLOCK);
  });

  test('leaves no screen online for longer than a minute', async () => {
    const { sql } = harness.postgres;
    const [venue] = await sql<{ handle: number }[]>`
      insert into venues (workspace_handle, name, type, city, lat, lng, timezone, daily_visitors, dwell_minutes, created_at)
      values (${workspace}, 'v', 'entertainment.bars', 'Berlin', 52.5, 13.4, 'Europe/Berlin', 500, 30, now()) returning handle`;
    const screens = await sql<{ handle: number }[]>`
      insert into screens (workspace_handle, venue_handle, sandbox, created_at) select ${workspace}, ${venue!.handle}, false, now() from generate_series(1, 2) returning handle`;
    const [silent, heard] = screens.map(row => row.handle) as [number, number];
    await sql`insert into screen_presence values (${silent}, true, now() - interval '61 seconds'), (${heard}, true, now() - interval '45 seconds')`;
    await sweepPresence(context);
    expect(await sql`select screen_handle from screen_presence where online`).toEqual([{ screen_handle: heard }]);
  });
});

describe('lapse-plays', () => {
  test('commits the line in Postgres before Redis gets it, and releases plays that ended before as_of', async () => {
    const { authority, redis, postgres, playQueue } = harness;
    const campaign = await makeCampaign();
    await authority.hand(campaign, 100_000);
    await authority.grant(campaign, 901, 1, 60_000);
    const asOf = await playQueue.asOf();
    await authority.epochs.name(
      901,
      new Map([
        [
          campaign,
          [
            { issueNumber: 1, reservationMicros: COST, windowEndsAt: asOf - 1, plan: false },
            { issueNumber: 2, reservationMicros: COST, windowEndsAt: asOf + 3_600_000, plan: true },
          ],
        ],
      ]),
    );
    await lapsePlays(context);
    expect(await authority.amounts(campaign)).toMatchObject({ free: 40_000 + COST, open: 60_000 - COST });
    const [row] = await postgres.sql<{ line_ms: number }[]>`select line_ms from lapse_line`;
    expect(row!.line_ms).toBe(await authority.epochs.lapseLine());
    // A line that Postgres knows and Redis has lost is passed on again, whatever as_of says.
    await redis.del('{plays:0}:lapse:line');
    await postgres.sql`update lapse_line set line_ms = ${asOf + 1_800_000}`;
    await lapsePlays(context);
    expect(await authority.epochs.lapseLine()).toBe(asOf + 1_800_000);
    await postgres.sql`update lapse_line set line_ms = 0`;
    await redis.del('{plays:0}:lapse:line');
  });
});

describe('settle-spend', () => {
  test('counted plays are charged once, with two workers at once and after a crash before the Redis call', async () => {
    const campaign = await makeCampaign();
    await harness.authority.wantHand(campaign, 500_000);
    await handBudgets(context);
    await playOut(campaign, 's-1', { from: 1, count: 7 });
    await playOut(campaign, 's-2', { from: 100, count: 5 });
    const groups = await harness.playGroups.unsettled(100);
    await Promise.all([settleSpend(context), settleSpend(context)]);
    await harness.redis.zadd('{plays:0}:intake:plays:unsettled', ...groups.flatMap(group => [1, group]));
    expect(await settleSpend(context)).toBe(groups.length);
    expect(await harness.playGroups.unsettled(100)).toEqual([]);

    expect(await readCampaign(campaign)).toMatchObject({ charged_micros: 12 * COST, charged_plays: 12 });
    const { sql } = harness.postgres;
    expect(
      await sql`select sum(amount_micros)::bigint as amount, sum(plays)::bigint as plays from charges where campaign_handle = ${campaign}`,
    ).toEqual([{ amount: 12 * COST, plays: 12 }]);
    expect(
      await sql`select balance_micros from ledger_accounts where kind = 'reservation' and campaign_handle = ${campaign}`,
    ).toEqual([{ balance_micros: BUDGET - 12 * COST }]);
    expect(await sql`select balance_micros from ledger_accounts where kind = 'revenue'`).toEqual([
      { balance_micros: 12 * COST },
    ]);
    expect((await harness.authority.amounts(campaign)).spent).toBe(12 * COST);
  });

  test('late plays are not charged', async () => {
    const campaign = await makeCampaign();
    await harness.playQueue.add({
      id: 'late-1',
      plays: [reportOf(factsOf({ campaign, issueNumber: 3 }))],
      scans: [],
      releases: [],
    });
    await harness.drained(['late-1']);
    expect(await harness.rows(`select late from plays_raw where campaign_handle = ${campaign}`)).toEqual([
      { late: true },
    ]);
    await settleSpend(context);
    expect((await readCampaign(campaign)).charged_micros).toBe(0);
  });

  test('a group whose Postgres transaction failed is settled by the next round', async () => {
    const campaign = await makeCampaign();
    await harness.authority.hand(campaign, 100_000); // told, but not committed: the charge must not pass the check
    await playOut(campaign, 's-3', { from: 1, count: 2 });
    await expect(settleSpend(context)).rejects.toThrow('campaigns_check');
    expect((await readCampaign(campaign)).charged_micros).toBe(0);
    await harness.postgres.sql`update campaigns set handed_micros = 100000 where handle = ${campaign}`;
    await settleSpend(context);
    expect((await readCampaign(campaign)).charged_micros).toBe(2 * COST);
  });
});

describe('take-up-counts', () => {
  const began = Date.now();
  const counted = async (campaign: Handle<'campaign'>) => (await harness.authority.standing(campaign)).countedPlays;
  const amounts = (campaign: Handle<'campaign'>) => keysOf(campaign, harness.redis).amounts(campaign);
  /** Redis time stands still until the next call. */
  const at = (seconds: number) => harness.redis.set(CLOCK, `=${began + 1_000 * seconds}`);
  afterEach(() => harness.redis.del(CLOCK));

  test('a campaign without a stored count gets its number of charged plays once all counted plays are charged', async () => {
    await at(0);
    const campaign = await makeCampaign();
    await harness.authority.wantHand(campaign, 500_000);
    await handBudgets(context);
    await playOut(campaign, 't-1', { from: 1, count: 3 });
    await harness.redis.hdel(amounts(campaign), 'counted');
    expect(await counted(campaign)).toBeUndefined();
    await takeUpCounts(context);
    await at(5);
    await takeUpCounts(context); // not charged yet
    expect(await counted(campaign)).toBeUndefined();
    await settleSpend(context);
    await playOut(campaign, 't-2', { from: 10, count: 2 }); // counted since the first look
    await settleSpend(context);
    await takeUpCounts(context);
    expect(await counted(campaign)).toBeUndefined();
    await at(7);
    await takeUpCounts(context);
    expect(await counted(campaign)).toBe(5);
    await playOut(campaign, 't-3', { from: 20, count: 1 });
    expect(await counted(campaign)).toBe(6);
    await settleSpend(context);
  });

  test('a count below the charged plays is wrong, and is counted again', async () => {
    await at(10);
    const campaign = await makeCampaign();
    await harness.authority.wantHand(campaign, 500_000);
    await handBudgets(context);
    await playOut(campaign, 't-4', { from: 1, count: 3 });
    await settleSpend(context);
    await harness.redis.hincrby(amounts(campaign), 'counted', -1); // counted by a version that keeps no number
    await takeUpCounts(context);
    expect(await counted(campaign)).toBeUndefined();
    await at(12);
    await takeUpCounts(context);
    expect(await counted(campaign)).toBe(3);
  });
});

describe('finish-campaigns', () => {
  const DAY_MS = 86_400_000;
  const day = (offset: number): string => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);

  test('a schedule that has ended everywhere finishes the campaign once, with audit entry, change and event', async () => {
    const ended = await makeCampaign({ endsOn: day(-3) });
    const paused = await makeCampaign({ endsOn: day(-3), status: 'paused' });
    const today = await makeCampaign({ endsOn: day(0) });
    expect(await finishCampaigns(context)).toBe(2);
    expect(await finishCampaigns(context)).toBe(0);
    expect(await Promise.all([ended, paused, today].map(async handle => (await readCampaign(handle)).status))).toEqual([
      'finished',
      'finished',
      'live',
    ]);
    const { sql } = harness.postgres;
    expect(
      await sql`select action, diff from audit_entries where entity_handle = ${ended} and action = 'campaign.finished'`,
    ).toEqual([
      {
        action: 'campaign.finished',
        diff: { status: { from: 'live', to: 'finished' }, reason: { from: null, to: 'schedule_ended' } },
      },
    ]);
    expect(await sql`select payload from outbox where entity_handle = ${ended} and type = 'campaign.finished'`).toEqual(
      [
        {
          payload: {
            object: { id: formatId('campaign', ended), name: 'Campaign', status: 'finished', reason: 'schedule_ended' },
            previous: { status: 'live' },
          },
        },
      ],
    );
    expect(
      await sql`select count(*)::int as changes from change_log where entity = 'campaign' and handle = ${ended}`,
    ).toEqual([{ changes: 1 }]);
  });

  test.each([
    ['2026-03-02T13:59:59Z', {}, 0],
    ['2026-03-02T14:00:00Z', {}, 1],
    ['2026-03-02T14:00:00Z', { daypart: { start: '18:00', end: '24:00' } }, 1],
    ['2026-03-02T16:29:59Z', { daypart: { start: '22:00', end: '02:30' } }, 0],
    ['2026-03-02T16:30:00Z', { daypart: { start: '22:00', end: '02:30' } }, 1],
  ])('at %s a campaign that ends on 2026-03-01 with %j: %i finished', async (now, targets, expected) => {
    const campaign = await makeCampaign({ endsOn: '2026-03-01', targets });
    expect(await finishCampaigns({ ...context, now: () => new Date(now) })).toBe(expected);
    await harness.postgres.sql`update campaigns set status = 'finished' where handle = ${campaign}`;
  });

  test('a budget too small for one more play finishes the campaign; a sufficient one does not', async () => {
    const campaign = await makeCampaign();
    await harness.authority.wantHand(campaign, BUDGET);
    await handBudgets(context);
    await playOut(campaign, 'f-1', { from: 1, count: 199 });
    await settleSpend(context);
    expect(await finishCampaigns(context)).toBe(0);
    await playOut(campaign, 'f-2', { from: 500, count: 1 });
    await settleSpend(context);
    expect(await finishCampaigns(context)).toBe(1);
    expect(await readCampaign(campaign)).toMatchObject({ status: 'finished', charged_micros: BUDGET });
  });
});

describe('the schedule', () => {
  test('a job with a lock runs in one process at a time', async () => {
    let running = 0;
    let most = 0;
    const job = {
      name: 'test',
      everyMs: 1,
      lock: 99,
      run: async () => {
        most = Math.max(most, (running += 1));
        await harness.redis.ping();
        running -= 1;
        return 1;
      },
    };
    await Promise.all(Array.from({ length: 3 }, () => runOnce(job, context)));
    expect(most).toBe(1);
  });

  test('all jobs together carry a play from its report to the charge, and stop', async () => {
    const campaign = await makeCampaign();
    const playQueue = createPlayQueue({ redis: harness.redis });
    // As the service has it: a job holds one connection for its lock and one for its work.
    const sql = openPostgres(harness.postgres.url, {
      connectionsMax: 2 * JOBS.length,
      applicationName: 'marquee-test',
    });
    const jobs = startJobs(JOBS, { ...context, sql, playQueue });
    await harness.authority.wantHand(campaign, COST);
    await expect.poll(async () => (await harness.authority.amounts(campaign)).free, { timeout: 5_000 }).toBe(50_000);
    await playOut(campaign, 'all-1', { from: 1, count: 3 });
    await expect.poll(async () => (await readCampaign(campaign)).charged_micros, { timeout: 5_000 }).toBe(3 * COST);
    await jobs.stop();
    await playQueue.close();
    await sql.end({ timeout: 5 });
  });
});
