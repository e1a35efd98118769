/** Refunds and disputes that the operator books or closes. Driven by calls to the API on real engines. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLedger } from '#audit/checks/ledger.ts';
import {
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { addDispute } from '../support/earnings.ts';

let api: TestApi;
let brand: TestWorkspace;
let key: string;
let operator: string;

beforeAll(async () => {
  api = await startApi();
  brand = await createWorkspace(api, { funds: 100 });
  key = await createKey(api, brand);
  operator = await createKey(api, await createWorkspace(api, { kind: 'operator' }), { surface: 'operator' });
});
afterAll(() => api.close());

const dispute = (amount: number) => addDispute(api, { workspace: brand.handle, user: brand.user, amount });
const list = async (query: string) =>
  dataOf(await api.call('GET', `/v1/operator/payment-cases?${query}`, { key: operator }));
const move = (id: string, to: 'book' | 'close', body?: object, as = operator) =>
  api.call('POST', `/v1/operator/payment-cases/${id}/${to}`, { key: as, ...(body && { body }) });
const balance = async () => (await api.call('GET', '/v1/wallet', { key })).body['balance']!['amount'];
const actionsOf = async (as: string) =>
  dataOf(await api.call('GET', '/v1/audit', { key: as })).map(({ action }) => action);

describe('a dispute', () => {
  test('is listed with its workspace, and booked once: the wallet pays, with an entry in both audit logs', async () => {
    const id = await dispute(30);
    expect(await list('status=open&count=true')).toMatchObject([
      { id, kind: 'dispute', workspace: { name: 'Test' }, amount: { amount: 30, currency: 'EUR' } },
    ]);
    const before = Number(await balance());
    expect(await move(id, 'book')).toMatchObject({ status: 200, body: { id, status: 'booked' } });
    expect(await balance()).toBe(before - 30);
    expect(await move(id, 'book')).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    expect(await balance()).toBe(before - 30);
    expect([await actionsOf(key), await actionsOf(operator)]).toEqual([
      expect.arrayContaining(['wallet.top_up_refunded']),
      expect.arrayContaining(['payment_case.booked']),
    ]);
    expect(await checkLedger(api.sql)).toEqual([]);
  });

  test('cannot be booked beyond the wallet, and is closed with a note instead', async () => {
    const id = await dispute(5_000);
    const before = await balance();
    expect(await move(id, 'book')).toMatchObject({ status: 409, body: { code: 'insufficient_funds' } });
    expect(await list('status=open')).toMatchObject([{ id }]);
    const note = 'Paid back by hand';
    expect(await move(id, 'close', { note })).toMatchObject({ status: 200, body: { id, status: 'closed' } });
    expect((await list('status=closed'))[0]).toMatchObject({ id, note, ended_at: expect.any(String) });
    expect(await balance()).toBe(before);
  });

  test.each([
    [{}, '/note'],
    [{ note: ' ' }, '/note'],
    [{ note: 'x'.repeat(2_001) }, '/note'],
    [{ note: 'x', amount: 1 }, '/amount'],
  ])('is not closed with %j, and the refusal names the field', async (body, pointer) => {
    const id = await dispute(1);
    expect(await move(id, 'close', body)).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
    expect((await list('status=open')).map(found => String(found['id']))).toContain(id);
  });

  test('is hidden from its own workspace', async () => {
    expect((await move(await dispute(1), 'book', undefined, key)).body['code']).toBe('wrong_surface');
  });
});

describe('events that could not be read', () => {
  const events = async (as = operator) => api.call('GET', '/v1/operator/payment-events', { key: as });
  const add = (id: string, type: string, outcome: string, at: string) =>
    api.sql`insert into payment_events (event_id, type, outcome, received_at) values (${id}, ${type}, ${outcome}, ${at})`;

  test('are listed with their reason, the newest first, and others are not', async () => {
    expect((await events()).body).toEqual({ events: [] });
    await add('evt_1', 'refund.updated', 'unreadable', '2026-03-01T10:00:00Z');
    await add('sha256:ab', 'unreadable', 'unreadable', '2026-03-02T10:00:00Z');
    await add('evt_2', 'refund.updated', 'booked', '2026-03-03T10:00:00Z');
    await add('evt_3', 'customer.created', 'unknown', '2026-03-03T10:00:00Z');
    expect((await events()).body['events']).toEqual([
      { id: 'sha256:ab', type: null, reason: 'unknown_event', received_at: '2026-03-02T10:00:00.000Z' },
      { id: 'evt_1', type: 'refund.updated', reason: 'unknown_object', received_at: '2026-03-01T10:00:00.000Z' },
    ]);
  });

  test('are at most 200', async () => {
    await api.sql`
      insert into payment_events (event_id, type, outcome, received_at)
      select 'evt_many_' || n, 'refund.updated', 'unreadable', '2026-03-04T10:00:00Z' from generate_series(1, 250) n`;
    expect((await events()).body['events']).toHaveLength(200);
  });

  test('are nothing to a workspace that pays', async () => {
    expect((await events(key)).body['code']).toBe('wrong_surface');
  });
});
