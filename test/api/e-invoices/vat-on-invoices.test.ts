/**
 * VAT from the settings of seller and buyer to the document: frozen when it is issued, by `Accept` as JSON, PDF or XML,
 * and taken over by a credit note. Real engines; the jobs that issue documents run in this process.
 */
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setInvoiceAddress } from '../../../cli/admin/money/invoices.ts';
import { changeOperator } from '../../../cli/admin/money/operator.ts';
import { formatId, type Handle } from '../../../domain/id.ts';
import { issueInvoices } from '../../../workers/invoices/issue-invoices.ts';
import { createKey, createWorkspace, dataOf, startApi, type TestApi } from '../support/app-under-test.ts';
import { brokenRules, readFacts } from './en16931-rules.ts';

const SELLER = {
  name: 'Screens',
  address: 'Street 1',
  city: 'Berlin',
  postalCode: '10115',
  country: 'DE',
  vatId: 'DE 123 456 789',
};
const BUYER = { name: 'Brand', address: 'Road 2', taxId: undefined, city: 'Lyon', postalCode: '69001', country: 'FR' };
const APRIL = new Date('2026-04-01T00:10:00Z');
type Buyer = Omit<Parameters<typeof setInvoiceAddress>[2], 'workspace'>;
let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

async function spend(workspace: Handle<'workspace'>, grossMicros: number, month = '2026-03-01') {
  const [campaign] = await api.sql<{ handle: Handle<'campaign'> }[]>`
    insert into campaigns (workspace_handle, name, category, status, sandbox, currency, budget_micros, starts_on, ends_on, targets, rate_micros, forecast, created_at)
    values (${workspace}, 'Autumn', 'food', 'live', false, 'EUR', 1000000, '2026-03-01', '2026-03-31', '{}', 1000, '{}', now()) returning handle`;
  await api.sql`insert into campaign_months (campaign_handle, month, plays, impressions_thousandths, gross_micros, discount_micros) values (${campaign!.handle}, ${month}, 10, 12345, ${grossMicros}, 0)`;
  await api.sql`insert into workspace_months (workspace_handle, sandbox, month, currency, gross_micros, discount_micros) values (${workspace}, false, ${month}, 'EUR', ${grossMicros}, 0)`;
  return campaign!.handle;
}

/** A brand with an invoice of March, as it is after it was issued. */
async function invoiced(buyer: Buyer | undefined, grossMicros = 10_010_000) {
  const { handle, user } = await createWorkspace(api);
  if (buyer) await setInvoiceAddress(api.sql, APRIL, { ...buyer, workspace: handle });
  const campaign = await spend(handle, grossMicros);
  await issueInvoices({ ...api.workers, now: () => APRIL });
  const key = await createKey(api, { handle, user }, { expiresAt: new Date(api.clock.now() + 90 * 86_400_000) });
  const [invoice] = dataOf(await api.call('GET', '/v1/invoices', { key }));
  return { handle, key, campaign, invoice: invoice!, path: `/v1/invoices/${invoice!['id']}` };
}

const anyone = (more: object): Buyer => ({ ...BUYER, ...more });

describe('before the seller has tax details', () => {
  test('an invoice has no VAT and no XML, even after the details were added', async () => {
    const { key, invoice, path } = await invoiced(anyone({}));
    expect(invoice['vat']).toBeNull();
    const pdf = await api.call('GET', `${path}?format=pdf`, { key });
    expect(pdf.raw.toString('latin1')).not.toContain('factur-x.xml');
    expect(await changeOperator(api.sql, new Date(), { city: 'Berlin' })).toMatchObject({
      missing_for_vat: ['address_lines', 'postal_code', 'country', 'vat_id'],
    });
    expect(await changeOperator(api.sql, new Date(), SELLER)).toMatchObject({
      vat_id: 'DE123456789',
      missing_for_vat: [],
    });
    expect((await api.call('GET', path, { key })).body).toMatchObject({ number: invoice['number'], vat: null });
    expect((await api.call('GET', `${path}?format=pdf`, { key })).raw.equals(pdf.raw)).toBe(true);
    expect(await api.call('GET', path, { key, headers: { accept: 'application/xml' } })).toMatchObject({
      status: 409,
      body: { code: 'state_conflict', detail: expect.stringContaining('issued without VAT') },
    });
  });
});

describe('an invoice with VAT', () => {
  test('at home has the rate of the country, and only the VAT is left to pay', async () => {
    const { key, invoice } = await invoiced(anyone({ city: 'Bonn', postalCode: '53111', country: 'DE' }));
    const amount = (value: number) => ({ amount: value, currency: 'EUR' });
    expect(invoice).toMatchObject({
      total: amount(10.01),
      vat: {
        category: 'S',
        rate: 19,
        exemption_code: null,
        exemption_reason: null,
        taxable: amount(10.01),
        amount: amount(1.9),
        total_with_vat: amount(11.91),
        prepaid: amount(10.01),
        due: amount(1.9),
      },
    });
    expect(dataOf(await api.call('GET', '/v1/wallet/transactions', { key }))).toEqual([]); // the books stay net
  });

  test.each([
    ['AE', { vatId: 'FR12345678901' }, 'VATEX-EU-AE'],
    ['O', { country: 'US' }, 'VATEX-EU-O'],
  ])('of category %s holds none and says why', async (category, more, code) => {
    const { invoice } = await invoiced(anyone(more));
    expect(invoice['vat']).toMatchObject({ category, rate: 0, exemption_code: code, due: { amount: 0 } });
  });

  test('is read as JSON, PDF, UBL or CII', async () => {
    const { key, path, invoice } = await invoiced(anyone({ vatId: 'FR12345678901' }));
    const read = async (accept: string, query = '') => {
      const answer = await api.call('GET', path + query, { key, headers: { accept } });
      return { ...answer, type: answer.headers['content-type'] };
    };
    const ubl = await read('application/vnd.oasis.ubl+xml');
    expect([ubl.status, ubl.type, ubl.headers['vary']]).toEqual([
      200,
      'application/vnd.oasis.ubl+xml; charset=utf-8',
      expect.stringContaining('accept'),
    ]);
    expect(ubl.headers['content-disposition']).toBe(`inline; filename="invoice-${invoice['number']}-ubl.xml"`);
    expect((await read('application/xml')).raw.equals(ubl.raw)).toBe(true);
    const cii = await read('application/json', '?format=cii');
    expect(cii.type).toBe('application/xml; charset=utf-8');
    for (const { raw } of [ubl, cii]) expect(brokenRules(raw.toString())).toEqual([]);
    expect(readFacts(ubl.raw.toString())).toMatchObject({
      number: invoice['number'],
      buyer: { vatId: 'FR12345678901', city: 'Lyon' },
    });
    expect((await read('application/pdf')).type).toBe('application/pdf');
    for (const accept of ['application/json', '*/*', 'text/html'])
      expect((await read(accept)).type).toMatch(/^application\/json/);
    expect(await read('*/*', '?format=csv')).toMatchObject({ status: 400 });
    expect(
      await api.call('GET', path, {
        key: await createKey(api, await createWorkspace(api)),
        headers: { accept: 'application/xml' },
      }),
    ).toMatchObject({ status: 404 });
  });

  test('embeds its CII in the PDF, which is the same file each time', async () => {
    const { key, path } = await invoiced(anyone({}));
    const pdf = (await api.call('GET', `${path}?format=pdf`, { key })).raw;
    const cii = (await api.call('GET', `${path}?format=cii`, { key })).raw;
    expect(pdf.toString('latin1')).toContain('/AFRelationship /Alternative');
    expect(pdf.toString('latin1')).toContain('(factur-x.xml)');
    expect(streamsOf(pdf).some(stream => stream.equals(cii))).toBe(true);
    expect((await api.call('GET', `${path}?format=pdf`, { key })).raw.equals(pdf)).toBe(true);
  });

  test("has no XML if the address of the buyer is unknown, and applies the seller's rate", async () => {
    const { key, path, invoice } = await invoiced(undefined);
    expect(invoice['vat']).toMatchObject({ category: 'S', rate: 19 });
    expect(await api.call('GET', `${path}?format=ubl`, { key })).toMatchObject({
      status: 409,
      body: {
        code: 'state_conflict',
        detail: expect.stringContaining('Documents issued after these are set have it.'),
      },
    });
  });
});

describe('a credit note', () => {
  test('has the VAT of the invoice that it corrects, even after the buyer has moved', async () => {
    const { handle, key, campaign, invoice } = await invoiced(anyone({ country: 'DE', city: 'Bonn' }));
    const [venue] = await api.sql<{ handle: number }[]>`
      insert into venues (workspace_handle, name, type, city, lat, lng, timezone, daily_visitors, dwell_minutes, created_at)
      values (${handle}, 'v', 'entertainment.bars', 'Berlin', 52.5, 13.4, 'Europe/Berlin', 500, 30, now()) returning handle`;
    const takenAt = '2026-04-03T10:00:00Z';
    const [finding] = await api.sql<{ handle: number }[]>`
      insert into findings ${api.sql({ workspace_handle: handle, rule: 'audience', rule_version: 1, venue_handle: venue!.handle, from_at: '2026-03-20T00:00:00Z', to_at: '2026-03-21T00:00:00Z', first_day: '2026-03-20', last_day: '2026-03-20', seen_at: takenAt, evidence: api.sql.json({}), status: 'upheld', is_holding: false, raised_at: takenAt, decided_at: takenAt })} returning handle`;
    const [taking] = await api.sql<
      { handle: number }[]
    >`insert into play_takings (finding_handle, number, taken_at) values (${finding!.handle}, 1, ${takenAt}) returning handle`;
    await api.sql`insert into campaign_credits (taking_handle, campaign_handle, plays, impressions_thousandths, gross_micros, credit_micros) values (${taking!.handle}, ${campaign}, 3, 3703, 1000000, 1000000)`;
    await setInvoiceAddress(api.sql, APRIL, { ...BUYER, workspace: handle, vatId: 'FR12345678901' });
    await issueInvoices({ ...api.workers, now: () => new Date('2026-05-01T00:10:00Z') });
    const [note] = dataOf(await api.call('GET', '/v1/invoices?kind=credit_note', { key }));
    expect(note).toMatchObject({
      total: { amount: -1 },
      vat: { category: 'S', rate: 19, amount: { amount: -0.19 }, due: { amount: -0.19 } },
    });
    for (const format of ['ubl', 'cii']) {
      const xml = (await api.call('GET', `/v1/invoices/${note!['id']}?format=${format}`, { key })).raw.toString();
      expect(brokenRules(xml)).toEqual([]);
      expect(readFacts(xml)).toMatchObject({ type: '381', corrects: invoice['number'], payable: '0.19' });
    }
  });
});

describe('the details of seller and buyer', () => {
  test('are refused by the name of the option if they do not fit', async () => {
    const { handle } = await createWorkspace(api);
    const set = (more: object) => setInvoiceAddress(api.sql, APRIL, { ...BUYER, ...more, workspace: handle });
    await expect(set({ vatId: 'DE123456789' })).rejects.toThrow('--vat-id: begins with DE');
    await expect(set({ country: 'XX' })).rejects.toThrow('--country: must be a country code');
    await expect(set({ country: undefined, vatId: 'FR12345678901' })).rejects.toThrow('--country: is required');
    await expect(set({ postalCode: 'x'.repeat(21) })).rejects.toThrow('--postal-code takes');
    await expect(changeOperator(api.sql, new Date(), { country: 'FR' })).rejects.toThrow('--vat-id: begins with DE');
    expect(await set({ city: undefined })).toMatchObject({ missing_for_xml: ['city'] });
  });

  test('of a client are set by its agency, and refused with a pointer to the field', async () => {
    const agency = await createWorkspace(api, { kind: 'agency' });
    const key = await createKey(api, agency, { surface: 'agency' });
    const path = `/v1/agency/clients/${formatId('workspace', agency.handle)}`;
    const details = {
      legal_name: 'House',
      address_lines: ['Street 1'],
      city: 'Athens',
      postal_code: '10431',
      country: 'GR',
    };
    const change = (more: object) =>
      api.call('PATCH', path, { key, body: { billing_details: { ...details, ...more } } });
    expect((await change({ vat_id: 'el 123456789' })).body).toMatchObject({
      billing_details: { ...details, vat_id: 'EL123456789' },
    });
    expect(await change({ vat_id: 'GR123456789' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/billing_details/vat_id', code: 'wrong_country' }] },
    });
  });
});

/** The streams of a PDF that can be inflated. */
function streamsOf(pdf: Buffer): Buffer[] {
  return [...pdf.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g)].flatMap(([, bytes]) => {
    try {
      return [inflateSync(Buffer.from(bytes!, 'latin1'))];
    } catch {
      return [];
    } // fonts and the like
  });
}
