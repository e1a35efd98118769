/**
 * Each night the workers find out what was delivered the day before beside the most that could have been. The job and
 * the API run in this process on real engines, with a day's decisions and plays written into ClickHouse.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatId, parseId, type Handle } from '../../domain/id.ts';
import type { NoFillReason } from '../../domain/plays/decision.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import { registry } from '../../runtime/metrics.ts';
import { measureDay } from '../../workers/hindsight/day-gauges.ts';
import { lookBackJob } from '../../workers/hindsight/look-back.ts';
import { openPool, type Pool } from '../../workers/pool.ts';
import { runOnce } from '../../workers/schedule.ts';
import { createKey, createWorkspace, startApi, VENUE, type TestApi } from '../api/support/app-under-test.ts';
import { rowsOf } from '../api/support/answer.ts';
import { handle } from '../support/handle.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** What a play costs here. */
const PLAY = 10_000;

let api: TestApi;
let pool: Pool;
let operator: string;
let brand: Handle<'workspace'>;
let venue: Handle<'venue'>;
let screen: Handle<'screen'>;
/** The day that is looked at. */
const dayMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
const day = new Date(dayMs).toISOString().slice(0, 10);

beforeAll(async () => {
  api = await startApi();
  pool = openPool();
  api.clock.offsetMs = dayMs + DAY_MS + 20 * 60_000 - Date.now();
  operator = await createKey(api, await createWorkspace(api, { kind: 'operator' }), {
    surface: 'operator',
    expiresAt: new Date(api.clock.now() + 30 * DAY_MS),
  });
  brand = (await createWorkspace(api, { kind: 'brand' })).handle;
  const house = await createWorkspace(api, { kind: 'venue' });
  const key = await createKey(api, house, { surface: 'screen_manager' });
  const { body } = await api.call('POST', '/v1/venues', { key, body: { ...VENUE, timezone: 'UTC' } });
  venue = parseId('venue', body['id']!)!;
  const [row] = await api.sql<
    { handle: Handle<'screen'> }[]
  >`insert into screens (workspace_handle, venue_handle, label, ad_ratio, sandbox, created_at)
    values (${house.handle}, ${venue}, 'Wall', 0.5, false, now()) returning handle`;
  screen = row!.handle;
});
afterAll(async () => {
  await pool.close();
  await api.close();
});

/** A campaign of this one day that is to get so many plays. */
async function book(plays: number, pacedFromMs: number): Promise<Handle<'campaign'>> {
  const at = new Date(pacedFromMs);
  const [creative] = await api.sql<{ handle: Handle<'creative'> }[]>`
    insert into creatives (workspace_handle, name, orientation, kind, duration_ms, filename, content_type, status, sandbox,
      sha256, bytes, created_at) values (${brand}, 'c', 'landscape', 'still', 6000, 'a.png', 'image/png', 'ready', false,
      md5(random()::text) || md5(random()::text), 1, ${at}) returning handle`;
  const [campaign] = await api.sql<{ handle: Handle<'campaign'> }[]>`
    insert into campaigns (workspace_handle, name, category, status, sandbox, currency, budget_micros, starts_on, ends_on,
      targets, rate_micros, forecast, created_at, paced_from)
    values (${brand}, 'c', 'technology', 'live', false, 'EUR', ${plays * PLAY}, ${day}, ${day},
      '{"cities": [], "venue_types": [], "areas": []}', 5000, '{}', ${at}, ${at}) returning handle`;
  await api.sql`insert into campaign_creatives (campaign_handle, creative_handle)
    values (${campaign!.handle}, ${creative!.handle})`;
  return campaign!.handle;
}

let issued = 0;
async function played(campaign: Handle<'campaign'>, hour: number, plays: number): Promise<void> {
  const slotAt = dayMs + hour * HOUR_MS;
  const rows = Array.from({ length: plays }, (_, number) => ({
    played_at: slotAt + number * 15_000,
    slot_at: slotAt + number * 15_000,
    received_at: slotAt + number * 15_000 + 20_000,
    campaign_id: formatId('campaign', campaign),
    creative_id: formatId('creative', handle('creative', 1)),
    screen_id: formatId('screen', screen),
    venue_id: formatId('venue', venue),
    campaign_handle: campaign,
    epoch: 1,
    issue_number: ++issued,
    played_ms: 6_000,
    impressions_thousandths: 2_000,
    rate_micros: 5_000,
    cost_micros: PLAY,
    group_id: 'g',
    job_id: 'j',
  }));
  await api.clickhouse.insert({ table: 'plays_raw', values: rows, format: 'JSONEachRow' });
  await api.sql`update campaigns set handed_micros = budget_micros, charged_micros = charged_micros + ${plays * PLAY},
    charged_plays = charged_plays + ${plays} where handle = ${campaign}`;
  await decided(hour, '', plays);
}

let numbered = 0;
type Decided = { times?: number; offline?: boolean };
async function decided(
  hour: number,
  reason: NoFillReason | '',
  slots: number,
  { times = 1, offline = false }: Decided = {},
): Promise<void> {
  const first = dayMs + hour * HOUR_MS + numbered * 1_000;
  const rows = Array.from({ length: slots * times }, (_, number) => {
    const startsAt = first + (number % slots) * 1_000;
    return {
      decided_at: startsAt - 10_000,
      starts_at: startsAt,
      screen_id: formatId('screen', screen),
      reason,
      max_duration_ms: 15_000,
      offline_plan: offline,
      node_epoch: 1,
      number: ++numbered,
    };
  });
  await api.clickhouse.insert({ table: 'decisions', values: rows, format: 'JSONEachRow' });
}

const job = () => lookBackJob({ clickhouseUrl: api.engines.clickhouseUrl }).job;
const lookBack = () => runOnce(job(), { ...api.workers, pool });
const days = async () =>
  rowsOf<{ looked_at: string }>((await api.call('GET', '/v1/operator/hindsight', { key: operator })).body['days']);

test('yesterday is split into what was delivered, idle, capped and booked too late', async () => {
  const early = await book(10, dayMs - DAY_MS);
  await played(early, 10, 6);
  await decided(10, 'paced_out', 2, { times: 2 }); // asked for twice, as after a reconnection
  await decided(10, 'frequency', 3);
  await decided(10, 'ad_ratio', 50);
  await decided(10, 'paced_out', 40, { offline: true });
  const late = await book(5, dayMs + 12 * HOUR_MS);
  await inUnitOfWork(api.sql, { actor: SYSTEM_ACTOR, now: new Date(dayMs + 12 * HOUR_MS) }, async unit => {
    unit.audit({
      workspace: brand,
      action: 'campaign.approved',
      entityType: 'campaign',
      entityHandle: late,
      diff: { status: { from: 'pending_review', to: 'live' } },
    });
  });
  await played(late, 13, 1);
  await decided(9, 'outside_schedule', 4);

  expect(await lookBack()).toBe(3);
  const [found, ...others] = await days();
  expect(others).toEqual([]);
  expect(found).toEqual({
    day,
    bound: 0.15,
    delivered: 0.07,
    idle: 0.02,
    misallocated: 0,
    capped: 0.02,
    late_booked: 0.04,
    looked_at: expect.any(String),
    is_final: false,
  });
  await measureDay(api.sql);
  const gauged = (await registry.metrics()).split('\n').filter(line => line.startsWith('workers_day_'));
  expect(gauged).toEqual([
    expect.stringMatching(/^workers_day_delivered_ratio 0\.466/),
    expect.stringMatching(/^workers_day_lost_ratio{why="idle"} 0\.133/),
    'workers_day_lost_ratio{why="misallocated"} 0',
    expect.stringMatching(/^workers_day_lost_ratio{why="capped"} 0\.133/),
    expect.stringMatching(/^workers_day_lost_ratio{why="late_booked"} 0\.266/),
    `workers_day_looked_at_seconds ${Date.parse(found!.looked_at) / 1_000}`,
  ]);
});

test('a day is evaluated once, and again on each of the next two days with late plays', async () => {
  expect(await lookBack()).toBe(0);
  const [campaign] = await api.sql<
    { handle: Handle<'campaign'> }[]
  >`select handle from campaigns order by handle limit 1`;
  await played(campaign!.handle, 10, 1);
  api.clock.offsetMs += DAY_MS;
  expect(await lookBack()).toBe(3);
  expect(await days()).toMatchObject([{ day, bound: 0.15, delivered: 0.08, is_final: false }]);
  api.clock.offsetMs += DAY_MS;
  expect(await lookBack()).toBe(3);
  expect(await days()).toMatchObject([{ day, delivered: 0.08, is_final: true }]);
  api.clock.offsetMs += DAY_MS;
  expect(await lookBack()).toBe(3);
  expect(await days()).toMatchObject([{ day, is_final: true }]);
});

test('an evaluation is abandoned when the workers stop', async () => {
  api.clock.offsetMs += DAY_MS;
  const { job: stopped, stop } = lookBackJob({ clickhouseUrl: api.engines.clickhouseUrl });
  stop();
  expect(await runOnce(stopped, { ...api.workers, pool })).toBe(0);
  expect(await lookBack()).toBe(3);
});
