/**
 * When a budget is spent. Section 3 of docs/interface-specification.md leaves open what moves a campaign to finished;
 * here it is finished, and the rest refunded, once the rest buys no play at any screen that could show it. The API and
 * the jobs run in this process on real engines, with screens in cities of their own.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pricedPlacesOf, playPriceMicros } from '../../../../domain/allocation/play-prices.ts';
import { parseId, type Handle } from '../../../../domain/id.ts';
import { selectPlaces } from '#sql/plan/network-rows.ts';
import { finishCampaigns } from '../../../../workers/campaigns/finish-campaigns.ts';
import { handBudgets } from '../../../../workers/budgets/hand-budgets.ts';
import { takeBack } from '../../../../workers/budgets/take-back.ts';
import {
  campaignBody,
  chargePlay,
  createKey,
  createReadyCreative,
  createWorkspace,
  startApi,
  VENUE,
  type TestApi,
} from '../../support/app-under-test.ts';

const MICROS = 1_000_000;
const CREATIVE_MS = 10_000; // of createReadyCreative
let api: TestApi;
let key: string;
let venueKey: string;
let creative: string;

beforeAll(async () => {
  api = await startApi();
  key = await createKey(api, await createWorkspace(api, { funds: 1_000 }));
  venueKey = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
  creative = await createReadyCreative(api, key);
});
afterAll(() => api.close());

/** A screen of a venue in a city of its own, so that campaigns of one test meet those of no other. */
async function createScreen(
  city: string,
  changes: { sensor?: boolean; daily_visitors?: number; opening_hours?: object } = {},
): Promise<string> {
  const { sensor = false, ...fields } = changes;
  const venue = (await api.call('POST', '/v1/venues', { key: venueKey, body: { ...VENUE, city, ...fields } })).body[
    'id'
  ]!;
  const { code } = (await api.call('POST', '/v1/pairing', { key: venueKey, body: { venue_id: venue } })).body;
  const id = (await api.call('POST', '/v1/screens', { key: venueKey, body: { venue_id: venue, label: 'Bar', code } }))
    .body['id']!;
  // as the pairing of a module does
  if (sensor) await api.sql`update screens set sensor_paired = true where handle = ${parseId('screen', id)!}`;
  return id;
}

async function createLive(units: number, targets: object): Promise<{ id: string; handle: Handle<'campaign'> }> {
  const { body } = await api.call('POST', '/v1/campaigns', {
    key,
    body: campaignBody(api, [creative], { budget: { amount: units, currency: 'EUR' }, targets }),
  });
  await api.review();
  return { id: body['id']!, handle: parseId('campaign', body['id']!)! };
}

/** Hands the whole budget to the authority and counts plays of it: reserved and charged micros of each. */
async function spend(
  handle: Handle<'campaign'>,
  units: number,
  plays: readonly (readonly [reserved: number, cost: number])[],
): Promise<void> {
  await api.authority.wantHand(handle, units * MICROS);
  await handBudgets(api.workers);
  await api.authority.grant(
    handle,
    1,
    1,
    plays.reduce((sum, [reserved]) => sum + reserved, 0),
  );
  await api.authority.count(
    `spend ${handle}`,
    handle,
    plays.map(([reservationMicros, costMicros], issueNumber) => ({
      epoch: 1,
      issueNumber,
      reservationMicros,
      costMicros,
    })),
  );
  for (const [, cost] of plays) await chargePlay(api, handle, cost);
}

const statusOf = async (id: string) => (await api.call('GET', `/v1/campaigns/${id}`, { key })).body['status'];
const reserved = async () => Number((await api.call('GET', '/v1/wallet', { key })).body['reserved']!['amount']);

describe('a budget whose rest buys no play', () => {
  test('on screens with a sensing module, where a play reserves twice what a mean one costs, is finished and the rest refunded', async () => {
    await createScreen('Sensorville', { sensor: true });
    const before = await reserved();
    const { id, handle } = await createLive(0.2, { cities: ['Sensorville'] });
    const play = playPriceMicros(
      pricedPlacesOf(await selectPlaces(api.sql)).find(place => place.cityFolded === 'sensorville')!,
      CREATIVE_MS,
    );
    expect(play).toBe(85_002); // 16.667 impressions (twice 12.5 people, 10 s of 15) x 5,100 micros
    await spend(handle, 0.2, [
      [play, 30_000],
      [play, 84_000],
    ]); // 86,000 are left: one more play
    expect([await finishCampaigns(api.workers), await statusOf(id)]).toEqual([0, 'live']);
    await api.authority.grant(handle, 1, 2, play);
    await api.authority.count('third', handle, [
      { epoch: 1, issueNumber: 9, reservationMicros: play, costMicros: 2_000 },
    ]);
    // 84,000 are left: more than the mean of 38,667, and less than any play reserves
    await chargePlay(api, handle, 2_000);
    expect([await finishCampaigns(api.workers), await statusOf(id)]).toEqual([1, 'finished']);
    await takeBack(api.workers);
    expect(await reserved()).toBe(before);
  });

  test('buys at a cheaper venue first: it is finished once that is gone', async () => {
    await createScreen('Twoville');
    const cheap = await createScreen('Twoville', { daily_visitors: 40 });
    const { id, handle } = await createLive(0.1, { cities: ['Twoville'] });
    await spend(handle, 0.1, [
      [42_500, 42_500],
      [42_500, 42_500],
    ]); // 15,000 are left: a play at the small venue costs 4,250
    expect([await finishCampaigns(api.workers), await statusOf(id)]).toEqual([0, 'live']);
    await api.call('DELETE', `/v1/screens/${cheap}`, { key: venueKey });
    expect([await finishCampaigns(api.workers), await statusOf(id)]).toEqual([1, 'finished']);
  });

  test('from the first moment is finished before any play', async () => {
    await createScreen('Dearville');
    const { id, handle } = await createLive(0.01, { cities: ['Dearville'] });
    await spend(handle, 0.01, []);
    expect([await finishCampaigns(api.workers), await statusOf(id)]).toEqual([1, 'finished']);
  });

  test('waits where a play on its way may give money back, and where no screen has a price yet', async () => {
    await createScreen('Waitville');
    const { id, handle } = await createLive(0.06, { cities: ['Waitville'] });
    await spend(handle, 0.06, []);
    await api.authority.grant(handle, 1, 2, 42_500);
    await chargePlay(api, handle, 10_000);
    const nowhere = await createLive(0.01, { cities: ['Nowhere yet'] });
    await spend(nowhere.handle, 0.01, []);
    expect([await finishCampaigns(api.workers), await statusOf(id), await statusOf(nowhere.id)]).toEqual([
      0,
      'live',
      'live',
    ]);
  });

  test('is judged by venues that are open when the campaign may play', async () => {
    await createScreen('Nightville', {
      daily_visitors: 40,
      opening_hours: { mon: [{ start: '22:00', end: '23:00' }] },
    });
    await createScreen('Nightville');
    const { id, handle } = await createLive(0.05, {
      cities: ['Nightville'],
      daypart: { start: '08:00', end: '12:00' },
    });
    await spend(handle, 0.05, [[42_500, 42_500]]);
    expect([await finishCampaigns(api.workers), await statusOf(id)]).toEqual([1, 'finished']);
  });
});
