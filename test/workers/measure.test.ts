/**
 * The gauges that the workers measure (backlogs, ages, freshness) and the hourly check of the books. The jobs run in
 * this process, one round at a time, on the real engines of the ingest harness.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { topUp } from '#domain/money/ledger.ts';
import { openRedis, redisReady } from '#sql/redis.ts';
import { raiseFinding } from '#sql/findings/findings.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import type { Handle } from '../../domain/id.ts';
import { registry } from '../../runtime/metrics.ts';
import { measureJobs } from '../../workers/upkeep/measure.ts';
import { verifyJob } from '../../workers/upkeep/verify-invariants.ts';
import { runOnce, takeTurn, type JobContext } from '../../workers/schedule.ts';
import { openHarness, silentLog, type Harness } from '../ingest/harness.ts';
import { factsOf, reportOf } from '../ingest/reports.ts';
import { handle } from '../support/handle.ts';
import { standIn } from '../support/stand-in.ts';

let harness: Harness;
let context: JobContext;
const HOUR_MS = 3_600_000;

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
});
afterAll(() => harness.close());

async function measure(what: 'freshness' | 'backlog' | 'books'): Promise<void> {
  await measureJobs(harness.redis)
    .find(job => job.name === `measure-${what}`)!
    .run(context);
}

async function valueOf(name: string, labels: Record<string, string> = {}): Promise<number> {
  const { values } = await registry.getSingleMetric(name)!.get();
  return values.find(value => Object.entries(labels).every(([label, text]) => value.labels[label] === text))!.value;
}

describe('the metrics of the workers', () => {
  test('are zero, with an age of zero, while nothing waits', async () => {
    await Promise.all([measure('freshness'), measure('backlog'), measure('books')]);
    for (const name of [
      'workers_queue_pending_batches',
      'workers_as_of_waits_for',
      'workers_unsettled_groups',
      'workers_unsettled_seconds',
      'workers_outbox_events',
      'workers_outbox_seconds',
      'workers_webhook_endpoints_due',
      'workers_webhook_due_seconds',
      'workers_uploads_waiting',
      'workers_uploads_waiting_seconds',
      'workers_dead_letters_waiting',
      'workers_overspent_campaigns',
      'workers_findings_open',
      'workers_findings_open_seconds',
      'workers_payment_cases_open_seconds',
    ]) {
      expect([name, await valueOf(name)]).toEqual([name, 0]);
    }
    expect(await valueOf('workers_redis_used_bytes')).toBeGreaterThan(100_000);
    expect(await valueOf('workers_redis_max_bytes')).toBeGreaterThan(await valueOf('workers_redis_used_bytes'));
    expect(await valueOf('workers_clickhouse_disk_free_ratio')).toBeGreaterThan(0);
    for (const what of ['freshness', 'backlog', 'books'])
      expect(Math.abs((await valueOf('workers_measured_at_seconds', { what })) - Date.now() / 1_000)).toBeLessThan(60);
  });

  test('count the batches that wait for ingest, and the groups that wait for their charge', async () => {
    await harness.authority.hand(handle('campaign', 1), 100_000);
    await harness.authority.grant(handle('campaign', 1), 1, 1, 100_000);
    await harness.playQueue.add({
      id: 'w-1',
      plays: [reportOf(factsOf({ campaign: handle('campaign', 1) }))],
      scans: [],
      releases: [],
    });
    await new Promise(resolve => {
      setTimeout(resolve, 20);
    }); // so that its age is seen
    await measure('backlog');
    await measure('freshness');
    expect(await valueOf('workers_queue_pending_batches', { queue: 'plays' })).toBe(1);
    expect(await valueOf('workers_freshness_seconds')).toBeGreaterThanOrEqual(0.02);
    await harness.startWorker();
    await harness.drained(['w-1']);
    await measure('backlog');
    expect(await valueOf('workers_queue_pending_batches', { queue: 'plays' })).toBe(0);
    expect(await valueOf('workers_unsettled_groups')).toBe(1);
    expect(await valueOf('workers_unsettled_seconds')).toBeGreaterThan(0);
    await harness.redis.zadd('{plays:0}:plays:failed', 1, 'x');
    await measure('backlog');
    expect(await valueOf('workers_queue_failed_batches', { queue: 'plays' })).toBe(1);
    await harness.redis.del('{plays:0}:plays:failed');
  });

  test('count the waiting events, deliveries, uploads and dead letters, with the age of the oldest', async () => {
    const { sql } = context;
    const [workspace] = await sql<
      { handle: number }[]
    >`insert into workspaces (kind, name, currency, created_at) values ('brand', 'Brand', 'EUR', now()) returning handle`;
    await sql`insert into outbox (workspace_handle, type, entity_type, entity_handle, payload, created_at) select ${workspace!.handle}, 'campaign.live', 'campaign', 1, '{}', now() - make_interval(secs => 100 - n) from generate_series(0, 4) as n`;
    await sql`
      insert into webhook_deliveries (webhook_handle, outbox_handle, next_at, created_at) values
        (7, 1, '-infinity', now() - interval '50 s'), (7, 2, '-infinity', now() - interval '10 s'), (8, 1, now() - interval '30 s', now() - interval '1 day'), (9, 1, now() + interval '1 h', now() - interval '1 day')`;
    await sql`
      insert into creatives (workspace_handle, name, orientation, kind, duration_ms, filename, content_type, status, sandbox, uploaded_at, created_at)
      select ${workspace!.handle}, 'A', 'landscape', 'still', 6000, 'a.png', 'image/png', 'awaiting_upload', false, case when n < 2 then now() - make_interval(secs => 70) end, now() from generate_series(0, 2) as n`;
    await sql`insert into dead_letters (job_id, kind, position, step, reason, payload, created_at) values ('l', 'play', 0, 'verify', 'bad_signature', '{}', now())`;
    await measure('backlog');
    const measured = await Promise.all(
      [
        'workers_outbox_events',
        'workers_webhook_endpoints_due',
        'workers_uploads_waiting',
        'workers_dead_letters_waiting',
      ].map(name => valueOf(name)),
    );
    expect(measured).toEqual([5, 2, 2, 1]);
    const [outbox, webhooks, uploads] = await Promise.all(
      ['workers_outbox_seconds', 'workers_webhook_due_seconds', 'workers_uploads_waiting_seconds'].map(name =>
        valueOf(name),
      ),
    );
    expect(outbox).toBeGreaterThanOrEqual(100);
    expect(webhooks).toBeGreaterThanOrEqual(50);
    expect(webhooks).toBeLessThan(86_400); // a retry waits since it is due, not since its event
    expect(uploads).toBeGreaterThanOrEqual(70);
  });

  test('show freshness growing with the clock while it cannot be measured', async () => {
    const asOf = () => Promise.reject(new Error('Redis is away'));
    const job = measureJobs(harness.redis).find(({ name }) => name === 'measure-freshness')!;
    await expect(job.run({ ...context, playQueue: { ...harness.playQueue, asOf } })).rejects.toThrow('Redis is away');
    const before = await valueOf('workers_freshness_seconds');
    await new Promise(resolve => {
      setTimeout(resolve, 20);
    });
    expect(await valueOf('workers_freshness_seconds')).toBeGreaterThan(before);
    await measure('freshness');
    const known = await valueOf('workers_freshness_seconds');
    await new Promise(resolve => {
      setTimeout(resolve, 20);
    });
    expect(await valueOf('workers_freshness_seconds')).toBe(known);
  });
});

describe('the hourly check', () => {
  test('runs once an hour in any number of processes, and is reported with its breaches', async () => {
    const redis = openRedis(harness.redisUrl, { role: 'commands' });
    await redisReady(redis);
    const { job } = verifyJob({ redis, clickhouseUrl: harness.clickhouse.url });
    expect(await runOnce(job, context)).toBe(1);
    expect(await runOnce(job, context)).toBe(0);
    const [workspace] = await context.sql<
      { handle: Handle<'workspace'> }[]
    >`select handle from workspaces order by handle desc limit 1`;
    await inUnitOfWork(context.sql, { actor: SYSTEM_ACTOR, now: new Date() }, unit =>
      unit.post(
        topUp({ book: 'live', currency: 'EUR', workspace: workspace!.handle, amountMicros: 100, reference: 'fund' }),
      ),
    );
    await context.sql`update ledger_accounts set balance_micros = balance_micros + 1 where workspace_handle = ${workspace!.handle}`;
    const later = { ...context, now: () => new Date(Date.now() + HOUR_MS + 1) };
    expect(await runOnce(job, later)).toBe(1);
    const rows = await context.sql<
      { breaches: number; report: { breaches: object[]; unchecked: string[] } }[]
    >`select breaches, report from verifications order by began_at`;
    expect(rows.map(row => row.breaches)).toEqual(rows.map(row => row.report.breaches.length));
    expect(rows[1]!.report.breaches).toContainEqual(expect.objectContaining({ invariant: 'ledger' }));
    expect(rows[0]!.report.breaches).not.toContainEqual(expect.objectContaining({ invariant: 'ledger' }));
    await measure('books');
    expect(await valueOf('workers_verify_breaches')).toBe(rows[1]!.breaches);
    expect(await valueOf('workers_verified_at_seconds')).toBeGreaterThan(Date.now() / 1_000);
    redis.disconnect();
  });

  test('is reported with the findings that wait for a decision', async () => {
    const [venue] = await context.sql<{ venue: Handle<'venue'>; workspace: Handle<'workspace'> }[]>`
      with w as (insert into workspaces (kind, name, currency, created_at) values ('venue', 'Bar', 'EUR', now()) returning handle)
      insert into venues (workspace_handle, name, type, city, lat, lng, timezone, daily_visitors, dwell_minutes, sandbox, created_at)
      select handle, 'Bar', 'entertainment.bars', 'Berlin', 52, 13, 'Europe/Berlin', 100, 30, false, now() from w returning handle as venue, workspace_handle as workspace`;
    const [toAt, raisedAt] = [new Date(), new Date(Date.now() - 2 * HOUR_MS)];
    await context.sql.begin(tx =>
      raiseFinding(
        tx,
        { ...venue!, rule: 'pace', ruleVersion: 1, screen: null, fromAt: new Date(0), toAt, evidence: {} },
        raisedAt,
      ),
    );
    await measure('books');
    expect(await valueOf('workers_findings_open')).toBe(1);
    expect(await valueOf('workers_findings_open_seconds')).toBeCloseTo(2 * 3_600, -2);
  });

  test('is reported with the payments that wait for the operator, not with unpaid ones', async () => {
    await measure('books');
    expect(await valueOf('workers_payment_cases_open_seconds')).toBe(0);
    await context.sql`
      insert into payment_cases (kind, object_id, currency, amount_micros, status, created_at)
      values ('refund', 're_1', 'EUR', 1, 'waiting', now() - interval '9 hours'), ('dispute', 'dp_1', 'EUR', 1, 'open', now() - interval '3 hours')`;
    await measure('books');
    expect(await valueOf('workers_payment_cases_open_seconds')).toBeCloseTo(3 * 3_600, -2);
  });

  test('is abandoned at a drain, and leaves no report', async () => {
    const before = await context.sql`select 1 from verifications`;
    const { job, stop } = verifyJob({ redis: harness.redis, clickhouseUrl: harness.clickhouse.url, everyMs: 0 });
    stop();
    expect(await runOnce(job, context)).toBe(0);
    expect((await context.sql`select 1 from verifications`).length).toBe(before.length);
  });

  test('is skipped while another process runs it', async () => {
    const connection = await context.sql.reserve();
    await connection`select pg_advisory_lock(7265002, 95)`;
    const { job } = verifyJob({ redis: harness.redis, clickhouseUrl: harness.clickhouse.url, everyMs: 0 });
    expect(await takeTurn(job, context)).toBeUndefined();
    await connection`select pg_advisory_unlock(7265002, 95)`;
    connection.release();
  });
});
