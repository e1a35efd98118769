/**
 * Money that comes in: top-ups, payments over the provider's page, refunds and disputes, and the list of everything
 * booked on a wallet. Each is booked once, whatever is repeated or cut off. The API runs in this process on real
 * engines, with a stand-in for Stripe that the real Stripe library talks to.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bookPaymentCase, closePaymentCase, showCases } from '../../../../cli/admin/money/payments.ts';
import { fundWallet } from '../../../../cli/operator.ts';
import { parseId, type Handle } from '../../../../domain/id.ts';
import { checkLedger } from '#audit/checks/ledger.ts';
import { forgetPayments } from '#sql/payments/events.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  startApi,
  type Answer,
  type TestApi,
  type TestWorkspace,
} from '../../support/app-under-test.ts';
import { PRICE, startWorld, type Spot, type World } from '../../support/played.ts';
import { startSecondApi } from '../../support/second-app.ts';
import { eventOf, signed, startStandIn, type Event, type StandIn } from '../../support/stripe-stand-in.ts';
import { rowsOf } from '../../support/answer.ts';

let api: TestApi;
let world: World;
let stripe: StandIn;

beforeAll(async () => {
  stripe = await startStandIn();
  api = await startApi({ payments: stripe.provider });
  world = await startWorld(api);
}, 60_000);
afterAll(async () => {
  await world.close();
  await api.close();
  await stripe.close();
});

type Brand = TestWorkspace & { key: string };
const eur = (amount: number) => ({ amount, currency: 'EUR' });
const open = async (funds = 0): Promise<Brand> => {
  const workspace = await createWorkspace(api, { funds });
  return { ...workspace, key: await createKey(api, workspace) };
};
const ask = async ({ key }: { key: string }, amount = 50): Promise<string> =>
  String((await api.call('POST', '/v1/wallet/top-ups', { key, body: { amount: eur(amount) } })).body['top_up']!['id']);
const cancel = ({ key }: { key: string }, id: string): Promise<Answer> =>
  api.call('DELETE', `/v1/wallet/top-ups/${id}`, { key });
const fund = ({ handle }: { handle: Handle<'workspace'> }, units: number) =>
  fundWallet(api.sql, new Date(api.clock.now()), { workspace: handle, amountMicros: units * 1_000_000, book: 'live' });
const statusOf = async ({ key }: { key: string }, id: string) =>
  (await api.call('GET', `/v1/wallet/top-ups/${id}`, { key })).body['status'];
const balanceOf = async ({ key }: { key: string }) =>
  Number((await api.call('GET', '/v1/wallet', { key })).body['balance']!['amount']);

describe('a top-up', () => {
  test('that waits is cancelled once, and what the operator books later credits it no more', async () => {
    const brand = await open();
    const [first, second] = [await ask(brand), await ask(brand, 30)];
    expect((await cancel(brand, first)).status).toBe(204);
    expect((await cancel(brand, first)).status).toBe(204);
    expect(await statusOf(brand, first)).toBe('cancelled');
    expect((await api.call('GET', '/v1/wallet', { key: brand.key })).body['pending_top_ups']).toMatchObject([
      { id: second },
    ]);
    await fund(brand, 80);
    expect([await statusOf(brand, first), await statusOf(brand, second)]).toEqual(['cancelled', 'credited']);
    const entries = dataOf(await api.call('GET', '/v1/audit?action=wallet.top_up_cancelled', { key: brand.key }));
    expect(entries).toMatchObject([
      { entity: { type: 'top_up', id: first }, diff: { status: { from: 'pending', to: 'cancelled' } } },
    ]);
  });

  test('that was credited cannot be cancelled, nor one of play money, which comes at once', async () => {
    const brand = await open();
    const id = await ask(brand);
    await fund(brand, 50);
    expect(await cancel(brand, id)).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    const sandbox = { key: await createKey(api, brand, { mode: 'test' }) };
    expect((await cancel(sandbox, await ask(sandbox))).status).toBe(409);
    expect(await balanceOf(brand)).toBe(50);
  });

  test('makes room for another one when it was cancelled', async () => {
    const brand = await open();
    const ids: string[] = [];
    for (let count = 0; count < 20; count += 1) ids.push(await ask(brand));
    expect(
      (await api.call('POST', '/v1/wallet/top-ups', { key: brand.key, body: { amount: eur(5) } })).body['code'],
    ).toBe('state_conflict');
    await cancel(brand, ids[7]!);
    expect((await api.call('POST', '/v1/wallet/top-ups', { key: brand.key, body: { amount: eur(5) } })).status).toBe(
      201,
    );
  });

  test('is listed by its state, newest first and page by page, and is absent for others', async () => {
    const brand = await open();
    const ids = [await ask(brand), await ask(brand), await ask(brand)];
    await cancel(brand, ids[0]!);
    const list = async (query = '') =>
      dataOf(await api.call('GET', `/v1/wallet/top-ups?${query}`, { key: brand.key })).map(row => row['id']);
    expect(await list()).toEqual([ids[2], ids[1], ids[0]]);
    expect([await list('status=pending'), await list('status=cancelled'), await list('status=credited')]).toEqual([
      [ids[2], ids[1]],
      [ids[0]],
      [],
    ]);
    const page = await api.call('GET', '/v1/wallet/top-ups?limit=2', { key: brand.key });
    expect(await list(`limit=2&cursor=${page.body['next_cursor']}`)).toEqual([ids[0]]);
    const [other, venues] = [await open(), await createKey(api, brand, { surface: 'screen_manager' })];
    for (const method of ['GET', 'DELETE'])
      expect((await api.call(method, `/v1/wallet/top-ups/${ids[2]}`, { key: other.key })).status).toBe(404);
    expect((await api.call('GET', '/v1/wallet/top-ups', { key: venues })).body['code']).toBe('wrong_surface');
    const viewer = await createKey(api, await createWorkspace(api, { role: 'viewer' }));
    expect((await api.call('DELETE', `/v1/wallet/top-ups/${ids[2]}`, { key: viewer })).body['code']).toBe(
      'role_forbidden',
    );
  });
});

describe('GET /v1/wallet/transactions', () => {
  type Transaction = {
    id: string;
    kind: string;
    at: string;
    balance_change: { amount: number };
    reserved_change: { amount: number };
    balance_after: { amount: number } | null;
    refers_to: { type: string; id: string; name: string | null } | null;
  };
  const list = async ({ key }: { key: string }, query = '') =>
    rowsOf<Transaction>(dataOf(await api.call('GET', `/v1/wallet/transactions?limit=100${query}`, { key })));
  const micros = (amount: number) => Math.round(amount * 1_000_000);
  let spot: Spot;

  beforeAll(async () => {
    const bar = await world.openBar({ screens: 1 });
    spot = await world.startCampaign('travel_and_tourism');
    const slotAt = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 26 * 3_600_000;
    for (const plays of [3, 2]) {
      await world.play(spot, { bar, startsAt: slotAt + plays * 600_000, plays });
      await world.settle();
    }
    await world.takeOut(bar, { from: slotAt + 1_200_000, to: slotAt + 1_200_000 + 30_000 }); // the two of the second
    await api.call('DELETE', `/v1/campaigns/${spot.id}`, { key: spot.key });
  }, 60_000);

  test('shows all that was booked, each with what it changed, what it is about and the balance after it', async () => {
    const rows = await list(spot);
    const campaign = { type: 'campaign', id: spot.id, name: 'Autumn' };
    expect(rows.map(row => [row.kind, row.refers_to])).toEqual([
      ['refund', campaign],
      ['credit', campaign],
      ['charge', campaign],
      ['charge', campaign],
      ['reserve', campaign],
      ['top_up', null],
    ]);
    expect(
      rows
        .filter(row => row.kind === 'charge')
        .map(row => [row.balance_change.amount, micros(row.reserved_change.amount), row.balance_after]),
    ).toEqual([
      [0, -2 * PRICE, null],
      [0, -3 * PRICE, null],
    ]);
    expect(rows.find(row => row.kind === 'credit')).toMatchObject({
      balance_change: eur((2 * PRICE) / 1_000_000),
      reserved_change: eur(0),
    });
    let balance = 0;
    for (const row of rows.toReversed().filter(({ kind }) => kind !== 'charge')) {
      balance += micros(row.balance_change.amount);
      expect(micros(row.balance_after!.amount)).toBe(balance);
    }
    const wallet = (await api.call('GET', '/v1/wallet', { key: spot.key })).body;
    expect(balance).toBe(micros(Number(wallet['balance']!['amount'])));
    expect(rows.reduce((sum, row) => sum + micros(row.reserved_change.amount), 0)).toBe(
      micros(Number(wallet['reserved']!['amount'])),
    );
  });

  test('is narrowed by kinds and by time, and paged without a gap', async () => {
    const all = await list(spot);
    expect((await list(spot, '&kind=charge,reserve')).map(row => row.kind)).toEqual(['charge', 'charge', 'reserve']);
    expect((await list(spot, `&from=${all[1]!.at}`)).map(row => row.id)).toEqual(all.slice(0, 2).map(row => row.id));
    expect((await list(spot, `&to=${all[4]!.at}`)).map(row => row.id)).toEqual(all.slice(4).map(row => row.id));
    const paged: string[] = [];
    let cursor = '';
    do {
      const { body } = await api.call('GET', `/v1/wallet/transactions?limit=2${cursor}`, { key: spot.key });
      paged.push(...rowsOf<Transaction>(body['data']).map(row => row.id));
      cursor = (body['has_more'] as unknown) === true ? `&cursor=${body['next_cursor']}` : '';
    } while (cursor !== '');
    expect(paged).toEqual(all.map(row => row.id));
  });

  test('names the top-up of play money and the other side of a transfer', async () => {
    const brand = await open();
    const sandbox = { key: await createKey(api, brand, { mode: 'test' }) };
    const id = await ask(sandbox, 40);
    expect(await list(sandbox)).toMatchObject([
      { kind: 'top_up', balance_after: eur(40), refers_to: { type: 'top_up', id, name: null } },
    ]);
    expect(await list(brand)).toEqual([]);
    const agency = await createWorkspace(api, { kind: 'agency', funds: 100 });
    const key = await createKey(api, agency, { surface: 'agency' });
    const client = (
      await api.call('POST', '/v1/agency/clients', {
        key,
        body: { name: 'Client', billing_model: 'pass-through', currency: 'EUR' },
      })
    ).body['id']!;
    await api.call('POST', `/v1/agency/clients/${client}/transfers`, {
      key,
      body: { amount: eur(15), direction: 'to_client' },
    });
    expect(await list({ key })).toMatchObject([
      {
        kind: 'transfer',
        balance_change: { amount: -15 },
        balance_after: eur(85),
        refers_to: { type: 'workspace', id: client, name: 'Client' },
      },
      { kind: 'top_up' },
    ]);
    const seen = dataOf(
      await api.call('GET', '/v1/wallet/transactions', { key, headers: { 'x-workspace-id': client } }),
    );
    expect(seen).toMatchObject([{ kind: 'transfer', balance_change: { amount: 15 }, balance_after: eur(15) }]);
  });

  test('says true balances though many book at once', async () => {
    const brand = await open(1_000);
    const creative = await createReadyCreative(api, brand.key);
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        index % 3 === 0
          ? fund(brand, 7)
          : api.call('POST', '/v1/campaigns', {
              key: brand.key,
              body: campaignBody(api, [creative], { budget: eur(10 + index) }),
            }),
      ),
    );
    const rows = (await list(brand)).toReversed();
    expect(rows).toHaveLength(13);
    let balance = 0;
    for (const row of rows)
      expect(micros(row.balance_after!.amount)).toBe((balance += micros(row.balance_change.amount)));
    expect(balance).toBe(micros(await balanceOf(brand)));
    expect(await checkLedger(api.sql)).toEqual([]);
  });

  test.each([
    ['kind=payout', 'bad_query_parameter'],
    ['from=2026-02-30T25:00Z', 'bad_query_parameter'],
    ['from=2026-02-30', 'bad_query_parameter'],
    ['to=2026-02-30T10:00Z', 'bad_query_parameter'],
    ['from=0000-01-01', 'bad_query_parameter'],
    ['from=2026-03-02&to=2026-03-01', 'bad_query_parameter'],
    ['cursor=x', 'bad_cursor'],
    ['campaign=cmp_x', 'unknown_query_parameter'],
  ])('refuses %s with %s', async (query, code) => {
    expect(await api.call('GET', `/v1/wallet/transactions?${query}`, { key: spot.key })).toMatchObject({
      status: 400,
      body: { code },
    });
  });

  test('of another workspace are not shown', async () => {
    expect(await list(await open())).toEqual([]);
  });
});

describe("a payment over the provider's page", () => {
  const URLS = { success_url: 'https://brand.example.com/paid', cancel_url: 'https://brand.example.com/wallet' };
  const checkout = ({ key }: { key: string }, id: string, body: object = URLS, headers: Record<string, string> = {}) =>
    api.call('POST', `/v1/wallet/top-ups/${id}/checkout`, { key, body, headers });
  type Session = StandIn['sessions'][number];
  const deliver = (event: Event, options: Parameters<typeof signed>[1] = { atMs: api.clock.now() }): Promise<Answer> =>
    api.call('POST', '/v1/payments/stripe/events', signed(event, options));
  const paid = (session: Session, changes: object = {}) => ({
    ...session,
    status: 'complete',
    payment_status: 'paid',
    ...changes,
  });
  const completed = (session: Session, changes: object = {}) =>
    eventOf('checkout.session.completed', paid(session, changes));
  const refund = (session: Session, amount: number, id: string, changes: object = {}) =>
    eventOf('refund.created', {
      id,
      object: 'refund',
      status: 'succeeded',
      payment_intent: session.payment_intent,
      amount,
      currency: 'eur',
      ...changes,
    });
  const outcomeOf = async (event: Event) =>
    (await api.sql<{ outcome: string }[]>`select outcome from payment_events where event_id = ${event.id}`)[0]?.outcome;
  type Case = { id: string; kind: string; status: string; object: string; amount: number };
  const casesOf = async (session: Session) =>
    ((await showCases(api.sql, { status: undefined }))['cases'] as (Case & { payment: string })[]).filter(
      row => row.payment === session.payment_intent,
    );
  const caseHandle = (row: Case) => parseId('payment_case', row.id)!;
  /** A brand with a top-up of 50 and its page. */
  async function openPage(amount = 50): Promise<{ brand: Brand; id: string; session: Session }> {
    const brand = await open();
    const id = await ask(brand, amount);
    const { url } = (await checkout(brand, id)).body;
    return { brand, id, session: stripe.sessions.find(session => session.url === (url as unknown))! };
  }

  test('is asked for with what the top-up says, and the same page is answered while it is open', async () => {
    const { brand, id, session } = await openPage(12.34);
    expect(session).toMatchObject({ amount_total: 1_234, currency: 'eur' });
    const { body, idempotencyKey } = stripe.requests.at(-1)!;
    expect([
      body.get('mode'),
      body.get('success_url'),
      body.get('cancel_url'),
      body.get('adaptive_pricing[enabled]'),
      idempotencyKey,
    ]).toEqual(['payment', URLS.success_url, URLS.cancel_url, 'false', `checkout-${session.client_reference_id}`]);
    const count = stripe.requests.length;
    expect(await checkout(brand, id)).toMatchObject({
      status: 201,
      body: { top_up_id: id, url: session.url, expires_at: new Date(session.expires_at * 1_000).toISOString() },
    });
    expect(stripe.requests).toHaveLength(count);
    expect(await balanceOf(brand)).toBe(0);
  });

  test('that was asked for by many at once has one page', async () => {
    const brand = await open();
    const id = await ask(brand);
    const answers = await Promise.all(Array.from({ length: 6 }, () => checkout(brand, id)));
    expect(new Set(answers.map(answer => answer.body['url'])).size).toBe(1);
    expect(await api.sql`select 1 from checkouts where top_up_handle = ${parseId('top_up', id)!}`).toHaveLength(1);
  });

  test('whose page was opened just before the process died is answered with that page again', async () => {
    const brand = await open();
    const id = await ask(brand);
    await checkout(brand, id);
    // as before the second transaction
    await api.sql`update checkouts set status = 'creating', session_id = null, url = null, expires_at = null where top_up_handle = ${parseId('top_up', id)!}`;
    const before = stripe.sessions.length;
    expect((await checkout(brand, id)).body['url']).toBe(stripe.sessions.at(-1)!.url);
    expect(stripe.sessions).toHaveLength(before);
  });

  test('is booked once: however often, at once, or under another event its event comes', async () => {
    const { brand, id, session } = await openPage();
    const event = completed(session);
    const answers = await Promise.all(Array.from({ length: 8 }, () => deliver(event)));
    expect(answers.map(answer => [answer.status, answer.body['received']])).toEqual(
      Array.from({ length: 8 }, () => [200, true]),
    );
    await deliver(completed(session));
    await deliver(eventOf('checkout.session.async_payment_succeeded', paid(session)));
    expect([await balanceOf(brand), await statusOf(brand, id)]).toEqual([50, 'credited']);
    const rows = dataOf(await api.call('GET', '/v1/wallet/transactions', { key: brand.key }));
    expect(rows).toMatchObject([{ kind: 'top_up', balance_after: eur(50), refers_to: { type: 'top_up', id } }]);
    expect(dataOf(await api.call('GET', '/v1/audit?action=wallet.topped_up', { key: brand.key }))).toHaveLength(1);
    expect((await checkout(brand, id)).body['code']).toBe('state_conflict');
    expect((await cancel(brand, id)).body['code']).toBe('state_conflict');
  });

  test('is booked once by two processes, and again after one was cut off before its commit', async () => {
    const { brand, session } = await openPage();
    const event = completed(session);
    // The trigger strikes at the commit.
    await api.sql
      .unsafe(`create function cut_off() returns trigger language plpgsql as $$ begin raise exception 'cut off'; end $$;
      create constraint trigger cut_off after insert on payment_events deferrable initially deferred for each row execute function cut_off()`);
    expect((await deliver(event)).status).toBe(500);
    await api.sql.unsafe('drop function cut_off cascade');
    expect([await balanceOf(brand), await outcomeOf(event)]).toEqual([0, undefined]);
    const other = await startSecondApi(api, { payments: stripe.provider });
    await Promise.all([
      deliver(event),
      other.call('POST', '/v1/payments/stripe/events', signed(event)),
      deliver(event),
    ]);
    await other.close();
    expect([await balanceOf(brand), await outcomeOf(event)]).toEqual([50, 'booked']);
  });

  test('with another amount or currency than was asked for is not booked, and waits for the operator', async () => {
    for (const changes of [{ amount_total: 4_999 }, { amount_total: 500_000 }, { currency: 'usd' }]) {
      const { brand, id, session } = await openPage();
      const event = completed(session, changes);
      expect((await deliver(event)).status).toBe(200);
      expect([await balanceOf(brand), await statusOf(brand, id), await outcomeOf(event)]).toEqual([
        0,
        'pending',
        'for_the_operator',
      ]);
      const [row] = await casesOf(session);
      expect(row).toMatchObject({ kind: 'mismatch', status: 'open', object: session.id });
      await expect(bookPaymentCase(api.sql, new Date(), caseHandle(row!))).rejects.toThrow(
        'takes nothing from a wallet',
      );
      expect(
        await closePaymentCase(api.sql, new Date(), { handle: caseHandle(row!), note: 'paid back by hand' }),
      ).toMatchObject({ status: 'closed' });
    }
  });

  test.each([
    ['another secret', { secret: 'whsec_other' }],
    ['a time that is over five minutes old', { atMs: Date.now() - 301_000 }],
  ])('by an event with a signature of %s is refused and books nothing', async (_name, options) => {
    const { brand, session } = await openPage();
    const event = completed(session);
    expect(await deliver(event, options)).toMatchObject({ status: 400, body: { code: 'bad_signature' } });
    expect([await balanceOf(brand), await outcomeOf(event)]).toEqual([0, undefined]);
  });

  test('by an event whose body was changed, or that is not signed, is refused', async () => {
    const { brand, session } = await openPage();
    const { payload, headers } = signed(completed(session), { atMs: api.clock.now() });
    for (const sent of [
      { payload: payload.replace('5000', '9000'), headers },
      { payload: `${payload} `, headers },
      { payload, headers: { 'content-type': 'application/json' } },
      { payload, headers: { ...headers, 'stripe-signature': 't=1,v1=00' } },
    ]) {
      expect(await api.call('POST', '/v1/payments/stripe/events', sent)).toMatchObject({
        status: 400,
        body: { code: 'bad_signature' },
      });
    }
    expect(
      (await api.call('POST', '/v1/payments/stripe/events', { payload: 'x'.repeat(129 * 1024), headers })).status,
    ).toBe(413);
    expect(await balanceOf(brand)).toBe(0);
  });

  test('that is on its way is booked when it has come, and one that failed makes room for another page', async () => {
    const { brand, session } = await openPage();
    await deliver(eventOf('checkout.session.completed', paid(session, { payment_status: 'unpaid' })));
    expect(await balanceOf(brand)).toBe(0);
    await deliver(eventOf('checkout.session.async_payment_succeeded', paid(session)));
    expect(await balanceOf(brand)).toBe(50);
    const second = await openPage();
    await deliver(eventOf('checkout.session.async_payment_failed', paid(second.session, { payment_status: 'unpaid' })));
    expect((await checkout(second.brand, second.id)).body['url']).not.toBe(second.session.url);
  });

  test('that comes late, after its page was said to have ended, is booked all the same, and no end follows a payment', async () => {
    const { brand, id, session } = await openPage();
    await deliver(eventOf('checkout.session.expired', { ...session, status: 'expired' }));
    await deliver(completed(session));
    expect(await balanceOf(brand)).toBe(50);
    await deliver(eventOf('checkout.session.expired', { ...session, status: 'expired' }));
    expect([await balanceOf(brand), await statusOf(brand, id)]).toEqual([50, 'credited']);
  });

  test('that nobody here asked for is answered 200 and books nothing, as are events of other kinds', async () => {
    const before = (await api.sql<{ n: number }[]>`select count(*) as n from ledger_transactions`)[0]!.n;
    const stranger = completed({
      ...stripe.sessions[0]!,
      id: 'cs_stranger',
      client_reference_id: 'somebody',
      payment_intent: 'pi_stranger',
    });
    const other = eventOf('customer.created', { id: 'cus_1' });
    for (const event of [stranger, other]) expect((await deliver(event)).status).toBe(200);
    expect([await outcomeOf(stranger), await outcomeOf(other)]).toEqual(['unknown', 'nothing']);
    expect((await api.sql<{ n: number }[]>`select count(*) as n from ledger_transactions`)[0]!.n).toBe(before);
  });

  test('is not credited by what the operator books otherwise, and is for the operator where the top-up is credited already', async () => {
    const { brand, id, session } = await openPage();
    await fund(brand, 50);
    expect(await statusOf(brand, id)).toBe('pending');
    // as no command does
    await api.sql`update top_ups set credited_at = now() where handle = ${parseId('top_up', id)!}`;
    await deliver(completed(session));
    expect(await balanceOf(brand)).toBe(50);
    expect(await casesOf(session)).toMatchObject([{ kind: 'not_pending', status: 'open' }]);
  });

  describe('is cancelled', () => {
    test('with its page, on which nobody can pay any more', async () => {
      const { brand, id, session } = await openPage();
      expect((await cancel(brand, id)).status).toBe(204);
      expect([session.status, await statusOf(brand, id)]).toEqual(['expired', 'cancelled']);
      expect((await checkout(brand, id)).body['code']).toBe('state_conflict');
    });

    test('not once somebody has paid, and then it is credited', async () => {
      const { brand, id, session } = await openPage();
      session.status = 'complete';
      expect(await cancel(brand, id)).toMatchObject({
        status: 409,
        body: { code: 'state_conflict', detail: expect.stringContaining('on its way') },
      });
      await deliver(completed(session));
      expect(await statusOf(brand, id)).toBe('credited');
    });

    test('not while the provider is away, which is said', async () => {
      const { brand, id, session } = await openPage();
      stripe.failure = { status: 500, type: 'api_error', message: 'down' };
      expect(await cancel(brand, id)).toMatchObject({ status: 503, body: { code: 'payment_provider_away' } });
      stripe.failure = undefined;
      expect([session.status, await statusOf(brand, id)]).toEqual(['open', 'pending']);
    });
  });

  describe('that is paid back', () => {
    test('is taken from the wallet once, in parts, whatever is repeated', async () => {
      const { brand, id, session } = await openPage();
      await deliver(completed(session));
      const event = refund(session, 2_000, `re_${session.id}`);
      await Promise.all([deliver(event), deliver(event), deliver(eventOf('refund.updated', event.data.object))]);
      await deliver(refund(session, 500, `re_2_${session.id}`, { status: 'pending' })); // not yet
      expect(await balanceOf(brand)).toBe(30);
      await deliver(eventOf('refund.updated', refund(session, 500, `re_2_${session.id}`).data.object));
      expect(await balanceOf(brand)).toBe(25);
      const rows = dataOf(await api.call('GET', '/v1/wallet/transactions?kind=top_up_refunded', { key: brand.key }));
      expect(rows).toMatchObject([
        { balance_change: eur(-5), refers_to: { type: 'top_up', id } },
        { balance_change: eur(-20), balance_after: eur(30) },
      ]);
      expect(await statusOf(brand, id)).toBe('credited');
    });

    test('before its payment was told is taken when that is', async () => {
      const { brand, session } = await openPage();
      const event = refund(session, 5_000, `re_${session.id}`);
      await deliver(event);
      expect([await outcomeOf(event), await balanceOf(brand)]).toEqual(['waiting', 0]);
      await deliver(completed(session));
      expect(await balanceOf(brand)).toBe(0);
      expect(await casesOf(session)).toMatchObject([{ kind: 'refund', status: 'booked' }]);
    });

    test('waits for the operator where the wallet does not hold it, who takes it when it does', async () => {
      const { brand, session } = await openPage();
      await deliver(completed(session));
      await api.call('POST', '/v1/campaigns', {
        key: brand.key,
        body: campaignBody(api, [await createReadyCreative(api, brand.key)], { budget: eur(45) }),
      });
      await deliver(refund(session, 5_000, `re_${session.id}`));
      expect(await balanceOf(brand)).toBe(5);
      const [row] = await casesOf(session);
      expect(row).toMatchObject({ kind: 'refund', status: 'open', amount: 50 });
      await expect(bookPaymentCase(api.sql, new Date(), caseHandle(row!))).rejects.toThrow('does not hold');
      await fund(brand, 45);
      expect(await bookPaymentCase(api.sql, new Date(), caseHandle(row!))).toMatchObject({ status: 'booked' });
      expect(await balanceOf(brand)).toBe(0);
      await expect(bookPaymentCase(api.sql, new Date(), caseHandle(row!))).rejects.toThrow('booked');
    });

    test('is never more than was paid', async () => {
      const { brand, session } = await openPage();
      await fund(brand, 500);
      await deliver(completed(session));
      await deliver(refund(session, 4_000, `re_${session.id}`));
      await deliver(refund(session, 4_000, `re_2_${session.id}`));
      expect(await balanceOf(brand)).toBe(510);
      expect((await casesOf(session)).map(row => row.status)).toEqual(['open', 'booked']);
    });
  });

  test('that is disputed waits for the operator, and is closed when the dispute is won', async () => {
    const { brand, session } = await openPage();
    await deliver(completed(session));
    const dispute = {
      id: `dp_${session.id}`,
      object: 'dispute',
      status: 'needs_response',
      payment_intent: session.payment_intent,
      amount: 5_000,
      currency: 'eur',
    };
    await deliver(eventOf('charge.dispute.created', dispute));
    expect([await balanceOf(brand), (await casesOf(session)).map(row => [row.kind, row.status])]).toEqual([
      50,
      [['dispute', 'open']],
    ]);
    await deliver(eventOf('charge.dispute.closed', { ...dispute, status: 'won' }));
    expect((await casesOf(session)).map(row => row.status)).toEqual(['closed']);
    const lost = await openPage();
    await deliver(completed(lost.session));
    await deliver(
      eventOf('charge.dispute.created', {
        ...dispute,
        id: `dp_${lost.session.id}`,
        payment_intent: lost.session.payment_intent,
      }),
    );
    await bookPaymentCase(api.sql, new Date(), caseHandle((await casesOf(lost.session))[0]!));
    expect(await balanceOf(lost.brand)).toBe(0);
  });

  test('that is disputed, and won after the operator took the money, is theirs to give back', async () => {
    const { brand, session } = await openPage();
    await deliver(completed(session));
    const { payment_intent: payment } = session;
    const dispute = { id: `dp_${session.id}`, status: 'lost', payment_intent: payment, amount: 5_000, currency: 'eur' };
    await deliver(eventOf('charge.dispute.created', dispute));
    await bookPaymentCase(api.sql, new Date(), caseHandle((await casesOf(session))[0]!));
    const won = eventOf('charge.dispute.closed', { ...dispute, status: 'won' });
    await deliver(won);
    expect(await outcomeOf(won)).toBe('for_the_operator');
    const again = eventOf('charge.dispute.closed', { ...dispute, status: 'won' });
    await deliver(again);
    expect(await outcomeOf(again)).toBe('booked_before');
    expect(await casesOf(session)).toMatchObject([
      { kind: 'dispute_won', status: 'open', amount: 50 },
      { kind: 'dispute', status: 'booked' },
    ]);
    expect(await balanceOf(brand)).toBe(0);
  });

  test('that is disputed, and won before the event of its beginning arrives, leaves one closed case', async () => {
    const { brand, session } = await openPage();
    await deliver(completed(session));
    const { payment_intent: payment } = session;
    const dispute = { id: `dp_${session.id}`, status: 'won', payment_intent: payment, amount: 5_000, currency: 'eur' };
    const events = [
      eventOf('charge.dispute.closed', dispute),
      eventOf('charge.dispute.closed', dispute),
      eventOf('charge.dispute.created', { ...dispute, status: 'needs_response' }),
    ];
    for (const event of events) await deliver(event);
    expect(await Promise.all(events.map(outcomeOf))).toEqual(['ended', 'booked_before', 'booked_before']);
    expect(await casesOf(session)).toMatchObject([{ kind: 'dispute', status: 'closed', note: 'The dispute was won.' }]);
    expect(await balanceOf(brand)).toBe(50);
  });

  test.each(['before', 'after'])('that did not match takes nothing when it is paid back, told %s it', async order => {
    const { brand, session } = await openPage();
    const paidBack = refund(session, 4_900, `re_${session.id}`);
    const mismatch = completed(session, { amount_total: 4_900 });
    for (const event of order === 'before' ? [paidBack, mismatch] : [mismatch, paidBack]) await deliver(event);
    await fund(brand, 100);
    const cases = (await casesOf(session)).sort((one, other) => one.kind.localeCompare(other.kind));
    expect(cases).toMatchObject([
      { kind: 'mismatch', status: 'open', amount: 49 },
      { kind: 'refund', status: 'closed', amount: 49 },
    ]);
    expect(await balanceOf(brand)).toBe(100);
  });

  test.each<[string, object, string]>([
    ['no address to come back to', {}, '/success_url'],
    ['an address of another kind', { success_url: 'javascript:alert(1)' }, '/success_url'],
    ['no address', { success_url: 'here' }, '/success_url'],
    ['a wrong second one', { success_url: 'https://a.example', cancel_url: 'file:///etc/passwd' }, '/cancel_url'],
    ['an unknown field', { ...URLS, amount: 1 }, '/amount'],
  ])('with %s is refused by the field', async (_name, body, pointer) => {
    const brand = await open();
    expect(await checkout(brand, await ask(brand), body)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer }] },
    });
  });

  test('that the provider refuses, or cannot take now, is said so and may be tried again', async () => {
    const brand = await open();
    const id = await ask(brand);
    stripe.failure = { status: 400, type: 'invalid_request_error', message: 'The amount is too small.' };
    expect(await checkout(brand, id)).toMatchObject({
      status: 422,
      body: { code: 'payment_refused', detail: 'The amount is too small.' },
    });
    stripe.failure = { status: 500, type: 'api_error', message: 'down' };
    expect(await checkout(brand, id)).toMatchObject({ status: 503, body: { code: 'payment_provider_away' } });
    stripe.failure = undefined;
    expect((await checkout(brand, id)).status).toBe(201);
  });

  test('of another workspace, of play money, or by whoever may not pay is refused', async () => {
    const { brand, id } = await openPage();
    expect((await checkout(await open(), id)).status).toBe(404);
    const sandbox = { key: await createKey(api, brand, { mode: 'test' }) };
    expect((await checkout(sandbox, await ask(sandbox))).body['code']).toBe('state_conflict');
    const manager = await createWorkspace(api, { role: 'manager' });
    expect((await checkout({ key: await createKey(api, manager) }, id)).body['code']).toBe('role_forbidden');
  });

  test('is refused where no provider is set up, and so are events', async () => {
    const without = await startSecondApi(api);
    const brand = await open();
    const id = await ask(brand);
    expect(
      await without.call('POST', `/v1/wallet/top-ups/${id}/checkout`, { key: brand.key, body: URLS }),
    ).toMatchObject({
      status: 409,
      body: { code: 'payments_off', detail: expect.stringContaining('STRIPE_SECRET_KEY') },
    });
    expect(
      (await without.call('POST', '/v1/payments/stripe/events', signed(eventOf('customer.created', {})))).body['code'],
    ).toBe('payments_off');
    await without.close();
  });

  test('is booked once also when its event comes again after 90 days, when events are forgotten', async () => {
    const { brand, session } = await openPage();
    const [event, orphan] = [
      completed(session),
      refund({ ...session, payment_intent: 'pi_of_another_shop' }, 100, `re_${session.id}`),
    ];
    for (const each of [event, orphan]) await deliver(each);
    const later = { ...api.workers, now: () => new Date(api.clock.now() + 91 * 86_400_000) };
    while ((await forgetPayments(later.sql, later.now())) > 0);
    expect([await outcomeOf(event), await api.sql`select 1 from payment_cases where status = 'waiting'`]).toEqual([
      undefined,
      [],
    ]);
    await deliver(event);
    expect([await balanceOf(brand), await outcomeOf(event)]).toEqual([50, 'booked_before']);
  });

  test('leaves a ledger that balances', async () => {
    expect(await checkLedger(api.sql)).toEqual([]);
  });
});
