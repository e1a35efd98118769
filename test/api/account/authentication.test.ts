/**
 * Which keys the API accepts, how it answers guesses, and that every route allows what the permission table says.
 * Driven by calls to the API in this process on real engines; a second API on the same engines stands for another
 * process.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { trusting } from '#runtime/ingress/forwarded-for.ts';
import { formatKey } from '../../../domain/access/key.ts';
import { may, type Access, type Role, type Surface } from '../../../domain/access/permission.ts';
import { refuse } from '../../../domain/refusal.ts';
import { createKey, createWorkspace, startApi, type TestApi, type TestWorkspace } from '../support/app-under-test.ts';
import { startSecondApi } from '../support/second-app.ts';

let api: TestApi;
let workspace: TestWorkspace;

beforeAll(async () => {
  api = await startApi();
  workspace = await createWorkspace(api);
});
afterAll(() => api.close());

describe('keys', () => {
  test.each([
    ['absent', undefined, 'missing_key'],
    ['of another scheme', 'Basic abc', 'missing_key'],
    ['empty', 'Bearer ', 'missing_key'],
    ['no key', 'Bearer hello', 'invalid_key'],
    ['well spelled but unknown', `Bearer ${formatKey(randomBytes(32), 'live')}`, 'invalid_key'],
  ])('a key that is %s is answered 401 %s', async (_name, authorization, code) => {
    const answer = await api.call('GET', '/v1/campaigns', {
      headers: authorization === undefined ? {} : { authorization },
    });
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ code, status: 401, request_id: answer.headers['x-request-id'] });
    expect(answer.headers['content-type']).toContain('application/problem+json');
  });

  describe('a guess at a key', () => {
    const ask = async (
      address: string,
      authorization = `Bearer ${formatKey(randomBytes(32), 'live')}`,
      url = '/v1/campaigns',
    ) => {
      const { statusCode, headers, body } = await api.app.inject({
        method: 'GET',
        url,
        remoteAddress: address,
        headers: { authorization },
      });
      return {
        status: statusCode,
        code: statusCode === 200 ? undefined : (JSON.parse(body) as { code: string }).code,
        retryAfter: Number(headers['retry-after']),
      };
    };

    test('is answered 429 after a hundred in a minute, for all processes, and a good key of that address passes', async () => {
      const answers = await Promise.all(Array.from({ length: 120 }, () => ask('203.0.113.20')));
      expect(answers.filter(({ code }) => code === 'invalid_key')).toHaveLength(100);
      expect(
        answers.filter(
          ({ status, code, retryAfter }) =>
            status === 429 && code === 'rate_limited' && retryAfter >= 1 && retryAfter <= 60,
        ),
      ).toHaveLength(20);
      const key = await createKey(api, workspace);
      expect(await ask('203.0.113.20', `Bearer ${key}`)).toMatchObject({ status: 200 });
      // no way round it
      expect(await ask('203.0.113.20', 'Bearer hello', '/v1/no-such-path')).toMatchObject({ status: 429 });
      expect(await ask('203.0.113.21')).toMatchObject({ status: 401 });
      const second = await startSecondApi(api);
      const elsewhere = await second.inject({
        method: 'GET',
        url: '/v1/campaigns',
        remoteAddress: '203.0.113.20',
        headers: { authorization: 'Bearer hello' },
      });
      await second.close();
      expect(elsewhere.statusCode).toBe(429);
    });

    test('makes no Redis call once its address has no guesses left, and counts again after the minute', async () => {
      for (let guess = 0; guess < 101; guess += 1) await ask('203.0.113.22', 'Bearer hello');
      const counted = await api.redis.get('guess:key:203.0.113.22');
      expect([await ask('203.0.113.22'), await api.redis.get('guess:key:203.0.113.22')]).toMatchObject([
        { status: 429 },
        counted,
      ]);
      await api.redis.del('guess:key:203.0.113.22'); // as its end does
      api.clock.offsetMs += 60_000;
      expect(await ask('203.0.113.22')).toMatchObject({ status: 401 });
    });

    test('does not include calls with an expired key, without a key, or with a valid key', async () => {
      const expired = `Bearer ${await createKey(api, workspace, { expiresAt: new Date(api.clock.now() - 1) })}`;
      for (let call = 0; call < 101; call += 1) await ask('203.0.113.23', expired);
      expect(await ask('203.0.113.23', expired)).toMatchObject({ status: 401, code: 'expired_key' });
      expect(await api.redis.get('guess:key:203.0.113.23')).toBeNull();
    });

    test("counts for the address of the caller behind a trusted proxy, and for the proxy's own behind another", async () => {
      const proxied = await startSecondApi(api, { trustProxy: trusting('198.51.100.0/24') });
      const guess = async (proxy: string, caller: string) =>
        (
          await proxied.inject({
            method: 'GET',
            url: '/v1/campaigns',
            remoteAddress: proxy,
            headers: { authorization: 'Bearer hello', 'x-forwarded-for': caller },
          })
        ).statusCode;
      for (let number = 0; number < 100; number += 1) expect(await guess('198.51.100.1', '203.0.113.24')).toBe(401);
      expect([await guess('198.51.100.1', '203.0.113.24'), await guess('198.51.100.1', '203.0.113.25')]).toEqual([
        429, 401,
      ]);
      for (let number = 0; number < 100; number += 1) await guess('192.0.2.1', `203.0.113.${100 + number}`);
      expect(await guess('192.0.2.1', '203.0.113.26')).toBe(429);
      await proxied.close();
    });
  });

  test('an expired key is answered 401 expired_key', async () => {
    const key = await createKey(api, workspace, { expiresAt: new Date(api.clock.now() - 1) });
    expect(await api.call('GET', '/v1/campaigns', { key })).toMatchObject({
      status: 401,
      body: { code: 'expired_key' },
    });
  });

  test('a revocation holds within a second, in a process that knew the key', async () => {
    const key = await createKey(api, workspace);
    expect((await api.call('GET', '/v1/campaigns', { key })).status).toBe(200);
    await api.sql`update keys set is_revoked = true, revoked_at = ${new Date(api.clock.now())} where user_handle = ${workspace.user} and surface = 'ads_manager' and revoked_at is null`;
    api.clock.offsetMs += 950;
    expect(await api.call('GET', '/v1/campaigns', { key })).toMatchObject({
      status: 401,
      body: { code: 'revoked_key' },
    });
  });

  test('a changed role applies within a second', async () => {
    const other = await createWorkspace(api);
    const key = await createKey(api, other);
    expect((await api.call('POST', '/v1/creatives', { key, body: {} })).status).toBe(422);
    await api.sql`update users set role = 'viewer' where handle = ${other.user}`;
    api.clock.offsetMs += 950;
    expect(await api.call('POST', '/v1/creatives', { key, body: {} })).toMatchObject({
      status: 403,
      body: { code: 'role_forbidden' },
    });
  });

  test('an unreachable database gives 503, without details and without Retry-After', async () => {
    const key = await createKey(api, workspace);
    const away = api.sql.end({ timeout: 1 });
    await away;
    const answer = await api.call('GET', '/v1/campaigns', { key });
    expect(answer).toMatchObject({ status: 503, body: { code: 'engine_unavailable' } });
    expect(answer.headers['retry-after']).toBeUndefined();
    expect(answer.raw.toString()).not.toMatch(/CONNECTION|postgres|at .*\.ts/i);
  });
});

describe('permission, on every route', () => {
  let matrix: TestApi;
  beforeAll(async () => {
    matrix = await startApi();
  });
  afterAll(() => matrix.close());

  test('every route says who may call it, and the open ones are the known ones', () => {
    expect(matrix.routes.length).toBeGreaterThan(25);
    expect(
      matrix.routes
        .filter(route => route.access === 'public')
        .map(route => `${route.method} ${route.url}`)
        .sort(),
    ).toEqual([
      'GET /',
      'GET /assets/:name',
      'GET /cards/:name',
      'GET /console',
      'GET /console/*',
      'GET /console/map-tiles', // asks itself who calls, for any caller
      'GET /docs',
      'GET /docs/',
      'GET /docs/*',
      'GET /docs/reference',
      'GET /docs/reference/',
      'GET /docs/reference/:file',
      'GET /exports/:id',
      'GET /livez',
      'GET /llms.txt',
      'GET /menus/:name/:template',
      'GET /notices/:campaign',
      'GET /pair/:code',
      'GET /pair/:code/',
      'GET /player',
      'GET /player/',
      'GET /player/:file',
      'GET /readyz',
      'GET /s/:code',
      'GET /s/:code/',
      'GET /v1/invoices/:id/pdf',
      'GET /v1/openapi.json',
      'GET /v1/payouts/statements/:month/:currency/:workspace/pdf',
      'GET /v1/proof-keys',
      'GET /v1/sessions/options',
      'HEAD /',
      'HEAD /assets/:name',
      'HEAD /cards/:name',
      'HEAD /console',
      'HEAD /console/*',
      'HEAD /console/map-tiles',
      'HEAD /docs',
      'HEAD /docs/',
      'HEAD /docs/*',
      'HEAD /docs/reference',
      'HEAD /docs/reference/',
      'HEAD /docs/reference/:file',
      'HEAD /livez',
      'HEAD /llms.txt',
      'HEAD /menus/:name/:template',
      'HEAD /notices/:campaign',
      'HEAD /pair/:code',
      'HEAD /player',
      'HEAD /player/:file',
      'HEAD /readyz',
      'HEAD /v1/invoices/:id/pdf',
      'HEAD /v1/openapi.json',
      'HEAD /v1/payouts/statements/:month/:currency/:workspace/pdf',
      'HEAD /v1/proof-keys',
      'HEAD /v1/sessions/options',
      'POST /v1/invitations/accept',
      'POST /v1/invitations/preview',
      'POST /v1/pairing/:code/confirm',
      'POST /v1/password-resets',
      'POST /v1/password-resets/use',
      'POST /v1/payments/stripe/events',
      'POST /v1/sessions',
      'POST /v1/sessions/link',
      'POST /v1/shared-reports/read',
      'POST /v1/sign-up',
      'PUT /screenshots/:id',
      'PUT /uploads/:id',
      'PUT /uploads/:id/audio',
    ]);
  });

  test('every route treats every kind of key as the permission table says', async () => {
    const surfaces: Surface[] = ['ads_manager', 'screen_manager', 'agency', 'operator'];
    const accesses: Access[] = ['read_write', 'read_only'];
    const roles: Role[] = ['owner', 'admin', 'manager', 'finance', 'viewer'];
    for (const role of roles) {
      const home = await createWorkspace(matrix, { role });
      for (const surface of surfaces)
        for (const access of accesses)
          for (const mode of ['live', 'test'] as const) {
            const key = await createKey(matrix, home, { surface, access, mode });
            // All routes at once: each call is on its own, and one after the other they take minutes.
            await Promise.all(
              matrix.routes.map(async route => {
                if (route.access === 'public') return;
                const expected =
                  may(surface, role, access, route.access.resource, route.access.verb) ??
                  (route.mode === undefined || route.mode === mode ? undefined : refuse('wrong_mode', ''));
                const answer = await matrix.call(route.method, route.url.replaceAll(/:\w+/g, 'x'), {
                  key,
                  ...(['POST', 'PATCH'].includes(route.method) && { body: {} }),
                });
                const where = `${route.method} ${route.url} as ${surface} ${role} ${access} ${mode}`;
                // A key that is let through meets an empty body, a query that is missing, an id that is none or a
                // balance of nothing.
                const passed = [200, 201, 400, 404, 409, 422].includes(answer.status);
                const told = route.method === 'HEAD' ? expected?.code : answer.body?.['code'];
                expect([where, passed ? 'passed' : answer.status, passed ? undefined : told]).toEqual([
                  where,
                  expected ? 403 : 'passed',
                  expected?.code,
                ]);
              }),
            );
          }
    }
  }, 120_000);
});
