import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rejectReview } from '../../cli/admin-review.ts';
import { parseId } from '../../domain/id.ts';
import { handBudgets } from '../../workers/jobs/hand-budgets.ts';
import { campaignBody, chargePlay, createKey, createReadyCreative, createWorkspace, dataOf, startApi, VENUE, type TestApi } from './app-under-test.ts';

/** Lists and the fields that they are picked from, and records that come to no dead end: sections 2 to 4 of the interface specification. */
let api: TestApi;
let key: string;
let venueKey: string;
let creative: string;

beforeAll(async () => {
  api = await startApi();
  key = await createKey(api, await createWorkspace(api, { funds: 10_000 }));
  venueKey = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
  creative = await createReadyCreative(api, key);
});
afterAll(() => api.close());

const create = async (changes: object = {}) => (await api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [creative], { ...changes }) })).body['id']!;
const patch = (id: string, body: object) => api.call('PATCH', `/v1/campaigns/${id}`, { key, body });
const read = async (id: string) => (await api.call('GET', `/v1/campaigns/${id}`, { key })).body;
const balance = async () => Number((await api.call('GET', '/v1/wallet', { key })).body['balance']!['amount']);
const reject = (id: string) => rejectReview(api.sql, new Date(api.clock.now()), { campaign: parseId('campaign', id)!, reason: 'misleading' });

describe('GET /campaigns', () => {
  test('takes several values of status and category, a text of the name, and counts', async () => {
    const ids = [await create({ name: 'Summer 100%', status: 'draft' }), await create({ name: 'SUMMER sale', category: 'alcohol' }), await create({ name: 'Winter_sale', category: '1002' })];
    const found = async (query: string) => {
      const { body } = await api.call('GET', `/v1/campaigns?${query}`, { key });
      return [dataOf({ body } as never).map(record => ids.indexOf(record['id'] as never)).sort(), body['total']];
    };
    expect(await found('status=draft,pending_review&count=true')).toEqual([[0, 1, 2], 3]);
    expect(await found('status=draft')).toEqual([[0], undefined]);
    expect(await found('q=summer&count=true&limit=1')).toEqual([[1], 2]);
    expect([await found('q=100%25'), await found('q=r_s'), await found('q=%25')]).toEqual([[[0], undefined], [[2], undefined], [[0], undefined]]); // no wildcards
    expect(await found('category=alcohol,travel&status=draft,pending_review')).toEqual([[0, 1, 2], undefined]);
    await api.call('DELETE', `/v1/campaigns/${ids[0]}`, { key });
    expect([await found('status=draft'), await found('status=draft,deleted')]).toEqual([[[], undefined], [[0], undefined]]);
    for (const bad of ['status=', 'status=draft,', 'status=asleep,draft', 'category=alcohol,nonsense', 'count=yes', 'q=']) expect((await api.call('GET', `/v1/campaigns?${bad}`, { key })).status).toBe(400);
  });
});

test('GET /creatives and GET /screens take several values and a text of the name, too', async () => {
  const draft = (await api.call('POST', '/v1/creatives', { key, body: { name: 'Night spot', orientation: 'portrait', duration_ms: 10_000 } })).body['id'];
  const found = async (path: string, as: string) => dataOf(await api.call('GET', path, { key: as })).map(record => record['id']);
  expect(await found('/v1/creatives?status=draft,ready', key)).toEqual([draft, creative]);
  expect(await found('/v1/creatives?status=draft,ready&q=NIGHT', key)).toEqual([draft]);
  const venue = (await api.call('POST', '/v1/venues', { key: venueKey, body: VENUE })).body['id']!;
  const ids = [];
  for (const label of ['Front window', 'Bar']) {
    const { code } = (await api.call('POST', '/v1/pairing', { key: venueKey, body: { venue_id: venue } })).body;
    ids.push((await api.call('POST', '/v1/screens', { key: venueKey, body: { venue_id: venue, label, code } })).body['id']);
  }
  expect(await found(`/v1/screens?venue=${venue}&status=online,paired_idle`, venueKey)).toEqual([ids[1], ids[0]]);
  expect([await found(`/v1/screens?venue=${venue}&q=window`, venueKey), await found(`/v1/screens?venue=${venue}&status=online,offline`, venueKey), await found(`/v1/screens?venue=${venue}&platform=linux,tizen`, venueKey)]).toEqual([[ids[0]], [], []]);
  for (const [path, as] of [['/v1/creatives?status=ready,', key], ['/v1/screens?status=gone', venueKey], ['/v1/screens?platform=linux,plan9', venueKey]] as const) expect((await api.call('GET', path, { key: as })).status).toBe(400);
});

describe('pick-lists', () => {
  test.each(['ads_manager', 'screen_manager'])('are read with a key of %s', async surface => {
    const as = surface === 'ads_manager' ? key : venueKey;
    const of = async (path: string) => dataOf(await api.call('GET', path, { key: as }));
    expect(await of('/v1/categories')).toContainEqual({ id: '1002', slug: 'alcohol', name: expect.any(String), policy: 'restricted', reason: expect.any(String) });
    expect(await of('/v1/venue-types')).toContainEqual({ name: 'entertainment.bars', parent: 'entertainment' });
    expect((await of('/v1/cities')).length).toBeGreaterThanOrEqual(0);
  });

  test('what they name is taken by campaigns and venues', async () => {
    const [categories, types] = [dataOf(await api.call('GET', '/v1/categories', { key })), dataOf(await api.call('GET', '/v1/venue-types', { key }))];
    for (const category of categories) expect((await api.call('GET', `/v1/campaigns?category=${category['slug']}`, { key })).status).toBe(200);
    expect((await api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [creative], { status: 'draft', targets: { venue_types: types.slice(0, 200).map(type => type['name']) } }) })).status).toBe(201);
  });

  test('/cities counts the screens that are paired, spellings of one city together', async () => {
    for (const city of ['Köln', 'Köln', 'KÖLN']) {
      const venue = (await api.call('POST', '/v1/venues', { key: venueKey, body: { ...VENUE, city } })).body['id']!;
      const { code } = (await api.call('POST', '/v1/pairing', { key: venueKey, body: { venue_id: venue } })).body;
      await api.call('POST', '/v1/screens', { key: venueKey, body: { venue_id: venue, label: 'Bar', code } });
    }
    expect(dataOf(await api.call('GET', '/v1/cities', { key })).filter(city => /^k.ln$/i.test(String(city['name'])))).toEqual([{ name: 'Köln', venues: 3, screens: 3 }]);
  });
});

describe('no dead ends', () => {
  test('a rejected campaign is mended and sent again; its budget is reserved anew', async () => {
    const before = await balance();
    const id = await create({ landing_url: undefined });
    await reject(id);
    expect([(await read(id))['status'], await balance()]).toEqual(['rejected', before]);
    expect(await patch(id, { landing_url: 'https://example.com/better', budget: { amount: 60, currency: 'EUR' } })).toMatchObject({ status: 200, body: { status: 'rejected', budget: { amount: 60 } } });
    expect(await balance()).toBe(before);
    expect(await patch(id, { status: 'pending_review' })).toMatchObject({ status: 200, body: { status: 'pending_review', rejection: null, review: { waiting_for: 'rules' } } });
    expect(await balance()).toBe(before - 60);
    await api.review();
    expect((await read(id))['status']).toBe('live');
    await api.call('DELETE', `/v1/campaigns/${id}`, { key });
    expect(await balance()).toBe(before);
  });

  test('one that was rejected for its category gets another, and is sent again', async () => {
    const id = await create({ category: 'tobacco' });
    await api.review();
    expect(await read(id)).toMatchObject({ status: 'rejected', rejection: { code: expect.stringContaining('category') } });
    expect(await patch(id, { category: 'nonsense' })).toMatchObject({ status: 422, body: { errors: [{ pointer: '/category', code: 'unknown_value' }] } });
    expect(await patch(id, { category: 'travel', status: 'pending_review' })).toMatchObject({ status: 200, body: { status: 'pending_review', category: 'travel_and_tourism', rejection: null } });
    await api.review();
    expect((await read(id))['status']).toBe('live');
    expect(await patch(id, { category: 'alcohol' })).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    expect((await patch(id, { category: 'travel', name: 'Same' })).status).toBe(200);
    expect(dataOf(await api.call('GET', `/v1/audit?entity_id=${id}&action=campaign.updated`, { key })).map(entry => entry['diff']!['category'])).toContainEqual({ from: 'tobacco', to: 'travel_and_tourism' });
  });

  test('a campaign whose category changes while it waits is reviewed by the rules of the new one', async () => {
    const id = await create({ category: 'alcohol' });
    await api.review();
    expect((await read(id))['review']).toEqual({ waiting_for: 'operator' });
    expect((await patch(id, { category: '1494' })).body['review']).toEqual({ waiting_for: 'rules' });
    await api.review();
    expect((await read(id))['status']).not.toBe('pending_review');
  });

  test('one that has spent money is not: its budget would begin anew', async () => {
    const id = await create();
    await api.review();
    await api.authority.wantHand(parseId('campaign', id)!, 2_000_000);
    await handBudgets(api.workers);
    await chargePlay(api, parseId('campaign', id)!, 1_000_000);
    await reject(id);
    expect(await patch(id, { status: 'pending_review' })).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    expect((await patch(id, { name: 'Renamed' })).status).toBe(200);
  });

  test('a venue without screens is archived, one with screens is not', async () => {
    const venue = (await api.call('POST', '/v1/venues', { key: venueKey, body: VENUE })).body['id']!;
    const { code } = (await api.call('POST', '/v1/pairing', { key: venueKey, body: { venue_id: venue } })).body;
    const screen = (await api.call('POST', '/v1/screens', { key: venueKey, body: { venue_id: venue, label: 'Bar', code } })).body['id']!;
    expect(await api.call('DELETE', `/v1/venues/${venue}`, { key: venueKey })).toMatchObject({ status: 409, body: { code: 'state_conflict', detail: expect.stringContaining('1 paired screen') } });
    await api.call('DELETE', `/v1/screens/${screen}`, { key: venueKey });
    expect((await api.call('DELETE', `/v1/venues/${venue}`, { key: venueKey })).status).toBe(204);
    expect([(await api.call('GET', `/v1/venues/${venue}`, { key: venueKey })).status, dataOf(await api.call('GET', '/v1/venues?limit=100', { key: venueKey })).some(record => record['id'] === venue)]).toEqual([404, false]);
    expect((await api.call('DELETE', `/v1/venues/${venue}`, { key: venueKey })).status).toBe(404);
  });
});
