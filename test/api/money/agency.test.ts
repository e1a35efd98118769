/**
 * Agencies and their clients: making and changing clients, moving money between wallets, acting on a client, and
 * reports that add up to the ledger. Driven by calls to the API in this process on real engines.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId, parseId, type Handle } from '../../../domain/id.ts';
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
} from '../support/app-under-test.ts';
import { eventually } from '../../support/network.ts';
import { errorsOf } from '../support/answer.ts';
import { startSecondApi } from '../support/second-app.ts';

let api: TestApi;
let agency: TestWorkspace;
let key: string;
let agencyId: string;

beforeAll(async () => {
  api = await startApi();
  agency = await createWorkspace(api, { kind: 'agency', funds: 1_000 });
  agencyId = formatId('workspace', agency.handle);
  key = await createKey(api, agency, { surface: 'agency' });
});
afterAll(() => api.close());

const create = (fields: object = {}, as = key): Promise<Answer> =>
  api.call('POST', '/v1/agency/clients', {
    key: as,
    body: { name: 'A client', billing_model: 'pass-through', currency: 'EUR', ...fields },
  });
const change = (id: string, body: object, as = key): Promise<Answer> =>
  api.call('PATCH', `/v1/agency/clients/${id}`, { key: as, body });
const move = (id: string, amount: number, direction: string, currency = 'EUR'): Promise<Answer> =>
  api.call('POST', `/v1/agency/clients/${id}/transfers`, { key, body: { amount: { amount, currency }, direction } });
const asClient = (id: string) => ({ key, headers: { 'x-workspace-id': id } });
const idOf = async (fields: object = {}): Promise<string> => (await create(fields)).body['id']!;

describe('POST /v1/agency/clients', () => {
  test("creates a client with an empty wallet, the agency's settings and the caller as owner", async () => {
    const made = await create({ name: 'Blue Train' });
    expect(made).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^ws_/),
        name: 'Blue Train',
        currency: 'EUR',
        wallet: { balance: { amount: 0, currency: 'EUR' } },
        mtd_spend: { amount: 0, currency: 'EUR' },
        discount_tier: 0,
        billing_model: 'pass-through',
        branding: null,
        approval: 'none',
        audit_retention_years: 2,
        inherited: ['branding', 'approval', 'audit_retention_years'],
        case_study: false,
        seats: [{ email: 'someone@example.com', role: 'owner' }],
      },
    });
    expect(dataOf(await api.call('GET', '/v1/audit?action=client.created&limit=1', { key }))).toMatchObject([
      { entity: { type: 'workspace', id: made.body['id'] } },
    ]);
    expect(dataOf(await api.call('GET', '/v1/audit', asClient(made.body['id']!)))).toMatchObject([
      { action: 'workspace.created' },
    ]);
  });

  test.each([
    ['an unknown currency', { currency: 'XXX' }, '/currency'],
    ['an unknown billing model', { billing_model: 'barter' }, '/billing_model'],
    ['no name', { name: '  ' }, '/name'],
    ['a name with control characters', { name: 'a\u0000b' }, '/name'],
    ['an unknown field', { wallet: 5 }, '/wallet'],
  ])('refuses %s', async (_name, fields, pointer) => {
    expect(await create(fields)).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
  });

  test('is for owners and admins of an agency, in its own workspace', async () => {
    const id = await idOf();
    expect(
      await api.call('POST', '/v1/agency/clients', {
        ...asClient(id),
        body: { name: 'x', billing_model: 'pass-through', currency: 'EUR' },
      }),
    ).toMatchObject({ status: 403, body: { code: 'wrong_surface' } });
    expect(await create({}, await createKey(api, agency))).toMatchObject({
      status: 403,
      body: { code: 'wrong_surface' },
    });
    const finance = await createWorkspace(api, { kind: 'agency', role: 'finance' });
    expect(await create({}, await createKey(api, finance, { surface: 'agency' }))).toMatchObject({
      status: 403,
      body: { code: 'role_forbidden' },
    });
  });

  test('creates a sandbox client with a test key, which live keys do not see', async () => {
    const sandbox = await createKey(api, agency, { surface: 'agency', mode: 'test' });
    const id = (await create({ name: 'Play' }, sandbox)).body['id']!;
    expect(dataOf(await api.call('GET', '/v1/agency/clients', { key: sandbox })).map(client => client['id'])).toEqual([
      id,
    ]);
    expect(
      dataOf(await api.call('GET', '/v1/agency/clients?limit=100', { key })).map(client => client['id']),
    ).not.toContain(id);
    expect((await change(id, { name: 'x' })).status).toBe(404);
    expect((await api.call('GET', '/v1/wallet', asClient(id))).status).toBe(404);
    expect((await api.call('GET', '/v1/wallet', { key: sandbox, headers: { 'x-workspace-id': id } })).status).toBe(200);
  });
});

test('is limited to 10,000 sandbox clients for test keys only', async () => {
  const own = await createWorkspace(api, { kind: 'agency' });
  await api.sql`
    insert into workspaces (kind, name, currency, parent_handle, sandbox, created_at)
    select 'brand', 'Play', 'EUR', ${own.handle}, true, now() from generate_series(1, 10000)`;
  const keyOf = (mode: 'live' | 'test') => createKey(api, own, { surface: 'agency', mode });
  expect(await create({}, await keyOf('test'))).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
  expect((await create({}, await keyOf('live'))).status).toBe(201);
});

describe('GET /v1/agency/clients', () => {
  test('lists only the clients of the agency, newest first, with wallet, spend and tier', async () => {
    const other = await createKey(api, await createWorkspace(api, { kind: 'agency' }), { surface: 'agency' });
    const ids = [(await create({}, other)).body['id']!, (await create({}, other)).body['id']!];
    const handle = parseId('workspace', ids[0]!)!;
    await api.sql`insert into workspace_months (workspace_handle, sandbox, month, currency, gross_micros) values (${handle}, false, date_trunc('month', ${new Date(api.clock.now())}::timestamptz at time zone 'UTC'), 'EUR', 21000500000)`;
    const first = await api.call('GET', '/v1/agency/clients?limit=1', { key: other });
    expect(dataOf(first).map(client => client['id'])).toEqual([ids[1]]);
    const second = await api.call('GET', `/v1/agency/clients?limit=1&cursor=${first.body['next_cursor']}`, {
      key: other,
    });
    expect(second.body).toMatchObject({
      has_more: false,
      data: [{ id: ids[0], mtd_spend: { amount: 21_000.5, currency: 'EUR' }, discount_tier: 0.1 }],
    });
  });
});

describe('GET /v1/agency/clients/{id}', () => {
  test('returns a client as the list shows it, including archived ones and the agency itself', async () => {
    const id = await idOf();
    const path = `/v1/agency/clients/${id}`;
    const listed = dataOf(await api.call('GET', '/v1/agency/clients?limit=100', { key })).find(
      client => client['id'] === id,
    );
    expect(await api.call('GET', path, { key })).toMatchObject({ status: 200, body: listed! });
    expect((await api.call('DELETE', path, { key })).status).toBe(204);
    expect(await api.call('GET', path, { key })).toMatchObject({
      status: 200,
      body: { id, archived_at: expect.any(String) },
    });
    const itself = formatId('workspace', agency.handle);
    expect(await api.call('GET', `/v1/agency/clients/${itself}`, { key })).toMatchObject({ body: { id: itself } });
  });

  test('returns no client of another agency, and no live client to a test key', async () => {
    const path = `/v1/agency/clients/${await idOf()}`;
    const stranger = await createWorkspace(api, { kind: 'agency' });
    for (const as of [
      await createKey(api, stranger, { surface: 'agency' }),
      await createKey(api, agency, { surface: 'agency', mode: 'test' }),
    ])
      expect(await api.call('GET', path, { key: as })).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

describe('PATCH /v1/agency/clients/{id}', () => {
  test('changes the given fields, with an entry in the audit log of both', async () => {
    const id = await idOf();
    const changes = {
      name: 'Red Train',
      billing_model: 'agency-billed',
      branding: { display_name: 'Red', accent_color: '#aa0000' },
      billing_details: { legal_name: 'Red Train Ltd', address_lines: ['1 Track Road'] },
      case_study: true,
    };
    expect((await change(id, changes)).body).toMatchObject({
      ...changes,
      inherited: ['approval', 'audit_retention_years'],
      discount_tier: 0.02,
    });
    expect(dataOf(await api.call('GET', '/v1/audit?action=client.updated&limit=1', { key }))).toMatchObject([
      { diff: { name: { from: 'A client', to: 'Red Train' } } },
    ]);
    expect(dataOf(await api.call('GET', '/v1/audit?action=workspace.updated', asClient(id)))).toHaveLength(1);
    expect((await change(id, changes)).status).toBe(200);
    // a change of nothing writes nothing
    expect(dataOf(await api.call('GET', '/v1/audit?action=workspace.updated', asClient(id)))).toHaveLength(1);
  });

  test('of the agency itself changes the settings that its clients inherit', async () => {
    const own = await createWorkspace(api, { kind: 'agency' });
    const ownKey = await createKey(api, own, { surface: 'agency' });
    await api.sql`update workspaces set plan = 'top' where handle = ${own.handle}`;
    const id = (await create({}, ownKey)).body['id']!;
    await change(
      formatId('workspace', own.handle),
      { branding: { display_name: 'House' }, approval: 'agency', audit_retention_years: 2 },
      ownKey,
    );
    const inherited = {
      branding: { display_name: 'House' },
      approval: 'agency',
      audit_retention_years: 2,
      inherited: ['branding', 'approval', 'audit_retention_years'],
    };
    expect(dataOf(await api.call('GET', '/v1/agency/clients', { key: ownKey }))[0]).toMatchObject(inherited);
    expect(
      (await change(id, { approval: 'none', audit_retention_years: 7, branding: { footer: 'Own' } }, ownKey)).body,
    ).toMatchObject({ approval: 'none', audit_retention_years: 7, branding: { footer: 'Own' }, inherited: [] });
    const [kept] = await api.sql<
      { years: number }[]
    >`select extract(year from age(now(), audit_kept_since(${parseId('workspace', id)!})))::int as years`;
    expect(kept!.years).toBe(7);
    expect(
      (await change(id, { approval: null, audit_retention_years: null, branding: null }, ownKey)).body,
    ).toMatchObject(inherited);
    expect(
      await change(formatId('workspace', own.handle), { seats: [{ email: 'a@example.com', role: 'owner' }] }, ownKey),
    ).toMatchObject({ status: 422, body: { errors: [{ pointer: '/seats' }] } });
  });

  test("applies a client's own approval setting to its campaigns", async () => {
    const id = await idOf();
    await change(id, { approval: 'agency' });
    await move(id, 200, 'to_client');
    const client = parseId('workspace', id)!;
    const [user] = await api.sql<
      { handle: Handle<'user'> }[]
    >`select handle from users where workspace_handle = ${client}`;
    const clientKey = await createKey(api, { handle: client, user: user!.handle });
    const made = await api.call('POST', '/v1/campaigns', {
      key: clientKey,
      body: campaignBody(api, [await createReadyCreative(api, clientKey)]),
    });
    expect(made).toMatchObject({ status: 201, body: { status: 'pending_review', review: { waiting_for: 'agency' } } });
  });

  test('replaces all seats: new people join, and missing people leave with all their keys', async () => {
    const id = await idOf();
    const client = parseId('workspace', id)!;
    const seats = [
      { email: 'owner@example.com', role: 'owner' },
      { email: 'buyer@example.com', role: 'manager' },
    ];
    expect((await change(id, { seats })).body['seats']).toEqual(seats);
    const [buyer] = await api.sql<
      { handle: Handle<'user'> }[]
    >`select handle from users where workspace_handle = ${client} and email = 'buyer@example.com'`;
    const buyerKey = await createKey(api, { handle: client, user: buyer!.handle });
    expect((await api.call('GET', '/v1/wallet', { key: buyerKey })).status).toBe(200);
    await change(id, { seats: [seats[0]!] });
    api.clock.offsetMs += 950;
    expect(await api.call('GET', '/v1/wallet', { key: buyerKey })).toMatchObject({
      status: 401,
      body: { code: 'revoked_key' },
    });
    expect(
      (await change(id, { seats: [seats[0]!, { email: 'Buyer@example.com', role: 'viewer' }] })).body['seats'],
    ).toEqual([seats[0], { email: 'buyer@example.com', role: 'viewer' }]);
    api.clock.offsetMs += 950;
    // the keys of before stay dead
    expect(await api.call('GET', '/v1/wallet', { key: buyerKey })).toMatchObject({ status: 401 });
  });

  test.each([
    [
      'a person twice',
      {
        seats: [
          { email: 'a@example.com', role: 'owner' },
          { email: 'A@example.com', role: 'viewer' },
        ],
      },
      '/seats/1/email',
    ],
    ['seats without an owner', { seats: [{ email: 'a@example.com', role: 'admin' }] }, '/seats'],
    ['a role that there is not', { seats: [{ email: 'a@example.com', role: 'king' }] }, '/seats/0/role'],
    ['7 years on the standard plan', { audit_retention_years: 7 }, '/audit_retention_years'],
    ['an invalid color', { branding: { accent_color: 'red' } }, '/branding/accent_color'],
    ['text that cannot be stored', { branding: { footer: 'a\u0000' } }, '/branding/footer'],
    ['another currency', { currency: 'USD' }, '/currency'],
  ])('refuses %s, and writes nothing', async (_name, body, pointer) => {
    const id = await idOf();
    const answer = await change(id, { name: 'Never', ...body });
    expect(answer).toMatchObject({ status: 422 });
    expect(errorsOf(answer.body).map(error => error.pointer)).toContain(pointer);
    expect(await api.sql`select 1 from workspaces where name = 'Never'`).toHaveLength(0);
  });

  test('lets an admin of the agency change all seats of a client except owners', async () => {
    const id = await idOf();
    const owner = { email: 'someone@example.com', role: 'owner' };
    const [user] = await api.sql<{ handle: Handle<'user'> }[]>`
      insert into users (workspace_handle, email, role, created_at)
      values (${agency.handle}, 'admin@example.com', 'admin', ${new Date(api.clock.now())}) returning handle`;
    const admin = await createKey(api, { handle: agency.handle, user: user!.handle }, { surface: 'agency' });
    for (const seats of [
      [owner, { email: 'admin@example.com', role: 'owner' }],
      [{ email: 'admin@example.com', role: 'owner' }],
      [
        { ...owner, role: 'viewer' },
        { email: 'admin@example.com', role: 'owner' },
      ],
    ])
      expect(await change(id, { name: 'Never', seats }, admin)).toMatchObject({
        status: 403,
        body: { code: 'role_forbidden' },
      });
    expect(await api.sql`select 1 from workspaces where name = 'Never'`).toHaveLength(0);
    const buyer = { email: 'buyer@example.com', role: 'admin' };
    expect((await change(id, { seats: [owner, buyer] }, admin)).body['seats']).toEqual([owner, buyer]);
    const second = { email: 'second@example.com', role: 'owner' };
    expect((await change(id, { seats: [owner, second] })).status).toBe(200);
    for (const seats of [[owner], [owner, { ...second, role: 'viewer' }]])
      expect((await change(id, { seats }, admin)).status).toBe(403);
    expect((await change(id, { seats: [owner] })).status).toBe(200);
    // who left returns by an owner alone
    expect((await change(id, { seats: [owner, second] }, admin)).status).toBe(403);
  });

  test('a client of another agency is answered like one that does not exist', async () => {
    const id = (
      await create({}, await createKey(api, await createWorkspace(api, { kind: 'agency' }), { surface: 'agency' }))
    ).body['id']!;
    expect((await change(id, { name: 'x' })).status).toBe(404);
    expect((await move(id, 1, 'to_client')).status).toBe(404);
    expect((await api.call('GET', '/v1/wallet', asClient(id))).status).toBe(404);
  });
});

describe('DELETE /v1/agency/clients/{id}', () => {
  async function addRunning(client: string, { sandbox }: { sandbox: boolean }): Promise<string> {
    const [row] = await api.sql<{ handle: Handle<'campaign'> }[]>`
      insert into campaigns (workspace_handle, name, category, status, sandbox, currency, budget_micros, starts_on, ends_on, targets, rate_micros, forecast, created_at)
      values (${parseId('workspace', client)!}, 'Running', 'food', 'live', ${sandbox}, 'EUR', 1000000, '2026-03-01', '2026-03-31', '{}', 1000, '{}', now()) returning handle`;
    return formatId('campaign', row!.handle);
  }
  const archive = (id: string, as = key) => api.call('DELETE', `/v1/agency/clients/${id}`, { key: as });
  const refused = (campaign: string) => ({
    status: 409,
    body: { code: 'state_conflict', detail: expect.stringContaining(`Running (${campaign})`) },
  });

  test('is refused while campaigns run, except sandbox campaigns of a live client', async () => {
    const [played, running] = [await idOf(), await idOf()];
    await addRunning(played, { sandbox: true });
    await addRunning(running, { sandbox: true });
    const campaign = await addRunning(running, { sandbox: false });
    expect((await archive(played)).status).toBe(204);
    const answer = await archive(running);
    expect(answer).toMatchObject(refused(campaign));
    expect(String(answer.body['detail']).match(/Running/g)).toHaveLength(1);
  });

  test('is refused to a test key while campaigns of its client run', async () => {
    const sandbox = await createKey(api, agency, { surface: 'agency', mode: 'test' });
    const id = (await create({}, sandbox)).body['id']!;
    const campaign = await addRunning(id, { sandbox: true });
    expect(await archive(id, sandbox)).toMatchObject(refused(campaign));
  });
});

describe('POST /v1/agency/clients/{id}/transfers', () => {
  test('moves money to the client and back, and never more than the wallet holds', async () => {
    const id = await idOf();
    const before = Number((await api.call('GET', '/v1/wallet', { key })).body['balance']!['amount']);
    expect(await move(id, 100.5, 'to_client')).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^trf_/),
        client_id: id,
        direction: 'to_client',
        amount: { amount: 100.5 },
        agency_balance: { amount: before - 100.5 },
        client_balance: { amount: 100.5 },
      },
    });
    expect((await api.call('GET', '/v1/wallet', asClient(id))).body).toMatchObject({ balance: { amount: 100.5 } });
    expect((await move(id, 40, 'to_agency')).body).toMatchObject({
      agency_balance: { amount: before - 60.5 },
      client_balance: { amount: 60.5 },
    });
    const refusedFor = (needed: number, available: number) => ({
      status: 409,
      body: {
        code: 'insufficient_funds',
        detail: `Needs ${needed.toFixed(2)} EUR; the wallet has ${available.toFixed(2)} EUR. Add money or lower the amount.`,
        funds: { needed: { amount: needed, currency: 'EUR' }, available: { amount: available, currency: 'EUR' } },
      },
    });
    expect(await move(id, 60.51, 'to_agency')).toMatchObject(refusedFor(60.51, 60.5));
    expect(await move(id, 1_000_000, 'to_client')).toMatchObject(refusedFor(1_000_000, before - 60.5));
    for (const as of [{ key }, asClient(id)])
      expect(dataOf(await api.call('GET', '/v1/audit?action=wallet.transferred&limit=2', as))).toHaveLength(2);
  });

  test('leaves no wallet below zero with twenty transfers at once', async () => {
    const id = await idOf();
    await move(id, 100, 'to_client');
    const answers = await Promise.all(Array.from({ length: 20 }, () => move(id, 30, 'to_agency')));
    expect(answers.filter(answer => answer.status === 201)).toHaveLength(3);
    expect((await api.call('GET', '/v1/wallet', asClient(id))).body).toMatchObject({ balance: { amount: 10 } });
  });

  test('is refused between two currencies and without a valid amount', async () => {
    const id = await idOf({ currency: 'JPY' });
    expect(await move(id, 10, 'to_client')).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/amount/currency' }] },
    });
    expect(await move(id, 10, 'to_client', 'JPY')).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/amount/currency' }] },
    });
    expect(await move(id, 0, 'to_client')).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/amount/amount' }] },
    });
    expect((await move(agencyId, 10, 'to_client')).status).toBe(404);
  });
});

describe('X-Workspace-Id', () => {
  test("reaches the client on every surface of an agency's key", async () => {
    const id = await idOf();
    for (const path of [
      'campaigns',
      'creatives',
      'wallet',
      'invoices',
      'keys',
      'audit',
      'reporting/scans',
      'agency/reports',
    ]) {
      expect([path, (await api.call('GET', `/v1/${path}`, asClient(id))).status]).toEqual([path, 200]);
    }
    const creative = (
      await api.call('POST', '/v1/creatives', {
        ...asClient(id),
        body: { name: 'C', orientation: 'landscape', duration_ms: 10_000, filename: 'a.mp4' },
      })
    ).body['id']!;
    expect((await api.call('GET', `/v1/creatives/${creative}`, asClient(id))).status).toBe(200);
    expect((await api.call('GET', `/v1/creatives/${creative}`, { key })).status).toBe(404);
  });

  test('applies archiving and restoring from the next call on, in every process', async () => {
    const id = await idOf();
    const other = await startSecondApi(api);
    other.clock.stoppedAtMs = Date.now(); // nothing that it keeps grows old
    const body = { name: 'C', orientation: 'landscape', duration_ms: 10_000 };
    const write = async (by: Pick<TestApi, 'call'>) =>
      (await by.call('POST', '/v1/creatives', { ...asClient(id), body })).status;
    expect([await write(api), await write(other)]).toEqual([201, 201]);
    expect((await api.call('DELETE', `/v1/agency/clients/${id}`, { key })).status).toBe(204);
    expect(await write(api)).toBe(403);
    await eventually(async () => (await write(other)) === 403 || undefined);
    expect((await api.call('POST', `/v1/agency/clients/${id}/restore`, { key })).status).toBe(200);
    expect(await write(api)).toBe(201);
    await eventually(async () => (await write(other)) === 201 || undefined);
    await other.close();
  });
});

describe("a campaign in a currency other than its wallet's", () => {
  test.each([
    ['JPY', 'EUR'],
    ['EUR', 'KWD'],
  ])('of %s is refused in %s', async (own, foreign) => {
    const id = await idOf({ currency: own });
    const creative = await api.call('POST', '/v1/creatives', {
      ...asClient(id),
      body: { name: 'C', orientation: 'landscape', duration_ms: 10_000, filename: 'a.mp4' },
    });
    const answer = await api.call('POST', '/v1/campaigns', {
      ...asClient(id),
      body: { ...campaignBody(api, [creative.body['id']!]), budget: { amount: 100, currency: foreign } },
    });
    expect(answer).toMatchObject({ status: 422 });
    expect(errorsOf(answer.body)).toContainEqual(
      expect.objectContaining({ pointer: '/budget/currency', code: 'wrong_currency' }),
    );
  });
});

describe('GET /v1/agency/reports', () => {
  /** Lines as settlement writes them; that they equal the ledger is shown by the month of money. */
  async function addLines(
    client: string,
    lines: { day: string; daypart: string; gross: number; discount: number }[],
  ): Promise<string> {
    const workspace = parseId('workspace', client)!;
    const [campaign] = await api.sql<{ handle: Handle<'campaign'> }[]>`
      insert into campaigns (workspace_handle, name, category, status, sandbox, currency, budget_micros, starts_on, ends_on, targets, rate_micros, forecast, created_at)
      values (${workspace}, 'Reported', 'food', 'live', false, (select currency from workspaces where handle = ${workspace}), 1000000, '2026-03-01', '2026-03-31', '{}', 1000, '{}', now()) returning handle`;
    for (const { day, daypart, gross, discount } of lines) {
      await api.sql`insert into spend_lines (campaign_handle, day, venue_handle, daypart, plays, impressions_thousandths, gross_micros, discount_micros) values (${campaign!.handle}, ${day}, null, ${daypart}, 3, 4600, ${gross}, ${discount})`;
    }
    return formatId('campaign', campaign!.handle);
  }
  const report = async (query: string, as: { key: string; headers?: Record<string, string> }) =>
    api.call('GET', `/v1/agency/reports?from=2026-03-01&to=2026-03-31${query}`, as);

  test('adds up costs and discounts by client, region, daypart and campaign, exactly', async () => {
    const ownKey = await createKey(api, await createWorkspace(api, { kind: 'agency' }), { surface: 'agency' });
    const [a, b, yen] = [
      (await create({ name: 'A' }, ownKey)).body['id']!,
      (await create({ name: 'B' }, ownKey)).body['id']!,
      (await create({ currency: 'JPY' }, ownKey)).body['id']!,
    ];
    const first = await addLines(a, [
      { day: '2026-03-01', daypart: 'morning', gross: 1_000_001, discount: 50_000 },
      { day: '2026-03-31', daypart: 'night', gross: 2_000_000, discount: 0 },
      { day: '2026-04-01', daypart: 'night', gross: 9, discount: 0 },
    ]);
    const second = await addLines(b, [{ day: '2026-03-02', daypart: 'night', gross: 5_000_000, discount: 300_001 }]);
    await addLines(yen, [{ day: '2026-03-02', daypart: 'night', gross: 7_000_000, discount: 0 }]);
    const totals = {
      platform_cost: { amount: 8.000001, currency: 'EUR' },
      discount: { amount: 0.350001, currency: 'EUR' },
      net_cost: { amount: 7.65, currency: 'EUR' },
    };
    const figures = (spend: number, discount: number, net: number, plays = 3, impressions = 5) => ({
      spend,
      discount,
      net_cost: net,
      plays,
      impressions,
    });
    expect((await report('', { key: ownKey })).body).toEqual({
      from: '2026-03-01',
      to: '2026-03-31',
      group: 'client',
      currency: 'EUR',
      other_currencies: ['JPY'],
      totals,
      by_client: [
        { client_id: b, client_name: 'B', ...figures(5, 0.300001, 4.699999) },
        { client_id: a, client_name: 'A', ...figures(3.000001, 0.05, 2.950001, 6, 9) },
      ],
    });
    expect((await report('&group=region', { key: ownKey })).body).toMatchObject({
      totals,
      by_region: [{ region: 'unknown', ...figures(8.000001, 0.350001, 7.65, 9, 14) }],
    });
    expect((await report('&group=daypart', { key: ownKey })).body).toMatchObject({
      totals,
      by_daypart: [
        { daypart: 'night', spend: 7 },
        { daypart: 'morning', spend: 1.000001 },
      ],
    });
    expect((await report('&group=campaign', { key: ownKey })).body).toMatchObject({
      totals,
      by_campaign: [
        { campaign_id: second, client_id: b, spend: 5 },
        { campaign_id: first, campaign_name: 'Reported', client_id: a, spend: 3.000001 },
      ],
    });
    expect((await report('&currency=JPY', { key: ownKey })).body).toMatchObject({
      other_currencies: ['EUR'],
      totals: { platform_cost: { amount: 7, currency: 'JPY' } },
    });
    expect((await report('', { key: ownKey, headers: { 'x-workspace-id': a } })).body).toMatchObject({
      totals: { platform_cost: { amount: 3.000001 } },
    });
    expect((await report('', { key })).body).toMatchObject({ totals: { platform_cost: { amount: 0 } }, by_client: [] });
  });

  test.each([
    'from=2026-02-30',
    'from=2026-03-02&to=2026-03-01',
    'from=2020-01-01&to=2026-01-01',
    'group=planet',
    'currency=euro',
  ])('refuses %s', async query => {
    expect(await api.call('GET', `/v1/agency/reports?${query}`, { key })).toMatchObject({
      status: 400,
      body: { code: 'bad_query_parameter' },
    });
  });
});
