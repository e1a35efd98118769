/**
 * What a sandbox with simulated screens and a clock promises: campaigns deliver, report, settle and are invoiced as
 * live ones, and live data stay untouched. Simulated plays take the real way through ingest, the budget authority,
 * settlement and reports, all in this process on real engines.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '../../../../domain/id.ts';
import { startStreams } from '../../../../ingest/streams.ts';
import { streamsOf } from '../../../../ingest/queue/stream-keys.ts';
import { openRedis, redisReady, type Redis } from '../../../../sql/redis.ts';
import { verify } from '#audit/verify.ts';
import { ADVANCE_PLAYS_MAX, advanceSandboxes } from '../../../../workers/sandbox/advance-sandboxes.ts';
import { checkLedger } from '#audit/checks/ledger.ts';
import { finishCampaigns } from '../../../../workers/campaigns/finish-campaigns.ts';
import { issueInvoices } from '../../../../workers/invoices/issue-invoices.ts';
import { issueTestInvoices } from '../../../../workers/invoices/issue-test-invoices.ts';
import { settleSpend } from '../../../../workers/settlement/settle-spend.ts';
import { takeBack } from '../../../../workers/budgets/take-back.ts';
import { silentLog } from '../../../ingest/harness.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  dateFromNow,
  startApi,
  VENUE,
  type Answer,
  type Loose,
  type TestApi,
  type TestWorkspace,
} from '../../support/app-under-test.ts';
import { readAs } from '../../support/answer.ts';

const DAY_MS = 86_400_000;
let api: TestApi;
let ingest: { close(): Promise<void> };
let connections: Redis[];
let brand: TestWorkspace;
let key: string;
let liveKey: string;
let creative: string;

const PLACE = {
  type: 'entertainment.bars',
  city: 'Berlin',
  lat: 52.52,
  lng: 13.4,
  timezone: 'Europe/Berlin',
  daily_visitors: 400,
  dwell_minutes: 45,
};
const told = ({ status, body }: Answer) => `${status} ${body?.['code'] ?? ''}`.trim();
const expiresAt = () => new Date(api.clock.now() + 400 * DAY_MS);
const call = (method: string, url: string, body?: object, as = key) =>
  api.call(method, url, { key: as, ...(body && { body }) });
const clock = async (as = key): Promise<Loose> => (await call('GET', '/v1/sandbox/clock', undefined, as)).body;
const timeOf = async (as = key) => Date.parse((await clock(as))['now']!);
const advance = (days: number, from: number, as = key) =>
  call('POST', '/v1/sandbox/clock/advance', { to: new Date(from + days * DAY_MS).toISOString() }, as);

beforeAll(async () => {
  api = await startApi();
  // Minutes after midnight the hours of today have no play yet. So the clock begins at noon (UTC), the next one.
  api.clock.offsetMs = Math.ceil(Date.now() / DAY_MS - 0.5) * DAY_MS + DAY_MS / 2 - Date.now();
  connections = [
    openRedis(api.engines.redisUrl, { role: 'commands' }),
    openRedis(api.engines.redisUrl, { role: 'worker' }),
  ];
  await redisReady(connections[0]!);
  ingest = await startStreams({
    commands: connections[0]!,
    blocking: connections[1]!,
    clickhouse: api.clickhouse,
    sql: api.sql,
    keys: api.signingKeys,
    log: silentLog,
    queueName: api.queueName,
  });
  brand = await createWorkspace(api, { funds: 5_000 });
  liveKey = await createKey(api, brand, { expiresAt: expiresAt() });
  key = await createKey(api, brand, { mode: 'test', expiresAt: expiresAt() });
  await call('POST', '/v1/wallet/top-ups', { amount: { amount: 10_000, currency: 'EUR' } });
  creative = await createReadyCreative(api, key);
}, 120_000);
afterAll(async () => {
  await ingest.close();
  for (const connection of connections) connection.disconnect();
  await api.close();
});

/** What the workers do round after round, until the clocks stand. */
async function untilReady(as = key): Promise<Loose> {
  for (const until = Date.now() + 60_000; Date.now() < until;) {
    const steps = await advanceSandboxes(api.workers, api.signingKeys.current);
    const settled = await settleSpend(api.workers);
    const now = await clock(as);
    if (now['status'] === 'ready') return now;
    if (steps + settled === 0)
      await new Promise(resolve => {
        setTimeout(resolve, 20);
      });
  }
  throw new Error('the clock still moves after 60 s');
}

/** A schedule from the day of this time on, with so many days after it. */
const days = (from: number, more: number) => ({
  starts: new Date(from).toISOString().slice(0, 10),
  ends: new Date(from + more * DAY_MS).toISOString().slice(0, 10),
});

async function startCampaign(changes: object = {}, as = key, creatives = [creative]): Promise<string> {
  const today = as === liveKey ? api.clock.now() : await timeOf(as);
  const made = await call(
    'POST',
    '/v1/campaigns',
    campaignBody(api, creatives, {
      targets: {},
      budget: { amount: 20, currency: 'EUR' },
      schedule: days(today, 7),
      ...changes,
    }),
    as,
  );
  expect(made.status).toBe(201);
  await api.review();
  return made.body['id']!;
}
const campaign = async (id: string, as = key) => (await call('GET', `/v1/campaigns/${id}`, undefined, as)).body;
const report = async (id: string, query = '') => (await call('GET', `/v1/reporting/campaigns/${id}${query}`)).body;

describe('simulated screens', () => {
  test('are made in a place of the sandbox, listed and removed, by test keys alone', async () => {
    const added = await call('POST', '/v1/sandbox/screens', { count: 3, venue: PLACE, ad_ratio: 1 });
    expect(added).toMatchObject({
      status: 201,
      body: { data: [{ venue_type: PLACE.type, city: 'Berlin', ad_ratio: 1, orientation: 'landscape' }, {}, {}] },
    });
    expect(told(await call('POST', '/v1/sandbox/screens', { count: 1, venue: PLACE }, liveKey))).toBe('403 wrong_mode');
    const listed = dataOf(await call('GET', '/v1/sandbox/screens?limit=2'));
    expect(listed.map(screen => screen['id'])).toEqual(
      dataOf(added)
        .map(screen => screen['id'])
        .reverse()
        .slice(0, 2),
    );
    expect((await call('DELETE', `/v1/sandbox/screens/${listed[0]!['id']}`)).status).toBe(204);
    expect(dataOf(await call('GET', '/v1/sandbox/screens'))).toHaveLength(2);
    expect(dataOf(await call('GET', '/v1/audit?action=screen.simulated'))).toHaveLength(3);
  });

  test('are at most 20 of a sandbox, and a place that is none is refused by field', async () => {
    expect(told(await call('POST', '/v1/sandbox/screens', { count: 19, venue: PLACE }))).toBe('409 state_conflict');
    expect(
      await call('POST', '/v1/sandbox/screens', {
        count: 1,
        venue: { ...PLACE, type: 'moon', timezone: 'Mars/Olympus' },
      }),
    ).toMatchObject({ status: 422, body: { errors: [{ pointer: '/venue/type' }, { pointer: '/venue/timezone' }] } });
    expect(await call('POST', '/v1/sandbox/screens', { count: 21, venue: PLACE })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/count' }] },
    });
  });

  test('of another workspace are neither seen nor removed', async () => {
    const [screen] = dataOf(await call('GET', '/v1/sandbox/screens'));
    const other = await createKey(api, await createWorkspace(api), { mode: 'test' });
    expect(dataOf(await call('GET', '/v1/sandbox/screens', undefined, other))).toEqual([]);
    expect(told(await call('DELETE', `/v1/sandbox/screens/${screen!['id']}`, undefined, other))).toBe('404 not_found');
  });
});

describe('the clock', () => {
  test('is the present until it is moved, and moves ahead by 31 days at most, to a time', async () => {
    expect(Math.abs((await timeOf()) - api.clock.now())).toBeLessThan(5_000);
    expect(await clock()).toMatchObject({ status: 'ready', target: null, plays: 0, stopped_by: null });
    for (const to of [
      'tomorrow',
      '2026-02-30T00:00:00Z0',
      '2199-01-01T00:00:00Z',
      new Date(api.clock.now() - 1_000).toISOString(),
      new Date(api.clock.now() + 31.1 * DAY_MS).toISOString(),
    ]) {
      expect(await call('POST', '/v1/sandbox/clock/advance', { to })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/to' }] },
      });
    }
    for (const [method, url, body] of [
      ['GET', '/v1/sandbox/clock', undefined],
      ['POST', '/v1/sandbox/clock/advance', { to: new Date(api.clock.now() + DAY_MS).toISOString() }],
    ] as const) {
      expect(told(await call(method, url, body, liveKey))).toBe('403 wrong_mode');
    }
  });

  test('moves the campaigns of the sandbox along: plays, report, results, spend and wallet follow, and the ledger is whole', async () => {
    const id = await startCampaign();
    const from = await timeOf();
    const asked = await advance(3, from);
    expect(asked).toMatchObject({
      status: 202,
      body: { status: 'advancing', target: new Date(from + 3 * DAY_MS).toISOString() },
    });
    expect(told(await advance(4, from))).toBe('409 state_conflict');
    const ready = await untilReady();
    expect(ready).toMatchObject({ now: new Date(from + 3 * DAY_MS).toISOString(), status: 'ready', stopped_by: null });
    const plays = Number(ready['plays']);
    expect(plays).toBeGreaterThan(10);
    const detail = await campaign(id);
    expect(detail).toMatchObject({ status: 'live', counters: { plays, late_plays: 0, screens_used: 2 } });
    const { totals, series } = readAs<{
      totals: { plays: number; spend: { amount: number } };
      series: { bucket: string; plays: number }[];
    }>(await report(id));
    expect(totals.plays).toBe(plays);
    expect(series.filter(bucket => bucket.plays > 0).length).toBeGreaterThanOrEqual(3);
    const { today } = readAs<{ today: { hour: string; actual_spend: { amount: number } }[] }>(detail['pacing']);
    expect(today.at(-1)!.hour.slice(0, 10)).toBe(String(ready['now']).slice(0, 10));
    expect(today.some(hour => hour.actual_spend.amount > 0)).toBe(true);
    const results = readAs<Record<'by_day' | 'by_screen', { plays: number }[]>>(
      (await call('GET', `/v1/campaigns/${id}/results`)).body,
    );
    for (const rows of [results.by_day, results.by_screen])
      expect(rows.reduce((sum, row) => sum + row.plays, 0)).toBe(plays);
    const [books] = await api.sql<{ charged: number; reserved: number }[]>`
      select charged_micros as charged, (select balance_micros from ledger_accounts where kind = 'reservation' and campaign_handle = c.handle) as reserved from campaigns c where handle = ${parseId('campaign', id)!}`;
    expect(Math.round(totals.spend.amount * 1_000_000)).toBe(books!.charged);
    expect(books!.reserved + books!.charged).toBe(20_000_000);
    const even = (20_000_000 * 3) / 8; // three of the eight days of its schedule, or less where the first began late
    expect(books!.charged).toBeGreaterThan(even * 0.7);
    expect(books!.charged).toBeLessThan(even * 1.3);
  }, 90_000);

  test('ends campaigns whose schedule has gone by, tells webhooks of it, and what was not spent is in the wallet again', async () => {
    const { id: hook } = (
      await call('POST', '/v1/webhooks', { url: 'https://hooks.example.com/', events: ['campaign.finished'] })
    ).body;
    const today = await timeOf();
    const id = await startCampaign({
      schedule: days(today, 1),
      targets: { cities: ['Nowhere'] },
      budget: { amount: 50, currency: 'EUR' },
    });
    const reserved = async () =>
      (
        await api.sql<
          { micros: number }[]
        >`select balance_micros as micros from ledger_accounts where kind = 'reservation' and campaign_handle = ${parseId('campaign', id)!}`
      )[0]!.micros;
    expect(await reserved()).toBe(50_000_000);
    await advance(5, today);
    await untilReady();
    await finishCampaigns(api.workers);
    expect(await campaign(id)).toMatchObject({ status: 'finished', counters: { plays: 0 } });
    await takeBack(api.workers);
    expect(await reserved()).toBe(0);
    expect(
      await api.sql`select 1 from outbox where type = 'campaign.finished' and sandbox and entity_handle = ${parseId('campaign', id)!}`,
    ).toHaveLength(1);
    expect(hook).toMatch(/^whk_/);
  }, 90_000);

  test('never lets a campaign spend more than its budget, nor play outside its daypart, places and frequency', async () => {
    const from = await timeOf();
    const schedule = days(from, 3);
    const small = await startCampaign({
      schedule,
      budget: { amount: 1, currency: 'EUR' },
      targets: { daypart: { start: '20:00', end: '22:00' } },
      frequency: { max_per_hour: 2 },
    });
    const elsewhere = await startCampaign({ schedule, targets: { cities: ['Lisbon'] } });
    await advance(5, from);
    await untilReady();
    expect(await campaign(elsewhere)).toMatchObject({ counters: { plays: 0 } });
    const rows = await (
      await api.clickhouse.query({
        query: `select toHour(h, 'Europe/Berlin') as hour, max(n) as most, sum(n) as plays, sum(c) as cost from (
          select screen_id, toStartOfHour(slot_at) as h, count() as n, sum(cost_micros) as c from plays_raw where campaign_id = '${small}' group by screen_id, h) group by hour order by hour`,
        format: 'JSONEachRow',
      })
    ).json<{ hour: number; most: string; plays: string; cost: string }>();
    expect(rows.map(row => row.hour).every(hour => hour === 20 || hour === 21)).toBe(true);
    expect(rows.length).toBeGreaterThan(0);
    expect(Math.max(...rows.map(row => Number(row.most)))).toBeLessThanOrEqual(2);
    expect(rows.reduce((sum, row) => sum + Number(row.cost), 0)).toBeLessThanOrEqual(1_000_000);
  }, 90_000);

  test('ends an advance that has had as many plays as it may have, says so, and can go on from there', async () => {
    const id = await startCampaign();
    const from = await timeOf();
    await advance(3, from);
    await api.sql`update sandbox_clocks set plays = ${ADVANCE_PLAYS_MAX} where workspace_handle = ${brand.handle}`;
    expect(await untilReady()).toMatchObject({
      now: new Date(from).toISOString(),
      stopped_by: 'plays_max',
      target: null,
    });
    expect(await campaign(id)).toMatchObject({ counters: { plays: 0 } });
    await advance(1, from);
    const ready = await untilReady();
    expect(ready).toMatchObject({ now: new Date(from + DAY_MS).toISOString(), stopped_by: null });
    expect(Number(ready['plays'])).toBeGreaterThan(0);
  }, 90_000);

  test('plays no play twice and loses none when a step is cut off before and after its plays are stored', async () => {
    const other = await createWorkspace(api);
    const otherKey = await createKey(api, other, { mode: 'test', expiresAt: expiresAt() });
    await call('POST', '/v1/wallet/top-ups', { amount: { amount: 1_000, currency: 'EUR' } }, otherKey);
    await call('POST', '/v1/sandbox/screens', { count: 2, venue: PLACE, ad_ratio: 1 }, otherKey);
    const id = await startCampaign({}, otherKey, [await createReadyCreative(api, otherKey)]);
    await advance(2, api.clock.now(), otherKey);
    // Money that has not been handed over yet is waited for: what is not played now would never be.
    await advanceSandboxes(
      { ...api.workers, authority: { ...api.authority, wantHandAll: async () => undefined } },
      api.signingKeys.current,
    );
    expect(await clock(otherKey)).toMatchObject({ status: 'advancing', plays: 0 });
    expect(await timeOf(otherKey)).toBeLessThanOrEqual(api.clock.now());
    // A process that ended with money leased and nothing stored: the first transaction hands over money, the second one
    // stores.
    let transactions = 0;
    const begin = (...work: unknown[]) =>
      (transactions += 1) === 2
        ? Promise.reject(new Error('cut off'))
        : (api.sql.begin as (...all: unknown[]) => Promise<unknown>)(...work);
    const sql = new Proxy(api.sql, {
      get: (target, name) => (name === 'begin' ? begin : (Reflect.get(target, name) as unknown)),
    });
    await expect(advanceSandboxes({ ...api.workers, sql }, api.signingKeys.current)).rejects.toThrow('cut off');
    expect((await api.authority.amounts(parseId('campaign', id)!)).open).toBeGreaterThan(0);
    await advanceSandboxes(api.workers, api.signingKeys.current);
    const [stored] = await api.sql<
      { plays: number }[]
    >`select jsonb_array_length(plays) as plays from sandbox_batches where workspace_handle = ${other.handle}`;
    expect(stored!.plays).toBeGreaterThan(0);
    // A process that ended after it had added the batch: it is added again under its id.
    const [batch] = await api.sql<
      { batch_id: string; plays: never[] }[]
    >`select batch_id, plays from sandbox_batches where workspace_handle = ${other.handle}`;
    await api.playQueue.add({ id: batch!.batch_id, plays: batch!.plays, scans: [], releases: [] });
    const { plays } = readAs<{ plays: number }>(await untilReady(otherKey));
    expect(await campaign(id, otherKey)).toMatchObject({ counters: { plays } });
    const { open, inDoubt, spent } = await api.authority.amounts(parseId('campaign', id)!);
    expect([open, inDoubt]).toEqual([0, 0]);
    expect(spent).toBeGreaterThan(0);
    expect(await api.sql`select 1 from delivery_epochs where node = 'sandbox-clock' and ended_at is null`).toHaveLength(
      0,
    );
  }, 90_000);
});

describe('invoices of play money', () => {
  const monthAfter = (time: number) => Date.UTC(new Date(time).getUTCFullYear(), new Date(time).getUTCMonth() + 1, 1);
  const spentBetween = async (id: string, from: number, to: number) =>
    Number(
      (
        await (
          await api.clickhouse.query({
            query: `select toString(sum(cost_micros)) as cost from plays_raw where campaign_id = '${id}' and slot_at >= fromUnixTimestamp64Milli(${from}) and slot_at < fromUnixTimestamp64Milli(${to})`,
            format: 'JSONEachRow',
          })
        ).json<{ cost: string }>()
      )[0]!.cost,
    );

  test('follow the clock: a month that it has passed is on a test invoice, each play once, told to webhooks and to test keys alone', async () => {
    const other = await createWorkspace(api);
    const otherKey = await createKey(api, other, { mode: 'test', expiresAt: expiresAt() });
    const otherLive = await createKey(api, other, { expiresAt: expiresAt() });
    await call('POST', '/v1/wallet/top-ups', { amount: { amount: 1_000, currency: 'EUR' } }, otherKey);
    await call('POST', '/v1/sandbox/screens', { count: 1, venue: PLACE, ad_ratio: 1 }, otherKey);
    const from = await timeOf(otherKey);
    const ends = [monthAfter(from), monthAfter(monthAfter(from))];
    const id = await startCampaign({ schedule: days(from, 63) }, otherKey, [await createReadyCreative(api, otherKey)]);
    const advanceTo = async (to: number) => {
      for (let now = await timeOf(otherKey); now < to; now = await timeOf(otherKey)) {
        expect((await advance(Math.min(31 * DAY_MS, to - now) / DAY_MS, now, otherKey)).status).toBe(202);
        await untilReady(otherKey);
      }
    };
    const invoices = async () => dataOf(await call('GET', '/v1/invoices', undefined, otherKey));
    const live = async () => [
      await api.sql`select * from invoices where not sandbox`,
      await api.sql`select * from invoice_series where not sandbox`,
      await api.sql`select * from workspace_months where not sandbox order by 1, 3`,
    ];
    const before = await live();
    await advanceTo(ends[0]! + 2 * DAY_MS);
    const [first, ...others] = await invoices();
    expect(others).toEqual([]);
    const firstMicros = await spentBetween(id, from, ends[0]!);
    expect(firstMicros).toBeGreaterThan(0);
    expect(first).toMatchObject({
      kind: 'invoice',
      status: 'issued',
      period: new Date(from).toISOString().slice(0, 7),
      issued_at: new Date(ends[0]!).toISOString(),
    });
    expect(first!['number']).toMatch(new RegExp(`^TEST-${new Date(ends[0]!).getUTCFullYear()}-[0-9]{6}$`));
    expect(Math.round(Number(first!['gross']!['amount']) * 1_000_000)).toBe(firstMicros);
    await advanceTo(ends[1]! + DAY_MS / 4);
    await issueTestInvoices(api.workers);
    const [second, ...rest] = await invoices();
    expect(rest.map(invoice => [invoice['number'], invoice['total']])).toEqual([[first!['number'], first!['total']]]);
    expect(second).toMatchObject({
      period: new Date(ends[0]!).toISOString().slice(0, 7),
      issued_at: new Date(ends[1]!).toISOString(),
    });
    const secondMicros = await spentBetween(id, ends[0]!, ends[1]!);
    expect(Math.round(Number(second!['gross']!['amount']) * 1_000_000)).toBe(secondMicros);
    const [row] = await api.sql<
      { charged: number }[]
    >`select charged_micros as charged from campaigns where handle = ${parseId('campaign', id)!}`;
    expect(await spentBetween(id, ends[1]!, ends[1]! + DAY_MS)).toBe(row!.charged - firstMicros - secondMicros);
    expect(
      await api.sql`select sandbox, payload->'object'->>'issued_at' as at from outbox where type = 'invoice.issued' and workspace_handle = ${other.handle} order by handle`,
    ).toEqual(ends.map(end => ({ sandbox: true, at: new Date(end).toISOString() })));
    expect(dataOf(await call('GET', '/v1/invoices', undefined, otherLive))).toEqual([]);
    expect(told(await call('GET', `/v1/invoices/${first!['id']}`, undefined, otherLive))).toBe('404 not_found');
    expect(told(await call('GET', `/v1/invoices/${first!['id']}`))).toBe('404 not_found'); // another sandbox
    await issueInvoices(api.workers);
    expect([await live(), await checkLedger(api.sql)]).toEqual([before, []]);
  }, 120_000);
});

describe('live data', () => {
  test('is not touched by what a sandbox plays: figures, ledger, forecasts and earnings are as before, and every invariant holds', async () => {
    const liveCreative = await createReadyCreative(api, liveKey);
    const live = await startCampaign({}, liveKey, [liveCreative]);
    const house = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
    const { id: venue } = (await call('POST', '/v1/venues', VENUE, house)).body;
    const { code } = (await call('POST', '/v1/pairing', { venue_id: venue }, house)).body;
    await call('POST', '/v1/screens', { venue_id: venue, label: 'Bar', code }, house);
    const plan = {
      budget: { amount: 100, currency: 'EUR' },
      cities: ['Berlin'],
      venue_types: ['entertainment.bars'],
      schedule: { starts: dateFromNow(api, 1), ends: dateFromNow(api, 3) },
    };
    const facts = async () => ({
      campaign: (({ pacing: _pacing, ...rest }) => rest)(
        readAs<Record<string, unknown>>(await campaign(live, liveKey)),
      ),
      wallet: (await call('GET', '/v1/wallet', undefined, liveKey)).body,
      forecast: (await call('POST', '/v1/forecasts', plan, liveKey)).body,
      books:
        await api.sql`select kind, workspace_handle, campaign_handle, balance_micros from ledger_accounts where book = 'live' order by handle`,
      charges:
        await api.sql`select count(*) from charges join campaigns c on c.handle = campaign_handle where not c.sandbox`,
      earnings: await api.sql`select count(*) from venue_earnings where not sandbox`,
      months: await api.sql`select * from workspace_months where not sandbox`,
      invoices: [
        dataOf(await call('GET', '/v1/invoices', undefined, liveKey)),
        await api.sql`select * from invoices where not sandbox`,
        await api.sql`select * from invoice_series where not sandbox`,
      ],
      rows: await (
        await api.clickhouse.query({
          query: 'select count() as n from plays_raw where not sandbox',
          format: 'JSONEachRow',
        })
      ).json(),
      shown: await (
        await api.clickhouse.query({ query: 'select count() as n from plays', format: 'JSONEachRow' })
      ).json(),
    });
    const before = await facts();
    await startCampaign();
    await advance(2, await timeOf());
    expect(Number((await untilReady())['plays'])).toBeGreaterThan(0);
    expect(await facts()).toEqual(before);
    const { sql, clickhouse, redis, playQueue } = api;
    expect(
      await verify({
        sql,
        clickhouse,
        redis,
        streams: streamsOf(api.queueName, redis),
        asOf: () => playQueue.asOf(),
        handleOf: id => parseId('campaign', id),
      }),
    ).toEqual({ ok: true, breaches: [], unchecked: [] });
  }, 120_000);

  test('a live key sees neither the time nor the screens of a sandbox', async () => {
    expect(await timeOf()).toBeGreaterThan(api.clock.now() + DAY_MS);
    const id = dataOf(await call('GET', '/v1/campaigns', undefined, liveKey))[0]!['id']!;
    const series = readAs<{ series: unknown[] }>(
      (await call('GET', `/v1/reporting/campaigns/${id}`, undefined, liveKey)).body,
    ).series;
    expect(series).toHaveLength(1); // today alone
  });
});
