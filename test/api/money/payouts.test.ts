/**
 * Venues withdraw what they earned: the oldest earnings first, to an account that is confirmed, in each currency, and
 * never more than there is. The bank's file and its answers are tested here too. The API and the jobs run in this
 * process on real engines; earnings are written as settlement writes them.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { changeOperator } from '../../../cli/admin/money/operator.ts';
import { confirmPayoutAccount, setPayoutAccount } from '../../../cli/admin/money/payout-accounts.ts';
import { recordOutcome, setHoldDays, writeBankFile } from '../../../cli/admin/money/payouts.ts';
import { drawBankFile } from '../../../api/operator/payouts/pain-001.ts';
import { formatId, parseId, type Handle } from '../../../domain/id.ts';
import { checkLedger } from '#audit/checks/ledger.ts';
import { openIban } from '#sql/payouts/accounts.ts';
import { createSealer } from '#runtime/cryptography/sealed.ts';
import { handle } from '../../support/handle.ts';
import { addEarnings, giveAccount, IBAN, type Earned } from '../support/earnings.ts';
import {
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type Answer,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { readAs, rowsOf, type FieldError } from '../support/answer.ts';

const DAY_MS = 86_400_000;
const OTHER_IBAN = 'GB29NWBK60161331926819';
let api: TestApi;
let owner: TestWorkspace;
let key: string;
let venues: Handle<'venue'>[];

beforeAll(async () => {
  api = await startApi();
  ({ owner, key, venues } = await openChain(2));
});
afterAll(() => api.close());
afterEach(() => {
  api.clock.offsetMs = 0;
});

async function openChain(
  count: number,
  { hasAccount = true } = {},
): Promise<{ owner: TestWorkspace; key: string; venues: Handle<'venue'>[] }> {
  const made = await createWorkspace(api, { kind: 'venue' });
  const own = await createKey(api, made, { surface: 'screen_manager', expiresAt: new Date(Date.now() + 400 * DAY_MS) });
  if (hasAccount) await giveAccount(api, made.handle);
  const ids: Handle<'venue'>[] = [];
  for (let number = 0; number < count; number += 1)
    ids.push(
      parseId(
        'venue',
        (await api.call('POST', '/v1/venues', { key: own, body: { ...VENUE, name: `Bar ${number}` } })).body['id']!,
      )!,
    );
  return { owner: made, key: own, venues: ids };
}

const earn = (
  workspace: Handle<'workspace'>,
  venue: number,
  amount: number,
  changes: Partial<Earned> = {},
): Promise<void> => addEarnings(api, { workspace, venue, amount, ...changes });

const withdraw = (as: string, body: object = {}): Promise<Answer> => api.call('POST', '/v1/payouts', { key: as, body });
const handleOf = (answer: Answer) => parseId('payout', answer.body['id']!)!;
const available = async (as: string) =>
  rowsOf<{ available: { value: number; currency: string }; in_transit: { value: number } }>(
    (await api.call('GET', '/v1/payouts/balance', { key: as })).body['balances'],
  );

describe('POST /v1/payouts', () => {
  test('withdraws an amount, the oldest earnings first, and returns fee and net amount', async () => {
    await earn(owner.handle, venues[0]!, 100, { day: '2026-03-01' });
    await earn(owner.handle, venues[1]!, 300.005, { day: '2026-03-02' });
    const made = await withdraw(key, { amount: { value: 150, currency: 'EUR' } });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      id: expect.stringMatching(/^pay_/),
      period: new Date(api.clock.now()).toISOString().slice(0, 7),
      status: 'issued',
      amount: { value: 150, currency: 'EUR' },
      paid_at: null,
      failed_at: null,
      venues_count: 2,
      gross_to_net: {
        ad_revenue: { value: 300 },
        platform_share: { value: 150 },
        earnings: { value: 150 },
        sending_fee: { value: 1.5 },
        paid_out: { value: 148.5 },
      },
    });
    expect(made.body['line_items']).toMatchObject([
      {
        venue_id: formatId('venue', venues[0]!),
        venue_name: 'Bar 0',
        commission_tier: 'sensing',
        commission_rate: 0.5,
        first_day: '2026-03-01',
        last_day: '2026-03-01',
        plays: 10,
        impressions: 51,
        earnings: { value: 100 },
        ad_revenue: { value: 200 },
      },
      {
        venue_id: formatId('venue', venues[1]!),
        commission_tier: 'sensing',
        plays: 2,
        earnings: { value: 50 },
        ad_revenue: { value: 100 },
      },
    ]);
    expect(await available(key)).toEqual([
      {
        available: { value: 250.005, currency: 'EUR' },
        held: { value: 0, currency: 'EUR' },
        under_review: { value: 0, currency: 'EUR' },
        next_release_at: null,
        in_transit: { value: 148.5, currency: 'EUR' },
        fee: { value: 1.5, currency: 'EUR' },
      },
    ]);
  });

  test('without an amount takes all that can be paid, free above 200', async () => {
    const made = await withdraw(key);
    expect(made.body).toMatchObject({
      amount: { value: 250 },
      gross_to_net: { sending_fee: { value: 0 }, paid_out: { value: 250 } },
    });
    expect((await available(key))[0]!.available.value).toBe(0.005);
    expect(await withdraw(key)).toMatchObject({ status: 409, body: { code: 'insufficient_funds' } });
  });

  test.each([
    ['more than there is', { amount: { value: 5_000, currency: 'EUR' } }, 409, 'insufficient_funds', undefined],
    ['what the fee uses up', { amount: { value: 0.005, currency: 'KWD' } }, 409, 'insufficient_funds', undefined],
    [
      'an amount that the currency does not have',
      { amount: { value: 10.001, currency: 'EUR' } },
      422,
      'validation_failed',
      '/amount/value',
    ],
    ['yen with decimals', { amount: { value: 10.5, currency: 'JPY' } }, 422, 'validation_failed', '/amount/value'],
    ['an unknown currency', { amount: { value: 10, currency: 'XXX' } }, 422, 'validation_failed', '/amount/currency'],
    ['nothing', { amount: { value: 0, currency: 'EUR' } }, 422, 'validation_failed', '/amount/value'],
    ['an unknown field', { venue: 'x' }, 422, 'validation_failed', '/venue'],
  ])('refuses %s', async (_name, body, status, code, pointer) => {
    const answer = await withdraw(key, body);
    expect(answer).toMatchObject({ status, body: { code } });
    expect(readAs<FieldError[] | undefined>(answer.body['errors'])?.map(error => error.pointer)).toEqual(
      pointer === undefined ? undefined : [pointer],
    );
  });

  test('pays each currency with its own decimals', async () => {
    const chain = await openChain(1);
    await earn(chain.owner.handle, chain.venues[0]!, 1_234.567891, { currency: 'KWD' });
    await earn(chain.owner.handle, chain.venues[0]!, 150.9, { currency: 'JPY' });
    expect((await withdraw(chain.key, { amount: { value: 234.567, currency: 'KWD' } })).body).toMatchObject({
      amount: { value: 234.567, currency: 'KWD' },
    });
    expect((await withdraw(chain.key, { amount: { value: 150, currency: 'JPY' } })).body).toMatchObject({
      gross_to_net: { sending_fee: { value: 2 }, paid_out: { value: 148, currency: 'JPY' } },
    });
    expect(await withdraw(chain.key)).toMatchObject({ status: 409 }); // nothing in the currency of the workspace
  });

  test('never withdraws more than the balance with twenty calls at once', async () => {
    const chain = await openChain(2);
    for (let day = 1; day <= 9; day += 1)
      await earn(chain.owner.handle, chain.venues[day % 2]!, 33.333333, { day: `2026-03-0${day}` });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => withdraw(chain.key, { amount: { value: 50, currency: 'EUR' } })),
    );
    expect(answers.map(answer => answer.status).sort()).toEqual([
      ...Array<number>(5).fill(201),
      ...Array<number>(15).fill(409),
    ]);
    expect((await available(chain.key))[0]!.available.value).toBeCloseTo(49.999997, 9);
    expect(await checkLedger(api.sql)).toEqual([]);
  });

  test('refuses test keys, which see no payouts: play money is never paid out', async () => {
    await earn(owner.handle, venues[0]!, 500, { sandbox: true });
    const sandbox = await createKey(api, owner, { surface: 'screen_manager', mode: 'test' });
    expect(await withdraw(sandbox)).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    expect((await api.call('GET', '/v1/payouts', { key: sandbox })).body).toEqual({
      data: [],
      has_more: false,
      next_cursor: null,
    });
    expect((await available(sandbox))[0]!.available.value).toBe(500);
  });

  test('writes an audit entry and a webhook event', async () => {
    const chain = await openChain(1);
    await earn(chain.owner.handle, chain.venues[0]!, 300);
    const made = await withdraw(chain.key);
    expect(dataOf(await api.call('GET', '/v1/audit?action=payout.issued', { key: chain.key }))).toMatchObject([
      { entity: { type: 'payout', id: made.body['id'] }, diff: { amount: { to: { value: 300, currency: 'EUR' } } } },
    ]);
    const events = await api.sql`select type, payload from outbox where workspace_handle = ${chain.owner.handle}`;
    expect(events).toEqual([
      {
        type: 'payout.issued',
        payload: {
          object: {
            id: made.body['id'],
            status: 'issued',
            amount: { value: 300, currency: 'EUR' },
            paid_out: { value: 300, currency: 'EUR' },
          },
        },
      },
    ]);
  });
});

describe('earnings', () => {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const midnight = () => Math.floor(api.clock.now() / DAY_MS) * DAY_MS;
  const hold = (workspace: Handle<'workspace'>, days: string) =>
    setHoldDays(api.sql, new Date(api.clock.now()), { workspace, days });
  /** 30 of ten days ago, 20 of the last day that is released seven days later, and 50 of days after it. */
  async function earnOverTime() {
    const chain = await openChain(2);
    await hold(chain.owner.handle, '7');
    for (const [ago, amount] of [
      [10, 30],
      [8, 20],
      [7, 15],
      [0, 35],
    ] as const)
      await earn(chain.owner.handle, chain.venues[0]!, amount, {
        day: day(midnight() - ago * DAY_MS),
        settledOn: day(midnight() - ago * DAY_MS),
      });
    return chain;
  }

  test('can be withdrawn as soon as they are settled by default', async () => {
    const chain = await openChain(1);
    await earn(chain.owner.handle, chain.venues[0]!, 300, { day: day(midnight()), settledOn: day(midnight()) });
    expect(await available(chain.key)).toMatchObject([
      { available: { value: 300 }, held: { value: 0 }, next_release_at: null },
    ]);
    expect(await withdraw(chain.key)).toMatchObject({ status: 201, body: { amount: { value: 300 } } });
  });

  test('are held for seven days after their settlement if the operator sets that; a withdrawal takes only available earnings', async () => {
    const chain = await earnOverTime();
    expect(await available(chain.key)).toEqual([
      {
        available: { value: 50, currency: 'EUR' },
        held: { value: 50, currency: 'EUR' },
        under_review: { value: 0, currency: 'EUR' },
        next_release_at: new Date(midnight() + DAY_MS).toISOString(),
        in_transit: { value: 0, currency: 'EUR' },
        fee: { value: 1.5, currency: 'EUR' },
      },
    ]);
    expect(await withdraw(chain.key, { amount: { value: 50.01, currency: 'EUR' } })).toMatchObject({
      status: 409,
      body: {
        code: 'earnings_held',
        detail: expect.stringContaining('50.00 EUR can be withdrawn now; 50.00 EUR is held'),
      },
    });
    expect(await withdraw(chain.key, { amount: { value: 100.01, currency: 'EUR' } })).toMatchObject({
      status: 409,
      body: { code: 'insufficient_funds' },
    });
    expect((await withdraw(chain.key)).body).toMatchObject({ status: 'issued', amount: { value: 50 } });
    expect(await withdraw(chain.key)).toMatchObject({ status: 409, body: { code: 'earnings_held' } });
    expect(await available(chain.key)).toMatchObject([{ available: { value: 0 }, held: { value: 50 } }]);
    expect(await checkLedger(api.sql)).toEqual([]);
  });

  test('are released day by day', async () => {
    const chain = await earnOverTime();
    api.clock.offsetMs = midnight() + DAY_MS - Date.now() + 60_000;
    expect(await available(chain.key)).toMatchObject([
      {
        available: { value: 65 },
        held: { value: 35 },
        next_release_at: new Date(midnight() + 7 * DAY_MS).toISOString(),
      },
    ]);
    api.clock.offsetMs += 7 * DAY_MS;
    expect(await available(chain.key)).toMatchObject([
      { available: { value: 100 }, held: { value: 0 }, next_release_at: null },
    ]);
  });

  test('of plays reported days later are held as long as others', async () => {
    const chain = await openChain(1);
    await hold(chain.owner.handle, '7');
    await earn(chain.owner.handle, chain.venues[0]!, 300, {
      day: day(midnight() - 30 * DAY_MS),
      settledOn: day(midnight()),
    });
    expect(await withdraw(chain.key)).toMatchObject({ status: 409, body: { code: 'earnings_held' } });
  });

  test('of one workspace are held for its own time if the operator sets one', async () => {
    const chain = await earnOverTime();
    await hold(chain.owner.handle, '0');
    expect(await available(chain.key)).toMatchObject([
      { available: { value: 100 }, held: { value: 0 }, next_release_at: null },
    ]);
    await hold(chain.owner.handle, '9');
    expect(await available(chain.key)).toMatchObject([
      {
        available: { value: 30 },
        held: { value: 70 },
        next_release_at: new Date(midnight() + 2 * DAY_MS).toISOString(),
      },
    ]);
    await hold(chain.owner.handle, 'default');
    expect(await available(chain.key)).toMatchObject([{ available: { value: 100 } }]);
    for (const days of ['-1', '366', '1.5', 'x', ''])
      await expect(hold(chain.owner.handle, days)).rejects.toThrow('--earnings-hold-days takes 0 to 365, or default');
    expect(
      dataOf(await api.call('GET', '/v1/audit?action=workspace.updated', { key: chain.key })).map(
        entry => entry['diff']!['earnings_hold_days'],
      ),
    ).toEqual([
      { from: 9, to: 'default' },
      { from: 0, to: 9 },
      { from: 7, to: 0 },
      { from: 'default', to: 7 },
    ]);
  });

  test('of the sandbox are play money and never held', async () => {
    const chain = await openChain(1);
    await earn(chain.owner.handle, chain.venues[0]!, 70, { sandbox: true, settledOn: day(midnight()) });
    const sandbox = await createKey(api, chain.owner, { surface: 'screen_manager', mode: 'test' });
    expect(await available(sandbox)).toMatchObject([
      { available: { value: 70 }, held: { value: 0 }, next_release_at: null },
    ]);
  });
});

const setAccount = (as: string, body: object) => api.call('PUT', '/v1/payouts/account', { key: as, body });
const account = (as: string) => api.call('GET', '/v1/payouts/account', { key: as });
const HOUR_MS = 3_600_000;

describe('the account that payouts go to', () => {
  test('is required before a withdrawal, and the first one is used at once', async () => {
    const chain = await openChain(1, { hasAccount: false });
    await earn(chain.owner.handle, chain.venues[0]!, 300);
    expect(await account(chain.key)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await withdraw(chain.key)).toMatchObject({
      status: 409,
      body: { code: 'payout_account_missing', detail: expect.stringContaining('PUT /v1/payouts/account') },
    });
    const set = await setAccount(chain.key, {
      holder: ' Bar Luna ',
      iban: 'de89 3704 0044 0532 0130 00',
      bic: 'cobadeff',
    });
    expect(set).toMatchObject({
      status: 200,
      body: { holder: 'Bar Luna', iban_masked: 'DE****************3000', bic: 'COBADEFF' },
    });
    expect(set.body['usable_from']).toBe(set.body['set_at']);
    expect((await account(chain.key)).body).toEqual(set.body);
    expect(await withdraw(chain.key)).toMatchObject({ status: 201 });
  });

  test.each([
    ['without its holder', { iban: IBAN }, '/holder'],
    ['with wrong check digits', { holder: 'A', iban: 'DE88370400440532013000' }, '/iban'],
    ['with a BIC that is none', { holder: 'A', iban: IBAN, bic: 'BANK' }, '/bic'],
    ['with an unknown field', { holder: 'A', iban: IBAN, usable_from: '2026-01-01T00:00:00Z' }, '/usable_from'],
    ['with a number of endless length', { holder: 'A', iban: `DE${'0'.repeat(100)}` }, '/iban'],
  ])('is refused %s, and stays as it was', async (_name, body, pointer) => {
    const before = (await account(key)).body;
    expect(await setAccount(key, body)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer }] },
    });
    expect((await account(key)).body).toEqual(before);
  });

  test('blocks withdrawals for a day after a change, or until the operator confirms it', async () => {
    const chain = await openChain(1);
    await earn(chain.owner.handle, chain.venues[0]!, 1_000);
    const changed = await setAccount(chain.key, { holder: 'New', iban: OTHER_IBAN });
    expect(Date.parse(changed.body['usable_from']!) - Date.parse(changed.body['set_at']!)).toBe(24 * HOUR_MS);
    expect(await withdraw(chain.key)).toMatchObject({
      status: 409,
      body: { code: 'payout_account_changed', detail: expect.stringMatching(/from \d+ \w+ \d{4}, \d\d:\d\d UTC/) },
    });
    // The same account once more is no change; another one begins the pause anew, and so does going back.
    expect((await setAccount(chain.key, { holder: 'New', iban: ` ${OTHER_IBAN.toLowerCase()}` })).body).toEqual(
      changed.body,
    );
    api.clock.offsetMs += 20 * HOUR_MS;
    await setAccount(chain.key, { holder: 'Old', iban: IBAN });
    api.clock.offsetMs += 23 * HOUR_MS;
    expect(await withdraw(chain.key, { amount: { value: 100, currency: 'EUR' } })).toMatchObject({ status: 409 });
    api.clock.offsetMs += HOUR_MS + 1_000;
    expect(await withdraw(chain.key, { amount: { value: 100, currency: 'EUR' } })).toMatchObject({ status: 201 });
    await setAccount(chain.key, { holder: 'New', iban: OTHER_IBAN });
    expect(await withdraw(chain.key, { amount: { value: 100, currency: 'EUR' } })).toMatchObject({ status: 409 });
    expect(await confirmPayoutAccount(api.sql, new Date(api.clock.now()), chain.owner.handle)).toMatchObject({
      iban_masked: 'GB****************6819',
    });
    expect(await withdraw(chain.key, { amount: { value: 100, currency: 'EUR' } })).toMatchObject({ status: 201 });
    const entries = dataOf(await api.call('GET', '/v1/audit?limit=100', { key: chain.key })).filter(entry =>
      entry['action']!.startsWith('payout_account.'),
    );
    expect(entries.map(entry => `${entry['action']} by ${entry['actor']!['type']}`)).toEqual([
      'payout_account.confirmed by operator',
      ...Array<string>(3).fill('payout_account.updated by user'),
    ]);
    expect(entries[1]!['diff']).toMatchObject({
      iban_masked: { from: 'DE****************3000', to: 'GB****************6819' },
      holder: { from: 'Old', to: 'New' },
    });
    expect(JSON.stringify(entries)).not.toContain(OTHER_IBAN.slice(4, -4));
  });

  test('is set only by owners, admins and finance, and visible to all without its number', async () => {
    const chain = await openChain(0);
    for (const [role, status] of [
      ['owner', 200],
      ['admin', 200],
      ['finance', 200],
      ['manager', 403],
      ['viewer', 403],
    ] as const) {
      const [user] = await api.sql<
        { handle: Handle<'user'> }[]
      >`insert into users (workspace_handle, email, role, created_at) values (${chain.owner.handle}, ${`${role}@example.com`}, ${role}, now()) returning handle`;
      const own = await createKey(
        api,
        { handle: chain.owner.handle, user: user!.handle },
        { surface: 'screen_manager' },
      );
      expect([role, (await setAccount(own, { holder: 'A bar', iban: IBAN })).status]).toEqual([role, status]);
      expect((await account(own)).body).toMatchObject({ iban_masked: 'DE****************3000' });
    }
    const brand = await createKey(api, chain.owner, { surface: 'ads_manager' });
    expect((await setAccount(brand, { holder: 'A bar', iban: IBAN })).status).toBe(403);
    expect((await account(brand)).status).toBe(403);
  });

  test('is out of reach of test keys', async () => {
    const sandbox = await createKey(api, owner, { surface: 'screen_manager', mode: 'test' });
    expect(await setAccount(sandbox, { holder: 'Play', iban: OTHER_IBAN })).toMatchObject({
      status: 409,
      body: { code: 'state_conflict' },
    });
    expect(await account(sandbox)).toMatchObject({ status: 404 });
    expect((await account(key)).body).toMatchObject({ iban_masked: 'DE****************3000' });
  });

  test('is encrypted in the database, bound to its workspace, and deleted if no payout used it', async () => {
    const chain = await openChain(0, { hasAccount: false });
    await setAccount(chain.key, { holder: 'A', iban: IBAN });
    await setAccount(chain.key, { holder: 'B', iban: OTHER_IBAN });
    const rows = await api.sql<
      { iban: string | null; sealed: Buffer; row: string }[]
    >`select iban, iban_sealed as sealed, to_jsonb(a)::text as row from payout_accounts a where workspace_handle = ${chain.owner.handle}`;
    expect(rows).toMatchObject([{ iban: null }]);
    expect(rows[0]!.row).not.toContain(OTHER_IBAN.slice(4));
    expect(openIban(api.sealer, { workspace: chain.owner.handle, iban: null, ibanSealed: rows[0]!.sealed })).toBe(
      OTHER_IBAN,
    );
    expect(() => openIban(api.sealer, { workspace: owner.handle, iban: null, ibanSealed: rows[0]!.sealed })).toThrow(
      'cannot be opened',
    );
  });
});

describe('GET /v1/payouts', () => {
  test('lists payouts newest first with their venues and gross-to-net, page by page', async () => {
    const chain = await openChain(2);
    for (const venue of chain.venues) await earn(chain.owner.handle, venue, 300);
    const ids: string[] = [];
    for (const value of [100, 250, 30])
      ids.unshift((await withdraw(chain.key, { amount: { value, currency: 'EUR' } })).body['id']!);
    const first = await api.call('GET', '/v1/payouts?limit=2', { key: chain.key });
    expect(dataOf(first).map(payout => payout['id'])).toEqual(ids.slice(0, 2));
    expect(dataOf(first)[1]).toMatchObject({
      venues_count: 2,
      venues: [
        { venue_id: formatId('venue', chain.venues[0]!), earnings: { value: 200 } },
        { earnings: { value: 50 } },
      ],
      gross_to_net: { ad_revenue: { value: 500 } },
    });
    expect(first.body).toMatchObject({ has_more: true });
    const second = await api.call('GET', `/v1/payouts?limit=2&cursor=${first.body['next_cursor']}`, { key: chain.key });
    expect(dataOf(second).map(payout => payout['id'])).toEqual(ids.slice(2));
    expect((await api.call('GET', '/v1/payouts?status=paid', { key: chain.key })).body).toMatchObject({ data: [] });
  });
});

describe('GET /v1/payouts/{id}', () => {
  test('returns the payout with its line items, only to its workspace', async () => {
    const chain = await openChain(1);
    await earn(chain.owner.handle, chain.venues[0]!, 300);
    const { body: made } = await withdraw(chain.key);
    expect((await api.call('GET', `/v1/payouts/${made['id']}`, { key: chain.key })).body).toEqual(made);
    expect(await api.call('GET', `/v1/payouts/${made['id']}`, { key })).toMatchObject({ status: 404 });
  });
});

describe('GET /v1/payouts/balance', () => {
  test('shows the withdrawal terms that the operator has set', async () => {
    expect((await api.call('GET', '/v1/payouts/balance', { key })).body).toMatchObject({ free_above: 200, fee: 1.5 });
    await changeOperator(api.sql, new Date(), { payoutFee: 2 });
    expect((await api.call('GET', '/v1/payouts/balance', { key })).body).toMatchObject({ fee: 2 });
    await changeOperator(api.sql, new Date(), { payoutFee: 1.5 });
  });

  test('shows the withdrawal fee of each currency', async () => {
    const chain = await openChain(1);
    for (const currency of ['EUR', 'JPY']) await earn(chain.owner.handle, chain.venues[0]!, 50, { currency });
    const { balances } = (await api.call('GET', '/v1/payouts/balance', { key: chain.key })).body;
    const fees = rowsOf<{ fee: { value: number; currency: string } }>(balances).map(balance => balance.fee);
    expect(fees).toHaveLength(2);
    for (const { value, currency } of fees)
      expect((await withdraw(chain.key, { amount: { value: 50, currency } })).body).toMatchObject({
        gross_to_net: { sending_fee: { value, currency } },
      });
  });
});

describe('the bank', () => {
  test('settles a payout for good when it has paid', async () => {
    const chain = await openChain(1);
    await earn(chain.owner.handle, chain.venues[0]!, 100);
    const made = await withdraw(chain.key);
    const now = new Date(api.clock.now() + DAY_MS);
    expect(await recordOutcome(api.sql, now, { payout: handleOf(made), outcome: 'paid' })).toEqual({
      id: made.body['id'],
      status: 'paid',
    });
    expect((await api.call('GET', `/v1/payouts/${made.body['id']}`, { key: chain.key })).body).toMatchObject({
      status: 'paid',
      paid_at: now.toISOString(),
      failed_at: null,
    });
    await expect(recordOutcome(api.sql, now, { payout: handleOf(made), outcome: 'failed' })).rejects.toThrow(
      'paid already',
    );
    expect(
      await api.sql`select type, payload->'previous' as previous from outbox where workspace_handle = ${chain.owner.handle} order by handle`,
    ).toEqual([
      { type: 'payout.issued', previous: null },
      { type: 'payout.paid', previous: { status: 'issued' } },
    ]);
    expect((await available(chain.key))[0]).toMatchObject({ available: { value: 0 }, in_transit: { value: 0 } });
  });

  test('returns amount and fee of a failed payout, which can be withdrawn again', async () => {
    const chain = await openChain(1);
    await earn(chain.owner.handle, chain.venues[0]!, 100);
    const made = await withdraw(chain.key);
    await recordOutcome(api.sql, new Date(api.clock.now()), { payout: handleOf(made), outcome: 'failed' });
    expect((await available(chain.key))[0]).toMatchObject({ available: { value: 100 }, in_transit: { value: 0 } });
    expect((await api.call('GET', `/v1/payouts/${made.body['id']}`, { key: chain.key })).body).toMatchObject({
      status: 'failed',
      paid_at: null,
      failed_at: expect.any(String),
      line_items: made.body['line_items'],
    });
    expect((await withdraw(chain.key)).body).toMatchObject({
      status: 'issued',
      amount: { value: 100 },
      line_items: made.body['line_items'],
    });
    expect(
      await api.sql`select type from outbox where workspace_handle = ${chain.owner.handle} order by handle`,
    ).toEqual([{ type: 'payout.issued' }, { type: 'payout.failed' }, { type: 'payout.issued' }]);
    expect(await checkLedger(api.sql)).toEqual([]);
  });

  test('gets each payout in one file with its net amount; an old payout without an account waits for one', async () => {
    const path = join(tmpdir(), `marquee-bank-${process.pid}.xml`);
    const now = new Date('2026-03-05T10:00:00Z');
    await api.sql`update payouts set bank_file = 'before'`;
    const [chain, other] = [await openChain(1, { hasAccount: false }), await openChain(1)];
    for (const {
      owner: { handle },
      venues: [venue],
    } of [chain, other])
      await earn(handle, venue!, 100);
    await expect(writeBankFile(api, now, { path, id: undefined })).rejects.toThrow('from which account');
    await changeOperator(api.sql, new Date(), { name: 'Screens & Söhne', iban: OTHER_IBAN, bic: 'NWBKGB2L' });
    await setPayoutAccount(api, now, {
      workspace: chain.owner.handle,
      holder: 'Café Łuna <Bar>',
      iban: 'de89 3704 0044 0532 0130 00',
      bic: undefined,
    });
    await expect(
      setPayoutAccount(api, now, {
        workspace: other.owner.handle,
        holder: 'x',
        iban: 'DE89370400440532013001',
        bic: undefined,
      }),
    ).rejects.toThrow('check digits');
    const [made, old] = [await withdraw(chain.key), await withdraw(other.key)];
    await api.sql`update payouts set account_handle = null where handle = ${handleOf(old)}`;
    await api.sql`delete from payout_accounts where workspace_handle = ${other.owner.handle}`;
    const written = await writeBankFile(api, now, { path, id: undefined });
    expect(written).toMatchObject({
      file: path,
      payouts: [made.body['id']],
      without_account: [formatId('workspace', other.owner.handle)],
    });
    const xml = await readFile(path, 'utf8');
    for (const part of [
      'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09',
      '<NbOfTxs>1</NbOfTxs>',
      '<CtrlSum>98.50</CtrlSum>',
      '<InstdAmt Ccy="EUR">98.50</InstdAmt>',
      `<EndToEndId>${made.body['id']}</EndToEndId>`,
      `<IBAN>${IBAN}</IBAN>`,
      '<Nm>Screens + Sohne</Nm>',
      '<Nm>Cafe una Bar</Nm>',
      '<BICFI>NWBKGB2L</BICFI>',
      '<Cd>SEPA</Cd>',
    ])
      expect(xml).toContain(part);
    expect(await writeBankFile(api, now, { path, id: undefined })).toMatchObject({ file: null, payouts: [] });
    await writeBankFile(api, now, { path, id: String(written['message_id']) });
    expect(await readFile(path, 'utf8')).toBe(xml);
    await giveAccount(api, other.owner.handle);
    // of the days before numbers were sealed
    await api.sql`update payout_accounts set iban = ${IBAN}, iban_sealed = null where workspace_handle = ${other.owner.handle}`;
    expect(await writeBankFile(api, now, { path, id: undefined })).toMatchObject({
      payouts: [old.body['id']],
      without_account: [],
    });
    await rm(path);
  });

  test('loses no payout to an unwritable file, and gets none again that it has answered', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'marquee-bank-'));
    const now = new Date('2026-03-06T10:00:00Z');
    await api.sql`update payouts set bank_file = 'before' where bank_file is null`;
    const chain = await openChain(1);
    await earn(chain.owner.handle, chain.venues[0]!, 200);
    await changeOperator(api.sql, new Date(), { name: 'Screens', iban: OTHER_IBAN, bic: 'NWBKGB2L' });
    const first = await withdraw(chain.key);
    const waits = async () => (await api.sql`select from payouts where bank_file is null`).length;

    const missing = join(folder, 'missing', 'file.xml');
    await expect(writeBankFile(api, now, { path: missing, id: undefined })).rejects.toThrow('--out takes a file');
    const foreign = createSealer(randomBytes(32));
    await expect(
      writeBankFile({ sql: api.sql, sealer: foreign }, now, { path: join(folder, 'a.xml'), id: undefined }),
    ).rejects.toMatchObject({ code: 'sealed_with_another_key' });
    expect(await waits()).toBe(1);

    await mkdir(join(folder, 'taken.xml'));
    await expect(writeBankFile(api, now, { path: join(folder, 'taken.xml'), id: undefined })).rejects.toThrow(
      /with --message-id MQ20260306[0-9A-F]{8} /,
    );
    const again = (await writeBankFile(api, now, { path: join(folder, 'b.xml'), id: undefined })) as {
      file: null;
      unanswered: { message_id: string; payouts: number }[];
    };
    const lost = again.unanswered.find(({ message_id: name }) => name.startsWith('MQ20260306'));
    expect(again).toMatchObject({ file: null, payouts: [] });
    expect(lost?.payouts).toBe(1);
    const id = lost!.message_id;
    expect(await writeBankFile(api, now, { path: join(folder, 'b.xml'), id })).toMatchObject({
      payouts: [first.body['id']],
    });

    await recordOutcome(api.sql, now, { payout: handleOf(first), outcome: 'failed' });
    await expect(writeBankFile(api, now, { path: join(folder, 'c.xml'), id })).rejects.toThrow(
      `no payout of a file ${id}`,
    );
    await rm(folder, { recursive: true });
  });

  test('pays to the account at the time of the payout, whatever was set afterwards', async () => {
    const path = join(tmpdir(), `marquee-bank-pinned-${process.pid}.xml`);
    await api.sql`update payouts set bank_file = 'before' where bank_file is null`;
    const chain = await openChain(1);
    await earn(chain.owner.handle, chain.venues[0]!, 100);
    await withdraw(chain.key);
    await setAccount(chain.key, { holder: 'Somebody else', iban: OTHER_IBAN });
    await changeOperator(api.sql, new Date(), { name: 'Screens', iban: OTHER_IBAN, bic: 'NWBKGB2L' });
    await writeBankFile(api, new Date(), { path, id: undefined });
    const xml = await readFile(path, 'utf8');
    expect([
      xml.includes(`<CdtrAcct>\n          <Id>\n            <IBAN>${IBAN}</IBAN>`),
      xml.includes('Somebody else'),
    ]).toEqual([true, false]);
    await rm(path);
  });

  test('gets one block per currency, with its own sum and decimals', () => {
    const creditor = { name: 'A bar', iban: IBAN, bic: null };
    const xml = drawBankFile({
      id: 'F1',
      now: new Date(0),
      debtor: { ...creditor, bic: 'COBADEFF' },
      payments: [
        { payout: handle('payout', 1), currency: 'JPY', netMicros: 148_000_000, creditor },
        { payout: handle('payout', 2), currency: 'KWD', netMicros: 1_234_000, creditor },
        { payout: handle('payout', 3), currency: 'JPY', netMicros: 2_000_000, creditor },
      ],
    });
    expect([...xml.matchAll(/<CtrlSum>(.*?)<\/CtrlSum>/g)].map(match => match[1])).toEqual(['150', '1.234']);
    expect([...xml.matchAll(/<PmtInfId>(.*?)<\/PmtInfId>/g)].map(match => match[1])).toEqual(['F1-JPY', 'F1-KWD']);
  });
});
