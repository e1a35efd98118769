/**
 * The rows about campaigns in sections 3 (transitions) and 4 (endpoints) of docs/interface-specification.md; each test
 * is named by its row. Driven by calls to the API in this process on real engines.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  dateFromNow,
  startApi,
  type Loose,
  type TestApi,
} from '../../support/app-under-test.ts';

let api: TestApi;
let key: string;
let creative: string;

beforeAll(async () => {
  api = await startApi();
  key = await createKey(api, await createWorkspace(api, { funds: 10_000 }));
  creative = await createReadyCreative(api, key);
});
afterAll(() => api.close());

const create = (changes: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  api.call('POST', '/v1/campaigns', { key, headers, body: campaignBody(api, [creative], changes) });
const patch = (id: string, body: Record<string, unknown>) => api.call('PATCH', `/v1/campaigns/${id}`, { key, body });
const reserved = async () => Number((await api.call('GET', '/v1/wallet', { key })).body['reserved']!['amount']);
async function createLive(): Promise<Loose> {
  const { body } = await create();
  await api.review();
  return body['id']!;
}
const lastAudit = async () =>
  (
    await api.sql<
      { action: string; diff: unknown }[]
    >`select action, diff from audit_entries order by handle desc limit 1`
  )[0];

describe('transitions of a campaign (section 3)', () => {
  test('POST /campaigns makes a campaign in pending_review, with rate and forecast, until the checks clear', async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^cmp_/),
      status: 'pending_review',
      rate: { amount: expect.any(Number), currency: 'EUR', unit: 'impression' },
      forecast: {
        impressions_low: expect.any(Number),
        impressions_high: expect.any(Number),
        scan_rate_est: expect.any(Number),
      },
    });
    await api.review();
    expect((await api.call('GET', `/v1/campaigns/${body['id']}`, { key })).body['status']).toBe('live');
  });

  test('PATCH with status paused pauses a live campaign, with an audit entry campaign.paused from live to paused', async () => {
    expect((await patch(await createLive(), { status: 'paused' })).body['status']).toBe('paused');
    expect(await lastAudit()).toEqual({ action: 'campaign.paused', diff: { status: { from: 'live', to: 'paused' } } });
  });

  test('PATCH resumes a paused campaign, which is live again', async () => {
    const id = await createLive();
    await patch(id, { status: 'paused' });
    expect((await patch(id, { status: 'live' })).body['status']).toBe('live');
    expect(await lastAudit()).toEqual({ action: 'campaign.resumed', diff: { status: { from: 'paused', to: 'live' } } });
  });

  test('DELETE pauses a live campaign and soft-deletes it; the unspent reserved budget is refunded', async () => {
    const before = await reserved();
    const id = await createLive();
    expect(await reserved()).toBe(before + 100);
    expect((await api.call('DELETE', `/v1/campaigns/${id}`, { key })).status).toBe(204);
    expect(await reserved()).toBe(before);
    const actions = await api.sql<{ action: string }[]>`select action from audit_entries order by handle desc limit 2`;
    expect(actions.map(({ action }) => action)).toEqual(['campaign.deleted', 'campaign.paused']);
    expect(
      await api.sql`select count(*)::int as n from campaigns where deleted_at is not null and status = 'paused'`,
    ).toEqual([{ n: 1 }]);
  });

  test('DELETE soft-deletes a campaign in any state; the unspent reserved budget is refunded', async () => {
    const before = await reserved();
    const { body } = await create();
    expect((await api.call('DELETE', `/v1/campaigns/${body['id']}`, { key })).status).toBe(204);
    expect((await api.call('GET', `/v1/campaigns/${body['id']}`, { key })).body).toMatchObject({
      status: 'deleted',
      deleted_at: expect.any(String),
    });
    expect(await reserved()).toBe(before);
  });

  test('PATCH of budget, schedule, targets or creative weights leaves a live campaign live, and delivery is told in one change', async () => {
    const id = await createLive();
    const change = {
      budget: { amount: 120, currency: 'EUR' },
      schedule: { starts: dateFromNow(api, 0), ends: dateFromNow(api, 9) },
      targets: { cities: ['London'] },
      creatives: [{ id: creative, weight: 7 }],
    };
    const answer = await patch(id, change);
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'live', ...change, creatives: [{ id: creative, weight: 7, status: 'ready' }] },
    });
    expect(
      await api.sql`select entity from change_log where transaction_id = (select transaction_id from change_log order by number desc limit 1)`,
    ).toEqual([{ entity: 'campaign' }]);
  });
});

describe('endpoints of campaigns (section 4)', () => {
  test('GET /campaigns answers the list envelope with id, name, status, budget, spent, starts, ends, newest first', async () => {
    const id = await createLive();
    const answer = await api.call('GET', '/v1/campaigns?status=live&category=travel&limit=1', { key });
    expect(answer.body).toMatchObject({
      has_more: expect.any(Boolean),
      data: [
        {
          id,
          name: 'Autumn',
          status: 'live',
          budget: { amount: 100 },
          spent: { amount: 0 },
          starts: `${dateFromNow(api, 0)}T00:00:00Z`,
          ends: `${dateFromNow(api, 7)}T23:59:59Z`,
        },
      ],
    });
    expect(dataOf(await api.call('GET', `/v1/campaigns?from=${dateFromNow(api, 100)}`, { key }))).toEqual([]);
  });

  test('POST /campaigns makes one campaign of two calls with one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'one and only' };
    const [first, second] = [await create({}, headers), await create({}, headers)];
    expect(second).toMatchObject({ status: 201, body: first.body, headers: { 'idempotent-replayed': 'true' } });
  });

  test('PATCH /campaigns/{id} makes one change of two calls with one Idempotency-Key, a cut budget included', async () => {
    const id = await createLive();
    const call = () =>
      api.call('PATCH', `/v1/campaigns/${id}`, {
        key,
        headers: { 'idempotency-key': 'cut' },
        body: { budget: { amount: 40, currency: 'EUR' } },
      });
    const first = await call();
    await patch(id, { budget: { amount: 60, currency: 'EUR' } });
    expect(await call()).toMatchObject({ status: 200, body: first.body });
    expect((await api.call('GET', `/v1/campaigns/${id}`, { key })).body['budget']).toEqual({
      amount: 60,
      currency: 'EUR',
    });
  });

  test('GET /campaigns/{id} answers the campaign with delivery counters, pacing and creative bindings', async () => {
    const { body } = await api.call('GET', `/v1/campaigns/${await createLive()}`, { key });
    expect(body).toMatchObject({
      counters: { plays: 0, impressions: 0, scans: 0, late_plays: 0, spend: { amount: 0 }, screens_used: 0 },
      pacing: { expected_spend: {}, actual_spend: {}, today: expect.any(Array) },
      creatives: [{ id: creative, weight: 1, status: 'ready', plays: 0, impressions: 0 }],
      review: null,
      rejection: null,
      refund_pending: { amount: 0, currency: 'EUR' },
    });
  });

  test('GET /campaigns/{id}/results answers plays by day, hour and screen', async () => {
    expect((await api.call('GET', `/v1/campaigns/${await createLive()}/results`, { key })).body).toMatchObject({
      by_day: [],
      by_hour: [],
      by_screen: [],
    });
  });
});
