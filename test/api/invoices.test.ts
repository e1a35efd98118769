import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settleInvoice, setInvoiceAddress } from '../../cli/admin-invoices.ts';
import { formatId, parseId } from '../../domain/id.ts';
import { checkLedger } from '../../sql/ledger-check.ts';
import { issueInvoices } from '../../workers/jobs/issue-invoices.ts';
import { createKey, createWorkspace, dataOf, startApi, type Answer, type TestApi, type TestWorkspace } from './app-under-test.ts';

const AFTER = new Date('2026-04-01T00:10:00Z');
let api: TestApi;
let brand: TestWorkspace;
let key: string;

beforeAll(async () => {
  api = await startApi();
  brand = await createWorkspace(api);
  key = await createKey(api, brand, { expiresAt: new Date(api.clock.now() + 90 * 86_400_000) });
});
afterAll(() => api.close());

/** A campaign's month as settlement writes it; that it equals the ledger is shown by the month of money. */
async function spend(workspace: number, grossMicros: number, { discountMicros = 0, month = '2026-03-01', sandbox = false, name = 'Autumn' } = {}): Promise<number> {
  const [campaign] = await api.sql<{ handle: number }[]>`
    insert into campaigns (workspace_handle, name, category, status, sandbox, currency, budget_micros, starts_on, ends_on, targets, rate_micros, forecast, created_at)
    values (${workspace}, ${name}, 'food', 'live', ${sandbox}, (select currency from workspaces where handle = ${workspace}), 1000000, '2026-03-01', '2026-03-31', '{}', 1000, '{}', now()) returning handle`;
  await api.sql`insert into campaign_months (campaign_handle, month, plays, impressions_thousandths, gross_micros, discount_micros) values (${campaign!.handle}, ${month}, 10, 12345, ${grossMicros}, ${discountMicros})`;
  await api.sql`
    insert into workspace_months (workspace_handle, sandbox, month, currency, gross_micros, discount_micros)
    values (${workspace}, ${sandbox}, ${month}, (select currency from workspaces where handle = ${workspace}), ${grossMicros}, ${discountMicros})
    on conflict (workspace_handle, sandbox, month) do update set gross_micros = workspace_months.gross_micros + excluded.gross_micros, discount_micros = workspace_months.discount_micros + excluded.discount_micros`;
  return campaign!.handle;
}

const issue = (now = AFTER) => issueInvoices({ ...api.workers, now: () => now });
const list = async (as: { key: string; headers?: Record<string, string> }, query = '') => dataOf(await api.call('GET', `/v1/invoices${query}`, as));
const download = (url: string): Promise<Answer> => {
  const { pathname, search } = new URL(url);
  return api.call('GET', pathname + search);
};

describe('invoices', () => {
  test('are issued once a month has ended, with a line per campaign and amounts that can be paid', async () => {
    const campaigns = [await spend(brand.handle, 3_333_333), await spend(brand.handle, 3_333_333, { name: 'Winter' }), await spend(brand.handle, 3_338_334)];
    await spend(brand.handle, 5_000_000, { month: '2026-04-01' });
    await spend(brand.handle, 5_000_000, { sandbox: true });
    expect(await issue(new Date('2026-03-31T23:59:59Z'))).toBe(0);
    expect(await issue()).toBe(1);
    expect(await issue()).toBe(0);
    const [invoice, ...others] = await list({ key });
    expect(others).toEqual([]);
    expect(invoice).toMatchObject({
      number: '2026-000001', kind: 'invoice', period: '2026-03', status: 'issued', consolidated: false, gross: { amount: 10.005, currency: 'EUR' }, discount: { amount: 0 }, net: { amount: 10.005 },
      rounding: { amount: 0.005, currency: 'EUR' }, total: { amount: 10.01, currency: 'EUR' }, issued_at: AFTER.toISOString(), due_on: '2026-05-01', paid_at: null,
    });
    const detail = await api.call('GET', `/v1/invoices/${invoice!['id']}`, { key });
    expect(detail.body['lines']).toMatchObject(campaigns.map((handle, index) => ({
      client_id: formatId('workspace', brand.handle), campaign_id: formatId('campaign', handle), campaign_name: ['Autumn', 'Winter', 'Autumn'][index], plays: 10, impressions: 12, gross: { amount: [3.333333, 3.333333, 3.338334][index] },
    })));
    expect(dataOf(await api.call('GET', '/v1/audit?action=invoice.issued', { key }))).toMatchObject([{ actor: { type: 'system' }, entity: { type: 'invoice', id: invoice!['id'] } }]);
    expect(await api.sql`select type, payload from outbox where workspace_handle = ${brand.handle}`).toEqual([{ type: 'invoice.issued', payload: { object: { id: invoice!['id'], number: '2026-000001', kind: 'invoice', period: '2026-03', status: 'issued', total: { amount: 10.01, currency: 'EUR' } } } }]);
  });

  test('of clients go to the client, or to the agency on one invoice per currency', async () => {
    const agency = await createWorkspace(api, { kind: 'agency' });
    const agencyKey = await createKey(api, agency, { surface: 'agency' });
    const client = async (name: string, model: string, currency: string) => (await api.call('POST', '/v1/agency/clients', { key: agencyKey, body: { name, billing_model: model, currency } })).body['id']!;
    const ids = [await client('Direct', 'pass-through', 'EUR'), await client('Through one', 'agency-billed', 'EUR'), await client('Through two', 'agency-billed', 'EUR'), await client('Through yen', 'agency-billed', 'JPY')];
    for (const [index, id] of ids.entries()) await spend(parseId('workspace', id)!, (index + 1) * 1_000_000, { discountMicros: 50_000 });
    await spend(agency.handle, 9_000_000);
    expect(await issue()).toBe(3);
    const own = await list({ key: agencyKey });
    expect(own.map(invoice => [invoice['consolidated'], invoice['gross'], invoice['discount']!['amount']])).toEqual(expect.arrayContaining([
      [true, { amount: 14, currency: 'EUR' }, 0.1], [true, { amount: 4, currency: 'JPY' }, 0.05],
    ]));
    expect(own).toHaveLength(2);
    const euros = own.find(invoice => invoice['total']!['currency'] === 'EUR')!;
    const detail = await api.call('GET', `/v1/invoices/${euros['id']}`, { key: agencyKey });
    expect((detail.body['lines'] as unknown as { client_name: string }[]).map(line => line.client_name)).toEqual(['Test', 'Through one', 'Through two']);
    expect(await list({ key: agencyKey, headers: { 'x-workspace-id': ids[0]! } })).toMatchObject([{ consolidated: false, net: { amount: 0.95 } }]);
    expect(await list({ key: agencyKey, headers: { 'x-workspace-id': ids[1]! } })).toEqual([]);
  });

  test('issued by two workers at once are numbered without gaps and each once', async () => {
    const [before] = await api.sql<{ last: number }[]>`select last from invoice_series where year = 2026`;
    for (let count = 0; count < 6; count += 1) await spend((await createWorkspace(api)).handle, 1_000_000);
    await Promise.all([issue(), issue(), issue()]);
    const rows = await api.sql<{ sequence: number }[]>`select sequence from invoices where year = 2026 and sequence > ${before!.last} order by sequence`;
    expect(rows.map(row => row.sequence)).toEqual([1, 2, 3, 4, 5, 6].map(number => before!.last + number));
    expect(await api.sql`select last from invoice_series where year = 2026`).toEqual([{ last: before!.last + 6 }]);
  });

  test('that were issued are only paid, never changed or deleted; and so are months that were invoiced', async () => {
    await expect(api.sql`update invoices set total_micros = 1`).rejects.toThrow('only paid');
    await expect(api.sql`delete from invoices`).rejects.toThrow('only paid');
    await expect(api.sql`update invoice_lines set gross_micros = 1`).rejects.toThrow('append-only');
    await expect(api.sql`update workspace_months set gross_micros = gross_micros + 1 where closed_at is not null`).rejects.toThrow('takes no more');
  });

  test('that are paid say so, once', async () => {
    const [invoice] = await list({ key });
    const handle = parseId('invoice', invoice!['id']!)!;
    expect(await settleInvoice(api.sql, AFTER, handle)).toEqual({ id: invoice!['id'], number: invoice!['number'], status: 'paid' });
    expect(await list({ key }, '?status=paid')).toMatchObject([{ id: invoice!['id'], paid_at: AFTER.toISOString() }]);
    expect(await list({ key }, '?status=issued')).toEqual([]);
    await expect(settleInvoice(api.sql, AFTER, handle)).rejects.toThrow('paid already');
    await expect(settleInvoice(api.sql, AFTER, 999_999)).rejects.toThrow('There is no invoice');
    expect(await api.sql`select type, payload->'previous' as previous from outbox where workspace_handle = ${brand.handle} and type = 'invoice.paid'`).toEqual([{ type: 'invoice.paid', previous: { status: 'issued' } }]);
  });
});

/** Plays of a finding that were taken out of a campaign, as the job writes them. */
async function takeOut(campaign: number, { grossMicros, creditMicros = grossMicros, takenAt, plays = 3 }: { grossMicros: number; creditMicros?: number; takenAt: string; plays?: number }): Promise<void> {
  const [finding] = await api.sql<{ handle: number }[]>`
    insert into findings ${api.sql({ workspace_handle: brand.handle, rule: 'audience', rule_version: 1, venue_handle: await someVenue(), from_at: '2026-03-20T00:00:00Z', to_at: '2026-03-21T00:00:00Z', first_day: '2026-03-20', last_day: '2026-03-20', seen_at: takenAt, evidence: api.sql.json({}), status: 'upheld', is_holding: false, raised_at: takenAt, decided_at: takenAt })} returning handle`;
  const [taking] = await api.sql<{ handle: number }[]>`insert into play_takings (finding_handle, number, taken_at) values (${finding!.handle}, 1, ${takenAt}) returning handle`;
  await api.sql`insert into campaign_credits (taking_handle, campaign_handle, plays, impressions_thousandths, gross_micros, credit_micros) values (${taking!.handle}, ${campaign}, ${plays}, 3703, ${grossMicros}, ${creditMicros})`;
}

async function someVenue(): Promise<number> {
  const [venue] = await api.sql<{ handle: number }[]>`
    insert into venues (workspace_handle, name, type, city, lat, lng, timezone, daily_visitors, dwell_minutes, created_at)
    values (${brand.handle}, 'v', 'entertainment.bars', 'Berlin', 52.5, 13.4, 'Europe/Berlin', 500, 30, now()) returning handle`;
  return venue!.handle;
}

describe('credit notes', () => {
  const MAY = new Date('2026-05-01T00:10:00Z');

  test('are issued once the month of the credits has ended, number among the invoices, and name those that they correct', async () => {
    const own = await createWorkspace(api);
    const ownKey = await createKey(api, own, { expiresAt: new Date(api.clock.now() + 90 * 86_400_000) });
    const campaign = await spend(own.handle, 5_000_000, { discountMicros: 500_000 });
    const untouched = await spend(own.handle, 1_000_000, { name: 'Winter' });
    await issue();
    const [invoice] = await list({ key: ownKey });
    await takeOut(campaign, { grossMicros: 1_000_000, creditMicros: 900_000, takenAt: '2026-04-03T10:00:00Z' });
    await takeOut(campaign, { grossMicros: 500_000, creditMicros: 450_004, takenAt: '2026-04-29T23:59:59Z', plays: 1 });
    await takeOut(campaign, { grossMicros: 500_000, takenAt: '2026-05-01T00:00:00Z' }); // of the next month
    expect(await issue(new Date('2026-04-30T23:59:59Z'))).toBe(0);
    expect(await issue(MAY)).toBe(2); // and an invoice of April
    expect(await issue(MAY)).toBe(0);
    const [note, ...others] = await list({ key: ownKey }, '?kind=credit_note');
    expect(others).toEqual([]);
    const [series] = await api.sql<{ last: number }[]>`select last from invoice_series where year = 2026`;
    expect(note).toMatchObject({
      kind: 'credit_note', number: `2026-${String(series!.last).padStart(6, '0')}`, period: '2026-04', status: 'paid', paid_at: MAY.toISOString(),
      gross: { amount: -1.5, currency: 'EUR' }, discount: { amount: -0.149996 }, net: { amount: -1.350004 }, rounding: { amount: 0.000004 }, total: { amount: -1.35 },
    });
    const detail = await api.call('GET', `/v1/invoices/${note!['id']}`, { key: ownKey });
    expect(detail.body['lines']).toMatchObject([{ campaign_id: formatId('campaign', campaign), plays: -4, impressions: -7, net: { amount: -1.350004 }, corrects: [invoice!['number']] }]);
    expect((detail.body['lines'] as unknown as { campaign_id: string }[]).map(line => line.campaign_id)).not.toContain(formatId('campaign', untouched));
    expect(await list({ key: ownKey }, '?kind=invoice')).toMatchObject([{ id: invoice!['id'], total: invoice!['total'] }]);
    expect(await api.sql`select payload->'object'->>'kind' as kind, payload->'object'->'total' as total from outbox where workspace_handle = ${own.handle} and type = 'invoice.issued' order by handle`).toEqual([
      { kind: 'invoice', total: { amount: 5.5, currency: 'EUR' } }, { kind: 'credit_note', total: { amount: -1.35, currency: 'EUR' } },
    ]);
    const pdf = await download(note!['pdf_url']!);
    expect([pdf.status, pdf.raw.subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
    expect((await checkLedger(api.sql)).filter(({ rule }) => /invoice|credit note/.test(rule))).toEqual([]);
  });

  test('of two workers at once are one, and nothing of it is paid or changed later', async () => {
    const own = await createWorkspace(api);
    const ownKey = await createKey(api, own);
    const campaign = await spend(own.handle, 5_000_000);
    await issue();
    await takeOut(campaign, { grossMicros: 1_000_000, takenAt: '2026-04-03T10:00:00Z' });
    await Promise.all([issue(MAY), issue(MAY), issue(MAY)]);
    const notes = await list({ key: ownKey }, '?kind=credit_note');
    expect(notes).toMatchObject([{ total: { amount: -1 } }]);
    await expect(settleInvoice(api.sql, MAY, parseId('invoice', notes[0]!['id']!)!)).rejects.toThrow('paid already');
    await expect(api.sql`update invoices set total_micros = 1 where kind = 'credit_note'`).rejects.toThrow('only paid');
    await expect(api.sql`delete from noted_credits`).rejects.toThrow('append-only');
  });

  test('of clients that are billed through their agency go to the agency', async () => {
    const agency = await createWorkspace(api, { kind: 'agency' });
    const agencyKey = await createKey(api, agency, { surface: 'agency' });
    const id = (await api.call('POST', '/v1/agency/clients', { key: agencyKey, body: { name: 'Through', billing_model: 'agency-billed', currency: 'EUR' } })).body['id']!;
    const campaign = await spend(parseId('workspace', id)!, 2_000_000);
    await issue();
    await takeOut(campaign, { grossMicros: 250_000, takenAt: '2026-04-03T10:00:00Z' });
    await issue(MAY);
    expect(await list({ key: agencyKey }, '?kind=credit_note')).toMatchObject([{ consolidated: true, total: { amount: -0.25 } }]);
    expect(await list({ key: agencyKey, headers: { 'x-workspace-id': id } })).toEqual([]);
  });
});

describe('GET /v1/invoices', () => {
  test('pages, filters by month, and shows test keys nothing', async () => {
    const own = await createWorkspace(api);
    const ownKey = await createKey(api, own);
    for (const month of ['2025-12-01', '2026-01-01', '2026-02-01']) await spend(own.handle, 1_000_000, { month });
    await issue();
    const first = await api.call('GET', '/v1/invoices?limit=2', { key: ownKey });
    expect(dataOf(first).map(invoice => invoice['period'])).toEqual(['2026-02', '2026-01']);
    expect(await list({ key: ownKey }, `?limit=2&cursor=${first.body['next_cursor']}`)).toMatchObject([{ period: '2025-12' }]);
    expect(await list({ key: ownKey }, '?period=2026-01')).toHaveLength(1);
    expect(await api.call('GET', '/v1/invoices?period=2026-13', { key: ownKey })).toMatchObject({ status: 400 });
    expect(await list({ key: await createKey(api, own, { mode: 'test' }) })).toEqual([]);
  });
});

describe('GET /v1/invoices/{id}', () => {
  test('is of its workspace alone', async () => {
    const [invoice] = await list({ key });
    expect((await api.call('GET', `/v1/invoices/${invoice!['id']}`, { key })).status).toBe(200);
    expect((await api.call('GET', `/v1/invoices/${invoice!['id']}`, { key: await createKey(api, await createWorkspace(api)) })).status).toBe(404);
    expect((await api.call('GET', `/v1/invoices/${invoice!['id']}`, { key: await createKey(api, brand, { mode: 'test' }) })).status).toBe(404);
  });
});

describe('the PDF of an invoice', () => {
  test('is had by its signed address without a key, for 24 hours, and is the same file each time', async () => {
    const [invoice] = await list({ key });
    const url = invoice!['pdf_url']!;
    const pdf = await download(url);
    expect([pdf.status, pdf.headers['content-type'], pdf.raw.subarray(0, 5).toString()]).toEqual([200, 'application/pdf', '%PDF-']);
    expect((await download(url)).raw.equals(pdf.raw)).toBe(true);
    expect(Date.parse(invoice!['pdf_expires_at']!) - api.clock.now()).toBeGreaterThan(23.9 * 3_600_000);
    const { offsetMs } = api.clock;
    api.clock.offsetMs = offsetMs + 24 * 3_600_000 - 60_000;
    expect((await download(url)).status).toBe(200);
    api.clock.offsetMs = offsetMs + 24 * 3_600_000 + 1;
    expect(await download(url)).toMatchObject({ status: 410, body: { code: 'link_expired' } });
    api.clock.offsetMs = offsetMs;
  });

  test('is not had by an address that was changed, or signed for another invoice or purpose', async () => {
    const [invoice] = await list({ key });
    const url = new URL(invoice!['pdf_url']!);
    const other = new URL(url);
    other.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 1));
    expect((await download(other.href)).status).toBe(404);
    const [foreign] = await api.sql<{ handle: number }[]>`select handle from invoices where workspace_handle <> ${brand.handle} limit 1`;
    expect((await download(url.href.replace(invoice!['id']!, formatId('invoice', foreign!.handle)))).status).toBe(404);
    expect(await api.call('GET', `/v1/invoices/${invoice!['id']}/pdf`)).toMatchObject({ status: 400 });
  });

  test('keeps the parties as they were when it was issued, and a client without branding has its agency\'s', async () => {
    const agency = await createWorkspace(api, { kind: 'agency' });
    const agencyKey = await createKey(api, agency, { surface: 'agency' });
    const branding = { display_name: 'House of Ads', accent_color: '#112233', footer: 'Caf\u00e9 \u6771\u4eac' };
    await api.call('PATCH', `/v1/agency/clients/${formatId('workspace', agency.handle)}`, { key: agencyKey, body: { branding } });
    const id = (await api.call('POST', '/v1/agency/clients', { key: agencyKey, body: { name: 'Client', billing_model: 'pass-through', currency: 'KWD' } })).body['id']!;
    const client = parseId('workspace', id)!;
    await setInvoiceAddress(api.sql, AFTER, { workspace: client, name: 'Client W.L.L.', address: 'Block 3|Kuwait City', taxId: undefined });
    // Enough lines for several pages.
    for (let count = 0; count < 40; count += 1) await spend(client, 1_234_567);
    await issue();
    const [row] = await api.sql<{ parties: object; total_micros: number }[]>`select parties, total_micros from invoices where workspace_handle = ${client}`;
    expect(row).toEqual({ total_micros: 49_383_000, parties: { seller: expect.objectContaining({ name: 'Marquee' }), buyer: { name: 'Client W.L.L.', address_lines: ['Block 3', 'Kuwait City'], tax_id: null }, branding } });
    const [invoice] = await list({ key: agencyKey, headers: { 'x-workspace-id': id } });
    const before = (await download(invoice!['pdf_url']!)).raw;
    expect(before.toString('latin1').match(/\/Type \/Page\b/g)!.length).toBeGreaterThan(1);
    await api.call('PATCH', `/v1/agency/clients/${id}`, { key: agencyKey, body: { branding: { display_name: 'Other' }, name: 'Renamed' } });
    expect((await download(invoice!['pdf_url']!)).raw.equals(before)).toBe(true);
  });
});
