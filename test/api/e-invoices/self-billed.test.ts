/**
 * Self-billed invoices of payouts: issued when the bank has paid, for workspaces that have agreed, numbered without a
 * gap, and frozen. As JSON, PDF and XML of EN 16931, checked by our version of its rules. Real engines.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setInvoiceAddress } from '../../../cli/admin/money/invoices.ts';
import { changeOperator } from '../../../cli/admin/money/operator.ts';
import { recordOutcome } from '../../../cli/admin/money/payouts.ts';
import { parseId } from '../../../domain/id.ts';
import { addEarnings, giveAccount } from '../support/earnings.ts';
import { createKey, createWorkspace, startApi, VENUE, type TestApi } from '../support/app-under-test.ts';
import { brokenRules, readFacts } from './en16931-rules.ts';

const OPERATOR = {
  name: 'Screens',
  address: 'Street 1',
  city: 'Berlin',
  postalCode: '10115',
  country: 'DE',
  vatId: 'DE123456789',
};
type Details = Omit<Parameters<typeof setInvoiceAddress>[2], 'workspace'>;
const BAR: Details = { name: 'Corner Bar', address: 'Road 2', city: 'Munich', postalCode: '80331', country: 'DE' };
let api: TestApi;

beforeAll(async () => {
  api = await startApi();
  await changeOperator(api.sql, new Date(), OPERATOR);
});
afterAll(() => api.close());

/** The owner of a bar whose payout of 100.00 the bank has paid. */
async function paidBar(details: Details | undefined, outcome: 'paid' | 'failed' = 'paid') {
  const workspace = await createWorkspace(api, { kind: 'venue' });
  const expiresAt = new Date(api.clock.now() + 90 * 86_400_000);
  const key = await createKey(api, workspace, { surface: 'screen_manager', expiresAt });
  await giveAccount(api, workspace.handle);
  const now = new Date(api.clock.now());
  if (details) await setInvoiceAddress(api.sql, now, { ...details, workspace: workspace.handle });
  const venue = (await api.call('POST', '/v1/venues', { key, body: VENUE })).body['id']!;
  await addEarnings(api, { workspace: workspace.handle, venue: parseId('venue', venue)!, amount: 100 });
  const { body } = await api.call('POST', '/v1/payouts', { key, body: {} });
  const settled = await recordOutcome(api.sql, now, { payout: parseId('payout', body['id']!)!, outcome });
  const read = (query = '') => api.call('GET', `/v1/payouts/${body['id']}${query}`, { key });
  return { workspace: workspace.handle, key, read, settled, number: settled['self_billed_invoice'] };
}

describe('a payout paid by the bank', () => {
  test.each<[string, Partial<Details>, object, string]>([
    ['in the same country', { vatId: 'DE987654321' }, { category: 'S', rate: 19, amount: { value: 19 } }, 'S 19.00'],
    [
      'of a small enterprise',
      { taxId: '12/345/678', vatExemption: 'Small enterprise, section 19 UStG.' },
      { category: 'E', rate: 0, amount: { value: 0 } },
      'E 0.00',
    ],
    [
      'in another country of the EU',
      { country: 'FR', city: 'Lyon', postalCode: '69001', vatId: 'FR12345678901' },
      { category: 'AE', rate: 0, amount: { value: 0 } },
      'AE 0.00',
    ],
  ])(
    '%s has a self-billed invoice with its VAT, which breaks no rule of EN 16931',
    async (_where, details, vat, group) => {
      const { read, number } = await paidBar({ ...BAR, ...details, selfBilling: true });
      expect(number).toMatch(/^SB-\d{4}-\d{6}$/);
      expect((await read()).body['self_billed_invoice']).toMatchObject({ number, vat });
      for (const format of ['ubl', 'cii']) {
        const xml = await read(`?format=${format}`);
        expect(xml.headers['content-disposition']).toContain(`self-billed-${String(number)}-${format}.xml`);
        expect(brokenRules(xml.raw.toString())).toEqual([]);
        const { net, groups } = readFacts(xml.raw.toString());
        expect(net).toBe('100.00');
        expect(groups.map(({ category, rate }) => `${category} ${Number(rate).toFixed(2)}`)).toEqual([group]);
        expect(xml.raw.toString()).toMatch(/>389</);
      }
      const pdf = await read('?format=pdf');
      expect(pdf.headers['content-type']).toBe('application/pdf');
      expect(pdf.raw.toString('latin1')).toContain('factur-x.xml');
    },
  );

  test('has no self-billed invoice without an agreement, and the answer says so', async () => {
    const { read, settled } = await paidBar({ ...BAR, vatId: 'DE987654321' });
    expect(settled).not.toHaveProperty('self_billed_invoice');
    expect((await read()).body['self_billed_invoice']).toBeNull();
    expect(await read('?format=ubl')).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
  });

  test('keeps the details of its day', async () => {
    const bar = await paidBar({ ...BAR, vatId: 'DE987654321', selfBilling: true });
    const before = (await bar.read('?format=ubl')).raw.toString();
    const changed = await setInvoiceAddress(api.sql, new Date(), { ...BAR, name: 'Renamed', workspace: bar.workspace });
    expect(changed['removed'], 'what the operator left out').toEqual(['vat_id', 'self_billing']);
    expect((await bar.read('?format=ubl')).raw.toString()).toBe(before);
    expect(before).toContain('Corner Bar');
  });

  test('is hidden from other workspaces', async () => {
    const [bar, other] = [await paidBar({ ...BAR, vatId: 'DE987654321', selfBilling: true }), await paidBar(undefined)];
    const path = `/v1/payouts/${(await bar.read()).body['id']}?format=ubl`;
    expect((await api.call('GET', path, { key: other.key })).status).toBe(404);
  });
});

test('a failed payout takes no number, and numbers have no gap', async () => {
  const agreed = { ...BAR, vatId: 'DE987654321', selfBilling: true as const };
  const first = await paidBar(agreed);
  expect((await paidBar(agreed, 'failed')).settled).not.toHaveProperty('self_billed_invoice');
  const second = await paidBar(agreed);
  const sequence = (number: unknown) => Number(String(number).split('-')[2]);
  expect(sequence(second.number)).toBe(sequence(first.number) + 1);
});

test('an agreement without seller details is refused, and the refusal names the options', async () => {
  const { handle: workspace } = await createWorkspace(api, { kind: 'venue' });
  await expect(
    setInvoiceAddress(api.sql, new Date(), { name: 'Bar', country: 'DE', selfBilling: true, workspace }),
  ).rejects.toThrow('Missing: --address, --city, --postal-code, --vat-id, or --tax-id with --vat-exemption');
  const exempt = { ...BAR, taxId: '12', vatExemption: 'No VAT there.', selfBilling: true as const, workspace };
  await expect(setInvoiceAddress(api.sql, new Date(), { ...exempt, country: 'US' })).rejects.toThrow(
    'Missing: --country of the EU, GB, CH or NO',
  );
  expect(await api.sql`select 1 from workspaces where handle = ${workspace} and billing_details is not null`).toEqual(
    [],
  );
});
