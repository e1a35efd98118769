/**
 * Sections 7 (errors) and 9 (versioning) of docs/interface-specification.md, and how the gaps that section 7 names were
 * decided; each test is named by its row. One call is made for each documented status. Driven by calls to the API in
 * this process on real engines.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../../../domain/id.ts';
import { formatKey } from '../../../../domain/access/key.ts';
import { REFUSALS } from '../../../../domain/refusal.ts';
import { isSuccess } from '../../../../domain/webhook.ts';
import { documentOffline } from '../../../../api/offline.ts';
import { handle } from '../../../support/handle.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  startApi,
  VENUE,
  type Answer,
  type TestApi,
  type TestWorkspace,
} from '../../support/app-under-test.ts';
import { startMinute } from '../../support/limit-windows.ts';
import { startSecondApi } from '../../support/second-app.ts';
import { rowsOf } from '../../support/answer.ts';

let api: TestApi;
let brand: TestWorkspace;
let key: string;
let testKey: string;
let creative: string;
/** Keys of one workspace, by surface. */
let keys: Record<string, string>;

beforeAll(async () => {
  api = await startApi();
  brand = await createWorkspace(api, { kind: 'agency', funds: 10_000 });
  key = await createKey(api, brand);
  testKey = await createKey(api, brand, { mode: 'test' });
  keys = {
    ads_manager: key,
    screen_manager: await createKey(api, brand, { surface: 'screen_manager' }),
    agency: await createKey(api, brand, { surface: 'agency' }),
    operator: await createKey(api, await createWorkspace(api, { kind: 'operator' }), { surface: 'operator' }),
  };
  creative = await createReadyCreative(api, key);
});
afterAll(() => api.close());

const LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const limitsOf = (answer: Answer) => LIMIT_HEADERS.filter(name => answer.headers[name] !== undefined);
const json = { 'content-type': 'application/json' };
const pathOf = (url: string) => url.replaceAll(/:\w+/g, 'x');
const keyedRoutes = () => api.routes.filter(route => route.access !== 'public' && route.method !== 'HEAD');
/** The answer of a route to whichever surface and mode may call it. */
async function callAllowed(method: string, url: string, options: Parameters<TestApi['call']>[2]): Promise<Answer> {
  const answers = await Promise.all(
    [...Object.values(keys), testKey].map(each => api.call(method, url, { ...options, key: each })),
  );
  return answers.find(answer => answer.status !== 403)!;
}

/** A key that has used up the calls of its minute. */
async function createSpentKey(): Promise<string> {
  await startMinute(api);
  const spent = await createKey(api, brand, { perMinuteMax: 1 });
  await api.call('GET', '/v1/wallet', { key: spent });
  return spent;
}

/** One call for each documented status: what comes back, and the code that it has. */
const REFUSED: [status: number, code: string, send: () => Promise<Answer>][] = [
  [400, 'malformed_json', () => api.call('POST', '/v1/campaigns', { key, payload: '{', headers: json })],
  [400, 'malformed_json', () => api.call('POST', '/v1/campaigns', { key, payload: '{"__proto__":{}}', headers: json })],
  [400, 'unknown_query_parameter', () => api.call('GET', '/v1/campaigns?page=2', { key })],
  [400, 'bad_query_parameter', () => api.call('GET', '/v1/campaigns?limit=101', { key })],
  [400, 'bad_mode', () => api.call('GET', '/v1/campaigns', { key, headers: { 'x-mode': 'sandbox' } })],
  [400, 'bad_cursor', () => api.call('GET', '/v1/campaigns?cursor=none', { key })],
  [
    400,
    'bad_idempotency_key',
    () =>
      api.call('POST', '/v1/campaigns', {
        key,
        body: campaignBody(api, [creative]),
        headers: { 'idempotency-key': '' },
      }),
  ],
  [401, 'missing_key', () => api.call('GET', '/v1/campaigns')],
  [401, 'invalid_key', () => api.call('GET', '/v1/campaigns', { key: formatKey(randomBytes(32), 'live') })],
  [
    401,
    'expired_key',
    async () =>
      api.call('GET', '/v1/campaigns', {
        key: await createKey(api, brand, { expiresAt: new Date(api.clock.now() - 1) }),
      }),
  ],
  [
    401,
    'revoked_key',
    async () =>
      api.call('GET', '/v1/campaigns', {
        key: await createKey(api, brand, { revokedAt: new Date(api.clock.now() - 1) }),
      }),
  ],
  [
    403,
    'read_only_key',
    async () =>
      api.call('POST', '/v1/campaigns', { key: await createKey(api, brand, { access: 'read_only' }), body: {} }),
  ],
  [403, 'wrong_surface', () => api.call('GET', '/v1/screens', { key })],
  [
    403,
    'role_forbidden',
    async () =>
      api.call('POST', '/v1/campaigns', {
        key: await createKey(api, await createWorkspace(api, { role: 'viewer' })),
        body: {},
      }),
  ],
  [
    404,
    'not_found',
    () => api.call('GET', `/v1/campaigns/${formatId('campaign', handle('campaign', 999_999))}`, { key }),
  ],
  [405, 'method_not_allowed', () => api.call('PUT', '/v1/campaigns', { key })],
  [
    409,
    'insufficient_funds',
    () =>
      api.call('POST', '/v1/campaigns', {
        key,
        body: campaignBody(api, [creative], { budget: { amount: 1_000_000, currency: 'EUR' } }),
      }),
  ],
  [
    410,
    'pairing_code_expired',
    async () => {
      const venue = (await api.call('POST', '/v1/venues', { key: keys['screen_manager']!, body: VENUE })).body['id']!;
      const { code } = (
        await api.call('POST', '/v1/pairing', { key: keys['screen_manager']!, body: { venue_id: venue } })
      ).body;
      api.clock.offsetMs += 61_000;
      return api.call('GET', `/v1/pairing/${code}`, { key: keys['screen_manager']! });
    },
  ],
  [
    413,
    'body_too_large',
    () => api.call('POST', '/v1/campaigns', { key, payload: `{"name":"${'x'.repeat(1024 * 1024)}"}`, headers: json }),
  ],
  [
    415,
    'unsupported_media_type',
    () => api.call('POST', '/v1/campaigns', { key, payload: '{}', headers: { 'content-type': 'text/plain' } }),
  ],
  [422, 'validation_failed', () => api.call('POST', '/v1/campaigns', { key, body: { name: 1 } })],
  [
    422,
    'idempotency_key_reused',
    async () => {
      const send = (name: string) =>
        api.call('POST', '/v1/creatives', {
          key,
          body: { name, orientation: 'landscape', duration_ms: 10_000 },
          headers: { 'idempotency-key': 'reused' },
        });
      await send('first');
      return send('second');
    },
  ],
  [
    429,
    'rate_limited',
    async () => {
      return api.call('GET', '/v1/campaigns', { key: await createSpentKey() });
    },
  ],
  [
    503,
    'engine_unavailable',
    async () => {
      const other = await startSecondApi(api);
      await other.sql.end({ timeout: 1 });
      const answer = await other.call('GET', '/v1/campaigns', { key });
      await other.close();
      return answer;
    },
  ],
];

describe('errors (section 7)', () => {
  test('a call beyond the rate limit is answered 429 with Retry-After in seconds, which no other status has', async () => {
    const answer = await api.call('GET', '/v1/campaigns', { key: await createSpentKey() });
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, expect.stringMatching(/^[1-9]\d?$/)]);
    // and see the status codes below
    expect((await api.call('GET', '/v1/campaigns', { key })).headers['retry-after']).toBeUndefined();
  });

  test('webhook receivers signal failure by any status but 2xx, or by a timeout', () => {
    expect([200, 204, 299].map(status => isSuccess({ status }))).toEqual([true, true, true]);
    expect([199, 301, 404, 500].map(status => isSuccess({ status }))).toEqual([false, false, false, false]);
    expect(isSuccess({ error: 'timeout' })).toBe(false);
  });

  test('all wrong fields are named together, each with pointer, code and detail', async () => {
    const { body } = await api.call('POST', '/v1/creatives', { key, body: { name: 1, orientation: 'oblique' } });
    expect(body['errors']).toEqual(
      expect.arrayContaining(
        [
          ['/name', 'wrong_type'],
          ['/orientation', 'not_allowed'],
          ['/duration_ms', 'required'],
        ].map(([pointer, code]) => ({ pointer, code, detail: expect.any(String) })),
      ),
    );
  });

  test.each(REFUSED)(
    'gap: status codes: %i %s, as application/problem+json; Retry-After only on 429, limit headers where the key is known',
    async (status, code, send) => {
      const answer = await send();
      expect(answer).toMatchObject({
        status,
        body: {
          type: `urn:marquee:problem:${code}`,
          title: REFUSALS[code as keyof typeof REFUSALS].title,
          status,
          detail: expect.any(String),
          code,
          request_id: answer.headers['x-request-id'],
        },
      });
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
      expect(answer.headers['retry-after'] !== undefined).toBe(status === 429);
      expect(limitsOf(answer)).toEqual(status === 401 || status === 503 ? [] : LIMIT_HEADERS);
      expect(answer.raw.toString()).not.toMatch(/node_modules|\.ts:|select |insert /);
    },
  );

  test('a repeated Idempotency-Key is answered as the first time, and marked as a repeat', async () => {
    const send = () =>
      api.call('POST', '/v1/campaigns', {
        key,
        body: campaignBody(api, [creative]),
        headers: { 'idempotency-key': 'again' },
      });
    const [first, second] = [await send(), await send()];
    expect([
      first.status,
      first.headers['idempotent-replayed'],
      second.status,
      second.headers['idempotent-replayed'],
      second.raw.equals(first.raw),
    ]).toEqual([201, undefined, 201, 'true', true]);
  });

  test.each([
    ['PUT', '/v1/campaigns', 405],
    ['DELETE', '/v1/openapi.json', 405],
    ['GET', '/v1/nothing', 404],
    ['POST', '/v1/campaigns/x/y/z', 404],
    ['GET', '/v1/campaigns/%zz', 404],
    ['GET', `/v1/campaigns/${'x'.repeat(500)}`, 404],
  ])('a call that reaches no route counts like any other: %s %s', async (method, url, status) => {
    await startMinute(api);
    const own = await createKey(api, brand, { perMinuteMax: 1_000 });
    const first = await api.call(method, url, { key: own });
    const second = await api.call(method, url, { key: own });
    expect([first.status, second.status, limitsOf(first)]).toEqual([status, status, LIMIT_HEADERS]);
    expect([first.headers, second.headers].map(headers => Number(headers['x-ratelimit-remaining']))).toEqual([
      999, 998,
    ]);
    expect(limitsOf(await api.call(method, url, { key: 'sk_live_no' }))).toEqual([]);
    expect(limitsOf(await api.call(method, url))).toEqual([]);
    expect(await api.call(method, url, { key: await createSpentKey() })).toMatchObject({
      status: 429,
      body: { code: 'rate_limited' },
      headers: { 'retry-after': expect.anything() },
    });
  });
});

describe('an unknown field is refused on every route that takes a key', () => {
  const fields = { no_such_field: 1 };
  test('in the body of every POST, PATCH, PUT and DELETE: 422, with its pointer', async () => {
    const routes = keyedRoutes().filter(route => route.method !== 'GET');
    expect(routes.length).toBeGreaterThan(30);
    await Promise.all(
      routes.map(async ({ method, url }) => {
        const answer = await callAllowed(method, pathOf(url), { body: fields });
        const pointers = rowsOf<{ pointer: string; code: string }>(answer.body?.['errors'] ?? [])
          .filter(fault => fault.code === 'unknown_field')
          .map(fault => fault.pointer);
        expect([method, url, answer.status, answer.body?.['code'], pointers]).toEqual([
          method,
          url,
          422,
          'validation_failed',
          ['/no_such_field'],
        ]);
      }),
    );
  });

  test('in the query of every GET and DELETE: 400', async () => {
    const routes = keyedRoutes().filter(({ method }) => method === 'GET' || method === 'DELETE');
    expect(routes.length).toBeGreaterThan(30);
    await Promise.all(
      routes.map(async ({ method, url }) => {
        const answer = await callAllowed(method, `${pathOf(url)}?no_such_field=1`, {});
        expect([method, url, answer.status, answer.body['code']]).toEqual([
          method,
          url,
          400,
          'unknown_query_parameter',
        ]);
      }),
    );
  });

  test('a route that takes no body takes an empty one or none, and nothing else', async () => {
    const made = (
      await api.call('POST', '/v1/webhooks', {
        key,
        body: { url: 'https://hooks.example.com/', events: ['campaign.created'] },
      })
    ).body['id']!;
    const rotate = (options: object) => api.call('POST', `/v1/webhooks/${made}/rotate`, { key, ...options });
    expect([(await rotate({})).status, (await rotate({ body: {} })).status]).toEqual([201, 201]);
    for (const body of [[], 'text', 1, null, { a: 1, b: { c: 1 } }])
      expect(await rotate({ body })).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect((await rotate({ body: { 'a/b': 1, c: 1 } })).body['errors']).toMatchObject([
      { pointer: '/a~1b', code: 'unknown_field' },
      { pointer: '/c', code: 'unknown_field' },
    ]);
    expect((await rotate({ payload: '{}', headers: { 'content-type': 'text/plain' } })).status).toBe(415);
    expect((await rotate({ payload: '{', headers: json })).status).toBe(400);
    const named = await api.call('DELETE', `/v1/webhooks/${made}`, { key, body: { force: true } });
    expect([named.status, (await api.call('GET', `/v1/webhooks/${made}`, { key })).status]).toEqual([422, 200]);
  });
});

describe('versioning (section 9)', () => {
  /** Addresses for devices and people, which carry no version. */
  const UNVERSIONED = new Set([
    '/s/{code}',
    '/pair/{code}',
    '/player',
    '/screenshots/{id}',
    '/uploads/{id}',
    '/uploads/{id}/audio',
    '/assets/{name}',
    '/exports/{id}',
    '/menus/{name}/{template}',
    '/notices/{campaign}',
    '/cards/{name}',
    '/unsubscribe/{token}',
  ]);

  test('the version is part of the path: all endpoints are under /v1', async () => {
    const { paths } = await documentOffline();
    expect(Object.keys(paths).filter(path => !path.startsWith('/v1/') && !UNVERSIONED.has(path))).toEqual([]);
    expect(api.routes.filter(route => route.access !== 'public' && !route.url.startsWith('/v1/'))).toEqual([]);
    expect((await api.call('GET', '/campaigns', { key })).status).toBe(404);
    expect((await api.call('GET', '/v2/campaigns', { key })).status).toBe(404);
  });

  test('calls that change campaigns accept an Idempotency-Key header', async () => {
    const headers = { 'idempotency-key': 'mutating' };
    const made = await api.call('POST', '/v1/campaigns', { key, headers, body: campaignBody(api, [creative]) });
    const url = `/v1/campaigns/${made.body['id']}`;
    expect([
      made.status,
      (await api.call('PATCH', url, { key, headers, body: { name: 'Winter' } })).status,
      (await api.call('DELETE', url, { key, headers })).status,
    ]).toEqual([201, 200, 204]);
    expect(
      await api.call('POST', '/v1/campaigns', { key, headers, body: campaignBody(api, [creative]) }),
    ).toMatchObject({ status: 201, body: made.body, headers: { 'idempotent-replayed': 'true' } });
  });

  test('the interface is plain HTTP and JSON', async () => {
    for (const url of ['/v1/campaigns', '/v1/wallet', '/v1/openapi.json'])
      expect((await api.call('GET', url, { key })).headers['content-type']).toMatch(/^application\/json/);
  });
});
