/**
 * Section 5 (authentication) of docs/interface-specification.md and the rules of its section 1; each test is named by
 * its row. Driven by calls to the API in this process on real engines.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeRole, createUser } from '../../../../cli/operator.ts';
import { formatId } from '../../../../domain/id.ts';
import { handle } from '../../../support/handle.ts';
import { eventually } from '../../../support/network.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type Answer,
  type TestApi,
  type TestWorkspace,
} from '../../support/app-under-test.ts';
import { readAs } from '../../support/answer.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let api: TestApi;
let brand: TestWorkspace;
let agency: TestWorkspace;
let agencyKey: string;
let key: string;

beforeAll(async () => {
  api = await startApi();
  brand = await createWorkspace(api, { funds: 10_000 });
  agency = await createWorkspace(api, { kind: 'agency', funds: 1_000 });
  const expiresAt = new Date(api.clock.now() + 400 * DAY_MS);
  key = await createKey(api, brand, { expiresAt });
  agencyKey = await createKey(api, agency, { surface: 'agency', expiresAt });
});
afterAll(() => api.close());

const keyedRoutes = () => api.routes.filter(route => route.access !== 'public' && route.method !== 'HEAD');
const pathOf = (url: string) => url.replaceAll(/:\w+/g, 'x');
const told = (answer: Answer) => `${answer.status} ${answer.body?.['code'] ?? ''}`.trim();
const createClient = async (name = 'A client'): Promise<string> =>
  (
    await api.call('POST', '/v1/agency/clients', {
      key: agencyKey,
      body: { name, billing_model: 'pass-through', currency: 'EUR' },
    })
  ).body['id']!;
const wallet = (as: string, headers: Record<string, string> = {}) =>
  api.call('GET', '/v1/wallet', { key: as, headers });

describe('rules for keys (section 1)', () => {
  test('every call made with a key is written to the audit log with source API', async () => {
    const { body } = await api.call('POST', '/v1/creatives', {
      key,
      body: { name: 'Spot', orientation: 'landscape', duration_ms: 10_000 },
    });
    expect(dataOf(await api.call('GET', `/v1/audit?entity_id=${body['id']}`, { key }))).toMatchObject([
      { action: 'creative.created', source: 'API' },
    ]);
    await api.call('GET', '/v1/wallet', { key });
    await eventually(
      async () => dataOf(await api.call('GET', '/v1/audit?source=API&include=reads&action=wallet.read', { key }))[0],
    );
  });

  test('an Ads Manager token cannot read screens; a Screen Manager token cannot launch campaigns', async () => {
    const venueKey = await createKey(api, brand, { surface: 'screen_manager' });
    expect(told(await api.call('GET', '/v1/screens', { key }))).toBe('403 wrong_surface');
    expect(told(await api.call('POST', '/v1/campaigns', { key: venueKey, body: {} }))).toBe('403 wrong_surface');
    expect([
      (await api.call('GET', '/v1/campaigns', { key })).status,
      (await api.call('GET', '/v1/screens', { key: venueKey })).status,
    ]).toEqual([200, 200]);
  });

  test('an agency token can act on the sub-accounts it owns', async () => {
    const id = await createClient();
    expect(
      (await api.call('PATCH', `/v1/agency/clients/${id}`, { key: agencyKey, body: { name: 'Renamed' } })).body['name'],
    ).toBe('Renamed');
    const other = await createKey(api, await createWorkspace(api, { kind: 'agency' }), { surface: 'agency' });
    expect(told(await api.call('PATCH', `/v1/agency/clients/${id}`, { key: other, body: { name: 'Taken' } }))).toBe(
      '404 not_found',
    );
  });

  test('there are paths of the agency itself: /agency/reports and /invoices', async () => {
    for (const path of ['/v1/agency/reports', '/v1/invoices'])
      expect((await api.call('GET', path, { key: agencyKey })).status).toBe(200);
  });

  test('each sub-account has its own wallet, roles and audit log, and inherits branding, audit retention and approval', async () => {
    const own = formatId('workspace', agency.handle);
    await api.call('PATCH', `/v1/agency/clients/${own}`, { key: agencyKey, body: { approval: 'agency' } });
    const id = await createClient('Inheriting');
    const seats = [
      { email: 'someone@example.com', role: 'owner' },
      { email: 'planner@example.com', role: 'viewer' },
    ];
    const { body } = await api.call('PATCH', `/v1/agency/clients/${id}`, { key: agencyKey, body: { seats } });
    expect(body).toMatchObject({
      wallet: { balance: { amount: 0, currency: 'EUR' } },
      approval: 'agency',
      inherited: ['branding', 'approval', 'audit_retention_years'],
      seats: expect.arrayContaining(seats),
    });
    const entries = dataOf(await api.call('GET', '/v1/audit', { key: agencyKey, headers: { 'x-workspace-id': id } }));
    expect(entries.at(-1)).toMatchObject({ action: 'workspace.created', entity: { type: 'workspace', id } });
    await api.call('PATCH', `/v1/agency/clients/${own}`, { key: agencyKey, body: { approval: 'none' } });
  });
});

describe('authentication (section 5)', () => {
  test('every request carries Authorization: Bearer <API_KEY>', async () => {
    const routes = keyedRoutes();
    expect(routes.length).toBeGreaterThan(60);
    for (const { method, url } of routes) {
      const answer = await api.call(method, pathOf(url));
      expect([method, url, told(answer)]).toEqual([method, url, '401 missing_key']);
    }
  });

  test.each(['', 'Bearer', 'Bearer ', 'Basic abc', 'Bearer  two words', 'Token sk_live_x'])(
    '1. and nothing else is one: %j',
    async authorization => {
      expect(told(await api.call('GET', '/v1/wallet', { headers: { authorization } }))).toBe('401 missing_key');
    },
  );

  test.each(['key', 'api_key', 'access_token', 'authorization'])(
    '1. nor is it taken from the query: ?%s=',
    async name => {
      expect(told(await api.call('GET', `/v1/wallet?${name}=${key}`))).toBe('401 missing_key');
    },
  );

  test('a key that lacks a character, has another one, or is in another case is unknown', async () => {
    const other = key.at(-1) === 'a' ? 'b' : 'a';
    for (const text of [
      key.slice(0, -1),
      `${key.slice(0, -1)}${other}`,
      `${key}a`,
      key.toUpperCase(),
      key.replace('live', 'test'),
    ])
      expect(told(await wallet(text))).toBe('401 invalid_key');
    // the scheme has no case
    expect((await api.call('GET', '/v1/wallet', { headers: { authorization: `bearer ${key}` } })).status).toBe(200);
  });

  test('a key is scoped to one workspace', async () => {
    const neighbour = await createKey(api, await createWorkspace(api, { funds: 7 }));
    expect([
      (await wallet(key)).body['balance']!['amount'],
      (await wallet(neighbour)).body['balance']!['amount'],
    ]).toEqual([10_000, 7]);
    const made = (await api.call('POST', '/v1/keys', { key, body: { name: 'CI' } })).body;
    expect(dataOf(await api.call('GET', '/v1/keys?limit=100', { key })).map(record => record['id'])).toContain(
      made['id'],
    );
    expect(
      dataOf(await api.call('GET', '/v1/keys?limit=100', { key: neighbour })).map(record => record['id']),
    ).not.toContain(made['id']);
    expect(told(await api.call('DELETE', `/v1/keys/${made['id']}`, { key: neighbour }))).toBe('404 not_found');
  });

  test('live keys begin with sk_live_; keys beginning sk_test_ route to the sandbox', async () => {
    const live = (await api.call('POST', '/v1/keys', { key, body: {} })).body['key']!;
    const play = (await api.call('POST', '/v1/keys', { key, body: { mode: 'test' } })).body['key']!;
    expect([live, play]).toEqual([
      expect.stringMatching(/^sk_live_[0-9A-Za-z]+$/),
      expect.stringMatching(/^sk_test_[0-9A-Za-z]+$/),
    ]);
    expect([(await wallet(live)).body['book'], (await wallet(play)).body['book']]).toEqual(['live', 'sandbox']);
    const { id } = (
      await api.call('POST', '/v1/creatives', {
        key: play,
        body: { name: 'Play', orientation: 'landscape', duration_ms: 10_000 },
      })
    ).body;
    expect([
      (await api.call('GET', `/v1/creatives/${id}`, { key: play })).status,
      (await api.call('GET', `/v1/creatives/${id}`, { key: live })).status,
    ]).toEqual([200, 404]);
  });

  test('a read-write key may call any endpoint allowed by the workspace role. A read-only key may call only GET', async () => {
    const reading = { ads_manager: brand, screen_manager: brand, agency } as const;
    for (const [surface, home] of Object.entries(reading)) {
      const [full, readOnly] = [
        await createKey(api, home, { surface }),
        await createKey(api, home, { surface, access: 'read_only' }),
      ];
      await Promise.all(
        keyedRoutes().map(async ({ method, url }) => {
          // Fields that no route has: nothing is written by any of these calls.
          const options = method === 'GET' ? {} : { body: { no_such_field: 1 } };
          const [may, mayRead] = [
            await api.call(method, pathOf(url), { ...options, key: full }),
            await api.call(method, pathOf(url), { ...options, key: readOnly }),
          ];
          // The mode of a key is looked at after what it may do at all.
          const isForbidden = may.status === 403 && told(may) !== '403 wrong_mode';
          const expected = isForbidden || method === 'GET' ? told(may) : '403 read_only_key';
          expect([surface, method, url, told(mayRead)]).toEqual([surface, method, url, expected]);
        }),
      );
    }
  });

  test('a key acts with the permissions of the person who created it', async () => {
    const home = await createWorkspace(api);
    const first = await createKey(api, home);
    const made = (await api.call('POST', '/v1/keys', { key: first, body: {} })).body;
    expect(made['user']).toMatchObject({ id: formatId('user', home.user), role: 'owner' });
    await createUser(api.sql, new Date(), { workspace: home.handle, email: 'second@example.com', role: 'owner' });
    await changeRole(api.sql, new Date(), { user: home.user, role: 'viewer' });
    api.clock.offsetMs += 1_000;
    expect(told(await api.call('POST', '/v1/creatives', { key: made['key']!, body: {} }))).toBe('403 role_forbidden');
    expect((await wallet(made['key']!)).status).toBe(200);
  });

  test('agencies send X-Workspace-Id: ws_<id> to act on an owned sub-account', async () => {
    const id = await createClient('Acted on');
    expect((await wallet(agencyKey, { 'x-workspace-id': id })).body['balance']).toEqual({ amount: 0, currency: 'EUR' });
    const foreign = formatId('workspace', brand.handle);
    const answers = await Promise.all(
      [foreign, formatId('workspace', handle('workspace', 999_999)), 'ws_x', '', `${id},${id}`, "ws_' or 1=1"].map(
        name => wallet(agencyKey, { 'x-workspace-id': name }),
      ),
    );
    expect(new Set(answers.map(told))).toEqual(new Set(['404 not_found']));
    const bodies = answers.map(answer => JSON.stringify({ ...readAs<object>(answer.body), request_id: '' }));
    expect(new Set(bodies).size).toBe(1);
    expect(told(await wallet(key, { 'x-workspace-id': foreign }))).toBe('403 wrong_surface');
  });

  test("every write there stands in the sub-account's audit, and none in the agency's", async () => {
    const id = await createClient('Written to');
    const headers = { 'x-workspace-id': id };
    const made = (
      await api.call('POST', '/v1/creatives', {
        key: agencyKey,
        headers,
        body: { name: 'Spot', orientation: 'landscape', duration_ms: 10_000 },
      })
    ).body['id'];
    expect(dataOf(await api.call('GET', `/v1/audit?entity_id=${made}`, { key: agencyKey, headers }))).toMatchObject([
      { action: 'creative.created', actor: { id: formatId('user', agency.user) } },
    ]);
    expect(dataOf(await api.call('GET', `/v1/audit?entity_id=${made}`, { key: agencyKey }))).toEqual([]);
  });

  test('keys are rotated every 90 days; both old and new key are valid for a 24-hour overlap', async () => {
    const old = (await api.call('POST', '/v1/keys', { key, body: {} })).body;
    expect(Date.parse(old['expires_at']!) - Date.parse(old['created_at']!)).toBe(90 * DAY_MS);
    const before = api.clock.offsetMs;
    api.clock.offsetMs = before + 89 * DAY_MS;
    expect((await wallet(old['key']!)).headers).toMatchObject({
      warning: expect.stringContaining('/rotate'),
      'x-key-expires-at': old['expires_at'],
    });
    const next = (await api.call('POST', `/v1/keys/${old['id']}/rotate`, { key })).body;
    expect([told(await wallet(old['key']!)), told(await wallet(next['key']!))]).toEqual(['200', '200']);
    api.clock.offsetMs = before + 90 * DAY_MS - 10_000;
    expect([told(await wallet(old['key']!)), told(await wallet(next['key']!))]).toEqual(['200', '200']);
    api.clock.offsetMs = before + 90 * DAY_MS + 60_000;
    expect([told(await wallet(old['key']!)), told(await wallet(next['key']!))]).toEqual(['401 expired_key', '200']);
    api.clock.offsetMs = before + 180 * DAY_MS;
    expect(told(await wallet(next['key']!))).toBe('401 expired_key');
    api.clock.offsetMs = before;
  });

  test('X-Service-Sdk is optional, and used only for counting integrations', async () => {
    const plain = await wallet(key);
    for (const sdk of ['planner/1.2.3', 'x'.repeat(5_000), '<script>', 'no version']) {
      const answer = await wallet(key, { 'x-service-sdk': sdk });
      expect([answer.status, answer.body]).toEqual([200, plain.body]);
    }
    await eventually(async () => {
      const rows = await (
        await api.clickhouse.query({
          query: `select integration, toUInt32(sum(calls)) as calls from private_integration_calls where workspace_handle = ${brand.handle} group by integration`,
          format: 'JSONEachRow',
        })
      ).json();
      return JSON.stringify(rows) === JSON.stringify([{ integration: 'planner/1.2.3', calls: 1 }]) ? true : undefined;
    });
  });

  test('webhook deliveries are authenticated by signature: its secret is given on creation, and never again', async () => {
    const made = (
      await api.call('POST', '/v1/webhooks', {
        key,
        body: { url: 'https://hooks.example.com/', events: ['campaign.created'] },
      })
    ).body;
    expect(made['secret']).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await api.call('GET', `/v1/webhooks/${made['id']}`, { key })).raw.toString()).not.toContain('whsec_');
  });
});

describe('what section 5 leaves open', () => {
  test('a key that is revoked, or whose person has left, is refused within a second, whatever it is sent with', async () => {
    const made = (await api.call('POST', '/v1/keys', { key, body: {} })).body;
    expect((await wallet(made['key']!)).status).toBe(200);
    expect((await api.call('DELETE', `/v1/keys/${made['id']}`, { key })).status).toBe(204);
    api.clock.offsetMs += 1_000;
    expect(told(await wallet(made['key']!, { 'x-workspace-id': formatId('workspace', brand.handle) }))).toBe(
      '401 revoked_key',
    );
  });

  test('a key of the sandbox changes nothing of the live book', async () => {
    const play = await createKey(api, brand, { mode: 'test' });
    const creative = await createReadyCreative(api, key);
    const { id } = (await api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [creative]) })).body;
    for (const [method, url, body] of [
      ['PATCH', `/v1/campaigns/${id}`, { name: 'x' }],
      ['DELETE', `/v1/campaigns/${id}`, undefined],
      ['PATCH', `/v1/creatives/${creative}`, { filename: 'a.png' }],
      ['DELETE', `/v1/creatives/${creative}`, undefined],
    ] as const) {
      expect(told(await api.call(method, url, { key: play, ...(body && { body }) }))).toBe('404 not_found');
    }
    const house = await createKey(api, await createWorkspace(api, { kind: 'venue' }), {
      surface: 'screen_manager',
      mode: 'test',
    });
    expect((await api.call('POST', '/v1/venues', { key: house, body: VENUE })).status).toBe(201);
  });
});
