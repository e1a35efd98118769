/**
 * The review of campaigns by rules and by operators, and how money that was handed out comes back. The jobs and the
 * operator's functions run in this process on a real Postgres and Redis.
 */
import { jsonb } from '#sql/postgres.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { formatId, type Handle } from '../../domain/id.ts';
import { reserve, topUp } from '../../domain/money/ledger.ts';
import { createPlayGroups } from '../../ingest/queue/play-groups.ts';
import { createPlayQueue, type PlayQueue } from '../../ingest/queue/play-queue.ts';
import { createLog } from '../../runtime/log.ts';
import { createAuthority } from '#authority/authority.ts';
import { type Redis } from '../../sql/redis.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import { approveReview, rejectReview, setApproval } from '../../cli/admin/supply/reviews.ts';
import { reviewCampaigns } from '../../workers/campaigns/review-campaigns.ts';
import { takeBack } from '../../workers/budgets/take-back.ts';
import { finishCampaigns } from '../../workers/campaigns/finish-campaigns.ts';
import type { JobContext } from '../../workers/schedule.ts';
import { freshPostgres } from '../support/engines/databases.ts';
import { openFreshRedis } from '../support/engines/redis.ts';
import { handle } from '../support/handle.ts';
import { standIn } from '../support/stand-in.ts';

const BUDGET = 1_000_000;
let postgres: Awaited<ReturnType<typeof freshPostgres>>;
let redis: Redis;
let playQueue: PlayQueue;
let context: JobContext;
let workspace: Handle<'workspace'>;
let now: Date;

beforeAll(async () => {
  postgres = await freshPostgres();
  redis = await openFreshRedis();
  playQueue = createPlayQueue({ redis });
  context = {
    sql: postgres.sql,
    clickhouse: standIn({}),
    authority: createAuthority(redis),
    playQueue,
    playGroups: createPlayGroups({ redis }),
    plans: standIn({}),
    pool: standIn({}),
    log: createLog('test', 'silent'),
    now: () => now,
  };
  const [row] = await postgres.sql<
    { handle: Handle<'workspace'> }[]
  >`insert into workspaces (kind, name, currency, created_at) values ('brand', 'Brand', 'EUR', now()) returning handle`;
  workspace = row!.handle;
  await inUnitOfWork(postgres.sql, { actor: SYSTEM_ACTOR, now: new Date() }, unit =>
    unit.post(topUp({ book: 'live', currency: 'EUR', workspace, amountMicros: 100 * BUDGET, reference: 'fund' })),
  );
});
beforeEach(() => {
  now = new Date();
});
afterAll(async () => {
  await playQueue.close();
  redis.disconnect();
  await postgres.drop();
});

type Made = {
  status?: string;
  waitsFor?: string | null;
  category?: string;
  landingUrl?: string;
  targets?: object;
  creative?: string;
  sandbox?: boolean;
};

async function makeCampaign({
  status = 'pending_review',
  waitsFor = 'rules',
  category = 'travel_and_tourism',
  landingUrl = 'https://example.com/',
  targets = {},
  creative = 'ready',
  sandbox = false,
}: Made = {}): Promise<Handle<'campaign'>> {
  return inUnitOfWork(postgres.sql, { actor: SYSTEM_ACTOR, now }, async unit => {
    const [row] = await unit.tx<{ handle: Handle<'campaign'> }[]>`
      insert into campaigns (workspace_handle, name, category, status, review_waits_for, sandbox, currency, budget_micros, starts_on, ends_on, targets, landing_url, rate_micros, forecast, created_at)
      values (${workspace}, 'Campaign', ${category}, ${status}, ${status === 'pending_review' ? waitsFor : null}, ${sandbox}, 'EUR', ${BUDGET}, '2020-01-01', '2099-12-31', ${jsonb(unit.tx, targets)}, ${landingUrl}, 1000, '{}', now())
      returning handle`;
    const [made] = await unit.tx<{ handle: number }[]>`
      insert into creatives (workspace_handle, name, orientation, kind, duration_ms, filename, content_type, status, sandbox, created_at)
      values (${workspace}, 'Spot', 'landscape', 'video', 9000, 'a.mp4', 'video/mp4', ${creative}, ${sandbox}, now()) returning handle`;
    await unit.tx`insert into campaign_creatives (campaign_handle, creative_handle) values (${row!.handle}, ${made!.handle})`;
    if (!sandbox)
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

const read = async (handle: number) =>
  (
    await postgres.sql<
      { status: string; review_waits_for: string | null; rejection: unknown; ended_at: Date | null }[]
    >`
  select status, review_waits_for, rejection, ended_at from campaigns where handle = ${handle}`
  )[0]!;
const reservationOf = async (handle: number) =>
  (
    await postgres.sql<
      { micros: number }[]
    >`select balance_micros as micros from ledger_accounts where kind = 'reservation' and campaign_handle = ${handle}`
  )[0]!.micros;
const auditOf = (handle: number) =>
  postgres.sql<
    { action: string; actor_type: string; source: string }[]
  >`select action, actor_type, source from audit_entries where entity_type = 'campaign' and entity_handle = ${handle} order by handle`;

describe('review-campaigns', () => {
  test('a campaign within the rules goes live once with audit entry, event and change, with two workers', async () => {
    const campaign = await makeCampaign();
    const decided = await Promise.all([reviewCampaigns(context), reviewCampaigns(context)]);
    expect(decided[0] + decided[1]).toBe(1);
    expect(await read(campaign)).toMatchObject({ status: 'live', review_waits_for: null, ended_at: null });
    expect(await auditOf(campaign)).toEqual([{ action: 'campaign.approved', actor_type: 'system', source: 'SYSTEM' }]);
    expect(await postgres.sql`select type, payload from outbox where entity_handle = ${campaign}`).toEqual([
      {
        type: 'campaign.approved',
        payload: {
          object: { id: formatId('campaign', campaign), name: 'Campaign', status: 'live' },
          previous: { status: 'pending_review' },
        },
      },
    ]);
    expect(
      await postgres.sql`select count(*)::int as changes from change_log where entity = 'campaign' and handle = ${campaign}`,
    ).toEqual([{ changes: 1 }]);
    expect(await reservationOf(campaign)).toBe(BUDGET);
  });

  test('a campaign that goes live has money in the authority before delivery requests any', async () => {
    const campaign = await makeCampaign();
    const [none] = [await context.authority.amounts(campaign), await reviewCampaigns(context)];
    expect(none).toMatchObject({ handed: 0, free: 0 });
    expect(await context.authority.amounts(campaign)).toMatchObject({ handed: BUDGET / 20, free: BUDGET / 20 });
  });

  test.each<[string, Made, string]>([
    ['a prohibited category', { category: 'weapons_and_ammunition' }, 'prohibited_category'],
    ['a landing page that is no domain', { landingUrl: 'https://127.0.0.1/' }, 'landing_page'],
    ['creatives of another orientation', { targets: { orientations: ['portrait'] } }, 'creative_orientation'],
    ['a creative that was rejected', { creative: 'rejected' }, 'creative_not_ready'],
  ])('%s is rejected with its reason, and the budget goes back', async (_name, made, code) => {
    const campaign = await makeCampaign(made);
    await reviewCampaigns(context);
    expect(await read(campaign)).toMatchObject({
      status: 'rejected',
      review_waits_for: null,
      rejection: { code, detail: expect.any(String) },
    });
    expect(await reservationOf(campaign)).toBe(0);
    expect(await auditOf(campaign)).toMatchObject([{ action: 'campaign.rejected' }]);
  });

  test('campaigns waiting for an agency and deleted ones are skipped, and a sandbox campaign is recorded in the sandbox', async () => {
    const waiting = await makeCampaign({ waitsFor: 'agency' });
    const deleted = await makeCampaign();
    await postgres.sql`update campaigns set deleted_at = now() where handle = ${deleted}`;
    const sandbox = await makeCampaign({ sandbox: true });
    expect(await reviewCampaigns(context)).toBe(1);
    expect([(await read(waiting)).status, (await read(deleted)).status, (await read(sandbox)).status]).toEqual([
      'pending_review',
      'pending_review',
      'live',
    ]);
    await postgres.sql`update campaigns set deleted_at = now() where handle = ${waiting}`;
  });

  test('a pending file is waited for without a busy loop', async () => {
    const campaign = await makeCampaign({ creative: 'awaiting_upload' });
    expect([await reviewCampaigns(context), await reviewCampaigns(context)]).toEqual([0, 0]);
    await postgres.sql`update creatives set status = 'ready' where handle in (select creative_handle from campaign_creatives where campaign_handle = ${campaign})`;
    expect(await reviewCampaigns(context)).toBe(0);
    now = new Date(now.getTime() + 2_000);
    expect(await reviewCampaigns(context)).toBe(1);
    expect((await read(campaign)).status).toBe('live');
  });
});

describe('admin review', () => {
  test('a restricted category waits for an operator, who approves it', async () => {
    const campaign = await makeCampaign({ category: 'alcohol' });
    await reviewCampaigns(context);
    expect(await read(campaign)).toMatchObject({ status: 'pending_review', review_waits_for: 'operator' });
    expect(await reviewCampaigns(context)).toBe(0);
    expect(await approveReview(postgres.sql, now, campaign)).toEqual({
      id: formatId('campaign', campaign),
      status: 'live',
    });
    expect(await auditOf(campaign)).toEqual([{ action: 'campaign.approved', actor_type: 'operator', source: 'CLI' }]);
    await expect(approveReview(postgres.sql, now, campaign)).rejects.toThrow('has no move approve');
  });

  test('an operator rejects in review and afterwards; money that is out returns when it is freed', async () => {
    const campaign = await makeCampaign();
    await reviewCampaigns(context);
    await postgres.sql`update campaigns set handed_micros = 300000 where handle = ${campaign}`;
    await context.authority.hand(campaign, 300_000);
    await context.authority.grant(campaign, 1, 1, 100_000);
    expect(await rejectReview(postgres.sql, now, { campaign, reason: 'misleading' })).toMatchObject({
      status: 'rejected',
      rejection: { code: 'misleading' },
    });
    expect(await reservationOf(campaign)).toBe(300_000);
    await takeBack(context);
    expect(await reservationOf(campaign)).toBe(100_000);
    await context.authority.giveBack(campaign, 1, 1, 100_000);
    await takeBack(context);
    expect(await reservationOf(campaign)).toBe(0);
    await expect(rejectReview(postgres.sql, now, { campaign })).rejects.toThrow('has no move reject');
    await expect(approveReview(postgres.sql, now, handle('campaign', 999_999))).rejects.toThrow('There is no campaign');
  });

  test('approval by the agency is set, recorded once, and removed again', async () => {
    for (const approval of ['agency', 'agency', 'inherit'] as const)
      await setApproval(postgres.sql, now, { workspace, approval });
    const entries =
      await postgres.sql`select diff from audit_entries where action = 'workspace.updated' order by handle`;
    expect(entries).toEqual([
      { diff: { approval: { from: 'inherit', to: 'agency' } } },
      { diff: { approval: { from: 'agency', to: 'inherit' } } },
    ]);
  });
});

describe('take-back', () => {
  test('a committed total unknown to the authority is sent first, so that the money can come back', async () => {
    const campaign = await makeCampaign();
    await postgres.sql`update campaigns set handed_micros = 200000 where handle = ${campaign}`;
    await rejectReview(postgres.sql, now, { campaign });
    expect(await reservationOf(campaign)).toBe(200_000);
    await takeBack(context);
    expect(await reservationOf(campaign)).toBe(0);
    expect(await context.authority.amounts(campaign)).toEqual({
      handed: 200_000,
      free: 0,
      open: 0,
      inDoubt: 0,
      spent: 0,
      returned: 200_000,
    });
  });

  test('a refund posted before a crash is not posted again', async () => {
    const campaign = await makeCampaign();
    await postgres.sql`update campaigns set handed_micros = 200000 where handle = ${campaign}`;
    await rejectReview(postgres.sql, now, { campaign });
    await Promise.all([takeBack(context), takeBack(context), takeBack(context)]);
    expect(
      await postgres.sql`select count(*)::int as n from ledger_transactions where reference = ${`campaign ${campaign} returned 200000`}`,
    ).toEqual([{ n: 1 }]);
    expect(await reservationOf(campaign)).toBe(0);
  });

  test('a finished campaign returns the rest that buys no play', async () => {
    const campaign = await makeCampaign({ status: 'live' });
    await postgres.sql`update campaigns set ends_on = '2020-01-02', handed_micros = 5000 where handle = ${campaign}`;
    expect(await finishCampaigns(context)).toBe(1);
    expect(await reservationOf(campaign)).toBe(5_000);
    await takeBack(context);
    expect(await reservationOf(campaign)).toBe(0);
    expect(await read(campaign)).toMatchObject({ status: 'finished', ended_at: now });
  });
});
