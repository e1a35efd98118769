/**
 * A brand's dashboard and a venue's back office can be built on the interface alone. The operator approves both
 * workspaces and does nothing else; all the rest is called with a key of the brand or of the venue. The API, ingest and
 * the jobs run in this process on real engines, with a stand-in for the payment provider.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approveWorkspace } from '../../../../cli/admin/accounts/workspaces.ts';
import { parseId, type Handle } from '../../../../domain/id.ts';
import { handBudgets } from '../../../../workers/budgets/hand-budgets.ts';
import {
  campaignBody,
  createReadyCreative,
  dataOf,
  dateFromNow,
  startApi,
  VENUE,
  type Answer,
  type Loose,
  type TestApi,
} from '../../support/app-under-test.ts';
import { startWorld, type Bar, type Spot, type World } from '../../support/played.ts';
import { eventOf, signed, startStandIn, type StandIn } from '../../support/stripe-stand-in.ts';
import { rowsOf } from '../../support/answer.ts';

let api: TestApi;
let stripe: StandIn;
let world: World;

beforeAll(async () => {
  stripe = await startStandIn();
  api = await startApi({ payments: stripe.provider, signUpKinds: new Set(['brand', 'venue']) });
  world = await startWorld(api);
}, 60_000);
afterAll(async () => {
  await world.close();
  await api.close();
  await stripe.close();
});

const ok = (answer: Answer): Loose => {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.raw.toString()}`);
  return answer.body;
};
/** A caller with one key. */
const as = (key: string) => ({
  read: async (path: string) => ok(await api.call('GET', path, { key })),
  list: async (path: string) => dataOf(await api.call('GET', path, { key })),
  send: async (method: string, path: string, body?: object) =>
    ok(await api.call(method, path, { key, ...(body && { body }) })),
});

async function signUp(kind: 'brand' | 'venue', name: string): Promise<{ key: string; workspace: Handle<'workspace'> }> {
  const made = ok(
    await api.call('POST', '/v1/sign-up', {
      body: { kind, workspace_name: name, currency: 'EUR', email: `${kind}@example.com` },
    }),
  );
  const workspace = parseId('workspace', made['workspace']!['id']!)!;
  await approveWorkspace(api.sql, new Date(api.clock.now()), workspace);
  return { key: made['key']!['key']!, workspace };
}

/** A wallet that was filled over the provider's page. */
async function pay(key: string, amount: number): Promise<void> {
  const brand = as(key);
  const { id } = (await brand.send('POST', '/v1/wallet/top-ups', { amount: { amount, currency: 'EUR' } }))['top_up']!;
  const { url } = await brand.send('POST', `/v1/wallet/top-ups/${id}/checkout`, {
    success_url: 'https://brand.example.com/paid',
    cancel_url: 'https://brand.example.com/wallet',
  });
  const session = stripe.sessions.find(one => one.url === String(url))!;
  ok(
    await api.call(
      'POST',
      '/v1/payments/stripe/events',
      signed(eventOf('checkout.session.completed', { ...session, status: 'complete', payment_status: 'paid' }), {
        atMs: api.clock.now(),
      }),
    ),
  );
}

/** A venue with a paired screen, as its owner sets it up. */
async function openBar({ key, workspace }: { key: string; workspace: Handle<'workspace'> }): Promise<Bar> {
  const owner = as(key);
  const venue = String(
    (await owner.send('POST', '/v1/venues', { ...VENUE, visibility: { coordinates: 'exact' } }))['id'],
  );
  const code = (await owner.send('POST', '/v1/pairing', { venue_id: venue }))['code']!;
  const device = ok(
    await api.call('POST', `/v1/pairing/${code}/confirm`, { body: { platform: 'browser', player: 'test/1' } }),
  );
  return {
    owner: workspace,
    key,
    venue: parseId('venue', venue)!,
    screens: [parseId('screen', device['screen_id']!)!],
  };
}

/** A campaign that was found, forecast and booked, and is live. */
async function book({ key, workspace }: { key: string; workspace: number }): Promise<Spot> {
  const brand = as(key);
  const [place] = await brand.list(`/v1/inventory?start=${dateFromNow(api, 0)}&end=${dateFromNow(api, 6)}&city=Berlin`);
  expect(place).toMatchObject({ name: VENUE.name, city: 'Berlin', type: VENUE.type });
  const creative = await createReadyCreative(api, key);
  const body = campaignBody(api, [creative], { budget: { amount: 400, currency: 'EUR' } });
  const forecast = await brand.send('POST', '/v1/forecasts', {
    budget: body['budget'],
    venue_types: [VENUE.type],
    cities: ['Berlin'],
    schedule: body['schedule'],
  });
  expect(Number(forecast['impressions_high'])).toBeGreaterThan(0);
  const id = String((await brand.send('POST', '/v1/campaigns', body))['id']);
  await api.review();
  const campaign = parseId('campaign', id)!;
  await api.authority.wantHand(campaign, 400_000_000);
  await handBudgets(api.workers);
  return { workspace, key, id, campaign, creative: parseId('creative', creative)! };
}

test('a brand and a venue do and see all of theirs without the operator, who approves them', async () => {
  const [brand, venue] = [await signUp('brand', 'Lemonade'), await signUp('venue', 'Corner bars')];
  const bar = await openBar(venue);
  await pay(brand.key, 500);
  const spot = await book(brand);
  await world.play(spot, { bar, startsAt: api.clock.now() - 3_600_000, plays: 6 });
  await world.settle();

  const buyer = as(brand.key);
  expect(await buyer.read('/v1/me')).toMatchObject({ workspace: { name: 'Lemonade' }, role: 'owner' });
  expect(await buyer.read('/v1/campaigns?status=live&count=true&sort=name')).toMatchObject({
    total: 1,
    data: [{ id: spot.id, status: 'live' }],
  });
  const report = await buyer.read(`/v1/reporting/campaigns/${spot.id}?group_by=venue`);
  expect(report).toMatchObject({ totals: { plays: 6, screens: 1 }, groups: [{ name: VENUE.name, plays: 6 }] });
  expect((await buyer.list(`/v1/campaigns/${spot.id}/places`))[0]).toMatchObject({
    name: VENUE.name,
    city: 'Berlin',
    coordinates: { lat: VENUE.lat, lng: VENUE.lng },
  });
  expect((await buyer.list('/v1/wallet/transactions')).map(row => row['kind'])).toEqual(
    expect.arrayContaining(['top_up', 'reserve', 'charge']),
  );
  expect(
    (await buyer.send('POST', '/v1/invitations', { email: 'colleague@example.com', role: 'viewer' }))['token'],
  ).toBeDefined();

  const owner = as(venue.key);
  expect((await owner.list('/v1/screens'))[0]).toMatchObject({ venue_id: expect.any(String) });
  const range = `from=${dateFromNow(api, -1)}&to=${dateFromNow(api, 1)}`;
  const [earned] = rowsOf<{ plays: number; earnings: { value: number } }>(
    (await owner.read(`/v1/payouts/earnings?${range}&group_by=screen`))['data'],
  );
  expect(earned).toMatchObject({ plays: 6 });
  expect(earned!.earnings.value).toBeGreaterThan(0);
  expect(await owner.list(`/v1/payouts/earnings/plays?${range}`)).toHaveLength(6);
  expect(
    await owner.send('PUT', '/v1/payouts/account', { holder: 'Corner bars', iban: 'DE89370400440532013000' }),
  ).toMatchObject({ iban_masked: 'DE****************3000' });
  expect(await owner.read(`/v1/payouts/statements/${dateFromNow(api, 0).slice(0, 7)}`)).toMatchObject({
    month: dateFromNow(api, 0).slice(0, 7),
  });
});
