/** The operator's payouts: the list, the file for the bank and its answers. Calls to the API on real engines. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId, type Handle } from '../../../domain/id.ts';
import { checkLedger } from '#audit/checks/ledger.ts';
import { settleBankFile } from '#sql/payouts/settling.ts';
import { setInvoiceAddress } from '../../../cli/admin/money/invoices.ts';
import { changeOperator } from '../../../cli/admin/money/operator.ts';
import {
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { addEarnings, giveAccount, IBAN } from '../support/earnings.ts';

const REFERENCE = 'NTRF-0012';
let api: TestApi;
let own: TestWorkspace;
let operator: string;

beforeAll(async () => {
  api = await startApi();
  own = await createWorkspace(api, { kind: 'operator' });
  operator = await createKey(api, own, { surface: 'operator' });
});
afterAll(() => api.close());

type Bar = { handle: Handle<'workspace'>; key: string; payout: string };

/** A bar that has withdrawn what it earned. */
async function withdraw(amount: number, { hasAccount = true } = {}): Promise<Bar> {
  const { handle, ...owner } = await createWorkspace(api, { kind: 'venue' });
  const key = await createKey(api, { handle, ...owner }, { surface: 'screen_manager' });
  const venue = (await api.call('POST', '/v1/venues', { key, body: VENUE })).body['id']!;
  await addEarnings(api, { workspace: handle, venue: parseId('venue', venue)!, amount });
  await giveAccount(api, handle);
  const { body } = await api.call('POST', '/v1/payouts', { key, body: {} });
  // As of the days before accounts had to be set.
  if (!hasAccount) {
    await api.sql`update payouts set account_handle = null where workspace_handle = ${handle}`;
    await api.sql`delete from payout_accounts where workspace_handle = ${handle}`;
  }
  return { handle, key, payout: body['id']! };
}

const list = async (query: string) => dataOf(await api.call('GET', `/v1/operator/payouts?${query}`, { key: operator }));
const write = (headers: Record<string, string> = {}) =>
  api.call('POST', '/v1/operator/bank-files', { key: operator, headers });
const settle = (id: string, body: object, key = operator) =>
  api.call('POST', `/v1/operator/payouts/${id}/settle`, { key, body });
const settleFile = (id: string, body: unknown = {}, key = operator) =>
  api.call('POST', `/v1/operator/bank-files/${id}/settle`, { key, body });
/** The operator and the bar have the details that a self-billed invoice needs, and the bar has agreed. */
const billItself = async ({ handle: workspace }: Bar) => {
  const details = { name: 'Network', address: 'Street 1', city: 'Berlin', postalCode: '10115', country: 'DE' };
  await changeOperator(api.sql, new Date(), { ...details, vatId: 'DE123456789' });
  const agreed = { ...details, vatId: 'DE987654321', selfBilling: true } as const;
  await setInvoiceAddress(api.sql, new Date(api.clock.now()), { ...agreed, workspace });
};
const entriesOf = async (key: string) =>
  dataOf(await api.call('GET', '/v1/audit', { key })).map(({ action, diff }) => [action, diff?.['reference']?.['to']]);

describe('a file for the bank', () => {
  test("is refused until the operator's account is set, and the refusal says how to set it", async () => {
    await withdraw(10);
    expect(await write()).toMatchObject({
      status: 409,
      body: { code: 'state_conflict', detail: expect.stringContaining('--iban') },
    });
    await api.sql`update operator_settings set name = 'Network operations', iban = ${IBAN}`;
  });

  test('has each pending payout once, is downloaded as XML, and names workspaces without an account', async () => {
    const [bar, poor] = [await withdraw(100), await withdraw(20, { hasAccount: false })];
    expect(await list(`stage=waiting&q=${bar.payout}`)).toMatchObject([
      { id: bar.payout, stage: 'waiting', bank_file: null, account: { holder: 'A bar' } },
    ]);
    const { body } = await write(); // less a fee of 1.50 for each
    expect(body).toMatchObject({ payouts: 2, amounts: [{ amount: 107, currency: 'EUR' }] });
    const file = body['message_id']!;
    expect(await list(`q=${file}`)).toHaveLength(2);
    expect(await list(`stage=sent&q=${bar.payout}`)).toMatchObject([{ stage: 'sent', bank_file: file }]);
    expect((await write()).body).toMatchObject({ message_id: null, payouts: 0, without_account: [expect.any(String)] });
    expect(await list('stage=waiting')).toMatchObject([{ id: poor.payout, account: null }]);

    const path = `/v1/operator/bank-files/${file}`;
    const xml = await api.call('GET', path, { key: operator, headers: { accept: 'application/xml' } });
    expect(xml.headers['content-type']).toContain('application/xml');
    expect(String(xml.raw)).toContain(`<EndToEndId>${bar.payout}</EndToEndId>`);
    expect(String(xml.raw)).toContain(`<IBAN>${IBAN}</IBAN>`);
    const record = { message_id: file, payouts: 2, amounts: [{ amount: 107, currency: 'EUR' }] };
    expect((await api.call('GET', path, { key: operator })).body).toEqual(record);
    expect((await api.call('GET', '/v1/operator/bank-files', { key: operator })).body['files']).toEqual([record]);
    expect((await api.call('GET', '/v1/operator/bank-files/MQ0', { key: operator })).status).toBe(404);
    expect(await entriesOf(operator)).toContainEqual(['bank_file.written', undefined]);
  });

  test('is written once by a call that is repeated under its key', async () => {
    await withdraw(30);
    const headers = { 'idempotency-key': 'the-weekly-file' };
    const [first, again] = [await write(headers), await write(headers)];
    expect(again.body).toEqual(first.body);
    expect(first.body['payouts']).toBe(1);
    await withdraw(40);
    expect((await write(headers)).body).toEqual(first.body);
    expect(await list('stage=waiting')).toHaveLength(2);
  });
});

describe('an answer of the bank', () => {
  test('is recorded once with its reference in the audit logs of both sides', async () => {
    const { payout, key } = await withdraw(50);
    expect(await settle(payout, { outcome: 'paid', reference: REFERENCE })).toMatchObject({
      status: 200,
      body: { id: payout, status: 'paid' },
    });
    expect(await settle(payout, { outcome: 'failed' })).toMatchObject({
      status: 409,
      body: { code: 'state_conflict' },
    });
    expect(await list(`stage=paid&q=${payout}`)).toMatchObject([{ settled_at: expect.any(String) }]);
    expect(await entriesOf(key)).toContainEqual(['payout.paid', REFERENCE]);
    expect(await entriesOf(operator)).toContainEqual(['payout.paid', REFERENCE]);
    expect(await checkLedger(api.sql)).toEqual([]);
  });

  test('returns the money of a failed payout to the earnings', async () => {
    const { payout, key } = await withdraw(60);
    await settle(payout, { outcome: 'failed' });
    expect((await api.call('GET', '/v1/payouts/balance', { key })).body).toMatchObject({
      balances: [{ available: { value: 60 } }],
    });
    expect(await checkLedger(api.sql)).toEqual([]);
  });

  test('to a whole file pays those without an answer, once, and says how many there were', async () => {
    const bars = [await withdraw(80), await withdraw(90), await withdraw(100)];
    await billItself(bars[2]!);
    const { body } = await write();
    const file = body['message_id']!;
    const failed = bars[0]!.payout;
    const others = (await list(`stage=sent&q=${file}`)).map(({ id }) => String(id)).filter(id => id !== failed);
    await settle(failed, { outcome: 'failed' });
    expect(await settleFile(file, { reference: REFERENCE })).toMatchObject({
      status: 200,
      body: { message_id: file, paid: others.length, answered_before: 1, unanswered: 0, self_billed_invoices: 1 },
    });
    expect((await list(`stage=paid&q=${file}`)).map(({ id }) => id)).toEqual(others);
    expect(await list(`stage=failed&q=${file}`)).toMatchObject([{ id: failed }]);
    expect((await settleFile(file)).body).toMatchObject({ paid: 0, answered_before: others.length + 1 });
    expect((await api.call('GET', '/v1/operator/bank-files', { key: operator })).body['files']).not.toContainEqual(
      expect.objectContaining({ message_id: file }),
    );
    for (const { key, payout } of bars.filter(bar => others.includes(bar.payout))) {
      expect((await entriesOf(key)).filter(([action]) => action === 'payout.paid')).toEqual([
        ['payout.paid', REFERENCE],
      ]);
      expect((await api.call('GET', `/v1/payouts/${payout}`, { key })).body).toMatchObject({ status: 'paid' });
    }
    expect((await entriesOf(operator)).filter(([action]) => action === 'bank_file.paid')).toEqual([
      ['bank_file.paid', REFERENCE],
    ]);
    expect(await checkLedger(api.sql)).toEqual([]);
  });

  test('to a large file takes several calls, each of which says how many are left', async () => {
    for (const amount of [81, 82, 83]) await withdraw(amount);
    const { body } = await write();
    const id = body['message_id']!;
    const all = Number(body['payouts']);
    const options = { actor: { type: 'operator', source: 'API' }, now: new Date(api.clock.now()) } as const;
    const by = { workspace: own.handle, actor: options.actor };
    const settled = (payoutsMax: number) => settleBankFile(api.sql, options, { id, payoutsMax, by });
    expect(await settled(2)).toMatchObject({ paid: 2, answered_before: 0, unanswered: all - 2 });
    // Two at the same time: each payout is paid by one of them.
    const both = await Promise.all([settled(all), settled(all)]);
    const paid = both.map(one => ('paid' in one ? one.paid : 0));
    expect(paid.toSorted((a, b) => a - b)).toEqual([0, all - 2]);
    expect(await checkLedger(api.sql)).toEqual([]);
  });

  test.each([
    [{ reference: ' ' }, '/reference'],
    [{ reference: 'x'.repeat(141) }, '/reference'],
    [{ reference: 'a\u0000' }, '/reference'],
    [{ outcome: 'failed' }, '/outcome'],
    [[], ''],
  ])('to a file as %j is refused by the name of the field', async (body, pointer) => {
    await withdraw(84);
    const file = (await write()).body['message_id']!;
    expect(await settleFile(file, body)).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
    expect((await list(`stage=paid&q=${file}`)).length).toBe(0);
  });

  test.each(['MQ0', "MQ'; drop table payouts", 'MQ%00', 'MQ\u0000', 'x'.repeat(36)])(
    'to the file %j, which there is not, changes nothing',
    async id => {
      const path = encodeURIComponent(id);
      const read = await api.call('GET', `/v1/operator/bank-files/${path}`, { key: operator });
      expect([(await settleFile(path)).status, read.status]).toEqual([404, 404]);
    },
  );

  test.each([
    [{}, '/outcome'],
    [{ outcome: 'sent' }, '/outcome'],
    [{ outcome: 'paid', reference: ' ' }, '/reference'],
    [{ outcome: 'paid', reference: 'x'.repeat(141) }, '/reference'],
    [{ outcome: 'paid', iban: IBAN }, '/iban'],
  ])('%j is refused by the name of the field', async (body, pointer) => {
    const [waiting] = await list('stage=waiting');
    expect(await settle(waiting!['id']!, body)).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
    expect(await list('stage=waiting')).toContainEqual(waiting);
  });

  test('is visible, like the payouts, only to finance roles', async () => {
    const bar = await withdraw(70);
    await api.sql`update users set role = 'manager' where handle = ${own.user}`;
    const manager = await createKey(api, own, { surface: 'operator' });
    expect([
      (await api.call('GET', '/v1/operator/payouts', { key: manager })).body['code'],
      (await settle(bar.payout, { outcome: 'paid' }, manager)).body['code'],
      (await settle(bar.payout, { outcome: 'paid' }, bar.key)).body['code'],
      (await settleFile('MQ0', {}, manager)).body['code'],
      (await settleFile('MQ0', {}, bar.key)).body['code'],
    ]).toEqual(['role_forbidden', 'role_forbidden', 'wrong_surface', 'role_forbidden', 'wrong_surface']);
  });
});
