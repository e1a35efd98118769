/**
 * Proofs of invoices over the API: their plays are read in pages, from the charges of their month alone, and a missing
 * proof is explained. Plays and charges are written as ingest and settlement write them.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId, parseId, type Handle } from '#domain/id.ts';
import { issueInvoices } from '../../../workers/invoices/issue-invoices.ts';
import { issueTestInvoices } from '../../../workers/invoices/issue-test-invoices.ts';
import { proveInvoices } from '../../../workers/invoices/prove-invoices.ts';
import { ProofCheck } from '../../../sdk/typescript/bin/proof-check.mjs';
import { createKey, createWorkspace, dataOf, startApi, type TestApi } from '../support/app-under-test.ts';

const MONTH = '2026-03-01';
const AFTER = new Date('2026-04-01T00:10:00Z');
const HOUR_MS = 3_600_000;
/** More than two pages of the stream. */
const PLAYS = 4_321;

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

type Brand = { workspace: Handle<'workspace'>; key: string };

async function openBrand(mode: 'live' | 'test' = 'live'): Promise<Brand> {
  const workspace = await createWorkspace(api);
  const expiresAt = new Date(api.clock.now() + 90 * 86_400_000);
  return { workspace: workspace.handle, key: await createKey(api, workspace, { expiresAt, mode }) };
}

/** A campaign whose month has so many plays at 7 micros and 1.5 impressions. */
async function spend({ workspace }: Brand, plays: number, sandbox = false): Promise<Handle<'campaign'>> {
  const [campaign] = await api.sql<{ handle: Handle<'campaign'> }[]>`
    insert into campaigns (workspace_handle, name, category, status, sandbox, currency, budget_micros, starts_on, ends_on,
      targets, rate_micros, forecast, created_at)
    values (${workspace}, 'Autumn', 'food', 'live', ${sandbox}, 'EUR', 1000000, '2026-03-01', '2026-03-31', '{}', 1000,
      '{}', now()) returning handle`;
  await api.sql`
    insert into campaign_months (campaign_handle, month, plays, impressions_thousandths, gross_micros, discount_micros)
    values (${campaign!.handle}, ${MONTH}, ${plays}, ${1_500 * plays}, ${7 * plays}, 0)`;
  await api.sql`
    insert into workspace_months (workspace_handle, sandbox, month, currency, gross_micros, discount_micros)
    values (${workspace}, ${sandbox}, ${MONTH}, 'EUR', ${7 * plays}, 0)`;
  return campaign!.handle;
}

/** Plays of a group, four to a slot, and their charge. `month`: null as of a version that did not store it. */
async function play(campaign: Handle<'campaign'>, { group, plays, from = 0, month, settledAt }: Group): Promise<void> {
  await api.clickhouse.command({
    query: `
      insert into plays_raw (played_at, slot_at, received_at, campaign_id, creative_id, screen_id, venue_id,
        campaign_handle, epoch, issue_number, sandbox, late, played_ms, impressions_thousandths, rate_micros,
        cost_micros, group_id, job_id)
      select toDateTime64('2026-03-20 10:00:00', 3, 'UTC') + intDiv(number, 4) * 15 as at, at, at,
        {id:String}, 'cre_0000000000000', 'scr_0000000000000', 'ven_0000000000000', {campaign:UInt64}, 2 + number % 2,
        {from:UInt32} + number, false, false, 10000, 1500, 5, 7, {group:String}, 'job'
      from numbers({plays:UInt32})`,
    query_params: { id: formatId('campaign', campaign), campaign, from, plays, group },
  });
  await api.sql`insert into settled_groups (group_id, settled_at) values (${group}, ${settledAt})`;
  await api.sql`
    insert into charges (group_id, campaign_handle, plays, impressions_thousandths, amount_micros, month)
    values (${group}, ${campaign}, ${plays}, ${1_500 * plays}, ${7 * plays}, ${month})`;
}
type Group = { group: string; plays: number; from?: number; month: string | null; settledAt: string };

const prove = (now = AFTER) => proveInvoices({ ...api.workers, now: () => now }, { sealer: api.sealer });
const proofOf = ({ key }: Brand, id: string) => api.call('GET', `/v1/invoices/${id}/proof`, { key });
async function issuedTo(brand: Brand): Promise<string> {
  await issueInvoices({ ...api.workers, now: () => AFTER });
  return String(dataOf(await api.call('GET', '/v1/invoices', { key: brand.key }))[0]!['id']);
}

describe('the proof of an invoice', () => {
  test('pages through the plays of its charges, without those of another month or workspace', async () => {
    const [brand, stranger] = [await openBrand(), await openBrand()];
    const campaign = await spend(brand, PLAYS);
    const early = { plays: 100, month: null, settledAt: '2026-03-20T12:00:00Z' };
    await play(campaign, { group: 'before the upgrade', ...early });
    await play(campaign, { group: 'in time', plays: PLAYS - 150, from: 1_000, month: MONTH, settledAt: '2026-03-21Z' });
    // A settlement that began before midnight and committed after the month of this invoice was closed, and others.
    await play(campaign, { group: 'too late', plays: 33, from: 10_000, month: '2026-04-01', settledAt: '2026-03-31Z' });
    await play(campaign, { group: 'carried over', plays: 50, from: 20_000, month: MONTH, settledAt: '2026-02-28Z' });
    await play(campaign, { group: 'of April', ...early, from: 30_000, settledAt: '2026-04-01T00:00:00Z' });
    const id = await issuedTo(brand);
    expect((await api.call('GET', `/v1/invoices/${id}`, { key: brand.key })).body['proof']).toBeNull();
    expect(await prove()).toBe(1);
    expect(await prove()).toBe(0);
    const { body: invoice } = await api.call('GET', `/v1/invoices/${id}`, { key: brand.key });
    expect(invoice['proof']).toMatchObject({ plays: PLAYS, micros: 7 * PLAYS, signed_at: AFTER.toISOString() });
    const { body: keys } = await api.call('GET', '/v1/proof-keys');
    const answer = await proofOf(brand, id);
    expect(answer.headers['content-type']).toBe('application/x-ndjson');
    const check = new ProofCheck(invoice, keys);
    const lines = answer.raw.toString().split('\n');
    expect(lines).toHaveLength(PLAYS + 1);
    for (const line of lines.slice(0, -1)) check.add(line);
    expect(check.end().faults).toEqual([]);
    expect(await proofOf(stranger, id)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await api.call('GET', `/v1/invoices/${id}/proof`)).toMatchObject({ status: 401 });

    await api.sql`update raw_retention set kept_from = 202603`;
    expect(await proofOf(brand, id)).toMatchObject({
      status: 404,
      body: { code: 'proof_missing', detail: expect.stringContaining('older than their retention') },
    });
    await api.sql`update raw_retention set kept_from = 0`;
  });

  test('is not signed while its plays do not sum to its lines, and is retried after an hour', async () => {
    const brand = await openBrand();
    const campaign = await spend(brand, 10);
    await play(campaign, { group: 'nine', plays: 9, month: MONTH, settledAt: '2026-03-21Z' });
    const id = await issuedTo(brand);
    expect(await prove()).toBe(1);
    expect(await prove()).toBe(0);
    expect(await proofOf(brand, id)).toMatchObject({
      status: 404,
      body: { code: 'proof_missing', detail: expect.stringContaining('not signed yet') },
    });
    await play(campaign, { group: 'the tenth', plays: 1, from: 50, month: MONTH, settledAt: '2026-03-21Z' });
    expect(await prove(new Date(AFTER.getTime() + HOUR_MS))).toBe(0);
    expect(await prove(new Date(AFTER.getTime() + HOUR_MS + 1))).toBe(1);
    expect((await proofOf(brand, id)).status).toBe(200);
  });

  test('is missing from test invoices and older documents, which stay unchanged', async () => {
    const [old, tester] = [await openBrand(), await openBrand('test')];
    await spend(old, 5);
    const id = await issuedTo(old);
    await api.sql.begin(async tx => {
      await tx`alter table invoice_proofs disable trigger invoice_proofs_stay`;
      await tx`delete from invoice_proofs where invoice_handle = ${parseId('invoice', id)!}`;
      await tx`alter table invoice_proofs enable trigger invoice_proofs_stay`;
    });
    expect(await prove()).toBe(0);
    expect((await api.call('GET', `/v1/invoices/${id}`, { key: old.key })).body).toMatchObject({
      proof: null,
      gross: { amount: 0.000035 },
    });
    expect(await proofOf(old, id)).toMatchObject({ body: { detail: expect.stringContaining('made no proofs') } });

    await spend(tester, 5, true);
    await issueTestInvoices({ ...api.workers, now: () => AFTER });
    const [test] = dataOf(await api.call('GET', '/v1/invoices', { key: tester.key }));
    expect(await proofOf(tester, String(test!['id']))).toMatchObject({
      status: 404,
      body: { code: 'proof_missing', detail: 'Test invoices have no proof.' },
    });
  });
});
