/**
 * A forecast says what a budget would buy, in both shapes of the question, with warnings, and refuses bad questions by
 * field. What is booked is not offered again. Driven by calls to the API in this process on real engines, with screens
 * that are inserted by the test.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createForecaster } from '../../../api/forecasts/forecaster.ts';
import { parseTargets, type Targets } from '../../../domain/campaigns/targeting.ts';
import { parseId } from '../../../domain/id.ts';
import { createLog } from '../../../runtime/log.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dateFromNow,
  startApi,
  VENUE,
  type Answer,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { rowsOf } from '../support/answer.ts';

let api: TestApi;
let key: string;
let home: TestWorkspace;
let venueKey: string;
let creative: string;

beforeAll(async () => {
  api = await startApi();
  const brand = await createWorkspace(api, { funds: 100_000 });
  home = brand;
  key = await createKey(api, brand);
  creative = await createReadyCreative(api, key);
  const owner = await createWorkspace(api, { kind: 'venue' });
  venueKey = await createKey(api, owner, { surface: 'screen_manager' });
  for (const [name, changes] of Object.entries({
    bar: {},
    gym: { type: 'health_and_beauty.gyms', city: 'Potsdam', lat: 52.4, lng: 13.06, daily_visitors: 900 },
  })) {
    await api.call('POST', '/v1/venues', { key: venueKey, body: { ...VENUE, name, ...changes } });
    const [row] = await api.sql<{ handle: number }[]>`select handle from venues where name = ${name}`;
    await api.sql`insert into screens (workspace_handle, venue_handle, ad_ratio, sandbox, created_at) values (${owner.handle}, ${row!.handle}, 0.5, false, now()), (${owner.handle}, ${row!.handle}, 0.5, false, now())`;
  }
  // Screens come in through the API; these did not, so the test announces the change.
  await api.sql`insert into change_log (entity, handle, at) values ('screen', 0, now())`;
});
afterAll(() => api.close());

const schedule = (from = 0, to = 6) => ({ starts: dateFromNow(api, from), ends: dateFromNow(api, to) });
const budget = (amount: number) => ({ amount, currency: 'EUR' });
const ask = (body: Record<string, unknown>, as = key): Promise<Answer> =>
  api.call('POST', '/v1/forecasts', { key: as, body });
const week = (changes: Record<string, unknown> = {}) => ({
  budget: budget(200),
  venue_types: [],
  cities: [],
  schedule: schedule(),
  ...changes,
});
const askWeek = (changes?: Record<string, unknown>) => ask(week(changes));
const circles = (changes: Record<string, unknown> = {}) => ({
  areas: [{ lat: 52.52, lng: 13.4, radiusKm: 5 }],
  venueTypes: ['entertainment.bars'],
  hours: { days: ['mon', 'fri'], from: '17:00', to: '23:00' },
  budget: 100,
  currency: 'EUR',
  ...changes,
});
const askAreas = (changes?: Record<string, unknown>) => ask(circles(changes));
const sum = (days: unknown) =>
  (days as { impressions_est: number }[]).reduce((total, day) => total + day.impressions_est, 0);

describe('POST /forecasts with a schedule', () => {
  test('returns rate, band, scan rate, screens, fill probability and a pacing curve with every day', async () => {
    const { status, body } = await askWeek();
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual([
      'fill_probability',
      'impressions_high',
      'impressions_low',
      'pacing',
      'rate',
      'scan_rate_est',
      'screens_eligible',
      'warnings',
    ]);
    expect(body).toMatchObject({ screens_eligible: 4, scan_rate_est: 0.0005, rate: { currency: 'EUR' }, warnings: [] });
    expect(Number(body['rate']!['amount'])).toBeGreaterThan(0.0051 - 1e-9);
    expect(Number(body['rate']!['amount'])).toBeLessThan(0.0069 + 1e-9);
    expect(rowsOf<{ date: string }>(body['pacing']).map(day => day.date)).toEqual(
      Array.from({ length: 7 }, (_, day) => dateFromNow(api, day)),
    );
    expect(sum(body['pacing'])).toBeGreaterThanOrEqual(Number(body['impressions_low']));
    expect(sum(body['pacing'])).toBeLessThanOrEqual(Number(body['impressions_high']));
    expect(Number(body['impressions_low'])).toBeGreaterThan(0);
  });

  test('gives the same answer to the same question', async () => {
    const [first, second] = [await askWeek(), await askWeek()];
    expect(second.raw.equals(first.raw)).toBe(true);
  });

  test('counts 50 calls a minute per key, and says so in its headers', async () => {
    const ordinary = await createKey(api, home, { perMinuteMax: 600 });
    const { headers } = await ask(week(), ordinary);
    expect(headers['x-ratelimit-limit']).toBe('50');
  });

  test('counts only supply that matches city, type and daypart', async () => {
    const all = await askWeek({ budget: budget(100_000) });
    const potsdam = await askWeek({ budget: budget(100_000), cities: ['POTSDAM'] });
    const evening = await askWeek({
      budget: budget(100_000),
      cities: ['Potsdam'],
      daypart: { start: '18:00', end: '22:00' },
    });
    expect(potsdam.body['screens_eligible']).toBe(2);
    expect(sum(potsdam.body['pacing'])).toBeLessThan(sum(all.body['pacing']));
    expect(sum(evening.body['pacing'])).toBeLessThan(sum(potsdam.body['pacing']) / 3);
    expect(potsdam.body['rate']).toEqual({ amount: 0.0069, currency: 'EUR' });
  });

  test('counts only the requested weekdays', async () => {
    const { body } = await askWeek({ budget: budget(100_000), schedule: schedule(7, 13), days: ['sat', 'sun'] });
    const played = rowsOf<{ date: string; impressions_est: number }>(body['pacing'])
      .filter(day => day.impressions_est > 0)
      .map(({ date }) => new Date(date).getUTCDay());
    expect(played.sort()).toEqual([0, 6]);
  });

  test('counts only screens of the requested orientation', async () => {
    await api.sql`update screens set orientation = 'portrait' where handle = (select min(handle) from screens)`;
    await api.sql`insert into change_log (entity, handle, at) values ('screen', 0, now())`;
    const count = async (orientations: string[]) => (await askWeek({ orientations })).body['screens_eligible'];
    expect([await count(['landscape']), await count(['portrait', 'landscape'])]).toEqual([3, 4]);
    await api.sql`update screens set orientation = 'landscape'`;
    await api.sql`insert into change_log (entity, handle, at) values ('screen', 0, now())`;
  });

  test('counts only supply within an area, together with city and days', async () => {
    const berlin = { lat: 52.52, lng: 13.4, radiusKm: 10 };
    const all = await askWeek({ budget: budget(100_000) });
    const around = await askWeek({ budget: budget(100_000), areas: [berlin] });
    const both = await askWeek({ budget: budget(100_000), areas: [berlin, { lat: 52.4, lng: 13.1, radiusKm: 1 }] });
    const elsewhere = await askWeek({ areas: [berlin], cities: ['Potsdam'] });
    const screens = [all, around, both, elsewhere].map(({ body }) => body['screens_eligible']);
    expect(screens).toEqual([4, 2, 4, 0]);
    expect(sum(around.body['pacing'])).toBeLessThan(sum(all.body['pacing']));
    expect(rowsOf(around.body['pacing'])).toHaveLength(7);
  });

  test('applies the cap, up to as many plays as there are slots', async () => {
    const reach = async (changes: object) =>
      sum((await askWeek({ budget: budget(100_000), schedule: schedule(7, 13), ...changes })).body['pacing']);
    const capped = (max_per_hour: number) => reach({ frequency: { max_per_hour } });
    const [all, quarter, slots] = [await reach({}), await capped(30), await capped(120)];
    expect(Math.abs(quarter - all / 4)).toBeLessThanOrEqual(1);
    expect(slots).toBe(all);
  });

  test.each([
    ['a city without a screen', { cities: ['Berlin', 'Atlantis'] }, { pointer: '/cities/1', code: 'no_venue_in_city' }],
    [
      'a type without a screen',
      { venue_types: ['education'] },
      { pointer: '/venue_types/0', code: 'no_venue_of_type' },
    ],
    [
      'targets that match nothing together',
      { cities: ['Berlin'], venue_types: ['health_and_beauty.gyms'] },
      { pointer: '', code: 'no_matching_screen' },
    ],
    [
      'a budget that cannot be spent',
      { budget: { amount: 10_000_000, currency: 'EUR' } },
      { pointer: '/budget', code: 'budget_not_spent' },
    ],
  ])('warns of %s', async (_, changes, warning) => {
    const { status, body } = await askWeek(changes);
    expect(status).toBe(200);
    expect(body['warnings']).toContainEqual({ ...warning, detail: expect.any(String) as string });
  });

  test('warns of a start in the past and counts the days from now on', async () => {
    const { status, body } = await askWeek({ schedule: schedule(-5, 3) });
    expect(status).toBe(200);
    expect(body['warnings']).toContainEqual({
      pointer: '/schedule/starts',
      code: 'starts_in_the_past',
      detail: expect.any(String) as string,
    });
    expect(sum(rowsOf<unknown>(body['pacing']).slice(0, 4))).toBe(0);
    expect(sum(body['pacing'])).toBeGreaterThan(0);
  });
});

describe('POST /forecasts with areas', () => {
  test('returns screens, plays, impressions with their band, fill probability and cost', async () => {
    const { status, body } = await askAreas();
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual([
      'cost',
      'fill_probability',
      'impressions',
      'impressions_high',
      'impressions_low',
      'plays',
      'screens',
      'warnings',
    ]);
    expect(body['screens']).toBe(2);
    expect(Number(body['plays'])).toBeGreaterThan(0);
    expect(Number(body['impressions'])).toBeGreaterThanOrEqual(Number(body['impressions_low']));
    expect(Number(body['impressions'])).toBeLessThanOrEqual(Number(body['impressions_high']));
    expect(Number(body['cost']!['amount'])).toBeLessThanOrEqual(100);
  });

  test('applies the cap', async () => {
    const all = (await askAreas({ budget: 100_000 })).body;
    const half = (await askAreas({ budget: 100_000, frequency: { max_per_hour: 60 } })).body;
    expect(Math.abs(Number(half['impressions']) - Number(all['impressions']) / 2)).toBeLessThanOrEqual(1);
    expect(half['screens']).toBe(all['screens']);
  });

  test.each([
    ['exact', { atVenue: 1, atShown: 0, anywhere: 1 }],
    ['city', { atVenue: 0, atShown: 1, anywhere: 1 }],
    ['hidden', { atVenue: 0, atShown: 0, anywhere: 0 }],
  ])('compares circles with the position that a venue shows: %s', async (coordinates, expected) => {
    const screensIn = async (lat: number, lng: number, radiusKm: number) =>
      Number((await askAreas({ areas: [{ lat, lng, radiusKm }] })).body['screens']);
    const before = await screensIn(52.52, 13.4, 20_000);
    const place = { city: 'Munich', lat: 48.1374, lng: 11.5755, visibility: { coordinates } };
    const { body: venue } = await api.call('POST', '/v1/venues', { key: venueKey, body: { ...VENUE, ...place } });
    const handle = parseId('venue', String(venue['id']))!;
    const tellChange = async () => api.sql`insert into change_log (entity, handle, at) values ('screen', 0, now())`;
    await api.sql`insert into screens (workspace_handle, venue_handle, ad_ratio, sandbox, created_at)
      select workspace_handle, handle, 0.5, false, now() from venues where handle = ${handle}`;
    await tellChange();
    try {
      expect(await screensIn(48.1374, 11.5755, 1)).toBe(expected.atVenue);
      expect(await screensIn(48.1, 11.6, 1)).toBe(expected.atShown);
      expect((await screensIn(52.52, 13.4, 20_000)) - before).toBe(expected.anywhere);
    } finally {
      await api.sql`update screens set unpaired_at = now() where venue_handle = ${handle}`;
      await tellChange();
    }
  });

  test('names fields in warnings as in its own request', async () => {
    const { body } = await askAreas({ venueTypes: ['education'] });
    expect(body['warnings']).toContainEqual(
      expect.objectContaining({ pointer: '/venueTypes/0', code: 'no_venue_of_type' }),
    );
  });
});

describe('bad input is 422 with a pointer', () => {
  const areas = (count: number) => Array.from({ length: count }, () => ({ lat: 52, lng: 13, radiusKm: 1 }));
  test.each<[string, () => Record<string, unknown>, string, string]>([
    ['dates reversed', () => week({ schedule: schedule(6, 2) }), '/schedule/ends', 'reversed'],
    ['an end in the past', () => week({ schedule: schedule(-9, -3) }), '/schedule/ends', 'in_the_past'],
    ['ten years', () => week({ schedule: schedule(0, 3650) }), '/schedule/ends', 'too_long'],
    ['no schedule', () => ({ budget: budget(10) }), '/schedule', 'required'],
    ['no budget', () => ({ schedule: schedule() }), '/budget', 'required'],
    ['a daypart of zero length', () => week({ daypart: { start: '09:00', end: '09:00' } }), '/daypart', 'bad_range'],
    ['an unknown type', () => week({ venue_types: ['moon_base'] }), '/venue_types/0', 'unknown_value'],
    ['a budget of 0', () => week({ budget: budget(0) }), '/budget/amount', 'out_of_range'],
    ['a negative budget', () => week({ budget: budget(-5) }), '/budget/amount', 'out_of_range'],
    [
      'an unknown currency',
      () => week({ budget: { amount: 5, currency: 'XYZ' } }),
      '/budget/currency',
      'unknown_currency',
    ],
    [
      'a currency of others',
      () => week({ budget: { amount: 5, currency: 'USD' } }),
      '/budget/currency',
      'wrong_currency',
    ],
    ['a cap of 0', () => week({ frequency: { max_per_hour: 0 } }), '/frequency/max_per_hour', 'out_of_range'],
    [
      'a cap of 3601 in the second shape',
      () => circles({ frequency: { max_per_hour: 3601 } }),
      '/frequency/max_per_hour',
      'out_of_range',
    ],
    [
      'a campaign that does not exist',
      () => week({ campaign_id: 'cmp_00000000000001' }),
      '/campaign_id',
      'unknown_campaign',
    ],
    ['a campaign in the second shape', () => circles({ campaign_id: 'cmp_1' }), '/campaign_id', 'unknown_field'],
    ['fields of both shapes', () => circles({ cities: ['Berlin'] }), '/cities', 'unknown_field'],
    ['an unknown field', () => week({ colour: 'red' }), '/colour', 'unknown_field'],
    ['a radius of 0', () => circles({ areas: [{ lat: 1, lng: 1, radiusKm: 0 }] }), '/areas/0', 'unknown_value'],
    [
      'a radius of 40,000 km',
      () => circles({ areas: [{ lat: 1, lng: 1, radiusKm: 40_000 }] }),
      '/areas/0',
      'unknown_value',
    ],
    [
      'latitude 91 beside a schedule',
      () => week({ areas: [{ lat: 91, lng: 1, radiusKm: 1 }] }),
      '/areas/0',
      'unknown_value',
    ],
    ['latitude 91', () => circles({ areas: [{ lat: 91, lng: 1, radiusKm: 1 }] }), '/areas/0', 'unknown_value'],
    ['10,000 areas', () => circles({ areas: areas(10_000) }), '/areas', 'too_long'],
    ['101 areas', () => circles({ areas: areas(101) }), '/areas', 'too_many'],
    [
      'an unknown type in the second shape',
      () => circles({ venueTypes: ['moon_base'] }),
      '/venueTypes/0',
      'unknown_value',
    ],
    [
      'hours of zero length',
      () => circles({ hours: { days: ['mon'], from: '08:00', to: '08:00' } }),
      '/hours',
      'bad_range',
    ],
    ['a budget of 0 in the second shape', () => circles({ budget: 0 }), '/budget', 'out_of_range'],
    ['a negative budget in the second shape', () => circles({ budget: -1 }), '/budget', 'out_of_range'],
    ['no currency', () => circles({ currency: undefined }), '/currency', 'required'],
    ['an unknown currency in the second shape', () => circles({ currency: 'XYZ' }), '/currency', 'unknown_currency'],
  ])('%s', async (_, question, pointer, code) => {
    const { status, body } = await ask(question(), key);
    expect(status).toBe(422);
    expect(body['errors']).toContainEqual(expect.objectContaining({ pointer, code }));
  });
});

describe('bookings', () => {
  const targets: Targets = parseTargets({ cities: ['Potsdam'] }) as Targets;
  const today = () => Math.floor(api.clock.now() / 86_400_000);

  test('POST /campaigns returns the same rate and forecast as POST /forecasts', async () => {
    const before = await askWeek({ cities: ['Potsdam'], budget: budget(100), schedule: schedule(1, 8) });
    const created = await api.call('POST', '/v1/campaigns', {
      key,
      body: campaignBody(api, [creative], { targets: { cities: ['Potsdam'] }, schedule: schedule(1, 8) }),
    });
    expect(created.status).toBe(201);
    const { impressions_low, impressions_high, scan_rate_est, screens_eligible } = before.body;
    expect(created.body['forecast']).toEqual({ impressions_low, impressions_high, scan_rate_est, screens_eligible });
    expect(created.body['rate']).toMatchObject(before.body['rate']!);
  });

  test('a cap changes the forecast of a campaign when it is created with it, gets it, or loses it', async () => {
    const plan = { schedule: schedule(1, 8), budget: budget(500) };
    const frequency = { max_per_hour: 1 };
    const highOf = (answer: Answer) => Number((answer.body['forecast'] ?? answer.body)['impressions_high']);
    const [open, capped] = [highOf(await askWeek(plan)), highOf(await askWeek({ ...plan, frequency }))];
    expect(capped).toBeLessThan(open / 3);
    const created = await api.call('POST', '/v1/campaigns', {
      key,
      body: campaignBody(api, [creative], { ...plan, targets: {}, frequency, status: 'draft' }),
    });
    expect(created.status).toBe(201);
    expect(highOf(created)).toBe(capped);
    const change = (body: object) => api.call('PATCH', `/v1/campaigns/${created.body['id']}`, { key, body });
    expect(highOf(await change({ frequency: null }))).toBe(open);
    expect(highOf(await change({ frequency }))).toBe(capped);
    expect(highOf(await change({ budget: budget(499) }))).toBe(capped);
  });

  test('an edit in flight adds the reach of the rest to the reach so far', async () => {
    const created = await api.call('POST', '/v1/campaigns', {
      key,
      body: campaignBody(api, [creative], {
        targets: { cities: ['Potsdam'], daypart: { start: '10:00', end: '12:00' } },
        schedule: schedule(20, 20),
        budget: budget(2_000),
      }),
    });
    expect(created.status).toBe(201);
    await api.review();
    const reached = 100_000;
    await api.sql`update campaigns set handed_micros = budget_micros, charged_micros = ${reached} * rate_micros
      where handle = ${parseId('campaign', created.body['id']!)!}`;
    const change = (body: object) => api.call('PATCH', `/v1/campaigns/${created.body['id']}`, { key, body });
    const edgesOf = ({ body }: Answer) =>
      ['impressions_low', 'impressions_high'].map(edge => Number(body['forecast']![edge]));
    const [low, high] = edgesOf(created) as [number, number];
    expect(high).toBeLessThan(reached); // of two hours, however much money there is
    expect(edgesOf(await change({ frequency: { max_per_hour: 3_600 } }))).toEqual([low + reached, high + reached]);
  });

  test("only screens of its creatives' orientations count in the forecast of a campaign, also after they change", async () => {
    const spots = await createReadyCreative(api, key, 'Portrait');
    await api.sql`update creatives set orientation = 'portrait' where handle = ${parseId('creative', spots)!}`;
    const retold = async () => api.sql`insert into change_log (entity, handle, at) values ('screen', 0, now())`;
    await api.sql`update screens set orientation = 'portrait' where handle = (select min(handle) from screens)`;
    await retold();
    const plan = { schedule: schedule(1, 8), targets: {}, budget: budget(100_000), status: 'draft' };
    const create = (creatives: string[]) =>
      api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, creatives, plan) });
    const screensOf = ({ body }: Answer) => Number((body['forecast'] ?? body)['screens_eligible']);
    const highOf = ({ body }: Answer) => Number((body['forecast'] ?? body)['impressions_high']);
    try {
      const [landscape, portrait, both] = [
        await create([creative]),
        await create([spots]),
        await create([creative, spots]),
      ];
      expect([landscape, portrait, both].map(screensOf)).toEqual([3, 1, 4]);
      expect(highOf(portrait)).toBeLessThan(highOf(landscape));
      const asked = await askWeek({ ...plan, targets: undefined, status: undefined, campaign_id: portrait.body['id'] });
      expect([screensOf(asked), highOf(asked)]).toEqual([1, highOf(portrait)]);
      const change = (body: object) => api.call('PATCH', `/v1/campaigns/${portrait.body['id']}`, { key, body });
      expect(screensOf(await change({ budget: budget(99_000) }))).toBe(1);
      const [other, restored] = [
        await change({ creatives: [{ id: creative, weight: 1 }], budget: budget(100_000) }),
        await change({ creatives: [{ id: spots, weight: 1 }] }),
      ];
      expect([screensOf(other), highOf(other)]).toEqual([3, highOf(landscape)]);
      expect([screensOf(restored), highOf(restored)]).toEqual([1, highOf(portrait)]);
      await api.call('DELETE', `/v1/creatives/${spots}`, { key });
      const forecastOf = async ({ body }: Answer) =>
        screensOf(await askWeek({ ...plan, targets: undefined, status: undefined, campaign_id: body['id'] }));
      // A deleted creative counts no more, and where nothing else is left its orientation stays.
      expect(await forecastOf(both)).toBe(3);
      expect(await forecastOf(portrait)).toBe(1);
    } finally {
      await api.sql`update screens set orientation = 'landscape'`;
      await retold();
    }
  });

  test('a forecast that names creatives counts only screens of their orientations, as their campaign would', async () => {
    const spots = await createReadyCreative(api, key, 'Upright');
    await api.sql`update creatives set orientation = 'portrait' where handle = ${parseId('creative', spots)!}`;
    const retold = async () => api.sql`insert into change_log (entity, handle, at) values ('screen', 0, now())`;
    await api.sql`update screens set orientation = 'portrait' where handle = (select min(handle) from screens)`;
    await retold();
    const plan = { schedule: schedule(1, 8), budget: budget(100_000) };
    const eligible = async (fields: object) => Number((await askWeek({ ...plan, ...fields })).body['screens_eligible']);
    try {
      expect(await eligible({ creatives: [spots] })).toBe(1);
      expect(await eligible({ creatives: [creative] })).toBe(3);
      expect(await eligible({ creatives: [creative, spots] })).toBe(4);
      expect(await eligible({})).toBe(4);
      const body = campaignBody(api, [creative], { ...plan, status: 'draft' });
      const { body: booked } = await api.call('POST', '/v1/campaigns', { key, body });
      expect(await eligible({ campaign_id: booked['id'], creatives: [spots] })).toBe(1);
    } finally {
      await api.sql`update screens set orientation = 'landscape'`;
      await retold();
    }
  });

  test('a forecast refuses unknown creatives and those of others by their position', async () => {
    const foreign = await createReadyCreative(api, await createKey(api, await createWorkspace(api)), 'Foreign');
    const plan = { schedule: schedule(1, 8), budget: budget(100) };
    for (const unknown of [foreign, 'cre_nothing'])
      expect(await askWeek({ ...plan, creatives: [creative, unknown] })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/creatives/1', code: 'unknown_creative' }] },
      });
  });

  test('booked supply is not offered again', async () => {
    const wish = { cities: ['Berlin'], budget: budget(100_000), schedule: schedule(1, 8) };
    const before = sum((await askWeek(wish)).body['pacing']);
    const created = await api.call('POST', '/v1/campaigns', {
      key,
      body: campaignBody(api, [creative], {
        targets: { cities: ['Berlin'] },
        schedule: schedule(1, 8),
        budget: budget(500),
      }),
    });
    expect(created.status).toBe(201);
    await api.review(); // it is in the change log from its review on
    const after = await askWeek(wish);
    const booked = 500 / Number(after.body['rate']!['amount']);
    expect(sum(after.body['pacing'])).toBeLessThan(before - 0.95 * booked);
    expect(sum(after.body['pacing'])).toBeGreaterThan(before - 1.05 * booked);
    const ofItself = await askWeek({ ...wish, campaign_id: created.body['id'] });
    expect(Math.abs(sum(ofItself.body['pacing']) - before)).toBeLessThan(0.05 * booked);
  });

  test('a booking with a cap takes no more than its cap allows', async () => {
    const wish = { cities: ['Berlin'], budget: budget(100_000), schedule: schedule(10, 16) };
    const before = sum((await askWeek(wish)).body['pacing']);
    const created = await api.call('POST', '/v1/campaigns', {
      key,
      body: campaignBody(api, [creative], {
        targets: { cities: ['Berlin'] },
        schedule: schedule(10, 16),
        budget: budget(1_000),
        frequency: { max_per_hour: 1 },
      }),
    });
    expect(created.status).toBe(201);
    await api.review();
    const after = sum((await askWeek(wish)).body['pacing']);
    expect(after).toBeLessThan(before);
    expect(after).toBeGreaterThan(0.95 * before);
  });

  test('a network prepared in the thread gives the same answers as one prepared in place', async () => {
    const options = { sql: api.sql, log: createLog('api', 'silent'), now: () => api.clock.now() };
    const [here, thread] = [createForecaster(options), createForecaster({ ...options, workHereMax: -1 })];
    const plan = { sandbox: false, targets, startsOn: today() + 1, endsOn: today() + 40, budgetMicros: 50_000_000_000 };
    try {
      expect(await thread.ask(plan)).toEqual(await here.ask(plan));
    } finally {
      await Promise.all([here.close(), thread.close()]);
    }
  });
});
