/**
 * Plays from the queue to their rows: counted once, charged once, and kept for a human where they are no plays. Real
 * Redis and ClickHouse, with a worker of ingest in this process.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Handle } from '../../domain/id.ts';
import { createGroups } from '../../ingest/groups.ts';
import { streamKeys } from '../../ingest/queue/stream-keys.ts';
import { handle } from '../support/handle.ts';
import { openHarness, silentLog, type Harness } from './harness.ts';
import { factsOf, playIdOf, reportOf, SLOT_AT } from './reports.ts';

const COST = 5_000; // of every play here: 1,000 micros x 5 impressions

let harness: Harness;
let worker: { close(): Promise<void> };

beforeAll(async () => {
  harness = await openHarness();
  worker = await harness.startWorker();
});
afterAll(() => harness.close());

async function lease(campaign: Handle<'campaign'>, epoch: number, micros: number): Promise<void> {
  await harness.authority.hand(campaign, micros);
  await harness.authority.grant(campaign, epoch, 1, micros);
}

describe('ingest', () => {
  test('a play becomes one row and one line of the rollup, and its cost is spent', async () => {
    await lease(handle('campaign', 101), 1, 100_000);
    const facts = factsOf({ campaign: handle('campaign', 101) });
    await harness.playQueue.add({
      id: 'a-1',
      plays: [reportOf(facts, { playedMs: 15_123, audience: 3 })],
      scans: [],
      releases: [],
    });
    await harness.drained(['a-1']);
    const rows = await harness.rows<Record<string, unknown>>('select * from plays_raw where campaign_handle = 101');
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      slot_at: new Date(SLOT_AT).toISOString(),
      received_at: new Date(SLOT_AT + 16_000).toISOString(),
      played_ms: 15_123,
      audience: 3,
      late: false,
      sandbox: false,
      impressions_thousandths: 5_000,
      rate_micros: 1_000,
      cost_micros: COST,
      job_id: 'a-1',
    });
    expect(
      await harness.rows(
        'select sum(plays) as plays, sum(cost_micros) as cost from plays_quarter_hour where campaign_id = (select any(campaign_id) from plays_raw where campaign_handle = 101)',
      ),
    ).toEqual([{ plays: 1, cost: COST }]);
    expect(await harness.authority.amounts(handle('campaign', 101))).toEqual({
      handed: 100_000,
      free: 0,
      open: 95_000,
      inDoubt: 0,
      spent: COST,
      returned: 0,
    });
  });

  test('the same play in two batches at once is counted once', async () => {
    await lease(handle('campaign', 102), 1, 100_000);
    const reports = Array.from({ length: 20 }, (_, i) =>
      reportOf(factsOf({ campaign: handle('campaign', 102), issueNumber: i })),
    );
    const ids = Array.from({ length: 6 }, (_, i) => `b-${i}`);
    await Promise.all(
      ids.map(id =>
        harness.playQueue.add({ id, plays: [...reports, ...reports.slice(0, 3)], scans: [], releases: [] }),
      ),
    );
    await harness.drained(ids);
    expect(
      await harness.rows(
        'select count() as rows, uniqExact(issue_number) as plays from plays_raw where campaign_handle = 102',
      ),
    ).toEqual([{ rows: 20, plays: 20 }]);
    expect((await harness.authority.amounts(handle('campaign', 102))).spent).toBe(20 * COST);
  });

  test('a batch added twice is one batch', async () => {
    await lease(handle('campaign', 103), 1, 100_000);
    const batch = {
      id: 'c-1',
      plays: [reportOf(factsOf({ campaign: handle('campaign', 103) }))],
      scans: [],
      releases: [],
    };
    const first = await harness.playQueue.add(batch);
    await harness.drained(['c-1']);
    expect(await harness.playQueue.add(batch)).toEqual(first);
    expect(await harness.playQueue.asOf()).toBeGreaterThan(first.addedAt);
    expect(await harness.playQueue.completed(['c-1', 'c-2'])).toEqual({
      done: ['c-1'],
      passed: ['c-1'],
      missing: ['c-2'],
    });
  });

  test('a release frees its reservation, and a play reported afterwards is stored as late and not charged', async () => {
    await lease(handle('campaign', 104), 1, 100_000);
    const facts = factsOf({ campaign: handle('campaign', 104), issueNumber: 9 });
    await harness.playQueue.add({ id: 'd-1', plays: [], scans: [], releases: [{ playId: playIdOf(facts) }] });
    await expect
      .poll(async () => (await harness.authority.amounts(handle('campaign', 104))).free, { timeout: 5_000 })
      .toBe(COST);
    await harness.playQueue.add({ id: 'd-2', plays: [reportOf(facts)], scans: [], releases: [] });
    await harness.drained(['d-2']);
    expect(await harness.rows('select late, cost_micros from plays_raw where campaign_handle = 104')).toEqual([
      { late: true, cost_micros: 0 },
    ]);
    expect((await harness.authority.amounts(handle('campaign', 104))).spent).toBe(0);
  });

  test('a play whose window has passed is late, and its reservation is free again', async () => {
    await lease(handle('campaign', 105), 1, 100_000);
    const startsAt = Date.now() - 49 * 3_600_000;
    const facts = factsOf({ campaign: handle('campaign', 105), startsAt });
    const plan = factsOf({ campaign: handle('campaign', 105), startsAt, plan: true, issueNumber: 2 });
    await harness.playQueue.add({ id: 'e-1', plays: [reportOf(facts), reportOf(plan)], scans: [], releases: [] });
    await harness.drained(['e-1']);
    expect(
      await harness.rows('select issue_number, late from plays_raw where campaign_handle = 105 order by issue_number'),
    ).toEqual([
      { issue_number: 1, late: true },
      { issue_number: 2, late: false },
    ]);
    expect(await harness.authority.amounts(handle('campaign', 105))).toMatchObject({
      free: COST,
      spent: COST,
      open: 90_000,
    });
  });

  test('a forged play, a play of another screen and an unreadable release become dead letters; the rest of the batch counts', async () => {
    await lease(handle('campaign', 106), 1, 100_000);
    const facts = factsOf({ campaign: handle('campaign', 106) });
    const forged = { ...reportOf(facts), playId: `${playIdOf(facts).slice(0, -2)}AA` };
    const stolen = reportOf({ ...facts, issueNumber: 2 }, { screen: handle('screen', 999) });
    const said = vi.spyOn(silentLog, 'warn');
    await harness.playQueue.add({
      id: 'f-1',
      plays: [forged, stolen, reportOf({ ...facts, issueNumber: 3 })],
      scans: [],
      releases: [{ playId: 'x' }],
    });
    await harness.drained(['f-1']);
    expect(
      await harness.postgres
        .sql`select kind, position, step, reason from dead_letters where job_id = 'f-1' order by kind, position`,
    ).toEqual([
      { kind: 'play', position: 0, step: 'verify', reason: 'bad_signature' },
      { kind: 'play', position: 1, step: 'verify', reason: 'other_screen' },
      { kind: 'release', position: 0, step: 'verify', reason: 'bad_signature' },
    ]);
    expect(await harness.rows('select count() as rows from plays_raw where campaign_handle = 106')).toEqual([
      { rows: 1 },
    ]);
    expect(said).toHaveBeenCalledWith(
      expect.objectContaining({
        batch: 'f-1',
        group: expect.stringMatching(/^g/),
        play_id: forged.playId,
        step: 'verify',
        reason: 'bad_signature',
      }),
      'an event became a dead letter',
    );
    said.mockRestore();
  });

  test('a scan is stored once, whatever its text contains, and a subscribed workspace gets one event', async () => {
    const { sql } = harness.postgres;
    const [workspace] = await sql<{ handle: number }[]>`
      insert into workspaces (kind, name, currency, created_at) values ('brand', 'w', 'EUR', now()) returning handle`;
    const [campaign] = await sql<{ handle: Handle<'campaign'> }[]>`
      insert into campaigns (workspace_handle, name, category, status, sandbox, currency, budget_micros, starts_on,
        ends_on, targets, rate_micros, forecast, created_at)
      values (${workspace!.handle}, 'c', 'travel', 'draft', false, 'EUR', 1, '2026-01-01', '2026-12-31', '{}', 1, '{}',
        now())
      returning handle`;
    await sql`
      insert into webhooks (workspace_handle, sandbox, surface, url, events, secret, created_at)
      values (${workspace!.handle}, false, 'ads_manager', 'https://example.com/', '{scan.recorded}', 'sealed', now())`;
    const scan = {
      scanId: 's\t1\\\n',
      campaign: campaign!.handle,
      creative: handle('creative', 2),
      screen: handle('screen', 3),
      venue: handle('venue', 4),
      slotAt: SLOT_AT,
      scannedAt: SLOT_AT + 5_000,
      daypart: 'midday',
      sandbox: false,
    };
    await harness.playQueue.add({ id: 'g-1', plays: [], scans: [scan, scan], releases: [] });
    await harness.drained(['g-1']);
    expect(await harness.rows("select scan_id, daypart from scans_raw where daypart = 'midday'")).toEqual([
      { scan_id: 's\t1\\\n', daypart: 'midday' },
    ]);
    expect(await sql`select type, source_key from outbox`).toEqual([{ type: 'scan.recorded', source_key: 's\t1\\\n' }]);
  });

  test('pending batches become one group and one insert', async () => {
    await worker.close();
    for (const id of ['i-1', 'i-2', 'i-3']) await harness.playQueue.add({ id, plays: [], scans: [], releases: [] });
    worker = await harness.startWorker();
    await harness.drained(['i-1', 'i-2', 'i-3']);
    const groups = await Promise.all(
      ['i-1', 'i-2', 'i-3'].map(id => harness.redis.hget(`{plays:0}:plays:${id}`, 'group')),
    );
    expect(new Set(groups).size).toBe(1);
  });

  test('a batch taken before the authority went down continues when it is back, and is not taken again', async () => {
    const { redis, playQueue } = harness;
    const said = vi.spyOn(silentLog, 'warn');
    const life = (await redis.hget('{plays:0}:authority', 'life'))!;
    await redis.hset('{plays:0}:authority', 'life', 'another run');
    await playQueue.add({ id: 'l-1', plays: [], scans: [], releases: [] });
    await vi.waitUntil(
      () => said.mock.calls.some(([, message]) => message === 'jobs cannot be joined into groups yet'),
      { timeout: 10_000 },
    );
    await redis.hset('{plays:0}:authority', 'life', life);
    await harness.drained(['l-1']);
    expect(await redis.hmget('{plays:0}:plays:l-1', 'ats', 'stc')).toEqual(['1', null]); // taken once, never stalled
    said.mockRestore();
  });

  test('a batch that was complete when a rebuild forgot its group leaves the queue', async () => {
    await worker.close();
    const { redis, playQueue, playGroups } = harness;
    await playQueue.add({ id: 'm-1', plays: [], scans: [], releases: [] });
    // A process that took it died between the two ends: ours, and that of BullMQ.
    await redis.lmove('{plays:0}:plays:wait', '{plays:0}:plays:active', 'RIGHT', 'LEFT');
    const groups = createGroups(redis, streamKeys('plays', 0));
    const [group] = await groups.form(['m-1']);
    await groups.finish(group!.name, { jobsWithDuplicates: [], releases: [], settle: false });
    await playGroups.forgetAll({ written: [], unsettled: [] });
    worker = await harness.startWorker();
    await vi.waitUntil(async () => (await redis.zscore('{plays:0}:plays:completed', 'm-1')) !== null, {
      timeout: 10_000,
    });
    expect(await redis.llen('{plays:0}:plays:active')).toBe(0);
  });

  test('an empty batch completes', async () => {
    await harness.playQueue.add({ id: 'h-1', plays: [], scans: [], releases: [] });
    await harness.drained(['h-1']);
    expect((await harness.playQueue.completed(['h-1'])).done).toEqual(['h-1']);
  });

  test('nothing is left at the end: no payload, no pending line, no failed job', async () => {
    await worker.close();
    expect(await harness.redis.zcard('{plays:0}:intake:plays:pending')).toBe(0);
    expect(await harness.redis.zcard('{plays:0}:intake:plays:grouped')).toBe(0);
    expect(await harness.redis.hget('{plays:0}:plays:a-1', 'data')).toBe('{"events":0,"payload":""}');
    expect(await harness.redis.zcard('{plays:0}:plays:failed')).toBe(0);
    expect(await harness.redis.keys('*:answers:*')).toEqual([]);
  });

  test.each(['a b', 'a:b', '', 'x'.repeat(101)])('a batch named %j is refused before it reaches Redis', async id => {
    await expect(harness.playQueue.add({ id, plays: [], scans: [], releases: [] })).rejects.toThrow(RangeError);
  });
});
