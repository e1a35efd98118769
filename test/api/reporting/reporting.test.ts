/**
 * The campaign report, the counters of the campaign detail, the log of scans, and the redirect that a scan follows.
 * Plays and scans are inserted into the real ClickHouse as ingest writes them, and read by calls to the API in this
 * process.
 */
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId, type Handle } from '../../../domain/id.ts';
import { encodeScanCode } from '../../../domain/plays/play.ts';
import { handle } from '../../support/handle.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { rowsOf } from '../support/answer.ts';

const DAY_MS = 86_400_000;
let api: TestApi;
let brand: TestWorkspace;
let key: string;
let creative: string;
let campaign: string;
let screen: string;
let venue: string;
/** Midnight UTC of the first day of the campaign. */
let midnight: number;

beforeAll(async () => {
  api = await startApi();
  brand = await createWorkspace(api, { funds: 1_000 });
  key = await createKey(api, brand);
  creative = await createReadyCreative(api, key);
  campaign = (await api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [creative]) })).body['id']!;
  const house = await createKey(api, await createWorkspace(api), { surface: 'screen_manager' });
  venue = (await api.call('POST', '/v1/venues', { key: house, body: VENUE })).body['id']!;
  const { code } = (await api.call('POST', '/v1/pairing', { key: house, body: { venue_id: venue } })).body;
  screen = (await api.call('POST', `/v1/pairing/${code}/confirm`, { body: { platform: 'linux', player: '1' } })).body[
    'screen_id'
  ]!;
  midnight = Math.floor(api.clock.now() / DAY_MS) * DAY_MS;
  await insertPlays();
  await insertNotCounted();
});
afterAll(() => api.close());

const at = (minutes: number) => new Date(midnight + minutes * 60_000).toISOString().replace('T', ' ').replace('Z', '');

async function insertPlays(): Promise<void> {
  const play = (issue: number, minutes: number, impressions: number, late = false) => ({
    played_at: at(minutes),
    slot_at: at(minutes),
    received_at: at(minutes),
    campaign_id: campaign,
    creative_id: creative,
    screen_id: screen,
    venue_id: venue,
    campaign_handle: parseId('campaign', campaign),
    epoch: 1,
    issue_number: issue,
    sandbox: false,
    late,
    played_ms: 10_000,
    audience: null,
    impressions_thousandths: impressions,
    rate_micros: 5_000,
    cost_micros: late ? 0 : impressions * 5,
    group_id: 'g1',
    job_id: 'j1',
  });
  await api.clickhouse.insert({
    table: 'plays_raw',
    format: 'JSONEachRow',
    values: [play(1, -30, 2_400), play(2, 5, 2_400), play(3, 50, 2_400), play(4, 61, 2_400), play(5, 70, 9_000, true)],
  });
  const scan = (id: string, minutes: number) => ({
    scan_id: id,
    scanned_at: at(minutes),
    slot_at: at(minutes),
    campaign_id: campaign,
    creative_id: creative,
    screen_id: screen,
    venue_id: venue,
    daypart: 'night',
    sandbox: false,
    group_id: 'g1',
  });
  await api.clickhouse.insert({
    table: 'scans_raw',
    format: 'JSONEachRow',
    values: [scan('scan_a', 6), scan('scan_b', 62), scan('scan_c', 62)],
  });
}

/** As delivery and the API write them. */
async function insertNotCounted(): Promise<void> {
  const row = (rule: string, minutes: number, fields: object) => ({
    bucket: Math.floor((midnight + minutes * 60_000) / 900_000) * 900,
    campaign_id: campaign,
    creative_id: creative,
    screen_id: screen,
    venue_id: venue,
    rule,
    sandbox: false,
    ...fields,
  });
  await api.clickhouse.insert({
    table: 'plays_not_counted',
    format: 'JSONEachRow',
    values: [
      row('too_short@1', 5, { plays: 2 }),
      row('too_short@1', 20, { plays: 1 }),
      row('overlap@1', -40, { plays: 4 }),
      row('overlap@1', 5, { plays: 9, sandbox: true }),
    ],
  });
  await api.clickhouse.insert({
    table: 'scans_not_counted',
    format: 'JSONEachRow',
    values: [row('scan_repeat@1', 6, { scans: 5 }), row('scan_crowd@1', 6, { scans: 1, campaign_id: 'cmp_other' })],
  });
}

const report = (query = '') => api.call('GET', `/v1/reporting/campaigns/${campaign}${query}`, { key });

describe('GET /v1/reporting/campaigns/{id}', () => {
  test('totals cover the whole campaign, rounded once; late plays are separate', async () => {
    const { status, body } = await report();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      campaign_id: campaign,
      late_plays: 1,
      is_final: false,
      tz: 'UTC',
      totals: { plays: 4, impressions: 10, scans: 3, scan_rate: 0.3, spend: { amount: 0.048, currency: 'EUR' } },
    });
    expect(Math.abs(Date.parse(body['as_of']!) - api.clock.now())).toBeLessThan(5_000);
  });

  test('refused plays and scans are counted by reason, with the filters of the report', async () => {
    const of = async (query: string) => {
      const { plays_not_counted: plays, scans_not_counted: scans } = (await report(query)).body;
      return { plays, scans };
    };
    expect(await of('')).toEqual({
      plays: [
        { reason: 'overlap', plays: 4 },
        { reason: 'too_short', plays: 3 },
      ],
      scans: [{ reason: 'scan_repeat', scans: 5 }],
    });
    const day = new Date(midnight).toISOString().slice(0, 10);
    expect(await of(`?from=${day}&to=${day}`)).toEqual({
      plays: [{ reason: 'too_short', plays: 3 }],
      scans: [{ reason: 'scan_repeat', scans: 5 }],
    });
    expect(await of(`?venue=${venue}`)).toEqual(await of(''));
    expect(await of('?city=Nowhere')).toEqual({ plays: [], scans: [] });
    expect(await of('?daypart=morning')).toEqual({ plays: [], scans: [] });
  });

  test('as a statement it has lines for totals, net, and uncharged and uncounted plays', async () => {
    const { headers, raw } = await api.call('GET', `/v1/reporting/campaigns/${campaign}?table=statement`, {
      key,
      headers: { accept: 'text/csv' },
    });
    expect(headers).toMatchObject({
      'content-disposition': `attachment; filename="statement-${campaign}.csv"`,
      'x-is-final': 'false',
    });
    expect(raw.toString().trimEnd().split('\r\n')).toEqual([
      'line,reason,at,plays,impressions,scans,spend,currency',
      'total,,,4,10,3,0.048,EUR',
      'net,,,4,10,,0.048,EUR',
      'invalid_plays,late,,1,,,,',
      'plays_not_counted,overlap,,4,,,,',
      'plays_not_counted,too_short,,3,,,,',
      'scans_not_counted,scan_repeat,,,,5,,',
    ]);
  });

  test('a day before the first one appears for plays at venues ahead of UTC', async () => {
    const day = (offset: number) => new Date(midnight + offset * DAY_MS).toISOString().slice(0, 10);
    expect((await report()).body['series']).toMatchObject([
      { bucket: day(-1), plays: 1, impressions: 2, scans: 0 },
      { bucket: day(0), plays: 3, impressions: 7, scans: 3, spend: { amount: 0.036, currency: 'EUR' } },
    ]);
  });

  test('hours are in the requested zone; hours without plays are zero, and future hours are left out', async () => {
    api.clock.offsetMs = midnight + 3.5 * 3_600_000 - Date.now();
    const fresh = await createKey(api, brand);
    const today = new Date(midnight).toISOString().slice(0, 10);
    const hours = async (query: string) => {
      const { body } = await api.call(
        'GET',
        `/v1/reporting/campaigns/${campaign}?group=hour&from=${today}&to=${today}${query}`,
        { key: fresh },
      );
      return rowsOf<{ bucket: string; plays: number; scans: number }>(body['series']).map(
        ({ bucket, plays, scans }) => `${bucket.slice(11)} ${plays} ${scans}`,
      );
    };
    expect(await hours('')).toEqual(['00:00 2 1', '01:00 1 2', '02:00 0 0', '03:00 0 0']);
    expect((await hours('&tz=Asia/Kolkata')).slice(4)).toEqual([
      '04:00 0 0',
      '05:00 2 1',
      '06:00 2 2',
      '07:00 0 0',
      '08:00 0 0',
      '09:00 0 0',
    ]);
    api.clock.offsetMs = 0;
  });

  test('a test key does not find the campaign, and a venue key is refused', async () => {
    expect(
      (
        await api.call('GET', `/v1/reporting/campaigns/${campaign}`, {
          key: await createKey(api, brand, { mode: 'test' }),
        })
      ).status,
    ).toBe(404);
    expect(
      (
        await api.call('GET', `/v1/reporting/campaigns/${campaign}`, {
          key: await createKey(api, brand, { surface: 'screen_manager' }),
        })
      ).status,
    ).toBe(403);
  });
});

describe('the campaign detail', () => {
  test('has the counters, in total and by creative', async () => {
    expect((await api.call('GET', `/v1/campaigns/${campaign}`, { key })).body).toMatchObject({
      counters: { plays: 4, impressions: 10, scans: 3, late_plays: 1, spend: { amount: 0.048 }, screens_used: 1 },
      creatives: [{ id: creative, plays: 4, impressions: 10 }],
      pacing: { actual_spend: { amount: 0.048 } },
    });
  });
});

describe('GET /v1/reporting/scans', () => {
  test('pages newest first, with ties kept apart', async () => {
    const first = await api.call('GET', '/v1/reporting/scans?limit=2', { key });
    expect(dataOf(first)).toMatchObject([
      {
        id: 'scan_c',
        at: at(62).replace(' ', 'T').concat('Z'),
        screen_id: screen,
        venue_id: venue,
        creative_id: creative,
        daypart: 'night',
      },
      { id: 'scan_b' },
    ]);
    const second = await api.call(
      'GET',
      `/v1/reporting/scans?limit=2&cursor=${first.body['next_cursor']}&campaign_id=${campaign}`,
      { key },
    );
    expect([dataOf(second).map(scan => scan['id']), second.body['has_more']]).toEqual([['scan_a'], false]);
  });

  test('another workspace sees no scans, and the campaign is hidden from it', async () => {
    const other = await createKey(api, await createWorkspace(api));
    expect((await api.call('GET', '/v1/reporting/scans', { key: other })).body).toEqual({
      data: [],
      has_more: false,
      next_cursor: null,
    });
    expect((await api.call('GET', `/v1/reporting/scans?campaign_id=${campaign}`, { key: other })).status).toBe(404);
    expect((await api.call('GET', '/v1/reporting/scans?campaign_id=nonsense', { key })).status).toBe(404);
  });
});

describe('GET /s/{code}', () => {
  const codeOf = (slotMinute: number, changes: { campaign?: Handle<'campaign'> } = {}) =>
    encodeScanCode(
      {
        campaign: parseId('campaign', campaign)!,
        creative: parseId('creative', creative)!,
        screen: parseId('screen', screen)!,
        slotMinute,
        ...changes,
      },
      api.signingKeys.current,
    );
  const queued = async () => {
    const names = await api.redis.keys(`*${api.queueName}:api-*`);
    const payloads = await Promise.all(names.map(name => api.redis.hget(name, 'data')));
    return payloads.reduce(
      (total, data) => total + (data === null ? 0 : (JSON.parse(data) as { events: number }).events),
      0,
    );
  };
  const settledAt = (count: number) => expect.poll(queued, { timeout: 3_000, interval: 20 }).toBe(count);

  test('redirects to the landing page and queues one scan for repeats within 10 s', async () => {
    const follow = (userAgent: string) =>
      api.call('GET', `/s/${codeOf(100)}?utm_source=camera`, { headers: { 'user-agent': userAgent } });
    const first = await follow('Mozilla/5.0 (phone one)');
    expect([first.status, first.headers['location'], first.headers['cache-control']]).toEqual([
      302,
      'https://example.com/autumn',
      'no-store',
    ]);
    expect((await follow('Mozilla/5.0 (phone one)')).status).toBe(302);
    expect((await follow('Mozilla/5.0 (phone two)')).status).toBe(302);
    await settledAt(2);
  });

  test('counts a scan of the address with a trailing slash', async () => {
    const code = codeOf(101);
    const headers = { 'user-agent': 'Mozilla/5.0 (phone with a slash)' };
    const first = await api.call('GET', `/s/${code}/?utm_source=camera`, { headers });
    expect([first.status, first.headers['location']]).toEqual([308, `/s/${code}?utm_source=camera`]);
    expect(await api.call('GET', first.headers['location']!, { headers })).toMatchObject({ status: 302 });
    await settledAt(3);
  });

  test('a code with a wrong signature or unknown target gives 404', async () => {
    expect(await api.call('GET', '/s/AAAAAAAAAAAAAAAAAAAAAAAA')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect((await api.call('GET', `/s/${codeOf(100).slice(0, -1)}`)).status).toBe(404);
    expect((await api.call('GET', `/s/${codeOf(100, { campaign: handle('campaign', 999_999) })}`)).status).toBe(404);
  });

  test('redirects without Redis, and the process detects repeats alone', async () => {
    const ended = once(api.redis, 'end'); // the socket closes a moment after the call
    api.redis.disconnect();
    await ended;
    const follow = () =>
      api.call('GET', `/s/${codeOf(200)}`, { headers: { 'user-agent': 'Mozilla/5.0 (phone three)' } });
    expect((await follow()).status).toBe(302);
    expect((await follow()).status).toBe(302);
    await api.redis.connect();
    await settledAt(4);
  });
});
