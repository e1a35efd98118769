/**
 * Programs in browsers: pages of configured origins may call the API and upload files, other pages may not. Driven by
 * calls with an Origin header to a second API on real engines, which has origins configured.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseOrigins } from '../../../../api/http/cross-origin.ts';
import { PIXEL } from '../../../support/media.ts';
import { createKey, createWorkspace, startApi, type TestApi } from '../../support/app-under-test.ts';
import { startSecondApi } from '../../support/second-app.ts';

const ORIGIN = 'https://app.example.com';
let api: TestApi;
let open: Awaited<ReturnType<typeof startSecondApi>>;
let key: string;

beforeAll(async () => {
  api = await startApi();
  key = await createKey(api, await createWorkspace(api, { funds: 100 }));
  open = await startSecondApi(api, { corsOrigins: parseOrigins(ORIGIN), storage: api.storage });
});
afterAll(async () => {
  await open.close();
  await api.close();
});

const preflight = (path: string, method: string, origin = ORIGIN) =>
  open.call('OPTIONS', path, {
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  });

describe('a page of a configured origin', () => {
  test.each([
    ['/v1/campaigns', 'POST'],
    ['/v1/campaigns/x', 'PATCH'],
    ['/v1/openapi.json', 'GET'],
    ['/uploads/cre_x', 'PUT'],
    ['/v1/nowhere', 'GET'],
  ])('may ask whether it may call %s by %s', async (path, method) => {
    const { status, headers } = await preflight(path, method);
    expect([status, headers['access-control-allow-origin'], headers['vary']]).toEqual([204, ORIGIN, 'Origin']);
    expect(headers['access-control-allow-methods']).toContain(method);
    for (const header of ['authorization', 'content-type', 'idempotency-key', 'x-workspace-id', 'x-mode'])
      expect(headers['access-control-allow-headers']).toContain(header);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });

  test('reads answers and refusals, with the headers that it needs', async () => {
    for (const [options, status] of [
      [{ key }, 200],
      [{}, 401],
    ] as const) {
      const answer = await open.call('GET', '/v1/wallet', { ...options, headers: { origin: ORIGIN } });
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([status, ORIGIN]);
      for (const header of ['x-request-id', 'x-ratelimit-remaining', 'retry-after', 'idempotent-replayed'])
        expect(answer.headers['access-control-expose-headers']).toContain(header);
    }
  });

  test('uploads a file', async () => {
    const made = (
      await open.call('POST', '/v1/creatives', {
        key,
        headers: { origin: ORIGIN },
        body: { name: 'A', orientation: 'landscape', duration_ms: 10_000, filename: 'a.png' },
      })
    ).body;
    const { pathname, search } = new URL(made['upload_url']!);
    const answer = await open.call('PUT', pathname + search, {
      payload: PIXEL,
      headers: { origin: ORIGIN, 'content-type': 'image/png' },
    });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, ORIGIN]);
  });
});

describe('no other page', () => {
  test.each(['https://evil.example.com', 'http://app.example.com', 'https://app.example.com.evil.com', 'null'])(
    'such as one of %s',
    async origin => {
      const answers = [
        await preflight('/v1/campaigns', 'POST', origin),
        await open.call('GET', '/v1/wallet', { key, headers: { origin } }),
      ];
      expect(answers.map(({ status, headers }) => [status, headers['access-control-allow-origin']])).toEqual([
        [405, undefined],
        [200, undefined],
      ]);
    },
  );

  test('where no origins are configured', async () => {
    expect(
      (await api.call('GET', '/v1/wallet', { key, headers: { origin: ORIGIN } })).headers[
        'access-control-allow-origin'
      ],
    ).toBeUndefined();
  });
});

test.each(['null', 'file://', `${ORIGIN}, null`])('CORS_ORIGINS takes the pages of files: %s', text => {
  expect([...parseOrigins(text)]).toEqual(text.split(', '));
});

test.each([
  'app.example.com',
  'https://app.example.com/',
  'https://app.example.com/path',
  'javascript:alert(1)',
  'file:///x',
])('CORS_ORIGINS takes origins alone: %s is refused', text => {
  expect(() => parseOrigins(`${ORIGIN}, ${text}`)).toThrow(RangeError);
});
