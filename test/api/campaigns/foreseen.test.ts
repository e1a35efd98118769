/**
 * What of a budget was free when a campaign was booked is kept with it, through edits, pauses and the submission of a
 * draft, for the plan to serve first. Driven by calls to the API in this process on real engines.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseId } from '../../../domain/id.ts';
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
} from '../support/app-under-test.ts';
import { rowsOf } from '../support/answer.ts';

const MICROS = 1_000_000;
/** More than the venue has in the days of these campaigns. */
const BEYOND_ALL = 20_000;

let api: TestApi;
let key: string;
let creative: string;

beforeAll(async () => {
  api = await startApi();
  key = await createKey(api, await createWorkspace(api, { funds: 1_000_000 }));
  creative = await createReadyCreative(api, key);
  const owner = await createWorkspace(api, { kind: 'venue' });
  const venueKey = await createKey(api, owner, { surface: 'screen_manager' });
  const venue = await api.call('POST', '/v1/venues', { key: venueKey, body: VENUE });
  await api.sql`insert into screens (workspace_handle, venue_handle, ad_ratio, sandbox, created_at)
    values (${owner.handle}, ${parseId('venue', venue.body['id']!)!}, 0.5, false, now())`;
  await api.sql`insert into change_log (entity, handle, at) values ('screen', 0, now())`;
});
afterAll(() => api.close());

const days = (from: number, to: number) => ({ starts: dateFromNow(api, from), ends: dateFromNow(api, to) });
const budget = (amount: number) => ({ amount, currency: 'EUR' });

async function book(plan: Record<string, unknown>): Promise<string> {
  const created = await api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [creative], plan) });
  expect(created.status).toBe(201);
  await api.review();
  return created.body['id']!;
}

async function change(id: string, body: Record<string, unknown>): Promise<Answer> {
  const changed = await api.call('PATCH', `/v1/campaigns/${id}`, { key, body });
  expect(changed.status).toBe(200);
  return changed;
}

/** In units of the currency. */
async function foreseen(id: string): Promise<number> {
  const [row] = await api.sql<{ foreseen_micros: number }[]>`
    select foreseen_micros from campaigns where handle = ${parseId('campaign', id)!}`;
  return row!.foreseen_micros / MICROS;
}

/** What a forecast says that is free for any budget. */
async function free(schedule: object, campaign?: string): Promise<number> {
  const { body } = await api.call('POST', '/v1/forecasts', {
    key,
    body: { budget: budget(BEYOND_ALL), venue_types: [], cities: [], schedule, campaign_id: campaign },
  });
  const impressions = rowsOf<{ impressions_est: number }>(body['pacing']).reduce(
    (sum, day) => sum + day.impressions_est,
    0,
  );
  return impressions * Number(body['rate']!['amount']);
}

test('a booking that fits is promised its whole budget, one that does not only the available rest, and the next one nothing', async () => {
  const schedule = days(1, 2);
  const all = await free(schedule);
  const small = await book({ schedule, budget: budget(10) });
  expect(await foreseen(small)).toBe(10);
  const large = await book({ schedule, budget: budget(BEYOND_ALL) });
  expect(await foreseen(large)).toBeLessThan(all - 9);
  expect(await foreseen(large)).toBeGreaterThan(all - 11);
  expect(await foreseen(await book({ schedule, budget: budget(10) }))).toBeLessThan(0.1);
});

test('a changed budget keeps its promise, and a booking for other days gets the supply available then', async () => {
  const schedule = days(4, 5);
  const [small, large] = [
    await book({ schedule, budget: budget(10) }),
    await book({ schedule, budget: budget(5_000) }),
  ];
  const told = await foreseen(large);
  expect(told).toBeLessThan(5_000);
  await change(small, { budget: budget(12) });
  expect(await foreseen(small)).toBeGreaterThanOrEqual(10);
  await change(small, { budget: budget(6) });
  expect(await foreseen(small)).toBe(6);
  await change(small, { name: 'Winter' });
  expect(await foreseen(small)).toBe(6);
  // The first two days are left for the others; on the next two all is free.
  await change(large, { schedule: days(4, 7) });
  expect(await foreseen(large)).toBeGreaterThan(1.5 * told);
  await change(large, { schedule: days(9, 9) });
  expect(await foreseen(large)).toBeLessThan(0.6 * told);
  expect(await foreseen(large)).toBeCloseTo(await free(days(9, 9), large), -1);
});

test('another creative of the same orientation keeps the promise, and one of another gets the supply of its screens', async () => {
  const schedule = days(15, 16);
  const campaign = await book({ schedule, budget: budget(10) });
  await book({ schedule, budget: budget(BEYOND_ALL) });
  const other = await createReadyCreative(api, key, 'Same');
  await change(campaign, { creatives: [{ id: other, weight: 1 }] });
  expect(await foreseen(campaign)).toBe(10);
  await api.sql`update creatives set orientation = 'portrait' where handle = ${parseId('creative', creative)!}`;
  await change(campaign, { creatives: [{ id: creative, weight: 1 }] });
  expect(await foreseen(campaign)).toBe(0); // the venue's screen is landscape
  await api.sql`update creatives set orientation = 'landscape' where handle = ${parseId('creative', creative)!}`;
});

test('a draft gets its promise when it is submitted, and answers with the forecast of that moment', async () => {
  const schedule = days(12, 13);
  const draft = await book({ schedule, budget: budget(BEYOND_ALL), status: 'draft' });
  const early = await foreseen(draft);
  await book({ schedule, budget: budget(Math.floor(early / 2)) });
  const high = ({ body }: Answer) => Number(body['forecast']!['impressions_high']);
  const before = high(await api.call('GET', `/v1/campaigns/${draft}`, { key }));
  expect(high(await change(draft, { status: 'pending_review' }))).toBeLessThan(0.8 * before);
  expect(await foreseen(draft)).toBeLessThan(0.6 * early);
});

test('a resumed campaign is promised no more than the supply of its remaining days', async () => {
  const paused = await book({ schedule: days(-2, 7), budget: budget(10) });
  expect(await foreseen(paused)).toBe(10);
  await change(paused, { status: 'paused' });
  await change(paused, { status: 'live' });
  expect(await foreseen(paused)).toBeCloseTo(10, 1);
  await change(paused, { status: 'paused' });
  // Four days go by.
  await api.sql`update campaigns set starts_on = starts_on - 4, ends_on = ends_on - 4,
    paced_from = paced_from - interval '4 days' where handle = ${parseId('campaign', paused)!}`;
  await change(paused, { status: 'live' });
  expect(await foreseen(paused)).toBeGreaterThan(4);
  expect(await foreseen(paused)).toBeLessThan(6.5);
});

test('a campaign without a stored promise stays without one until it is edited', async () => {
  const old = await book({ schedule: days(16, 17), budget: budget(10) });
  const handle = parseId('campaign', old)!;
  await api.sql`update campaigns set foreseen_micros = null where handle = ${handle}`;
  await change(old, { status: 'paused' });
  await change(old, { status: 'live' });
  const [row] = await api.sql`select foreseen_micros from campaigns where handle = ${handle}`;
  expect(row).toEqual({ foreseen_micros: null });
  await change(old, { budget: budget(20) });
  expect(await foreseen(old)).toBe(20);
});
