/**
 * The states of a campaign over the API: draft, review, live, paused, and what each reserves from the wallet. Lists and
 * their filters are tested here too. Driven by calls to the API in this process on real engines.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Handle } from '../../../domain/id.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  dateFromNow,
  startApi,
  type TestApi,
} from '../support/app-under-test.ts';

let api: TestApi;
let key: string;
let creative: string;

beforeAll(async () => {
  api = await startApi();
  key = await createKey(api, await createWorkspace(api, { funds: 1_000 }));
  creative = await createReadyCreative(api, key);
});
afterAll(() => api.close());

const create = (changes: Record<string, unknown> = {}) =>
  api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [creative], changes) });
const change = (id: string, body: Record<string, unknown>) => api.call('PATCH', `/v1/campaigns/${id}`, { key, body });
const read = (id: string) => api.call('GET', `/v1/campaigns/${id}`, { key });
const createLive = async (changes: Record<string, unknown> = {}) => {
  const id = (await create(changes)).body['id']!;
  await api.review();
  return id;
};
const balance = async () => Number((await api.call('GET', '/v1/wallet', { key })).body['balance']!['amount']);

describe('campaigns', () => {
  test('a draft reserves nothing; submitted, it reserves its budget and goes live after its review', async () => {
    const before = await balance();
    const draft = (await create({ status: 'draft' })).body;
    expect([draft['status'], await balance()]).toEqual(['draft', before]);
    expect(await change(draft['id']!, { status: 'live' })).toMatchObject({
      status: 409,
      body: { code: 'state_conflict' },
    });
    expect(await change(draft['id']!, { status: 'pending_review' })).toMatchObject({
      status: 200,
      body: { status: 'pending_review', review: { waiting_for: 'rules' } },
    });
    expect(await balance()).toBe(before - 100);
    await api.review();
    expect((await read(draft['id']!)).body).toMatchObject({ status: 'live', review: null });
    expect(await change(draft['id']!, { status: 'pending_review' })).toMatchObject({ status: 409 });
  });

  test('a draft that the wallet does not cover stays a draft, and the refusal names both amounts', async () => {
    const budget = { amount: 50_000, currency: 'EUR' };
    const draft = (await create({ status: 'draft', budget })).body;
    const refused = {
      status: 409,
      body: {
        code: 'insufficient_funds',
        detail: `Needs 50000.00 EUR; the wallet has ${(await balance()).toFixed(2)} EUR. Add money or lower the budget.`,
        funds: { needed: { amount: 50_000, currency: 'EUR' }, available: { amount: await balance(), currency: 'EUR' } },
      },
    };
    expect(await change(draft['id']!, { status: 'pending_review' })).toMatchObject(refused);
    expect(await create({ budget })).toMatchObject(refused);
    expect((await api.call('GET', `/v1/campaigns/${draft['id']}`, { key })).body['status']).toBe('draft');
  });

  test('a draft whose schedule has ended cannot be submitted', async () => {
    const draft = (await create({ status: 'draft' })).body;
    api.clock.offsetMs += 10 * 86_400_000;
    const late = await createKey(
      api,
      (
        await api.sql<
          { handle: Handle<'workspace'>; user: Handle<'user'> }[]
        >`select workspace_handle as handle, user_handle as user from keys limit 1`
      )[0]!,
    );
    expect(
      await api.call('PATCH', `/v1/campaigns/${draft['id']}`, { key: late, body: { status: 'pending_review' } }),
    ).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    api.clock.offsetMs = 0;
  });

  test('creatives without an accepted file are refused, except in a draft', async () => {
    const waiting = (
      await api.call('POST', '/v1/creatives', {
        key,
        body: { name: 'W', orientation: 'landscape', duration_ms: 9_000, filename: 'w.mp4' },
      })
    ).body['id']!;
    expect(await create({ creatives: [creative, waiting] })).toMatchObject({
      status: 409,
      body: { code: 'creative_not_ready', errors: [{ pointer: '/creatives/1' }] },
    });
    expect((await create({ creatives: [waiting], status: 'draft' })).status).toBe(201);
  });

  test('pausing twice is one pause', async () => {
    const id = await createLive();
    await change(id, { status: 'paused' });
    const count = async () => (await api.sql<{ n: number }[]>`select count(*) as n from audit_entries`)[0]!.n;
    const before = await count();
    expect(await change(id, { status: 'paused' })).toMatchObject({ status: 200, body: { status: 'paused' } });
    expect(await count()).toBe(before);
  });

  test('the wallet covers some of many campaigns at once, and never goes below zero', async () => {
    const home = await createKey(api, await createWorkspace(api, { funds: 250 }));
    const own = await createReadyCreative(api, home);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => api.call('POST', '/v1/campaigns', { key: home, body: campaignBody(api, [own]) })),
    );
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    expect((await api.call('GET', '/v1/wallet', { key: home })).body).toMatchObject({
      balance: { amount: 50 },
      reserved: { amount: 200 },
    });
    expect(dataOf(await api.call('GET', '/v1/campaigns', { key: home })).length).toBe(2);
  });

  test('lists filter by status, category and overlapping days', async () => {
    const home = await createKey(api, await createWorkspace(api));
    const own = await createReadyCreative(api, home);
    const draft = (name: string, category: string, [from, to]: [number, number]) =>
      api.call('POST', '/v1/campaigns', {
        key: home,
        body: campaignBody(api, [own], {
          name,
          category,
          status: 'draft',
          schedule: { starts: dateFromNow(api, from), ends: dateFromNow(api, to) },
        }),
      });
    await draft('near', 'travel', [1, 3]);
    await draft('far', '1002', [20, 30]);
    const names = async (query: string) =>
      dataOf(await api.call('GET', `/v1/campaigns${query}`, { key: home })).map(campaign => campaign['name']);
    expect(await names('')).toEqual(['far', 'near']);
    expect(await names('?status=draft')).toEqual(['far', 'near']);
    expect(await names('?status=live')).toEqual([]);
    expect(await names('?category=alcohol')).toEqual(['far']);
    expect(await names(`?from=${dateFromNow(api, 3)}&to=${dateFromNow(api, 19)}`)).toEqual(['near']);
    expect(await names(`?from=${dateFromNow(api, 4)}`)).toEqual(['far']);
    expect(await names(`?from=${dateFromNow(api, 4)}&to=${dateFromNow(api, 19)}`)).toEqual([]);
  });

  test('a list row has the fields of the interface', async () => {
    const [row] = dataOf(await api.call('GET', '/v1/campaigns?limit=1', { key }));
    expect(Object.keys(row as object).sort()).toEqual([
      'budget',
      'category',
      'created_at',
      'deleted_at',
      'ends',
      'expected_spend',
      'id',
      'name',
      'spent',
      'starts',
      'status',
    ]);
  });
});
