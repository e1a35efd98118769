/** Bank transfers that the operator puts on the wallets of workspaces. Driven by calls to the API on real engines. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLedger } from '#audit/checks/ledger.ts';
import { formatId } from '../../../domain/id.ts';
import {
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';

let api: TestApi;
let own: TestWorkspace;
let operator: string;
let id: string;
let key: string;

beforeAll(async () => {
  api = await startApi();
  own = await createWorkspace(api, { kind: 'operator' });
  operator = await createKey(api, own, { surface: 'operator' });
  const brand = await createWorkspace(api);
  id = formatId('workspace', brand.handle);
  key = await createKey(api, brand);
});
afterAll(() => api.close());

const fund = (body: unknown, as = operator, workspace = id) =>
  api.call('POST', `/v1/operator/workspaces/${workspace}/fund`, { key: as, body });
const eur = (amount: unknown) => ({ amount, currency: 'EUR' });
const balance = async () => (await api.call('GET', '/v1/wallet', { key })).body['balance']!['amount'];

describe('a bank transfer', () => {
  test('credits the wallet, pays its pending top-up, and is in both audit logs', async () => {
    const topUp = (await api.call('POST', '/v1/wallet/top-ups', { key, body: { amount: eur(250.5) } })).body['top_up'];
    expect(await fund({ amount: eur(250.5), reference: 'NTRF-1' })).toMatchObject({
      status: 200,
      body: { workspace_id: id, funded: eur(250.5), reference: 'NTRF-1', booked_before: false },
    });
    expect(await balance()).toBe(250.5);
    const read = await api.call('GET', `/v1/wallet/top-ups/${topUp!['id']}`, { key });
    expect(read.body['status']).toBe('credited');
    for (const [as, type] of [
      [key, 'operator'],
      [operator, 'user'],
    ] as const)
      expect(dataOf(await api.call('GET', '/v1/audit?action=wallet.funded', { key: as }))).toMatchObject([
        { actor: { type }, entity: { id }, diff: { reference: { to: 'NTRF-1' } } },
      ]);
  });

  test('is booked once, even by two simultaneous calls or with blanks around its reference', async () => {
    const before = Number(await balance());
    const sent = await Promise.all(
      [' NTRF-2', 'NTRF-2', 'NTRF-2 '].map(reference => fund({ amount: eur(10), reference })),
    );
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(sent.map(({ body }) => body['booked_before']).filter(isBefore => !isBefore)).toHaveLength(1);
    expect(await balance()).toBe(before + 10);
    expect(await fund({ amount: eur(11), reference: 'NTRF-2' })).toMatchObject({
      status: 409,
      body: { code: 'state_conflict', detail: expect.stringContaining('10.00 EUR') },
    });
    expect(await balance()).toBe(before + 10);
    expect(await checkLedger(api.sql)).toEqual([]);
  });

  test.each([
    [{ amount: eur(0), reference: 'N' }, '/amount/amount'],
    [{ amount: eur(-5), reference: 'N' }, '/amount/amount'],
    [{ amount: eur(1.234), reference: 'N' }, '/amount/amount'],
    [{ amount: eur(1e15), reference: 'N' }, '/amount/amount'],
    [{ amount: eur('10,00'), reference: 'N' }, '/amount/amount'],
    [{ amount: { amount: 5, currency: 'USD' }, reference: 'N' }, '/amount/currency'],
    [{ amount: { amount: 5, currency: 'eur' }, reference: 'N' }, '/amount/currency'],
    [{ amount: eur(5) }, '/reference'],
    [{ amount: eur(5), reference: '  ' }, '/reference'],
    [{ amount: eur(5), reference: 'x'.repeat(141) }, '/reference'],
    [{ amount: eur(5), reference: 'N', mode: 'test' }, '/mode'],
  ])('%j is refused by the name of the field, and nothing is booked', async (body, pointer) => {
    const before = await balance();
    expect(await fund(body)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [expect.objectContaining({ pointer })] },
    });
    expect(await balance()).toBe(before);
  });

  test('is booked only by finance roles, and only for an existing workspace', async () => {
    const body = { amount: eur(5), reference: 'NTRF-3' };
    const before = await balance();
    expect((await fund(body, key)).body['code']).toBe('wrong_surface');
    expect((await fund(body, operator, 'ws_x')).status).toBe(404);
    await api.sql`update users set role = 'manager' where handle = ${own.user}`;
    expect((await fund(body, await createKey(api, own, { surface: 'operator' }))).body['code']).toBe('role_forbidden');
    expect(await balance()).toBe(before);
  });
});
