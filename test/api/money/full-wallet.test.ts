/**
 * A wallet holds at most 1,000,000,000, with what is reserved, whichever way money comes: beyond it sums would no
 * longer be exact. Driven by calls to the API on real engines.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLedger } from '#audit/checks/ledger.ts';
import { formatId } from '../../../domain/id.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  startApi,
  type Answer,
  type TestApi,
} from '../support/app-under-test.ts';

const MOST = 1_000_000_000;
let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const told = ({ status, body }: Answer) => `${status} ${body['code'] ?? ''}`.trim();
const topUp = (key: string, amount: number) =>
  api.call('POST', '/v1/wallet/top-ups', { key, body: { amount: eur(amount) } });
const walletOf = async (key: string) => {
  const { body } = await api.call('GET', '/v1/wallet', { key });
  return [body['balance']!['amount'], body['reserved']!['amount']];
};

describe('a full wallet', () => {
  test('takes no play money, even in two calls at once, and counts what campaigns have reserved', async () => {
    const key = await createKey(api, await createWorkspace(api), { mode: 'test' });
    const both = await Promise.all([topUp(key, 0.6 * MOST), topUp(key, 0.6 * MOST)]);
    expect(both.map(told).toSorted()).toEqual(['201', '409 state_conflict']);
    expect(told(await topUp(key, 0.4 * MOST))).toBe('201');
    const campaign = campaignBody(api, [await createReadyCreative(api, key)], { budget: eur(1_000) });
    expect(told(await api.call('POST', '/v1/campaigns', { key, body: campaign }))).toBe('201');
    const refused = await topUp(key, 0.01);
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'state_conflict', detail: expect.stringContaining('1000000000.00 EUR') },
    });
    expect(await walletOf(key)).toEqual([MOST - 1_000, 1_000]);
  });

  test('takes no bank transfer; one that was booked before is repeated', async () => {
    const brand = await createWorkspace(api);
    const operator = await createKey(api, await createWorkspace(api, { kind: 'operator' }), { surface: 'operator' });
    const fund = (amount: number, reference: string) =>
      api.call('POST', `/v1/operator/workspaces/${formatId('workspace', brand.handle)}/fund`, {
        key: operator,
        body: { amount: eur(amount), reference },
      });
    expect((await fund(MOST, 'NTRF-1')).body).toMatchObject({ booked_before: false });
    expect(told(await fund(0.01, 'NTRF-2'))).toBe('409 state_conflict');
    expect((await fund(MOST, 'NTRF-1')).body).toMatchObject({ booked_before: true });
    expect(await walletOf(await createKey(api, brand))).toEqual([MOST, 0]);
  });

  test('takes nothing from another wallet of the agency', async () => {
    const key = await createKey(api, await createWorkspace(api, { kind: 'agency' }), {
      surface: 'agency',
      mode: 'test',
    });
    const fields = { name: 'Client', billing_model: 'pass-through', currency: 'EUR' };
    const client = (await api.call('POST', '/v1/agency/clients', { key, body: fields })).body['id']!;
    const move = (amount: number, direction: string) =>
      api.call('POST', `/v1/agency/clients/${client}/transfers`, { key, body: { amount: eur(amount), direction } });
    expect(told(await topUp(key, MOST))).toBe('201');
    expect(told(await move(MOST, 'to_client'))).toBe('201');
    expect(told(await topUp(key, MOST))).toBe('201');
    expect(told(await move(1, 'to_client'))).toBe('409 state_conflict');
    expect(told(await move(1, 'to_agency'))).toBe('409 state_conflict');
    expect(await walletOf(key)).toEqual([MOST, 0]);
    expect(await checkLedger(api.sql)).toEqual([]);
  });
});

test('an archived client is funded once its agency has restored it', async () => {
  const agency = await createKey(api, await createWorkspace(api, { kind: 'agency' }), { surface: 'agency' });
  const operator = await createKey(api, await createWorkspace(api, { kind: 'operator' }), { surface: 'operator' });
  const fields = { name: 'Client', billing_model: 'pass-through', currency: 'EUR' };
  const client = (await api.call('POST', '/v1/agency/clients', { key: agency, body: fields })).body['id']!;
  const fund = () =>
    api.call('POST', `/v1/operator/workspaces/${client}/fund`, {
      key: operator,
      body: { amount: eur(5), reference: 'NTRF-3' },
    });
  expect((await api.call('DELETE', `/v1/agency/clients/${client}`, { key: agency })).status).toBe(204);
  expect(told(await fund())).toBe('409 state_conflict');
  expect((await api.call('POST', `/v1/agency/clients/${client}/restore`, { key: agency })).status).toBe(200);
  expect(told(await fund())).toBe('200');
});
