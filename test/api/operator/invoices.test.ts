/** The operator's invoices: what is open over all workspaces, and what was paid. Calls to the API on real engines. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { addInvoice } from '../support/earnings.ts';

let api: TestApi;
let brand: TestWorkspace;
let key: string;
let operator: string;
let last = 40;

beforeAll(async () => {
  api = await startApi();
  api.clock.offsetMs = Date.parse('2026-04-20T10:00:00Z') - Date.now();
  brand = await createWorkspace(api);
  await api.sql`update workspaces set name = 'North Sea Coffee' where handle = ${brand.handle}`;
  key = await createKey(api, brand);
  operator = await createKey(api, await createWorkspace(api, { kind: 'operator' }), { surface: 'operator' });
});
afterAll(() => api.close());

const issue = () => addInvoice(api, { workspace: brand.handle, sequence: (last += 1) });
const list = async (query: string) =>
  dataOf(await api.call('GET', `/v1/operator/invoices?${query}`, { key: operator }));
const idsOf = async (query: string): Promise<(string | undefined)[]> => (await list(query)).map(({ id }) => id);
const settle = (id: string, body: object, as = operator) =>
  api.call('POST', `/v1/operator/invoices/${id}/settle`, { key: as, body });
const entryOf = async (as: string, id: string) =>
  dataOf(await api.call('GET', '/v1/audit?action=invoice.paid', { key: as })).find(
    ({ entity }) => entity?.['id'] === id,
  );

describe('an invoice', () => {
  test('is found by open status, number and workspace name', async () => {
    const id = await issue();
    const [shown] = await list(`q=2026-0000${last}`);
    expect(shown).toMatchObject({
      id,
      number: `2026-0000${last}`,
      workspace: { name: 'North Sea Coffee' },
      status: 'issued',
      vat: { total_with_vat: { amount: 119, currency: 'EUR' }, due: { amount: 19 } },
      due_on: '2026-05-01',
      paid_at: null,
    });
    expect([await idsOf('q=sea+coffee&status=issued'), await idsOf('q=sea+coffee&status=paid')]).toEqual([[id], []]);
    expect(
      (await api.call('GET', new URL(String(shown!['pdf_url'])).pathname + new URL(String(shown!['pdf_url'])).search))
        .status,
    ).toBe(200);
    await settle(id, {});
  });

  test('is paid once, on the day from the bank, with day and reference in both audit logs', async () => {
    const id = await issue();
    const paid = { paid_on: '2026-04-17', reference: 'NTRF-77' };
    expect(await settle(id, paid)).toMatchObject({ status: 200, body: { id, status: 'paid' } });
    expect(await settle(id, paid)).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    expect((await api.call('GET', `/v1/invoices/${id}`, { key })).body['paid_at']).toBe('2026-04-17T00:00:00.000Z');
    for (const as of [key, operator])
      expect(await entryOf(as, id)).toMatchObject({
        diff: { paid_on: { to: '2026-04-17' }, reference: { to: 'NTRF-77' } },
      });
  });

  test.each([
    [{ paid_on: '2026-03-31' }, '/paid_on', 'out_of_range'],
    [{ paid_on: '2026-04-21' }, '/paid_on', 'out_of_range'],
    [{ paid_on: '2026-02-30' }, '/paid_on', 'bad_date'],
    [{ paid_on: 'yesterday' }, '/paid_on', 'bad_format'],
    [{ reference: ' ' }, '/reference', 'bad_format'],
    [{ amount: 5 }, '/amount', 'unknown_field'],
  ])('%j is refused by the name of the field, and the invoice stays open', async (body, pointer, code) => {
    const id = await issue();
    expect(await settle(id, body)).toMatchObject({ status: 422, body: { errors: [{ pointer, code }] } });
    expect(await idsOf(`status=issued&q=${id}`)).toEqual([id]);
    await settle(id, { paid_on: '2026-04-01' });
    expect((await list(`q=${id}`))[0]).toMatchObject({ paid_at: '2026-04-01T02:00:00.000Z' });
  });

  test('is not settled by its own workspace', async () => {
    expect((await settle(await issue(), {}, key)).body['code']).toBe('wrong_surface');
  });
});
