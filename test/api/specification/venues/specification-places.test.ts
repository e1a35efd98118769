/**
 * Reports, places of a campaign and the inventory name venues, cities and screens in words. Two campaigns run at three
 * venues, two in Berlin and one in New York; a play has 1,500 thousandths of an impression and costs 7,500 micros, and
 * all plays are on 2 to 5 February. They are inserted into the real ClickHouse and read by calls to the API in this
 * process.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '../../../../domain/id.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  dateFromNow,
  startApi,
  upload,
  VENUE,
  type TestApi,
} from '../../support/app-under-test.ts';
import { PIXEL } from '../../../support/media.ts';
import { readAs, rowsOf } from '../../support/answer.ts';

let api: TestApi;
let key: string;
let house: string;
let creatives: string[];
let campaigns: string[];
let other: string;
const venues: Record<string, string> = {};

type Play = [campaign: number, creative: number, venue: string, at: string];
const PLAYS: Play[] = [
  [0, 0, 'berlin', '02-02 20:59'],
  [0, 0, 'berlin', '02-02 21:00'],
  [0, 1, 'berlin', '02-03 21:30'],
  [0, 1, 'kreuzberg', '02-03 09:15'],
  [0, 0, 'york', '02-04 15:00'],
  [1, 0, 'berlin', '02-02 20:00'],
  [1, 0, 'york', '02-05 15:30'],
];

beforeAll(async () => {
  api = await startApi();
  const workspace = await createWorkspace(api, { funds: 1_000 });
  key = await createKey(api, workspace);
  other = await createKey(api, await createWorkspace(api));
  house = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
  creatives = [await createReadyCreative(api, key, 'Day spot'), await createReadyCreative(api, key, 'Night spot')];
  campaigns = [];
  for (const name of ['One', 'Two'])
    campaigns.push(
      (await api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, creatives, { name }) })).body['id']!,
    );
  for (const [name, changes] of Object.entries({
    berlin: {},
    kreuzberg: { name: 'Secret cellar', city: 'BERLIN ', visibility: { name: false, coordinates: 'hidden' } },
    york: { name: 'York', city: 'New York', lat: 40.7128, lng: -74.006, visibility: { coordinates: 'exact' } },
  })) {
    venues[name] = (await api.call('POST', '/v1/venues', { key: house, body: { ...VENUE, ...changes } })).body['id']!;
  }
  await insertPlays();
});
afterAll(() => api.close());

async function insertPlays(): Promise<void> {
  await api.clickhouse.insert({
    table: 'plays_raw',
    format: 'JSONEachRow',
    values: PLAYS.map(([campaign, creative, venue, at], index) => ({
      played_at: `2026-${at}:00.000`,
      slot_at: `2026-${at}:00.000`,
      received_at: `2026-${at}:30.000`,
      campaign_id: campaigns[campaign],
      creative_id: creatives[creative],
      screen_id: `scr_${venue}`,
      venue_id: venues[venue],
      campaign_handle: parseId('campaign', campaigns[campaign]!),
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
    })),
  });
  const scan = {
    scan_id: 'scan_a',
    scanned_at: '2026-02-03 21:40:00.000',
    slot_at: '2026-02-03 21:30:00.000',
    campaign_id: campaigns[0],
    creative_id: creatives[1],
    screen_id: 'scr_berlin',
    venue_id: venues['berlin'],
    daypart: 'evening',
    sandbox: false,
    group_id: 'g1',
  };
  await api.clickhouse.insert({ table: 'scans_raw', format: 'JSONEachRow', values: [scan] });
}

const RANGE = 'from=2026-02-01&to=2026-02-05';
const get = (path: string, as = key) => api.call('GET', path, { key: as });
const report = async (query: string, campaign = 0) =>
  (await get(`/v1/reporting/campaigns/${campaigns[campaign]}?${RANGE}${query}`)).body;
type Group = { plays: number; scans: number; spend: { amount: number } } & Record<string, unknown>;
const groupsOf = async (query: string) => rowsOf<Group>((await report(query))['groups']);

describe('GET /reporting/campaigns/{id}?group_by', () => {
  test('venue: names, types and cities of places, those with most plays first', async () => {
    const figures = (plays: number, impressions: number, scans: number) => ({
      plays,
      impressions,
      scans,
      spend: { amount: (plays * 7_500) / 1e6, currency: 'EUR' },
    });
    expect(await groupsOf('&group_by=venue')).toEqual([
      {
        venue_id: venues['berlin'],
        name: 'Corner bar',
        type: 'entertainment.bars',
        city: 'Berlin',
        ...figures(3, 5, 1),
      },
      ...[
        { venue_id: venues['kreuzberg'], name: null, type: 'entertainment.bars', city: 'BERLIN ' },
        { venue_id: venues['york'], name: 'York', type: 'entertainment.bars', city: 'New York' },
      ]
        .sort((a, b) => (a.venue_id! < b.venue_id! ? -1 : 1))
        .map(place => ({ ...place, ...figures(1, 2, 0) })),
    ]);
  });

  test('city: spellings of one city together', async () => {
    expect((await groupsOf('&group_by=city')).map(group => [group['city'], group.plays, group['impressions']])).toEqual(
      [
        ['Berlin', 4, 6],
        ['New York', 1, 2],
      ],
    );
  });

  test('creative: by name', async () => {
    const shown = (await groupsOf('&group_by=creative')).map(group => [
      group['creative_id'],
      group['name'],
      group.plays,
      group.scans,
    ]);
    expect(shown).toEqual([
      [creatives[0], 'Day spot', 3, 0],
      [creatives[1], 'Night spot', 2, 1],
    ]);
  });

  test('hour: the hour of the day in the zone of the report', async () => {
    expect((await groupsOf('&group_by=hour')).map(group => [group['hour'], group.plays])).toEqual([
      ['09:00', 1],
      ['15:00', 1],
      ['20:00', 1],
      ['21:00', 2],
    ]);
    expect((await groupsOf('&group_by=hour&tz=Asia/Kolkata')).map(group => [group['hour'], group.plays])).toEqual([
      ['02:00', 2],
      ['03:00', 1],
      ['14:00', 1],
      ['20:00', 1],
    ]);
  });

  test.each([
    '',
    '&daypart=evening',
    '&city=berlin',
    '&tz=America/New_York',
    '&daypart=12:00-24:00&city=Berlin',
    '&city=Atlantis',
  ])('adds up to the totals, narrowed by %j or not', async narrowed => {
    const { totals } = await report(narrowed);
    for (const by of ['venue', 'city', 'creative', 'hour']) {
      const { groups, totals: own, group_by: named, series } = await report(`${narrowed}&group_by=${by}`);
      const sum = (pick: (group: Group) => number) =>
        rowsOf<Group>(groups).reduce((total, group) => total + pick(group), 0);
      expect([
        own,
        named,
        sum(group => group.plays),
        sum(group => group.scans),
        Math.round(sum(group => group.spend.amount) * 1e6),
      ]).toEqual([
        totals,
        by,
        totals!['plays'],
        totals!['scans'],
        Math.round(Number(totals!['spend']!['amount']) * 1e6),
      ]);
      expect(series).toEqual((await report(narrowed))['series']);
    }
  });

  test('is a table of its own as CSV; without it, nothing has changed', async () => {
    const answer = await api.call('GET', `/v1/reporting/campaigns/${campaigns[0]}?${RANGE}&group_by=city`, {
      key,
      headers: { accept: 'text/csv' },
    });
    expect(answer.raw.toString()).toBe(
      'city,plays,impressions,scans,spend,currency\r\nBerlin,4,6,1,0.03,EUR\r\nNew York,1,2,0,0.0075,EUR\r\n',
    );
    expect(Object.keys(await report(''))).not.toContain('groups');
    expect(await get(`/v1/reporting/campaigns/${campaigns[0]}?group_by=screen`)).toMatchObject({
      status: 400,
      body: { code: 'bad_query_parameter' },
    });
  });
});

describe('GET /reporting/campaigns', () => {
  const both = (query: string, as = key) =>
    get(`/v1/reporting/campaigns?campaign_id=${campaigns.join(',')}&${RANGE}${query}`, as);

  test.each(['', '&city=Berlin', '&daypart=evening&group=hour', '&tz=Asia/Tokyo'])(
    'totals and buckets are the sums of the single reports, narrowed by %j or not',
    async query => {
      const [{ body: several }, one, two] = [await both(query), await report(query), await report(query, 1)];
      const sum = (field: string) => Number(one['totals']![field]) + Number(two['totals']![field]);
      expect(several['totals']).toMatchObject({
        plays: sum('plays'),
        impressions: sum('impressions'),
        scans: sum('scans'),
      });
      expect(several['totals']!['spend']!['amount']).toBeCloseTo(
        Number(one['totals']!['spend']!['amount']) + Number(two['totals']!['spend']!['amount']),
        9,
      );
      expect(rowsOf<object>(several['campaigns']).map(row => row)).toMatchObject(
        [two, one].map(single => ({
          campaign_id: single['campaign_id'],
          plays: single['totals']!['plays'],
          impressions: single['totals']!['impressions'],
          spend: single['totals']!['spend'],
        })),
      );
      const plays = (body: typeof one) =>
        rowsOf<{ bucket: string; plays: number }>(body['series']).map(row => row.plays);
      expect(plays(several)).toEqual(plays(one).map((count, index) => count + plays(two)[index]!));
      expect(several).toMatchObject({ as_of: expect.stringMatching(/Z$/), is_final: false, late_plays: 0 });
    },
  );

  test('counts a screen once, and groups by campaign or by place', async () => {
    expect((await both('')).body['totals']!['screens']).toBe(3);
    expect(
      rowsOf<Group>((await both('&group_by=campaign')).body['groups']).map(group => [group['name'], group.plays]),
    ).toEqual([
      ['One', 5],
      ['Two', 2],
    ]);
    expect(
      rowsOf<Group>((await both('&group_by=city')).body['groups']).map(group => [group['city'], group.plays]),
    ).toEqual([
      ['Berlin', 5],
      ['New York', 2],
    ]);
  });

  test("names the campaign that there is not, and shows nobody else's", async () => {
    expect(await get(`/v1/reporting/campaigns?campaign_id=${campaigns[0]},cmp_nonsense`)).toMatchObject({
      status: 404,
      body: { code: 'not_found', detail: expect.stringContaining('cmp_nonsense') },
    });
    expect(await both('', other)).toMatchObject({
      status: 404,
      body: { code: 'not_found', detail: expect.stringContaining(campaigns[0]!) },
    });
    expect((await get('/v1/reporting/campaigns')).status).toBe(400);
    expect(
      (
        await get(
          `/v1/reporting/campaigns?campaign_id=${Array.from({ length: 101 }, (_, index) => `cmp_${index}`).join(',')}`,
        )
      ).status,
    ).toBe(400);
  });
});

describe('GET /campaigns/{id}/places', () => {
  test('shows where a campaign was: name, type, city, coordinates and photo as the venue allows, with its figures', async () => {
    const { body } = await get(`/v1/campaigns/${campaigns[0]}/places?${RANGE}`);
    const bar = { type: 'entertainment.bars', screens: 1, photo_url: null };
    expect(body).toEqual({
      data: [
        {
          ...bar,
          venue_id: venues['york'],
          name: 'York',
          city: 'New York',
          timezone: 'Europe/Berlin',
          coordinates: { lat: 40.7128, lng: -74.006, precision: 'exact' },
          plays: 1,
          impressions: 2,
          scans: 0,
          spend: { amount: 0.0075, currency: 'EUR' },
        },
        {
          ...bar,
          venue_id: venues['kreuzberg'],
          name: null,
          city: 'BERLIN ',
          timezone: 'Europe/Berlin',
          coordinates: null,
          plays: 1,
          impressions: 2,
          scans: 0,
          spend: { amount: 0.0075, currency: 'EUR' },
        },
        {
          ...bar,
          venue_id: venues['berlin'],
          name: 'Corner bar',
          city: 'Berlin',
          timezone: 'Europe/Berlin',
          coordinates: { lat: 52.5, lng: 13.4, precision: 'city' },
          plays: 3,
          impressions: 5,
          scans: 1,
          spend: { amount: 0.0225, currency: 'EUR' },
        },
      ],
      has_more: false,
      next_cursor: null,
      as_of: expect.stringMatching(/Z$/),
    });
    expect(JSON.stringify(body)).not.toContain('Secret');
  });

  test("is read page by page, and is nobody else's", async () => {
    const first = await get(`/v1/campaigns/${campaigns[0]}/places?${RANGE}&limit=2`);
    const second = await get(
      `/v1/campaigns/${campaigns[0]}/places?${RANGE}&limit=2&cursor=${first.body['next_cursor']}`,
    );
    expect([
      dataOf(first).length,
      first.body['has_more'],
      dataOf(second).map(place => place['venue_id']),
      second.body['has_more'],
    ]).toEqual([2, true, [venues['berlin']], false]);
    expect((await get(`/v1/campaigns/${campaigns[0]}/places?${RANGE}`, other)).status).toBe(404);
    expect((await get(`/v1/campaigns/${campaigns[0]}/places`, house)).status).toBe(403);
  });
});

describe('a venue says what brands see of it', () => {
  const change = (body: object, venue = venues['york']!) =>
    api.call('PATCH', `/v1/venues/${venue}`, { key: house, body });
  const seen = async (venue: string) =>
    dataOf(await get(`/v1/campaigns/${campaigns[0]}/places?${RANGE}`)).find(place => place['venue_id'] === venue);

  test('visibility is merged: what is not sent stays', async () => {
    const venue = venues['york']!;
    expect((await change({ visibility: { name: false } })).body['visibility']).toEqual({
      name: false,
      coordinates: 'exact',
    });
    expect(await seen(venue)).toMatchObject({ name: null, coordinates: { precision: 'exact' } });
    expect((await change({ visibility: { coordinates: 'hidden' } })).body['visibility']).toEqual({
      name: false,
      coordinates: 'hidden',
    });
    expect(await seen(venue)).toMatchObject({ name: null, coordinates: null });
    await change({ visibility: { name: true, coordinates: 'exact' } });
    expect((await get(`/v1/venues/${venue}`, house)).body['visibility']).toEqual({ name: true, coordinates: 'exact' });
    expect(await change({ visibility: { coordinates: 'roughly' } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/visibility/coordinates' }] },
    });
  });

  test('a photo is a ready asset of its own workspace', async () => {
    const asset = (await api.call('POST', '/v1/assets', { key: house, body: { name: 'Front', filename: 'front.png' } }))
      .body;
    expect(await change({ photo_asset_id: asset['id'] })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/photo_asset_id', code: 'not_ready' }] },
    });
    await upload(api, asset['upload_url']!, PIXEL, 'image/png');
    await api.render();
    const { photo_url: url, photo_asset_id: id } = (await change({ photo_asset_id: asset['id'] })).body;
    expect([
      id,
      (await api.call('GET', new URL(url!).pathname)).status,
      (await seen(venues['york']!))!['photo_url'],
    ]).toEqual([asset['id'], 200, url]);
    const foreign = (await api.call('POST', '/v1/assets', { key, body: { name: 'Front', filename: 'front.png' } }))
      .body['id'];
    expect(await change({ photo_asset_id: foreign })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/photo_asset_id', code: 'unknown_asset' }] },
    });
    expect((await change({ photo_asset_id: null })).body['photo_url']).toBeNull();
  });
});

describe('GET /inventory', () => {
  const found = async (query: string) =>
    dataOf(await get(`/v1/inventory?${query}`)).map(place =>
      Object.keys(venues).find(name => venues[name] === place['venue_id']),
    );

  beforeAll(async () => {
    venues['gym'] = (
      await api.call('POST', '/v1/venues', {
        key: house,
        body: {
          ...VENUE,
          name: 'Iron',
          type: 'health_and_beauty.gyms',
          daily_visitors: 100,
          visibility: { coordinates: 'exact' },
          opening_hours: { mon: [{ start: '08:00', end: '20:00' }], tue: [{ start: '08:00', end: '20:00' }] },
        },
      })
    ).body['id']!;
    venues['empty'] = (
      await api.call('POST', '/v1/venues', { key: house, body: { ...VENUE, name: 'Without screens' } })
    ).body['id']!;
    for (const venue of ['berlin', 'kreuzberg', 'york', 'gym']) {
      const { code } = (await api.call('POST', '/v1/pairing', { key: house, body: { venue_id: venues[venue] } })).body;
      await api.call('POST', '/v1/screens', { key: house, body: { venue_id: venues[venue], label: 'Bar', code } });
    }
  });

  test('shows what could be booked: the place, its audience, prices by the rate card, what is left in the days asked for', async () => {
    const [start, end] = [dateFromNow(api, 2), dateFromNow(api, 8)];
    const bar = dataOf(await get(`/v1/inventory?start=${start}&end=${end}`)).find(
      place => place['venue_id'] === venues['berlin'],
    );
    // 400 visitors x 45 minutes over 1,440: 12.5 people; a bar costs 5.10 a thousand.
    expect(bar).toEqual({
      venue_id: venues['berlin'],
      name: 'Corner bar',
      type: 'entertainment.bars',
      city: 'Berlin',
      timezone: 'Europe/Berlin',
      coordinates: { lat: 52.5, lng: 13.4, precision: 'city' },
      photo_url: null,
      opening_hours: null,
      screens: 1,
      orientations: ['landscape'],
      blocked_categories: [],
      audience: { daily_visitors: 400, dwell_minutes: 45, per_play: 12.5 },
      price: { cpm: { amount: 5.1, currency: 'EUR' }, per_play: { amount: 0.06375, currency: 'EUR' } },
      availability: {
        start,
        end,
        plays: expect.any(Number),
        impressions: expect.any(Number),
        share: expect.any(Number),
      },
    });
    const { plays, impressions, share } = readAs<Record<string, number>>(bar!['availability']);
    expect([Math.floor(impressions! / 12.5), share! > 0 && share! <= 1]).toEqual([plays, true]);
  });

  test('what is left is what the forecast of the same days would get there', async () => {
    const [starts, ends] = [dateFromNow(api, 30), dateFromNow(api, 36)]; // nothing is booked then
    const forecast = (
      await api.call('POST', '/v1/forecasts', {
        key,
        body: {
          budget: { amount: 1_000_000, currency: 'EUR' },
          venue_types: ['health_and_beauty.gyms'],
          schedule: { starts, ends },
        },
      })
    ).body;
    const gym = dataOf(await get(`/v1/inventory?venue_type=health_and_beauty&start=${starts}&end=${ends}`))[0]!;
    const total = rowsOf<{ impressions_est: number }>(forecast['pacing']).reduce(
      (sum, day) => sum + day.impressions_est,
      0,
    );
    expect(total).toBeGreaterThan(0);
    expect(Math.abs(Number(gym['availability']!['impressions']) - total)).toBeLessThanOrEqual(2);
    expect(gym['availability']!['share']).toBe(1);
  });

  test('booked campaigns leave less', async () => {
    const days = `start=${dateFromNow(api, 0)}&end=${dateFromNow(api, 7)}`;
    const share = async () =>
      Number(dataOf(await get(`/v1/inventory?venue_type=health_and_beauty&${days}`))[0]!['availability']!['share']);
    const before = await share();
    const booked = await api.call('POST', '/v1/campaigns', {
      key,
      body: campaignBody(api, creatives, {
        budget: { amount: 500, currency: 'EUR' },
        targets: { venue_types: ['health_and_beauty.gyms'] },
      }),
    });
    expect(booked.status).toBe(201);
    await api.review(); // it is in the change log from its review on
    expect(await share()).toBeLessThan(before);
  });

  test.each<[string, string[]]>([
    ['', ['gym', 'york', 'kreuzberg', 'berlin']],
    ['city=berlin', ['gym', 'kreuzberg', 'berlin']],
    ['city=NEW YORK,Atlantis', ['york']],
    ['venue_type=entertainment', ['york', 'kreuzberg', 'berlin']],
    ['venue_type=entertainment.bars,health_and_beauty.gyms&city=Berlin', ['gym', 'kreuzberg', 'berlin']],
    ['q=IRON', ['gym']],
    ['q=Secret', []],
    ['audience_min=12.5', ['gym', 'york', 'kreuzberg', 'berlin']],
    ['audience_min=12.6', ['gym']],
    ['daily_visitors_min=101', ['york', 'kreuzberg', 'berlin']],
    ['cpm_max=5.1', ['york', 'kreuzberg', 'berlin']],
    ['cpm_max=5', []],
    ['price_max=0.06375', ['york', 'kreuzberg', 'berlin']],
    ['price_max=0.01', []],
    ['plays_available_min=1', ['gym', 'york', 'kreuzberg', 'berlin']],
    ['plays_available_min=900000000', []],
    ['start=2020-01-01&end=2020-01-02&plays_available_min=1', []],
  ])('is narrowed by %s', async (query, expected) => {
    expect(await found(encodeURI(query))).toEqual(expected);
  });

  test('a box of the map finds places where they show themselves, and none that hide', async () => {
    expect(await found('bbox=13.3,52.4,13.5,52.6')).toEqual(['gym', 'berlin']);
    expect(await found('bbox=13.39,52.51,13.41,52.53')).toEqual(['gym']); // the bar shows itself at 52.5
    expect([
      await found('bbox=-75,40,-73,41'),
      await found('bbox=170,-90,-70,90'),
      await found('bbox=0,0,1,1'),
    ]).toEqual([['york'], ['york'], []]);
  });

  test('is read page by page, in the book of the key, by brands alone', async () => {
    const first = await get('/v1/inventory?limit=3');
    expect([
      dataOf(first).length,
      first.body['has_more'],
      await found(`limit=3&cursor=${first.body['next_cursor']}`),
    ]).toEqual([3, true, ['berlin']]);
    expect(
      dataOf(await get('/v1/inventory', await createKey(api, await createWorkspace(api), { mode: 'test' }))),
    ).toEqual([]);
    expect((await get('/v1/inventory', house)).status).toBe(403);
    for (const bad of [
      'bbox=1,2,3',
      'bbox=1,50,2,40',
      'bbox=1,50,200,60',
      'venue_type=castles',
      'start=2026-02-30',
      'start=2030-01-02&end=2030-01-01',
      'start=2030-01-01&end=2036-01-01',
      'audience_min=-1',
      'price_max=many',
    ])
      expect([bad, (await get(`/v1/inventory?${bad}`)).status]).toEqual([bad, 400]);
  });
});
