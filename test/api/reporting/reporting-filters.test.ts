/**
 * Reports and the log of scans, narrowed by time, zone, daypart, venue and city, in JSON and CSV. One campaign runs at
 * three venues: two in Berlin (UTC+1 in these days) and one in New York (UTC-5). Its plays are inserted into the real
 * ClickHouse, each named by its hour in UTC on 2 to 5 February; a play has 1,500 thousandths of an impression and costs
 * 7,500 micros.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '../../../domain/id.ts';
import { localTime, zoneOffsetMinutes } from '../../../domain/screens/schedule.ts';
import { daypartName } from '../../../domain/time/daypart.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type TestApi,
} from '../support/app-under-test.ts';
import { readAs, rowsOf } from '../support/answer.ts';

let api: TestApi;
let key: string;
let campaign: string;
let creative: string;
const venues: Record<string, string> = {};

beforeAll(async () => {
  api = await startApi();
  key = await createKey(api, await createWorkspace(api, { funds: 1_000 }));
  creative = await createReadyCreative(api, key);
  campaign = (await api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [creative], { name: '=cmd()' }) }))
    .body['id']!;
  const house = await createKey(api, await createWorkspace(api), { surface: 'screen_manager' });
  for (const [name, changes] of Object.entries({
    berlin: {},
    kreuzberg: { city: 'BERLIN ' },
    york: { city: 'New York', timezone: 'america/new_york' },
  })) {
    venues[name] = (await api.call('POST', '/v1/venues', { key: house, body: { ...VENUE, ...changes } })).body['id']!;
  }
  await insertPlays();
});
afterAll(() => api.close());

const slots: [venue: string, at: string][] = [
  ['berlin', '02-02 20:59'],
  ['berlin', '02-02 21:00'], // evening, then night
  ['kreuzberg', '02-02 22:30'],
  ['kreuzberg', '02-02 23:30'],
  ['kreuzberg', '02-03 04:59'], // 23:30, 00:30, 05:59: one night
  ['kreuzberg', '02-03 05:00'], // 06:00, morning
  ['york', '02-03 03:00'],
  ['york', '02-03 10:45'], // 22:00 and 05:45: the night that begins on the 2nd at the venue, the 3rd in UTC
  ['york', '02-04 15:00'], // 10:00, midday
];

async function insertPlays(): Promise<void> {
  const rows = slots.map(([venue, at], index) => ({
    played_at: `2026-${at}:00.000`,
    slot_at: `2026-${at}:00.000`,
    received_at: `2026-${at}:30.000`,
    campaign_id: campaign,
    creative_id: creative,
    screen_id: `scr_${venue}`,
    venue_id: venues[venue],
    campaign_handle: parseId('campaign', campaign),
    epoch: 1,
    issue_number: index,
    sandbox: false,
    late: false,
    played_ms: 10_000,
    audience: null,
    impressions_thousandths: 1_500,
    rate_micros: 5_000,
    cost_micros: 7_500,
    group_id: 'g1',
    job_id: 'j1',
  }));
  await api.clickhouse.insert({ table: 'plays_raw', format: 'JSONEachRow', values: rows });
  const scan = (id: string, venue: string, at: string, daypart: string) => ({
    scan_id: id,
    scanned_at: `2026-${at}:00.000`,
    slot_at: `2026-${at}:00.000`,
    campaign_id: campaign,
    creative_id: creative,
    screen_id: `scr_${venue}`,
    venue_id: venues[venue],
    daypart,
    sandbox: false,
    group_id: 'g1',
  });
  await api.clickhouse.insert({
    table: 'scans_raw',
    format: 'JSONEachRow',
    values: [
      scan('scan_a', 'kreuzberg', '02-02 23:40', 'night'),
      scan('scan_b', 'york', '02-04 15:10', 'midday'),
      scan('scan_c', 'berlin', '02-04 09:10', 'midday'),
    ],
  });
}

const report = (query: string) =>
  api.call('GET', `/v1/reporting/campaigns/${campaign}?from=2026-02-01&to=2026-02-05${query}`, { key });
type Row = { bucket: string; plays: number; scans: number };
const seriesOf = async (query: string) =>
  rowsOf<Row>((await report(query)).body['series'])
    .filter(row => row.plays + row.scans > 0)
    .map(row => `${row.bucket.slice(5)} ${row.plays} ${row.scans}`);

describe('a report', () => {
  test('of everything counts screens once, whatever the zone', async () => {
    for (const tz of ['UTC', 'Asia/Kolkata', 'America/New_York']) {
      expect((await report(`&tz=${tz}`)).body['totals']).toMatchObject({
        plays: 9,
        scans: 3,
        screens: 3,
        impressions: 14,
        spend: { amount: 0.0675 },
      });
    }
    // 03:00 UTC on the 3rd is still the 2nd in New York; only that venue played after the 3rd.
    expect(
      (
        await api.call('GET', `/v1/reporting/campaigns/${campaign}?from=2026-02-03&to=2026-02-05&tz=America/New_York`, {
          key,
        })
      ).body['totals'],
    ).toMatchObject({ plays: 3, screens: 2 });
  });

  test.each([
    ['venue', () => `&venue=${venues['kreuzberg']}`, { plays: 4, screens: 1, scans: 1 }],
    ['city, whatever its case and spaces', () => '&city=berlin', { plays: 6, screens: 2, scans: 2 }],
    ['city and part of the day', () => '&city=Berlin&daypart=night', { plays: 4, screens: 2, scans: 1 }],
    ['named daypart in every zone', () => '&daypart=night', { plays: 6, screens: 3, scans: 1 }],
    ['range of the day', () => '&daypart=10:00-10:15', { plays: 1, screens: 1, scans: 2 }],
    ['range until midnight', () => '&daypart=22:00-24:00', { plays: 3, screens: 3, scans: 0 }],
    ['venue and city that disagree', () => `&venue=${venues['york']}&city=Berlin`, { plays: 0, screens: 0, scans: 0 }],
    ['city without venues', () => '&city=Atlantis', { plays: 0, screens: 0, scans: 0, spend: { amount: 0 } }],
  ])('by %s has the matching plays', async (_, query, totals) => {
    expect((await report(query())).body['totals']).toMatchObject(totals);
  });

  test('accepts a zone in any case and returns its name', async () => {
    for (const path of [`/v1/reporting/campaigns/${campaign}`, `/v1/campaigns/${campaign}/results`]) {
      const [mixed, named] = await Promise.all(
        ['EUROPE/berlin', 'Europe/Berlin'].map(tz =>
          api.call('GET', `${path}?tz=${tz}&from=2026-02-01&to=2026-02-05`, { key }),
        ),
      );
      expect(mixed).toMatchObject({ status: 200, body: { tz: 'Europe/Berlin' } });
      expect({ ...readAs<object>(mixed!.body), as_of: '' }).toEqual({ ...readAs<object>(named!.body), as_of: '' });
    }
    expect((await api.call('GET', '/v1/reporting/scans?tz=asia/TOKYO&from=2026-02-02', { key })).status).toBe(200);
  });

  test('works for a campaign scheduled beyond the longest range', async () => {
    const far = (await api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [creative]) })).body['id']!;
    await api.sql`update campaigns set starts_on = '9999-12-30', ends_on = '9999-12-31' where handle = ${parseId('campaign', far)!}`;
    for (const path of [
      `/v1/reporting/campaigns/${far}`,
      `/v1/reporting/campaigns/${far}?group=hour`,
      `/v1/campaigns/${far}/results`,
      `/v1/campaigns/${far}`,
    ]) {
      expect([path, (await api.call('GET', path, { key })).status]).toEqual([path, 200]);
    }
  });

  test('assigns a daypart over midnight to the day on which it began', async () => {
    expect(await seriesOf(`&venue=${venues['kreuzberg']}&daypart=night&tz=Europe/Berlin`)).toEqual(['02-02 3 1']);
    expect(await seriesOf(`&venue=${venues['york']}&daypart=night&tz=America/New_York`)).toEqual(['02-02 2 0']);
    expect(await seriesOf(`&venue=${venues['york']}&daypart=night`)).toEqual(['02-03 2 0']);
    expect(await seriesOf(`&venue=${venues['kreuzberg']}&daypart=night&tz=Europe/Berlin&group=hour`)).toEqual([
      '02-02T23:00 1 0',
      '02-03T00:00 1 1',
      '02-03T05:00 1 0',
    ]);
  });

  test.each(['10:05-11:00', 'noon', '10:00', '10:00-10:00', '25:00-26:00'])(
    'by the daypart %s is 422 and names the field',
    async daypart => {
      expect(await report(`&daypart=${daypart}`)).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ pointer: '/daypart', code: 'bad_daypart' }] },
      });
    },
  );

  test('with an invalid venue id or an unknown parameter gives 400', async () => {
    expect(await report('&venue=nonsense')).toMatchObject({ status: 400, body: { code: 'bad_query_parameter' } });
    expect(await report('&town=x')).toMatchObject({ status: 400, body: { code: 'unknown_query_parameter' } });
  });
});

describe('the log of scans', () => {
  const idsOf = async (query: string) =>
    dataOf(await api.call('GET', `/v1/reporting/scans?${query}`, { key })).map(scan => String(scan['id']));
  test.each([
    [() => `venue=${venues['york']}`, ['scan_b']],
    [() => `venue=${venues['berlin']}`, ['scan_c']],
    [() => 'daypart=midday', ['scan_b', 'scan_c']],
    [() => `creative=${creative}&from=2026-02-03`, ['scan_b', 'scan_c']],
    [() => 'to=2026-02-02', ['scan_a']],
    [() => 'to=2026-02-02&tz=Europe/Berlin', []],
    [() => 'from=2026-02-04&to=2026-02-04&tz=America/New_York&daypart=midday&limit=1', ['scan_b']],
  ])('is narrowed by its filters (%#)', async (query, ids) => {
    expect(await idsOf(query())).toEqual(ids);
  });

  test.each(['screen=x', 'venue=cmp_1', 'from=2026-02-30', 'tz=Mars', 'from=2026-02-03&to=2026-02-02'])(
    'refuses %s with 400',
    async query => {
      expect((await api.call('GET', `/v1/reporting/scans?${query}`, { key })).status).toBe(400);
    },
  );

  test('refuses a daypart as reports do', async () => {
    expect(await api.call('GET', '/v1/reporting/scans?daypart=noon', { key })).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer: '/daypart', code: 'bad_daypart' }] },
    });
  });
});

describe('the log of scans and reports', () => {
  let own: string;
  let scanned: string;
  /** Two days of scans in Berlin and New York, 20 minutes after their slots, as the link behind a code writes them. */
  beforeAll(async () => {
    own = await createKey(api, await createWorkspace(api, { funds: 1_000 }));
    const shown = await createReadyCreative(api, own);
    scanned = (await api.call('POST', '/v1/campaigns', { key: own, body: campaignBody(api, [shown]) })).body['id']!;
    const spell = (ms: number) => new Date(ms).toISOString().replace('T', ' ').slice(0, -1);
    const first = Date.parse('2026-02-02T12:00:00Z');
    const times = Array.from({ length: 80 }, (_, index) => first + index * 37 * 60_000);
    const values = Object.entries({ berlin: 'Europe/Berlin', york: 'America/New_York' }).flatMap(([venue, zone]) =>
      times.map(at => ({
        scan_id: `scan_${venue}_${at}`,
        scanned_at: spell(at),
        slot_at: spell(at - 20 * 60_000),
        campaign_id: scanned,
        creative_id: shown,
        screen_id: `scr_${venue}`,
        venue_id: venues[venue],
        daypart: daypartName(localTime(zoneOffsetMinutes(zone, at), at).minute),
        sandbox: false,
        group_id: 'g3',
      })),
    );
    await api.clickhouse.insert({ table: 'scans_raw', format: 'JSONEachRow', values });
  });

  test.each(['', 'night', '22:00-06:00', '21:45-22:15', '23:30-00:30', '06:00-05:45'])(
    'hold the same scans on each day of each zone in the daypart %j',
    async daypart => {
      const found = new Set<number>();
      for (const tz of ['UTC', 'America/New_York', 'Asia/Kolkata'])
        for (const day of ['2026-02-01', '2026-02-02', '2026-02-03', '2026-02-04', '2026-02-05'])
          for (const venue of ['', `&venue=${venues['york']}`]) {
            const query = `from=${day}&to=${day}&tz=${tz}${daypart && `&daypart=${daypart}`}${venue}`;
            const log = await api.call('GET', `/v1/reporting/scans?limit=100&${query}`, { key: own });
            const { body } = await api.call('GET', `/v1/reporting/campaigns/${scanned}?${query}`, { key: own });
            expect([query, dataOf(log).length]).toEqual([query, Number(body['totals']!['scans'])]);
            found.add(dataOf(log).length);
          }
      expect(found.size).toBeGreaterThan(1);
    },
    30_000,
  );

  test('have the same scans for the name of a daypart and for its hours', async () => {
    const idsOf = async (daypart: string) =>
      dataOf(await api.call('GET', `/v1/reporting/scans?limit=100&daypart=${daypart}`, { key: own })).map(
        scan => scan['id'],
      );
    const named = await idsOf('night');
    expect(named.length).toBeGreaterThan(20);
    expect(await idsOf('22:00-06:00')).toEqual(named);
  });
});

describe('Accept: text/csv', () => {
  const csv = (url: string, accept = 'text/csv') => api.call('GET', url, { key, headers: { accept } });
  const linesOf = (raw: Buffer) => raw.toString().trimEnd().split('\r\n');

  test('returns the series of a report, one line per entry', async () => {
    const answer = await csv(`/v1/reporting/campaigns/${campaign}?from=2026-02-02&to=2026-02-03`);
    expect([
      answer.status,
      answer.headers['content-type'],
      answer.headers['x-is-final'],
      answer.headers['vary'],
    ]).toEqual([200, 'text/csv; charset=utf-8', 'false', 'accept']);
    expect(linesOf(answer.raw)).toEqual([
      'bucket,tz,plays,impressions,scans,spend,currency',
      '2026-02-02,UTC,4,6,1,0.03,EUR',
      '2026-02-03,UTC,4,6,0,0.03,EUR',
    ]);
  });

  test.each([
    'text/csv; bom=1',
    'text/csv; charset=utf-8; bom=1',
    'text/csv;header=present;bom=1',
    'text/csv; bom=1, */*',
  ])('gives a table with a byte order mark, for Excel, to %s alone', async accept => {
    const url = '/v1/reporting/scans?to=2026-02-04&from=2026-02-04';
    const [plain, marked] = [await csv(url), await csv(url, accept)];
    expect(marked.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(plain.raw.toString('hex')).not.toMatch(/^efbbbf/);
    expect(marked.raw.toString('hex')).toBe(`efbbbf${plain.raw.toString('hex')}`);
  });

  test('returns the log of scans page by page', async () => {
    const first = await csv('/v1/reporting/scans?limit=2');
    expect(linesOf(first.raw).map(line => line.split(',')[0])).toEqual(['id', 'scan_b', 'scan_c']);
    const second = await csv(`/v1/reporting/scans?limit=2&cursor=${first.headers['x-next-cursor']}`);
    expect([linesOf(second.raw).length, second.headers['x-next-cursor']]).toEqual([2, undefined]);
  });

  test('returns the three groupings of the results one after the other', async () => {
    const lines = linesOf((await csv(`/v1/campaigns/${campaign}/results?from=2026-02-01&to=2026-02-05`)).raw).map(
      line => line.split(','),
    );
    expect(lines[0]!.slice(0, 2)).toEqual(['by', 'bucket']);
    expect(lines.filter(([by]) => by === 'screen').map(line => [line[3], line[5]])).toEqual([
      ['scr_kreuzberg', '4'],
      ['scr_york', '3'],
      ['scr_berlin', '2'],
    ]);
    expect(lines.filter(([by]) => by === 'day')).toHaveLength(3);
  });

  test('leaves refusals and every other call in JSON', async () => {
    expect((await csv('/v1/reporting/scans?limit=x')).headers['content-type']).toMatch(/problem\+json/);
    expect((await csv('/v1/reporting/scans', '*/*')).headers['content-type']).toMatch(/^application\/json/);
  });

  test('escapes text that a spreadsheet would run as a formula', async () => {
    const { stringify } = await import('csv-stringify/sync');
    expect(stringify([['=1+1', '+1', '-1', '@x', '\tx', 'plain']], { escape_formulas: true })).toBe(
      "'=1+1,'+1,'-1,'@x,'\tx,plain\n",
    );
    await api.clickhouse.insert({
      table: 'scans_raw',
      format: 'JSONEachRow',
      values: [
        {
          scan_id: '=cmd()',
          scanned_at: '2026-02-04 09:10:00.000',
          slot_at: '2026-02-04 09:10:00.000',
          campaign_id: campaign,
          creative_id: creative,
          screen_id: 'scr_x',
          venue_id: venues['berlin'],
          daypart: 'midday',
          sandbox: false,
          group_id: 'g2',
        },
      ],
    });
    expect((await csv('/v1/reporting/scans?to=2026-02-04&from=2026-02-04')).raw.toString()).toContain("'=cmd(),");
  });

  test.each([
    ['text/csv', true],
    ['text/csv;q=0.5, application/json', false],
    ['application/json, text/csv', false],
    ['text/csv, application/json', true],
    ['application/json;q=0.4, text/csv;q=0.5', true],
    ['*/*', false],
    ['text/csv;q=0', false],
    ['', false],
    [undefined, false],
    ['TEXT/CSV', true],
    ['text/*', true],
    ['text/csv; charset=utf-8', true],
    ['text/csv; header=present', true],
    ['text/csv; header=absent', false],
    ['text/csv; bom=1', true],
    ['text/csv; bom=2', false],
    ['text/csv;q=0.5, */*', false],
    ['text/html', false],
  ])('%j asks for CSV: %s', async (accept, expected) => {
    const headers = accept === undefined ? {} : { accept };
    const answer = await api.call('GET', '/v1/reporting/scans?to=2026-02-04&from=2026-02-04', { key, headers });
    expect(answer.headers['content-type']).toMatch(expected ? /^text\/csv/ : /^application\/json/);
  });
});
