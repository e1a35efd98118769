/**
 * The life of an API key: it is made, rotated, revoked, and ends with its person; an agency's key acts on its clients;
 * a test key sees the sandbox alone. Driven by calls to the API in this process on real engines. A second API on the
 * same engines shows when another process learns of a change, and the clock of the test is moved over days.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { formatId, type Handle } from '../../../domain/id.ts';
import { changeRole, createUser, removeUser } from '../../../cli/operator.ts';
import { handle } from '../../support/handle.ts';
import {
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { startSecondApi, type SecondApi } from '../support/second-app.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Messages that another process receives. */
const UNTIL_TOLD = { timeout: 10_000, interval: 5 };

let api: TestApi;
let other: SecondApi;
let brand: TestWorkspace;
let key: string;

beforeAll(async () => {
  api = await startApi();
  other = await startSecondApi(api);
  brand = await createWorkspace(api, { funds: 100 });
  key = await createKey(api, brand, { expiresAt: new Date(Date.now() + 400 * DAY_MS) });
});
afterAll(async () => {
  await other.close();
  await api.close();
});

const make = async (body: object = {}, as = key) => api.call('POST', '/v1/keys', { key: as, body });
const statusOf = async (as: string, app: Pick<TestApi, 'call'> = api) => {
  const answer = await app.call('GET', '/v1/wallet', { key: as });
  return answer.status === 200 ? 200 : `${answer.status} ${answer.body['code']}`;
};
/** Runs at another moment: `offsetMs` from now. */
async function at<T>(offsetMs: number, run: () => Promise<T>): Promise<T> {
  const before = api.clock.offsetMs;
  api.clock.offsetMs = before + offsetMs;
  try {
    return await run();
  } finally {
    api.clock.offsetMs = before;
  }
}

describe('a key made with POST /keys', () => {
  test('shows its mode in its prefix, is shown once, and is stored as a SHA-256 hash', async () => {
    const live = await make({ name: 'Planner' });
    expect(live).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^key_/),
        key: expect.stringMatching(/^sk_live_/),
        name: 'Planner',
        surface: 'ads_manager',
        access: 'read_write',
        mode: 'live',
        user: { role: 'owner' },
      },
    });
    const sandbox = await make({ mode: 'test', access: 'read_only' });
    expect(sandbox.body['key']).toMatch(/^sk_test_/);
    expect(await statusOf(live.body['key']!)).toBe(200);
    const listed = await api.call('GET', '/v1/keys', { key });
    expect(
      dataOf(listed)
        .map(record => record['id'])
        .slice(0, 2),
    ).toEqual([sandbox.body['id'], live.body['id']]);
    expect(listed.raw.toString()).not.toContain(live.body['key']!);
    expect(JSON.stringify(await api.sql`select * from keys`)).not.toContain(live.body['key']!.slice(12, 40));
    const entries = dataOf(await api.call('GET', `/v1/audit?entity_id=${live.body['id']}`, { key }));
    expect(entries.map(entry => entry['action'])).toEqual(['key.created']);
    expect(JSON.stringify(entries)).not.toContain(live.body['key']!.slice(12, 40));
  });

  test('expires after 90 days', async () => {
    const made = await make();
    expect(Date.parse(made.body['expires_at']!) - Date.parse(made.body['created_at']!)).toBe(90 * DAY_MS);
    expect(await at(90 * DAY_MS - HOUR_MS, () => statusOf(made.body['key']!))).toBe(200);
    expect(await at(90 * DAY_MS + 1_000, () => statusOf(made.body['key']!))).toBe('401 expired_key');
  });

  test('shows its last use to the minute, and null before the first call', async () => {
    const made = await make();
    const text = made.body['key']!;
    const lastUse = async () =>
      (await api.call('GET', `/v1/keys/${made.body['id']}`, { key })).body['last_used_at'] as string | null;
    expect([made.body['last_used_at'], await lastUse()]).toEqual([null, null]);
    const startedAt = api.clock.now();
    await statusOf(text);
    const first = await lastUse();
    expect(Date.parse(first!)).toBeGreaterThanOrEqual(startedAt);
    expect(dataOf(await api.call('GET', '/v1/keys', { key }))[0]).toMatchObject({ last_used_at: first });
    await at(59_000, () => statusOf(text));
    expect(await lastUse()).toBe(first);
    await at(HOUR_MS, () => statusOf(text));
    expect(Date.parse((await lastUse())!)).toBeGreaterThanOrEqual(startedAt + HOUR_MS);
  });

  test('is not used by calls that are refused after its end', async () => {
    const made = await make();
    const text = made.body['key']!;
    await statusOf(text);
    await at(91 * DAY_MS, async () => expect(await statusOf(text)).toBe('401 expired_key'));
    const shown = await api.call('GET', `/v1/keys/${made.body['id']}`, { key });
    expect(Date.parse(shown.body['last_used_at']!)).toBeLessThan(api.clock.now() + DAY_MS);
  });

  test('warns in its last 7 days, on every answer, and not before', async () => {
    const made = await make();
    const headersAt = (days: number) =>
      at(days * DAY_MS, async () => (await api.call('GET', '/v1/campaigns/cmp_x', { key: made.body['key']! })).headers);
    expect((await headersAt(82))['warning']).toBeUndefined();
    expect(await headersAt(84)).toMatchObject({
      warning: expect.stringContaining(`/v1/keys/${made.body['id']}/rotate`),
      'x-key-expires-at': made.body['expires_at'],
    });
  });

  test.each([
    ['an unknown field', { role: 'owner' }, 422],
    ['an unknown surface', { surface: 'tv' }, 422],
    ['another surface than its maker reaches', { surface: 'screen_manager' }, 403],
    ['a wider surface than its maker reaches', { surface: 'agency' }, 403],
  ])('with %s is refused', async (_name, body, status) => {
    expect((await make(body)).status).toBe(status);
  });

  test('is a test key if a test key made it, and test keys see no live keys', async () => {
    const sandbox = (await make({ mode: 'test' })).body['key']!;
    expect((await make({ mode: 'live' }, sandbox)).status).toBe(422);
    expect((await make({}, sandbox)).body['mode']).toBe('test');
    expect(
      new Set(dataOf(await api.call('GET', '/v1/keys?limit=100', { key: sandbox })).map(record => record['mode'])),
    ).toEqual(new Set(['test']));
    const live = (await make()).body['id']!;
    expect((await api.call('DELETE', `/v1/keys/${live}`, { key: sandbox })).status).toBe(404);
  });

  test('acts with the current permissions of its person', async () => {
    const home = await createWorkspace(api);
    const own = await createKey(api, home);
    const made = (await make({}, own)).body['key']!;
    expect(
      (await api.call('POST', '/v1/wallet/top-ups', { key: made, body: { amount: { amount: 1, currency: 'EUR' } } }))
        .status,
    ).toBe(201);
    await createUser(api.sql, new Date(), { workspace: home.handle, email: 'second@example.com', role: 'owner' });
    await changeRole(api.sql, new Date(), { user: home.user, role: 'viewer' });
    api.clock.offsetMs += 950;
    expect(
      await api.call('POST', '/v1/wallet/top-ups', { key: made, body: { amount: { amount: 1, currency: 'EUR' } } }),
    ).toMatchObject({ status: 403, body: { code: 'role_forbidden' } });
    expect(await statusOf(made)).toBe(200);
    await removeUser(api.sql, new Date(), home.user);
    api.clock.offsetMs += 950;
    expect(await statusOf(made)).toBe('401 revoked_key');
  });
});

describe('one key', () => {
  test('is read as the list shows it, until it is revoked', async () => {
    const made = await make({ name: 'One of many' });
    const path = `/v1/keys/${made.body['id']}`;
    const listed = dataOf(await api.call('GET', '/v1/keys?limit=100', { key })).find(
      one => one['id'] === made.body['id'],
    );
    expect(await api.call('GET', path, { key })).toMatchObject({ status: 200, body: listed! });
    expect((await api.call('DELETE', path, { key })).status).toBe(204);
    expect(await api.call('GET', path, { key })).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('of the live book is hidden from test keys, and one of another workspace from every key', async () => {
    const path = `/v1/keys/${(await make()).body['id']}`;
    const stranger = await createKey(api, await createWorkspace(api));
    for (const as of [await createKey(api, brand, { mode: 'test' }), stranger])
      expect(await api.call('GET', path, { key: as })).toMatchObject({ status: 404 });
  });
});

test('one member reads as the list of members shows it, and is hidden from other workspaces', async () => {
  const path = `/v1/members/${formatId('user', brand.user)}`;
  const [listed] = dataOf(await api.call('GET', '/v1/members', { key }));
  expect(await api.call('GET', path, { key })).toMatchObject({ status: 200, body: listed! });
  const stranger = await createKey(api, await createWorkspace(api));
  expect(await api.call('GET', path, { key: stranger })).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

describe('rotation', () => {
  test('gives a successor, and both are valid for exactly 24 hours', async () => {
    const old = await make({ name: 'Rotating', access: 'read_only' });
    const text = old.body['key']!;
    const next = await api.call('POST', `/v1/keys/${old.body['id']}/rotate`, { key });
    expect(next).toMatchObject({
      status: 201,
      body: { name: 'Rotating', access: 'read_only', surface: 'ads_manager', mode: 'live' },
    });
    expect(next.body['id']).not.toBe(old.body['id']);
    const rotatedAt = api.clock.now();
    expect(await at(0, () => statusOf(text))).toBe(200);
    expect(await at(DAY_MS - 1_000 - (api.clock.now() - rotatedAt), () => statusOf(text))).toBe(200);
    expect(await at(DAY_MS + 1_000, () => statusOf(text))).toBe('401 expired_key');
    expect(await at(DAY_MS + 1_000, () => statusOf(next.body['key']!))).toBe(200);
  });

  test('of a key in its last hours still overlaps for 24 hours', async () => {
    const old = await make();
    await at(90 * DAY_MS - HOUR_MS, async () => {
      expect((await api.call('POST', `/v1/keys/${old.body['id']}/rotate`, { key })).status).toBe(201);
    });
    expect(await at(91 * DAY_MS - HOUR_MS - 5_000, () => statusOf(old.body['key']!))).toBe(200);
    expect(await at(91 * DAY_MS - HOUR_MS + 1_000, () => statusOf(old.body['key']!))).toMatch(/^401/);
  });

  test('of a rotated, a revoked or an unknown key is refused', async () => {
    const old = await make();
    const rotate = () => api.call('POST', `/v1/keys/${old.body['id']}/rotate`, { key });
    expect((await rotate()).status).toBe(201);
    expect(await rotate()).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    await api.call('DELETE', `/v1/keys/${old.body['id']}`, { key });
    expect((await rotate()).status).toBe(404);
    expect((await api.call('POST', `/v1/keys/${formatId('key', handle('key', 999_999))}/rotate`, { key })).status).toBe(
      404,
    );
  });
});

describe('rotation returns no key that the caller could not create', () => {
  test('of a key of another surface is refused, and of a narrower surface allowed', async () => {
    const home = await createWorkspace(api, { kind: 'agency' });
    const [ads, venues, agency] = [
      await createKey(api, home),
      await createKey(api, home, { surface: 'screen_manager' }),
      await createKey(api, home, { surface: 'agency' }),
    ];
    const targets = Object.fromEntries(
      await Promise.all(
        Object.entries({ ads, venues, agency }).map(
          async ([name, as]) => [name, (await make({}, as)).body['id']!] as const,
        ),
      ),
    );
    const rotate = (as: string, name: string) => api.call('POST', `/v1/keys/${targets[name]}/rotate`, { key: as });
    for (const [as, name] of [
      [ads, 'agency'],
      [ads, 'venues'],
      [venues, 'ads'],
      [venues, 'agency'],
      [agency, 'venues'],
    ] as const)
      expect(await rotate(as, name)).toMatchObject({ status: 403, body: { code: 'wrong_surface' } });
    for (const [as, name] of [
      [agency, 'ads'],
      [venues, 'venues'],
      [agency, 'agency'],
    ] as const)
      expect((await rotate(as, name)).status).toBe(201);
  });

  test("of another person's key is refused, because the new key would act in that person's name; revoking is allowed", async () => {
    const made = await make();
    const [colleague] = await api.sql<
      { handle: Handle<'user'> }[]
    >`insert into users (workspace_handle, email, role, created_at) values (${brand.handle}, 'colleague@example.com', 'admin', now()) returning handle`;
    const other = await createKey(api, { handle: brand.handle, user: colleague!.handle });
    expect(await api.call('POST', `/v1/keys/${made.body['id']}/rotate`, { key: other })).toMatchObject({
      status: 403,
      body: { code: 'role_forbidden' },
    });
    expect(await statusOf(made.body['key']!)).toBe(200);
    expect((await api.call('DELETE', `/v1/keys/${made.body['id']}`, { key: other })).status).toBe(204);
  });
});

describe('revocation', () => {
  test('applies at once in the process that made it, and in others on notification', async () => {
    const made = await make();
    const text = made.body['key']!;
    other.clock.stoppedAtMs = other.clock.now(); // a key that it knows is good for ever, without a message
    expect([await statusOf(text), await statusOf(text, other)]).toEqual([200, 200]);
    expect((await api.call('DELETE', `/v1/keys/${made.body['id']}`, { key })).status).toBe(204);
    expect(await statusOf(text)).toBe('401 revoked_key');
    await vi.waitFor(async () => expect(await statusOf(text, other)).toBe('401 revoked_key'), UNTIL_TOLD);
    other.clock.stoppedAtMs = undefined;
    expect([await statusOf(text), await statusOf(text, other)]).toEqual(['401 revoked_key', '401 revoked_key']);
    expect((await api.call('DELETE', `/v1/keys/${made.body['id']}`, { key })).status).toBe(404);
    expect(
      dataOf(await api.call('GET', '/v1/keys?limit=100', { key })).some(record => record['id'] === made.body['id']),
    ).toBe(false);
  });
});

describe('a person', () => {
  test('who leaves or gets a lower role loses their keys in every process', async () => {
    const [colleague] = await api.sql<
      { handle: Handle<'user'> }[]
    >`insert into users (workspace_handle, email, role, created_at) values (${brand.handle}, 'leaving@example.com', 'admin', now()) returning handle`;
    const text = await createKey(api, { handle: brand.handle, user: colleague!.handle });
    const keysOf = () => other.call('GET', '/v1/keys', { key: text });
    other.clock.stoppedAtMs = other.clock.now();
    expect((await keysOf()).status).toBe(200);
    await api.sql`update users set role = 'viewer' where handle = ${colleague!.handle}`;
    await vi.waitFor(async () => expect((await keysOf()).status).toBe(403), UNTIL_TOLD);
    await api.sql`update users set removed_at = now() where handle = ${colleague!.handle}`;
    await vi.waitFor(async () => expect((await keysOf()).status).toBe(401), UNTIL_TOLD);
    other.clock.stoppedAtMs = undefined;
  });
});

describe('X-Workspace-Id', () => {
  let agency: TestWorkspace;
  let agencyKey: string;
  let client: TestWorkspace;
  beforeAll(async () => {
    agency = await createWorkspace(api, { kind: 'agency' });
    agencyKey = await createKey(api, agency, { surface: 'agency' });
    client = await createWorkspace(api, { funds: 77 });
    await api.sql`update workspaces set parent_handle = ${agency.handle} where handle = ${client.handle}`;
  });
  const walletOf = (as: string, workspace?: string) =>
    api.call('GET', '/v1/wallet', {
      key: as,
      ...(workspace !== undefined && { headers: { 'x-workspace-id': workspace } }),
    });

  test('lets an agency act on its own clients and on itself', async () => {
    expect((await walletOf(agencyKey, formatId('workspace', client.handle))).body).toMatchObject({
      balance: { amount: 77 },
    });
    expect((await walletOf(agencyKey, formatId('workspace', agency.handle))).body).toMatchObject({
      balance: { amount: 0 },
    });
    expect((await walletOf(agencyKey)).body).toMatchObject({ balance: { amount: 0 } });
  });

  test('gives 404 for a workspace of others, with the same body as for an unknown one', async () => {
    const answers = [
      await walletOf(agencyKey, formatId('workspace', brand.handle)),
      await walletOf(agencyKey, formatId('workspace', handle('workspace', 999_999))),
      await walletOf(agencyKey, 'nonsense'),
    ];
    expect(answers.map(answer => answer.status)).toEqual([404, 404, 404]);
    const bodies = answers.map(answer => ({ ...(answer.body as object), request_id: '' }));
    expect(bodies[0]).toEqual(bodies[1]);
    expect(bodies[0]).toEqual(bodies[2]);
  });

  test('gives 403 wrong_surface with a key that is not an agency key, whatever it names', async () => {
    for (const workspace of [brand.handle, client.handle])
      expect(await walletOf(key, formatId('workspace', workspace))).toMatchObject({
        status: 403,
        body: { code: 'wrong_surface' },
      });
  });

  test("records the agency's changes in the client's audit log under the agency's person", async () => {
    const headers = { 'x-workspace-id': formatId('workspace', client.handle) };
    const made = await api.call('POST', '/v1/creatives', {
      key: agencyKey,
      headers,
      body: { name: 'For a client', orientation: 'landscape', duration_ms: 10_000, filename: 'a.mp4' },
    });
    expect(made.status).toBe(201);
    expect(
      dataOf(await api.call('GET', `/v1/audit?entity_id=${made.body['id']}`, { key: agencyKey, headers })),
    ).toMatchObject([{ actor: { id: formatId('user', agency.user) } }]);
    expect(dataOf(await api.call('GET', `/v1/audit?entity_id=${made.body['id']}`, { key: agencyKey }))).toEqual([]);
  });

  test("makes keys for campaigns in a client's workspace, and no agency keys", async () => {
    const headers = { 'x-workspace-id': formatId('workspace', client.handle) };
    const made = await api.call('POST', '/v1/keys', { key: agencyKey, headers, body: {} });
    expect(made).toMatchObject({ status: 201, body: { surface: 'ads_manager' } });
    expect((await walletOf(made.body['key']!)).body).toMatchObject({ balance: { amount: 77 } });
    expect((await api.call('POST', '/v1/keys', { key: agencyKey, headers, body: { surface: 'agency' } })).status).toBe(
      422,
    );
  });

  test('is forgotten within a second when the client leaves', async () => {
    await api.sql`update workspaces set parent_handle = null where handle = ${client.handle}`;
    api.clock.offsetMs += 950;
    expect((await walletOf(agencyKey, formatId('workspace', client.handle))).status).toBe(404);
  });
});

describe('the sandbox', () => {
  let venueKey: string;
  let testKey: string;
  beforeAll(async () => {
    const home = await createWorkspace(api, { kind: 'venue' });
    venueKey = await createKey(api, home, { surface: 'screen_manager' });
    testKey = await createKey(api, home, { surface: 'screen_manager', mode: 'test' });
  });

  test('has its own venues: neither kind of key sees, changes or pairs in the other book', async () => {
    const live = (await api.call('POST', '/v1/venues', { key: venueKey, body: VENUE })).body['id']!;
    const play = (await api.call('POST', '/v1/venues', { key: testKey, body: VENUE })).body['id']!;
    for (const [mine, theirs, as] of [
      [live, play, venueKey],
      [play, live, testKey],
    ] as const) {
      expect(dataOf(await api.call('GET', '/v1/venues', { key: as })).map(venue => venue['id'])).toEqual([mine]);
      expect((await api.call('GET', `/v1/venues/${theirs}`, { key: as })).status).toBe(404);
      expect((await api.call('PATCH', `/v1/venues/${theirs}`, { key: as, body: { name: 'x' } })).status).toBe(404);
      expect((await api.call('POST', '/v1/pairing', { key: as, body: { venue_id: theirs } })).status).toBe(422);
      expect((await api.call('POST', '/v1/pairing', { key: as, body: { venue_id: mine } })).status).toBe(201);
    }
  });

  test('has its own wallet, which a top-up credits at once; a live top-up waits for the operator', async () => {
    const home = await createWorkspace(api);
    const [live, play] = [await createKey(api, home), await createKey(api, home, { mode: 'test' })];
    const topUp = (as: string) =>
      api.call('POST', '/v1/wallet/top-ups', { key: as, body: { amount: { amount: 40, currency: 'EUR' } } });
    expect((await topUp(play)).body).toMatchObject({
      balance: { amount: 40 },
      book: 'sandbox',
      top_up: { status: 'credited' },
      pending_top_ups: [],
    });
    expect((await topUp(live)).body).toMatchObject({
      balance: { amount: 0 },
      book: 'live',
      top_up: { status: 'pending' },
    });
    expect((await api.call('GET', '/v1/wallet', { key: live })).body).toMatchObject({
      pending_top_ups: [{ amount: { amount: 40 }, status: 'pending' }],
    });
    const { fundWallet } = await import('../../../cli/operator.ts');
    await fundWallet(api.sql, new Date(), { workspace: home.handle, amountMicros: 50_000_000, book: 'live' });
    expect((await api.call('GET', '/v1/wallet', { key: live })).body).toMatchObject({
      balance: { amount: 50 },
      pending_top_ups: [],
    });
    expect((await api.call('GET', '/v1/wallet', { key: play })).body).toMatchObject({ balance: { amount: 40 } });
  });
});
