import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fundWallet } from '../../cli/operator.ts';
import { checkLedger } from '../../sql/ledger-check.ts';
import { campaignBody, createKey, createReadyCreative, createWorkspace, dataOf, startApi, type Answer, type TestApi, type TestWorkspace } from './app-under-test.ts';
import { PRICE, startWorld, type Spot, type World } from './played.ts';

/** Money in: what was asked for, what came, and all that was booked on a wallet. */
let api: TestApi;
let world: World;

beforeAll(async () => {
  api = await startApi();
  world = await startWorld(api);
}, 60_000);
afterAll(async () => {
  await world.close();
  await api.close();
});

type Brand = TestWorkspace & { key: string };
const eur = (amount: number) => ({ amount, currency: 'EUR' });
const open = async (funds = 0): Promise<Brand> => {
  const workspace = await createWorkspace(api, { funds });
  return { ...workspace, key: await createKey(api, workspace) };
};
const ask = async ({ key }: { key: string }, amount = 50): Promise<string> => String((await api.call('POST', '/v1/wallet/top-ups', { key, body: { amount: eur(amount) } })).body['top_up']!['id']);
const cancel = ({ key }: { key: string }, id: string): Promise<Answer> => api.call('DELETE', `/v1/wallet/top-ups/${id}`, { key });
const fund = ({ handle }: { handle: number }, units: number) => fundWallet(api.sql, new Date(api.clock.now()), { workspace: handle, amountMicros: units * 1_000_000, book: 'live' });
const statusOf = async ({ key }: { key: string }, id: string) => (await api.call('GET', `/v1/wallet/top-ups/${id}`, { key })).body['status'];
const balanceOf = async ({ key }: { key: string }) => Number((await api.call('GET', '/v1/wallet', { key })).body['balance']!['amount']);

describe('a top-up', () => {
  test('that waits is called off once, and what the operator books later credits it no more', async () => {
    const brand = await open();
    const [first, second] = [await ask(brand), await ask(brand, 30)];
    expect((await cancel(brand, first)).status).toBe(204);
    expect((await cancel(brand, first)).status).toBe(204);
    expect(await statusOf(brand, first)).toBe('cancelled');
    expect((await api.call('GET', '/v1/wallet', { key: brand.key })).body['pending_top_ups']).toMatchObject([{ id: second }]);
    await fund(brand, 80);
    expect([await statusOf(brand, first), await statusOf(brand, second)]).toEqual(['cancelled', 'credited']);
    const entries = dataOf(await api.call('GET', '/v1/audit?action=wallet.top_up_cancelled', { key: brand.key }));
    expect(entries).toMatchObject([{ entity: { type: 'top_up', id: first }, diff: { status: { from: 'pending', to: 'cancelled' } } }]);
  });

  test('that was credited cannot be called off, nor one of play money, which comes at once', async () => {
    const brand = await open();
    const id = await ask(brand);
    await fund(brand, 50);
    expect(await cancel(brand, id)).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    const sandbox = { key: await createKey(api, brand, { mode: 'test' }) };
    expect((await cancel(sandbox, await ask(sandbox))).status).toBe(409);
    expect(await balanceOf(brand)).toBe(50);
  });

  test('makes room for another one when it was called off', async () => {
    const brand = await open();
    const ids: string[] = [];
    for (let count = 0; count < 20; count += 1) ids.push(await ask(brand));
    expect((await api.call('POST', '/v1/wallet/top-ups', { key: brand.key, body: { amount: eur(5) } })).body['code']).toBe('state_conflict');
    await cancel(brand, ids[7]!);
    expect((await api.call('POST', '/v1/wallet/top-ups', { key: brand.key, body: { amount: eur(5) } })).status).toBe(201);
  });

  test('is listed by its state, newest first and page by page, and is absent for others', async () => {
    const brand = await open();
    const ids = [await ask(brand), await ask(brand), await ask(brand)];
    await cancel(brand, ids[0]!);
    const list = async (query = '') => dataOf(await api.call('GET', `/v1/wallet/top-ups?${query}`, { key: brand.key })).map(row => row['id']);
    expect(await list()).toEqual([ids[2], ids[1], ids[0]]);
    expect([await list('status=pending'), await list('status=cancelled'), await list('status=credited')]).toEqual([[ids[2], ids[1]], [ids[0]], []]);
    const page = await api.call('GET', '/v1/wallet/top-ups?limit=2', { key: brand.key });
    expect(await list(`limit=2&cursor=${page.body['next_cursor']}`)).toEqual([ids[0]]);
    const [other, venues] = [await open(), await createKey(api, brand, { surface: 'screen_manager' })];
    for (const method of ['GET', 'DELETE']) expect((await api.call(method, `/v1/wallet/top-ups/${ids[2]}`, { key: other.key })).status).toBe(404);
    expect((await api.call('GET', '/v1/wallet/top-ups', { key: venues })).body['code']).toBe('wrong_surface');
    const viewer = await createKey(api, await createWorkspace(api, { role: 'viewer' }));
    expect((await api.call('DELETE', `/v1/wallet/top-ups/${ids[2]}`, { key: viewer })).body['code']).toBe('role_forbidden');
  });
});

describe('GET /v1/wallet/transactions', () => {
  type Transaction = { id: string; kind: string; at: string; balance_change: { amount: number }; reserved_change: { amount: number }; balance_after: { amount: number } | null; refers_to: { type: string; id: string } | null };
  const list = async ({ key }: { key: string }, query = '') => dataOf(await api.call('GET', `/v1/wallet/transactions?limit=100${query}`, { key })) as unknown as Transaction[];
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
    const campaign = { type: 'campaign', id: spot.id };
    expect(rows.map(row => [row.kind, row.refers_to])).toEqual([['refund', campaign], ['credit', campaign], ['charge', campaign], ['charge', campaign], ['reserve', campaign], ['top_up', null]]);
    expect(rows.filter(row => row.kind === 'charge').map(row => [row.balance_change.amount, micros(row.reserved_change.amount), row.balance_after])).toEqual([[0, -2 * PRICE, null], [0, -3 * PRICE, null]]);
    expect(rows.find(row => row.kind === 'credit')).toMatchObject({ balance_change: eur((2 * PRICE) / 1_000_000), reserved_change: eur(0) });
    let balance = 0;
    for (const row of rows.toReversed().filter(({ kind }) => kind !== 'charge')) {
      balance += micros(row.balance_change.amount);
      expect(micros(row.balance_after!.amount)).toBe(balance);
    }
    const wallet = (await api.call('GET', '/v1/wallet', { key: spot.key })).body;
    expect(balance).toBe(micros(Number(wallet['balance']!['amount'])));
    expect(rows.reduce((sum, row) => sum + micros(row.reserved_change.amount), 0)).toBe(micros(Number(wallet['reserved']!['amount'])));
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
      paged.push(...(body['data'] as unknown as Transaction[]).map(row => row.id));
      cursor = body['has_more'] as unknown === true ? `&cursor=${body['next_cursor']}` : '';
    } while (cursor !== '');
    expect(paged).toEqual(all.map(row => row.id));
  });

  test('names the top-up of play money and the other side of a transfer', async () => {
    const brand = await open();
    const sandbox = { key: await createKey(api, brand, { mode: 'test' }) };
    const id = await ask(sandbox, 40);
    expect(await list(sandbox)).toMatchObject([{ kind: 'top_up', balance_after: eur(40), refers_to: { type: 'top_up', id } }]);
    expect(await list(brand)).toEqual([]);
    const agency = await createWorkspace(api, { kind: 'agency', funds: 100 });
    const key = await createKey(api, agency, { surface: 'agency' });
    const client = (await api.call('POST', '/v1/agency/clients', { key, body: { name: 'Client', billing_model: 'pass-through', currency: 'EUR' } })).body['id']!;
    await api.call('POST', `/v1/agency/clients/${client}/transfers`, { key, body: { amount: eur(15), direction: 'to_client' } });
    expect(await list({ key })).toMatchObject([{ kind: 'transfer', balance_change: { amount: -15 }, balance_after: eur(85), refers_to: { type: 'workspace', id: client } }, { kind: 'top_up' }]);
    const seen = dataOf(await api.call('GET', '/v1/wallet/transactions', { key, headers: { 'x-workspace-id': client } }));
    expect(seen).toMatchObject([{ kind: 'transfer', balance_change: { amount: 15 }, balance_after: eur(15) }]);
  });

  test('says true balances though many book at once', async () => {
    const brand = await open(1_000);
    const creative = await createReadyCreative(api, brand.key);
    await Promise.all(Array.from({ length: 12 }, (_, index) => (index % 3 === 0
      ? fund(brand, 7)
      : api.call('POST', '/v1/campaigns', { key: brand.key, body: campaignBody(api, [creative], { budget: eur(10 + index) }) }))));
    const rows = (await list(brand)).toReversed();
    expect(rows).toHaveLength(13);
    let balance = 0;
    for (const row of rows) expect(micros(row.balance_after!.amount)).toBe(balance += micros(row.balance_change.amount));
    expect(balance).toBe(micros(await balanceOf(brand)));
    expect(await checkLedger(api.sql)).toEqual([]);
  });

  test.each([
    ['kind=payout', 'bad_query_parameter'], ['from=2026-02-30T25:00Z', 'bad_query_parameter'], ['from=2026-03-02&to=2026-03-01', 'bad_query_parameter'], ['cursor=x', 'bad_cursor'], ['campaign=cmp_x', 'unknown_query_parameter'],
  ])('refuses %s with %s', async (query, code) => {
    expect(await api.call('GET', `/v1/wallet/transactions?${query}`, { key: spot.key })).toMatchObject({ status: 400, body: { code } });
  });

  test('of another workspace are not shown', async () => {
    expect(await list(await open())).toEqual([]);
  });
});
