import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatKey } from '../../domain/key.ts';
import { may, type Access, type Role, type Surface } from '../../domain/permission.ts';
import { createKey, createWorkspace, startApi, type TestApi, type TestWorkspace } from './app-under-test.ts';

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
    const answer = await api.call('GET', '/v1/campaigns', { headers: authorization === undefined ? {} : { authorization } });
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ code, status: 401, request_id: answer.headers['x-request-id'] });
    expect(answer.headers['content-type']).toContain('application/problem+json');
  });

  test('an expired key is answered 401 expired_key', async () => {
    const key = await createKey(api, workspace, { expiresAt: new Date(api.clock.now() - 1) });
    expect(await api.call('GET', '/v1/campaigns', { key })).toMatchObject({ status: 401, body: { code: 'expired_key' } });
  });

  test('a revocation holds within a second, in a process that knew the key', async () => {
    const key = await createKey(api, workspace);
    expect((await api.call('GET', '/v1/campaigns', { key })).status).toBe(200);
    await api.sql`update keys set revoked_at = ${new Date(api.clock.now())} where user_handle = ${workspace.user} and surface = 'ads_manager' and revoked_at is null`;
    api.clock.offsetMs += 950;
    expect(await api.call('GET', '/v1/campaigns', { key })).toMatchObject({ status: 401, body: { code: 'revoked_key' } });
  });

  test('a role that changed is the role from the next second on', async () => {
    const other = await createWorkspace(api);
    const key = await createKey(api, other);
    expect((await api.call('POST', '/v1/creatives', { key, body: {} })).status).toBe(422);
    await api.sql`update users set role = 'viewer' where handle = ${other.user}`;
    api.clock.offsetMs += 950;
    expect(await api.call('POST', '/v1/creatives', { key, body: {} })).toMatchObject({ status: 403, body: { code: 'role_forbidden' } });
  });

  test('a database that is away is 503, without a word of it and without Retry-After', async () => {
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
  beforeAll(async () => { matrix = await startApi(); });
  afterAll(() => matrix.close());

  test('every route says who may call it, and the open ones are the known ones', () => {
    expect(matrix.routes.length).toBeGreaterThan(25);
    expect(matrix.routes.filter(route => route.access === 'public').map(route => `${route.method} ${route.url}`).sort()).toEqual([
      'GET /assets/:name', 'GET /docs', 'GET /docs/:file', 'GET /exports/:id', 'GET /livez', 'GET /menus/:name/:template', 'GET /pair/:code', 'GET /player',
      'GET /player/:file', 'GET /readyz', 'GET /s/:code', 'GET /v1/invoices/:id/pdf', 'GET /v1/openapi.json', 'HEAD /assets/:name', 'HEAD /docs', 'HEAD /docs/:file',
      'HEAD /livez', 'HEAD /menus/:name/:template', 'HEAD /pair/:code', 'HEAD /player', 'HEAD /player/:file', 'HEAD /readyz', 'HEAD /v1/invoices/:id/pdf',
      'HEAD /v1/openapi.json', 'POST /v1/pairing/:code/confirm', 'PUT /uploads/:id', 'PUT /uploads/:id/audio',
    ]);
  });

  test('every route answers every kind of key as the permission table says', async () => {
    const surfaces: Surface[] = ['ads_manager', 'screen_manager', 'agency'];
    const accesses: Access[] = ['read_write', 'read_only'];
    const roles: Role[] = ['owner', 'admin', 'manager', 'finance', 'viewer'];
    for (const role of roles) {
      const home = await createWorkspace(matrix, { role });
      for (const surface of surfaces) for (const access of accesses) for (const mode of ['live', 'test'] as const) {
        const key = await createKey(matrix, home, { surface, access, mode });
        // All routes at once: each call is on its own, and one after the other they take minutes.
        await Promise.all(matrix.routes.map(async route => {
          if (route.access === 'public') return;
          const expected = may(surface, role, access, route.access.resource, route.access.verb);
          const answer = await matrix.call(route.method, route.url.replaceAll(/:\w+/g, 'x'), { key, ...(['POST', 'PATCH'].includes(route.method) && { body: {} }) });
          const where = `${route.method} ${route.url} as ${surface} ${role} ${access} ${mode}`;
          // A key that is let through meets an empty body, an id that is none or a balance of nothing.
          const passed = [200, 201, 404, 409, 422].includes(answer.status);
          const told = route.method === 'HEAD' ? expected?.code : answer.body?.['code'];
          expect([where, passed ? 'passed' : answer.status, passed ? undefined : told]).toEqual([where, expected ? 403 : 'passed', expected?.code]);
        }));
      }
    }
  }, 120_000);
});
