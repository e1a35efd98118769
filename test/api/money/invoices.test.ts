/**
 * Invoices, credit notes and test invoices: issued once for a month, numbered without gaps, never changed afterwards,
 * and readable as signed PDFs. The jobs that issue them and the API run in this process on real engines; months are
 * written as settlement writes them.
 */
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settleInvoice, setInvoiceAddress } from '../../../cli/admin/money/invoices.ts';
import { formatId, parseId, type Handle } from '../../../domain/id.ts';
import { checkLedger } from '#audit/checks/ledger.ts';
import { issueInvoices } from '../../../workers/invoices/issue-invoices.ts';
import { issueTestInvoices } from '../../../workers/invoices/issue-test-invoices.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import { recordSpend } from '../../../workers/settlement/spend-records.ts';
import { handle } from '../../support/handle.ts';
import {
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  type Answer,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { rowsOf } from '../support/answer.ts';

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
async function spend(
  workspace: number,
  grossMicros: number,
  { discountMicros = 0, month = '2026-03-01', sandbox = false, name = 'Autumn' } = {},
): Promise<Handle<'campaign'>> {
  const [campaign] = await api.sql<{ handle: Handle<'campaign'> }[]>`
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
const list = async (as: { key: string; headers?: Record<string, string> }, query = '') =>
  dataOf(await api.call('GET', `/v1/invoices${query}`, as));
const download = (url: string): Promise<Answer> => {
  const { pathname, search } = new URL(url);
  return api.call('GET', pathname + search);
};

describe('invoices', () => {
  test('are issued after the end of a month, with a line per campaign and payable amounts', async () => {
    const campaigns = [
      await spend(brand.handle, 3_333_333),
      await spend(brand.handle, 3_333_333, { name: 'Winter' }),
      await spend(brand.handle, 3_338_334),
    ];
    await spend(brand.handle, 5_000_000, { month: '2026-04-01' });
    await spend(brand.handle, 5_000_000, { sandbox: true });
    expect(await issue(new Date('2026-03-31T23:59:59Z'))).toBe(0);
    expect(await issue()).toBe(1);
    expect(await issue()).toBe(0);
    const [invoice, ...others] = await list({ key });
    expect(others).toEqual([]);
    expect(invoice).toMatchObject({
      number: '2026-000001',
      kind: 'invoice',
      period: '2026-03',
      status: 'issued',
      consolidated: false,
      gross: { amount: 10.005, currency: 'EUR' },
      discount: { amount: 0 },
      net: { amount: 10.005 },
      rounding: { amount: 0.005, currency: 'EUR' },
      total: { amount: 10.01, currency: 'EUR' },
      issued_at: AFTER.toISOString(),
      due_on: '2026-05-01',
      paid_at: null,
    });
    const detail = await api.call('GET', `/v1/invoices/${invoice!['id']}`, { key });
    expect(detail.body['lines']).toMatchObject(
      campaigns.map((handle, index) => ({
        client_id: formatId('workspace', brand.handle),
        campaign_id: formatId('campaign', handle),
        campaign_name: ['Autumn', 'Winter', 'Autumn'][index],
        plays: 10,
        impressions: 12,
        gross: { amount: [3.333333, 3.333333, 3.338334][index] },
      })),
    );
    expect(dataOf(await api.call('GET', '/v1/audit?action=invoice.issued', { key }))).toMatchObject([
      { actor: { type: 'system' }, entity: { type: 'invoice', id: invoice!['id'] } },
    ]);
    expect(await api.sql`select type, payload from outbox where workspace_handle = ${brand.handle}`).toEqual([
      {
        type: 'invoice.issued',
        payload: {
          object: {
            id: invoice!['id'],
            number: '2026-000001',
            kind: 'invoice',
            period: '2026-03',
            status: 'issued',
            issued_at: AFTER.toISOString(),
            total: { amount: 10.01, currency: 'EUR' },
          },
        },
      },
    ]);
  });

  test('of clients go to the client, or to the agency on one invoice per currency', async () => {
    const agency = await createWorkspace(api, { kind: 'agency' });
    const agencyKey = await createKey(api, agency, { surface: 'agency' });
    const client = async (name: string, model: string, currency: string) =>
      (await api.call('POST', '/v1/agency/clients', { key: agencyKey, body: { name, billing_model: model, currency } }))
        .body['id']!;
    const ids = [
      await client('Direct', 'pass-through', 'EUR'),
      await client('Through one', 'agency-billed', 'EUR'),
      await client('Through two', 'agency-billed', 'EUR'),
      await client('Through yen', 'agency-billed', 'JPY'),
    ];
    for (const [index, id] of ids.entries())
      await spend(parseId('workspace', id)!, (index + 1) * 1_000_000, { discountMicros: 50_000 });
    await spend(agency.handle, 9_000_000);
    expect(await issue()).toBe(3);
    const own = await list({ key: agencyKey });
    expect(own.map(invoice => [invoice['consolidated'], invoice['gross'], invoice['discount']!['amount']])).toEqual(
      expect.arrayContaining([
        [true, { amount: 14, currency: 'EUR' }, 0.1],
        [true, { amount: 4, currency: 'JPY' }, 0.05],
      ]),
    );
    expect(own).toHaveLength(2);
    const euros = own.find(invoice => invoice['total']!['currency'] === 'EUR')!;
    const detail = await api.call('GET', `/v1/invoices/${euros['id']}`, { key: agencyKey });
    expect(rowsOf<{ client_name: string }>(detail.body['lines']).map(line => line.client_name)).toEqual([
      'Test',
      'Through one',
      'Through two',
    ]);
    expect(await list({ key: agencyKey, headers: { 'x-workspace-id': ids[0]! } })).toMatchObject([
      { consolidated: false, net: { amount: 0.95 } },
    ]);
    expect(await list({ key: agencyKey, headers: { 'x-workspace-id': ids[1]! } })).toEqual([]);
  });

  test('issued by two workers at once have numbers without gaps or duplicates', async () => {
    const [before] = await api.sql<{ last: number }[]>`select last from invoice_series where year = 2026`;
    for (let count = 0; count < 6; count += 1) await spend((await createWorkspace(api)).handle, 1_000_000);
    await Promise.all([issue(), issue(), issue()]);
    const rows = await api.sql<
      { sequence: number }[]
    >`select sequence from invoices where year = 2026 and sequence > ${before!.last} order by sequence`;
    expect(rows.map(row => row.sequence)).toEqual([1, 2, 3, 4, 5, 6].map(number => before!.last + number));
    expect(await api.sql`select last from invoice_series where year = 2026`).toEqual([{ last: before!.last + 6 }]);
  });

  test('can only be paid once issued, never changed or deleted, and so can invoiced months', async () => {
    await expect(api.sql`update invoices set total_micros = 1`).rejects.toThrow('only paid');
    await expect(api.sql`delete from invoices`).rejects.toThrow('only paid');
    await expect(api.sql`update invoice_lines set gross_micros = 1`).rejects.toThrow('append-only');
    await expect(
      api.sql`update workspace_months set gross_micros = gross_micros + 1 where closed_at is not null`,
    ).rejects.toThrow('takes no more');
  });

  test('show their payment, once', async () => {
    const [invoice] = await list({ key });
    const issued = parseId('invoice', invoice!['id']!)!;
    expect(await settleInvoice(api.sql, AFTER, issued)).toEqual({
      id: invoice!['id'],
      number: invoice!['number'],
      status: 'paid',
    });
    expect(await list({ key }, '?status=paid')).toMatchObject([{ id: invoice!['id'], paid_at: AFTER.toISOString() }]);
    expect(await list({ key }, '?status=issued')).toEqual([]);
    await expect(settleInvoice(api.sql, AFTER, issued)).rejects.toThrow('paid already');
    await expect(settleInvoice(api.sql, AFTER, handle('invoice', 999_999))).rejects.toThrow('There is no invoice');
    expect(
      await api.sql`select type, payload->'previous' as previous from outbox where workspace_handle = ${brand.handle} and type = 'invoice.paid'`,
    ).toEqual([{ type: 'invoice.paid', previous: { status: 'issued' } }]);
  });
});

/** Plays of a finding that were taken out of a campaign, as the job writes them. */
async function takeOut(
  campaign: number,
  {
    grossMicros,
    creditMicros = grossMicros,
    takenAt,
    plays = 3,
  }: { grossMicros: number; creditMicros?: number; takenAt: string; plays?: number },
): Promise<void> {
  const [finding] = await api.sql<{ handle: number }[]>`
    insert into findings ${api.sql({ workspace_handle: brand.handle, rule: 'audience', rule_version: 1, venue_handle: await someVenue(), from_at: '2026-03-20T00:00:00Z', to_at: '2026-03-21T00:00:00Z', first_day: '2026-03-20', last_day: '2026-03-20', seen_at: takenAt, evidence: api.sql.json({}), status: 'upheld', is_holding: false, raised_at: takenAt, decided_at: takenAt })} returning handle`;
  const [taking] = await api.sql<
    { handle: number }[]
  >`insert into play_takings (finding_handle, number, taken_at) values (${finding!.handle}, 1, ${takenAt}) returning handle`;
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

  test('are issued after the month of the credits, share the invoice numbers, and name the invoices that they correct', async () => {
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
      kind: 'credit_note',
      number: `2026-${String(series!.last).padStart(6, '0')}`,
      period: '2026-04',
      status: 'paid',
      paid_at: MAY.toISOString(),
      gross: { amount: -1.5, currency: 'EUR' },
      discount: { amount: -0.149996 },
      net: { amount: -1.350004 },
      rounding: { amount: 0.000004 },
      total: { amount: -1.35 },
    });
    const detail = await api.call('GET', `/v1/invoices/${note!['id']}`, { key: ownKey });
    expect(detail.body['lines']).toMatchObject([
      {
        campaign_id: formatId('campaign', campaign),
        plays: -4,
        impressions: -7,
        net: { amount: -1.350004 },
        corrects: [invoice!['number']],
      },
    ]);
    expect(rowsOf<{ campaign_id: string }>(detail.body['lines']).map(line => line.campaign_id)).not.toContain(
      formatId('campaign', untouched),
    );
    expect(await list({ key: ownKey }, '?kind=invoice')).toMatchObject([
      { id: invoice!['id'], total: invoice!['total'] },
    ]);
    expect(
      await api.sql`select payload->'object'->>'kind' as kind, payload->'object'->'total' as total from outbox where workspace_handle = ${own.handle} and type = 'invoice.issued' order by handle`,
    ).toEqual([
      { kind: 'invoice', total: { amount: 5.5, currency: 'EUR' } },
      { kind: 'credit_note', total: { amount: -1.35, currency: 'EUR' } },
    ]);
    const pdf = await download(note!['pdf_url']!);
    expect([pdf.status, pdf.raw.subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
    expect((await checkLedger(api.sql)).filter(({ rule }) => /invoice|credit note/.test(rule))).toEqual([]);
  });

  test('of two workers at once are one document, which is never paid or changed', async () => {
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
    const id = (
      await api.call('POST', '/v1/agency/clients', {
        key: agencyKey,
        body: { name: 'Through', billing_model: 'agency-billed', currency: 'EUR' },
      })
    ).body['id']!;
    const campaign = await spend(parseId('workspace', id)!, 2_000_000);
    await issue();
    await takeOut(campaign, { grossMicros: 250_000, takenAt: '2026-04-03T10:00:00Z' });
    await issue(MAY);
    expect(await list({ key: agencyKey }, '?kind=credit_note')).toMatchObject([
      { consolidated: true, total: { amount: -0.25 } },
    ]);
    expect(await list({ key: agencyKey, headers: { 'x-workspace-id': id } })).toEqual([]);
  });
});

describe('test invoices', () => {
  const MARCH = '2026-03-01';
  const issueTests = (now = AFTER, workspace?: Handle<'workspace'>) =>
    issueTestInvoices({ ...api.workers, now: () => now }, workspace);
  const liveFacts = async () => [
    await api.sql`select * from invoices where not sandbox order by handle`,
    await api.sql`select year, last from invoice_series where not sandbox order by year`,
    await checkLedger(api.sql),
  ];
  /** A clock as an advance leaves it, or (with `target`) has it on its way. */
  const moveClock = (workspace: number, at: string, target: string | null = null) => api.sql`
    insert into sandbox_clocks (workspace_handle, at, target_at) values (${workspace}, ${at}, ${target}) on conflict (workspace_handle) do update set at = excluded.at, target_at = excluded.target_at`;

  test('are issued for play money of an ended month, in their own series, and visible only to test keys', async () => {
    const own = await createWorkspace(api);
    const [liveKey, testKey] = [await createKey(api, own), await createKey(api, own, { mode: 'test' })];
    await spend(own.handle, 2_000_000);
    const campaign = await spend(own.handle, 3_333_333, { discountMicros: 333_333, sandbox: true });
    await spend(own.handle, 9_000_000, { sandbox: true, month: '2026-04-01' });
    expect(await issue()).toBe(1);
    await issueTests(new Date('2026-03-31T23:59:59Z'));
    expect(await list({ key: testKey })).toEqual([]);
    const before = await liveFacts();
    await Promise.all([issueTests(), issueTests(), issueTests()]);
    expect(await issueTests()).toBe(0);
    const invoices = await list({ key: testKey });
    expect(invoices).toMatchObject([
      {
        kind: 'invoice',
        period: '2026-03',
        status: 'issued',
        consolidated: false,
        gross: { amount: 3.333333 },
        discount: { amount: 0.333333 },
        total: { amount: 3, currency: 'EUR' },
        issued_at: AFTER.toISOString(),
        due_on: '2026-05-01',
      },
    ]);
    const [series] = await api.sql<{ last: number }[]>`select last from invoice_series where sandbox and year = 2026`;
    expect(invoices[0]!['number']).toBe(`TEST-2026-${String(series!.last).padStart(6, '0')}`);
    const url = `/v1/invoices/${invoices[0]!['id']}`;
    expect((await api.call('GET', url, { key: testKey })).body['lines']).toMatchObject([
      { campaign_id: formatId('campaign', campaign), plays: 10, net: { amount: 3 } },
    ]);
    expect((await api.call('GET', url, { key: liveKey })).status).toBe(404);
    expect(
      (await api.call('GET', url, { key: await createKey(api, await createWorkspace(api), { mode: 'test' }) })).status,
    ).toBe(404);
    expect((await list({ key: liveKey })).map(invoice => invoice['gross'])).toEqual([{ amount: 2, currency: 'EUR' }]);
    expect(await liveFacts()).toEqual(before);
    expect(
      await api.sql`select sandbox, payload->'object'->>'number' as number from outbox where workspace_handle = ${own.handle} and type = 'invoice.issued' and payload->'object'->>'id' = ${invoices[0]!['id']!}`,
    ).toEqual([{ sandbox: true, number: invoices[0]!['number'] }]);
    expect(
      dataOf(await api.call('GET', '/v1/audit?action=invoice.issued', { key: testKey })).map(entry => entry['entity']),
    ).toEqual([{ type: 'invoice', id: invoices[0]!['id'] }]);
  });

  test('follow their sandbox clock, not while it moves, and are dated at the end of the month', async () => {
    const own = await createWorkspace(api);
    const testKey = await createKey(api, own, { mode: 'test' });
    for (const month of [MARCH, '2037-01-01']) await spend(own.handle, 1_000_000, { sandbox: true, month });
    await moveClock(own.handle, '2037-01-31T23:00:00Z', '2037-02-02T00:00:00Z');
    await issueTests();
    expect(await list({ key: testKey })).toEqual([]);
    await moveClock(own.handle, '2037-02-02T00:00:00Z');
    expect(await issueTests(AFTER, own.handle)).toBe(2);
    expect(await list({ key: testKey })).toMatchObject([
      { period: '2037-01', number: 'TEST-2037-000001', issued_at: '2037-02-01T00:00:00.000Z', due_on: '2037-03-03' },
      { period: '2026-03', issued_at: AFTER.toISOString() },
    ]);
  });

  test('leave the month open and their number unused if interrupted, and are issued once afterwards', async () => {
    const own = await createWorkspace(api);
    const testKey = await createKey(api, own, { mode: 'test' });
    await spend(own.handle, 1_000_000, { sandbox: true });
    const series = () => api.sql`select last from invoice_series where sandbox and year = 2026`;
    const before = await series();
    const sql = new Proxy(api.sql, {
      get: (target, name) =>
        name === 'begin'
          ? (work: (tx: unknown) => Promise<unknown>) =>
              target.begin(async tx => {
                await work(tx);
                throw new Error('cut off');
              })
          : (Reflect.get(target, name) as unknown),
    });
    await expect(issueTestInvoices({ ...api.workers, sql, now: () => AFTER })).rejects.toThrow('cut off');
    expect([await series(), await list({ key: testKey })]).toEqual([before, []]);
    await issueTests();
    await issueTests();
    expect(await list({ key: testKey })).toHaveLength(1);
  });

  test('of clients billed through their agency go to the agency, each by its own clock', async () => {
    const agency = await createWorkspace(api, { kind: 'agency' });
    const agencyKey = await createKey(api, agency, { surface: 'agency', mode: 'test' });
    const client = async (name: string) =>
      parseId(
        'workspace',
        (
          await api.call('POST', '/v1/agency/clients', {
            key: agencyKey,
            body: { name, billing_model: 'agency-billed', currency: 'EUR' },
          })
        ).body['id']!,
      )!;
    const handles = [await client('One'), await client('Two'), await client('Ahead')];
    for (const handle of handles) await spend(handle, 1_000_000, { sandbox: true });
    await moveClock(handles[2]!, '2026-04-02T00:00:00Z');
    await issueTests(new Date('2026-03-20T00:00:00Z'));
    expect(await list({ key: agencyKey })).toMatchObject([
      { consolidated: true, gross: { amount: 1 }, issued_at: '2026-04-01T00:00:00.000Z' },
    ]);
    await issueTests();
    expect((await list({ key: agencyKey })).map(invoice => invoice['gross']!['amount'])).toEqual([2, 1]);
    expect(await list({ key: await createKey(api, agency, { surface: 'agency' }) })).toEqual([]);
  });

  test('hold the plays of their month: a settlement of several months is split, and the rest goes to the next month', async () => {
    const agency = await createWorkspace(api, { kind: 'agency' });
    await api.sql`update workspaces set case_study = true where handle = ${agency.handle}`; // 2 %
    const campaign = await spend(agency.handle, 0, { sandbox: true, month: '2036-01-01' });
    await api.sql`insert into workspace_months (workspace_handle, sandbox, month, currency, gross_micros, closed_at) values (${agency.handle}, true, '2036-12-01', 'EUR', 0, now())`;
    const played = (slot: string, grossMicros: number) => ({
      campaign,
      place: { slotMs: Date.parse(slot), venue: null, offsetMinutes: 0 },
      plays: 1,
      impressionsThousandths: 1_000,
      grossMicros,
      workspace: agency.handle,
      category: 'food',
      currency: 'EUR',
      sandbox: true,
      isDiscounted: true,
    });
    const record = (run: string, ...sums: ReturnType<typeof played>[]) =>
      inUnitOfWork(api.sql, { actor: SYSTEM_ACTOR, now: AFTER }, unit => recordSpend(unit, sums, run));
    const months = async () => [
      await api.sql`select to_char(month, 'YYYY-MM') as month, gross_micros as gross, discount_micros as discount from workspace_months where workspace_handle = ${agency.handle} and month > '2036-12-01' order by month`,
      await api.sql`select to_char(month, 'YYYY-MM') as month, gross_micros as gross, discount_micros as discount from campaign_months where campaign_handle = ${campaign} and month > '2036-12-01' order by month`,
    ];
    const { discounts: entries } = await record(
      'one',
      played('2036-12-31T23:45:00Z', 1_000_000),
      played('2037-01-31T23:45:00Z', 2_000_000),
      played('2037-02-01T00:00:00Z', 4_000_000),
    );
    const split = [
      { month: '2037-01', gross: 3_000_000, discount: 60_000 },
      { month: '2037-02', gross: 4_000_000, discount: 80_000 },
    ];
    expect(await months()).toEqual([split, split]);
    expect(new Set(entries.map(entry => entry.reference)).size).toBe(2);
    // A clock that has stopped in March: every play before, on a screen with a device, falls into it.
    await api.sql`insert into sandbox_clocks (workspace_handle, at, charges_from) values (${agency.handle}, '2037-03-09T00:00:00Z', '2037-03-01')`;
    await record('two', played('2026-03-31T10:00:00Z', 500_000));
    const after = [...split, { month: '2037-03', gross: 500_000, discount: 10_000 }];
    expect(await months()).toEqual([after, after]);
  });

  test('are never paid, and their PDF says that they are not invoices', async () => {
    const own = await createWorkspace(api);
    await spend(own.handle, 1_000_000, { sandbox: true });
    await issueTests();
    const [invoice] = await list({ key: await createKey(api, own, { mode: 'test' }) });
    const handle = parseId('invoice', invoice!['id']!)!;
    await expect(settleInvoice(api.sql, AFTER, handle)).rejects.toThrow('test invoice of play money');
    await expect(
      api.sql`update invoices set status = 'paid', paid_at = now() where handle = ${handle}`,
    ).rejects.toThrow('test_invoices_are_not_paid');
    const pdf = await download(invoice!['pdf_url']!);
    expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf']);
    expect(pdf.raw.toString('latin1')).toContain(`(Test document ${invoice!['number']})`);
    const texts = textsOf(pdf.raw);
    for (const text of ['TEST DOCUMENT', 'no invoice', 'play money', 'Nothing is to be paid'])
      expect(texts).toContain(text);
    for (const text of ['INVOICE', 'Due date', 'please pay']) expect(texts).not.toContain(text);
  });
});

/** What is written on the pages of a PDF. */
function textsOf(pdf: Buffer): string {
  const streams = [...pdf.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g)].flatMap(([, bytes]) => {
    try {
      return [inflateSync(Buffer.from(bytes!, 'latin1')).toString('latin1')];
    } catch {
      return [];
    } // fonts and the like
  });
  return streams
    .join('\n')
    .replaceAll(/\[(.*?)\] TJ/g, (_, parts: string) =>
      [...parts.matchAll(/<([0-9a-f]*)>/g)].map(([, hex]) => Buffer.from(hex!, 'hex').toString('latin1')).join(''),
    );
}

describe('GET /v1/invoices', () => {
  test('pages, filters by month, and shows test keys no live invoices', async () => {
    const own = await createWorkspace(api);
    const ownKey = await createKey(api, own);
    for (const month of ['2025-12-01', '2026-01-01', '2026-02-01']) await spend(own.handle, 1_000_000, { month });
    await issue();
    const first = await api.call('GET', '/v1/invoices?limit=2', { key: ownKey });
    expect(dataOf(first).map(invoice => invoice['period'])).toEqual(['2026-02', '2026-01']);
    expect(await list({ key: ownKey }, `?limit=2&cursor=${first.body['next_cursor']}`)).toMatchObject([
      { period: '2025-12' },
    ]);
    expect(await list({ key: ownKey }, '?period=2026-01')).toHaveLength(1);
    expect(await api.call('GET', '/v1/invoices?period=2026-13', { key: ownKey })).toMatchObject({ status: 400 });
    expect(await list({ key: await createKey(api, own, { mode: 'test' }) })).toEqual([]);
  });
});

describe('GET /v1/invoices/{id}', () => {
  test('shows an invoice only to its workspace', async () => {
    const [invoice] = await list({ key });
    expect((await api.call('GET', `/v1/invoices/${invoice!['id']}`, { key })).status).toBe(200);
    expect(
      (
        await api.call('GET', `/v1/invoices/${invoice!['id']}`, {
          key: await createKey(api, await createWorkspace(api)),
        })
      ).status,
    ).toBe(404);
    expect(
      (await api.call('GET', `/v1/invoices/${invoice!['id']}`, { key: await createKey(api, brand, { mode: 'test' }) }))
        .status,
    ).toBe(404);
  });
});

describe('the PDF of an invoice', () => {
  test('is available at its signed address without a key for 24 hours, and is the same file each time', async () => {
    const [invoice] = await list({ key });
    const url = invoice!['pdf_url']!;
    const pdf = await download(url);
    expect([pdf.status, pdf.headers['content-type'], pdf.raw.subarray(0, 5).toString()]).toEqual([
      200,
      'application/pdf',
      '%PDF-',
    ]);
    expect((await download(url)).raw.equals(pdf.raw)).toBe(true);
    expect(Date.parse(invoice!['pdf_expires_at']!) - api.clock.now()).toBeGreaterThan(23.9 * 3_600_000);
    const { offsetMs } = api.clock;
    api.clock.offsetMs = offsetMs + 24 * 3_600_000 - 60_000;
    expect((await download(url)).status).toBe(200);
    api.clock.offsetMs = offsetMs + 24 * 3_600_000 + 1;
    expect(await download(url)).toMatchObject({ status: 410, body: { code: 'link_expired' } });
    api.clock.offsetMs = offsetMs;
  });

  test('is refused at an address that was changed or signed for another invoice or purpose', async () => {
    const [invoice] = await list({ key });
    const url = new URL(invoice!['pdf_url']!);
    const other = new URL(url);
    other.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 1));
    expect((await download(other.href)).status).toBe(404);
    const [foreign] = await api.sql<
      { handle: Handle<'invoice'> }[]
    >`select handle from invoices where workspace_handle <> ${brand.handle} limit 1`;
    expect((await download(url.href.replace(invoice!['id']!, formatId('invoice', foreign!.handle)))).status).toBe(404);
    expect(await api.call('GET', `/v1/invoices/${invoice!['id']}/pdf`)).toMatchObject({ status: 400 });
  });

  test("keeps the parties as of its issue, and shows the agency's branding for a client without one", async () => {
    const agency = await createWorkspace(api, { kind: 'agency' });
    const agencyKey = await createKey(api, agency, { surface: 'agency' });
    const branding = { display_name: 'House of Ads', accent_color: '#112233', footer: 'Caf\u00e9 \u6771\u4eac' };
    await api.call('PATCH', `/v1/agency/clients/${formatId('workspace', agency.handle)}`, {
      key: agencyKey,
      body: { branding },
    });
    const id = (
      await api.call('POST', '/v1/agency/clients', {
        key: agencyKey,
        body: { name: 'Client', billing_model: 'pass-through', currency: 'KWD' },
      })
    ).body['id']!;
    const client = parseId('workspace', id)!;
    await setInvoiceAddress(api.sql, AFTER, {
      workspace: client,
      name: 'Client W.L.L.',
      address: 'Block 3|Kuwait City',
      taxId: undefined,
    });
    // Enough lines for several pages.
    for (let count = 0; count < 40; count += 1) await spend(client, 1_234_567);
    await issue();
    const [row] = await api.sql<
      { parties: object; total_micros: number }[]
    >`select parties, total_micros from invoices where workspace_handle = ${client}`;
    expect(row).toEqual({
      total_micros: 49_383_000,
      parties: {
        seller: expect.objectContaining({ name: 'Marquee' }),
        buyer: { name: 'Client W.L.L.', address_lines: ['Block 3', 'Kuwait City'], tax_id: null },
        branding,
      },
    });
    const [invoice] = await list({ key: agencyKey, headers: { 'x-workspace-id': id } });
    const before = (await download(invoice!['pdf_url']!)).raw;
    expect(before.toString('latin1').match(/\/Type \/Page\b/g)!.length).toBeGreaterThan(1);
    await api.call('PATCH', `/v1/agency/clients/${id}`, {
      key: agencyKey,
      body: { branding: { display_name: 'Other' }, name: 'Renamed' },
    });
    expect((await download(invoice!['pdf_url']!)).raw.equals(before)).toBe(true);
  });
});
