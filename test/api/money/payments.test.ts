/**
 * Payments at their edges: events of the provider in another shape, pages of top-ups that are canceled while they are
 * opened, and bounds under parallel calls. On real engines; the provider is a stand-in that the real library talks to.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { showCases } from '../../../cli/admin/money/payments.ts';
import { parseId, type Handle } from '../../../domain/id.ts';
import { createKey, createWorkspace, startApi, type Answer, type TestApi } from '../support/app-under-test.ts';
import { startSecondApi } from '../support/second-app.ts';
import { eventOf, signed, startStandIn, type Event, type StandIn } from '../support/stripe-stand-in.ts';

let api: TestApi;
let stripe: StandIn;

beforeAll(async () => {
  stripe = await startStandIn();
  api = await startApi({ payments: stripe.provider });
});
afterAll(async () => {
  await api.close();
  await stripe.close();
});

type Brand = { handle: Handle<'workspace'>; key: string };
const URLS = { success_url: 'https://example.com/paid' };
const open = async (): Promise<Brand> => {
  const workspace = await createWorkspace(api, { funds: 0 });
  return { handle: workspace.handle, key: await createKey(api, workspace) };
};
const askFor = ({ key }: Brand) =>
  api.call('POST', '/v1/wallet/top-ups', { key, body: { amount: { amount: 50, currency: 'EUR' } } });
const ask = async (brand: Brand) => String((await askFor(brand)).body['top_up']!['id']);
const checkout = ({ key }: Brand, id: string, by: Pick<TestApi, 'call'> = api) =>
  by.call('POST', `/v1/wallet/top-ups/${id}/checkout`, { key, body: URLS });
const cancel = ({ key }: Brand, id: string) => api.call('DELETE', `/v1/wallet/top-ups/${id}`, { key });
const deliver = (event: Event): Promise<Answer> =>
  api.call('POST', '/v1/payments/stripe/events', signed(event, { atMs: api.clock.now() }));
const outcomeOf = async ({ id }: Event) =>
  (await api.sql<{ outcome: string }[]>`select outcome from payment_events where event_id = ${id}`)[0]?.outcome;
const told = ({ status, body }: Answer) => `${status} ${body?.['code'] ?? ''}`.trim();

describe('a signed event of another shape is acknowledged and written down for the operator:', () => {
  const session = {
    id: 'cs_other',
    payment_status: 'paid',
    client_reference_id: 'a',
    payment_intent: 'pi_other',
    amount_total: 5_000,
    currency: 'eur',
  };
  const refund = { id: 're_other', status: 'succeeded', payment_intent: 'pi_other', amount: 1, currency: 'eur' };
  test.each<[string, string, Record<string, unknown>]>([
    ['a session without an id', 'checkout.session.completed', { ...session, id: undefined }],
    ['a paid session without an amount', 'checkout.session.completed', { ...session, amount_total: null }],
    ['a paid session without a currency', 'checkout.session.completed', { ...session, currency: null }],
    ['an amount that is text', 'checkout.session.completed', { ...session, amount_total: '5000' }],
    ['an amount below nothing', 'checkout.session.completed', { ...session, amount_total: -1 }],
    ['an amount that is not counted exactly', 'checkout.session.completed', { ...session, amount_total: 2 ** 52 }],
    ['a currency of four letters', 'checkout.session.completed', { ...session, currency: 'euro' }],
    ['a reference with a NUL', 'checkout.session.completed', { ...session, client_reference_id: 'a\u0000' }],
    ['a payment that is a list', 'checkout.session.completed', { ...session, payment_intent: [] }],
    ['an ended session that is empty', 'checkout.session.expired', {}],
    ['a refund without an amount', 'refund.created', { ...refund, amount: undefined }],
    ['a refund of a currency that is none', 'refund.updated', { ...refund, currency: '' }],
    ['a dispute without an id', 'charge.dispute.created', { ...refund, id: undefined }],
    ['a closed dispute without a status', 'charge.dispute.closed', { id: 'dp_other' }],
  ])('%s', async (_what, type, object) => {
    const event = eventOf(type, object);
    expect([(await deliver(event)).status, (await deliver(event)).status]).toEqual([200, 200]);
    expect(await outcomeOf(event)).toBe('unreadable');
    expect((await showCases(api.sql, {}))['unreadable_events']).toContainEqual(
      expect.objectContaining({ event: event.id, type }),
    );
  });

  test.each<[string, object]>([
    ['without an id', { id: undefined }],
    ['with an id that is a number', { id: 7 }],
    ['without data', { data: undefined }],
    ['without an object', { data: {} }],
    ['without a type', { type: undefined }],
  ])('an event %s', async (_what, changes) => {
    const before = await api.sql`select 1 from payment_events where type = 'unreadable'`;
    const event = { ...eventOf('customer.created', { id: randomUUID() }), ...changes } as Event;
    expect((await deliver(event)).status).toBe(200);
    expect(await api.sql`select 1 from payment_events where type = 'unreadable'`).toHaveLength(before.length + 1);
  });

  test('a payment that belongs to another page goes to the operator', async () => {
    const [first, second] = [await open(), await open()];
    const ids = [await ask(first), await ask(second)];
    await checkout(first, ids[0]!);
    await checkout(second, ids[1]!);
    const [one, other] = stripe.sessions.slice(-2);
    const paid = { status: 'complete', payment_status: 'paid', payment_intent: one!.payment_intent };
    await deliver(eventOf('checkout.session.completed', { ...one!, ...paid }));
    const event = eventOf('checkout.session.completed', { ...other!, ...paid });
    expect((await deliver(event)).status).toBe(200);
    expect(await outcomeOf(event)).toBe('for_the_operator');
  });
});

test('a refund is taken from the wallet, however much all workspaces have paid in', async () => {
  const brand = await open();
  await checkout(brand, await ask(brand));
  const session = stripe.sessions.at(-1)!;
  const paid = eventOf('checkout.session.completed', { ...session, status: 'complete', payment_status: 'paid' });
  await deliver(paid);
  expect(await outcomeOf(paid)).toBe('booked');
  const funding = 'funding:live:EUR:0:0';
  await api.sql`update ledger_accounts set balance_micros = balance_micros - ${2 ** 53}::bigint where name = ${funding}`;
  const refund = eventOf('refund.created', {
    id: `re_${randomUUID()}`,
    status: 'succeeded',
    payment_intent: session.payment_intent,
    amount: 5_000,
    currency: 'eur',
  });
  expect((await deliver(refund)).status).toBe(200);
  expect(await outcomeOf(refund)).toBe('refunded');
  await api.sql`update ledger_accounts set balance_micros = balance_micros + ${2 ** 53}::bigint where name = ${funding}`;
});

describe('a top-up that is canceled while its page is being created', () => {
  test('leaves no page that accepts a payment', async () => {
    const brand = await open();
    const id = await ask(brand);
    let answer = (): void => undefined;
    const gate = new Promise<void>(resolve => (answer = resolve));
    let arrive = (): void => undefined;
    const arrived = new Promise<void>(resolve => (arrive = resolve));
    const slow = await startSecondApi(api, {
      payments: {
        ...stripe.provider,
        openCheckout: async request => {
          arrive();
          await gate;
          return stripe.provider.openCheckout(request);
        },
      },
    });
    const opening = checkout(brand, id, slow);
    await arrived;
    const count = stripe.sessions.length;
    expect(told(await cancel(brand, id))).toBe('204');
    answer();
    expect(told(await opening)).toBe('409 state_conflict');
    expect(stripe.sessions.slice(count).map(session => session.status)).toEqual(['expired']);
    await slow.close();
  });

  test('is canceled even if the provider does not create the page', async () => {
    const brand = await open();
    const id = await ask(brand);
    await checkout(brand, id);
    await api.sql`update checkouts set status = 'creating', reference = ${randomUUID()}, session_id = null, url = null,
      expires_at = null where top_up_handle = ${parseId('top_up', id)!}`;
    stripe.failure = { status: 400, type: 'invalid_request_error', message: 'No.' };
    expect(told(await cancel(brand, id))).toBe('204');
    stripe.failure = undefined;
  });
});

describe('a limit holds for simultaneous calls:', () => {
  const count = (answers: readonly Answer[]) => answers.filter(answer => answer.status === 201).length;

  test('20 pending top-ups', async () => {
    const brand = await open();
    expect(count(await Promise.all(Array.from({ length: 40 }, () => askFor(brand))))).toBe(20);
  });

  test('100 pending exports of an audit log', async () => {
    const workspace = await createWorkspace(api);
    const key = await createKey(api, workspace);
    await api.sql`
      insert into audit_exports (workspace_handle, sandbox, destination, from_at, to_at, run_at, created_at)
      select ${workspace.handle}, false, '{"type": "signed_url"}', now(), now(), now(), now() from generate_series(1, 98)`;
    const body = { destination: { type: 'signed_url' } };
    const answers = Array.from({ length: 8 }, () => api.call('POST', '/v1/audit/export', { key, body }));
    expect((await Promise.all(answers)).filter(answer => answer.status === 202)).toHaveLength(2);
  });

  test('10,000 clients of an agency', async () => {
    const agency = await createWorkspace(api, { kind: 'agency' });
    const key = await createKey(api, agency, { surface: 'agency' });
    await api.sql`
      insert into workspaces (kind, name, currency, parent_handle, created_at)
      select 'brand', 'Full', 'EUR', ${agency.handle}, now() from generate_series(1, 9998)`;
    const body = { name: 'Client', billing_model: 'pass-through', currency: 'EUR' };
    const create = () => api.call('POST', '/v1/agency/clients', { key, body });
    expect(count(await Promise.all(Array.from({ length: 8 }, create)))).toBe(2);
  });
});
