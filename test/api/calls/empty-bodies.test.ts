/**
 * A call with the header of JSON and a body of no bytes, as many HTTP clients send where there is nothing to send.
 * Every operation that writes is called so. The API runs in this process on real engines.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationsOf } from '../../../api/openapi/document.ts';
import { createKey, createWorkspace, startApi, type Answer, type TestApi } from '../support/app-under-test.ts';
import { documentOf } from '../support/openapi-codes.ts';

let api: TestApi;
let keys: string[];

beforeAll(async () => {
  api = await startApi();
  const [home, office] = [
    await createWorkspace(api, { kind: 'agency' }),
    await createWorkspace(api, { kind: 'operator' }),
  ];
  keys = await Promise.all([
    createKey(api, home),
    createKey(api, home, { surface: 'screen_manager' }),
    createKey(api, home, { surface: 'agency' }),
    createKey(api, home, { mode: 'test' }),
    createKey(api, office, { surface: 'operator' }),
  ]);
});
afterAll(() => api.close());

type Call = { method: string; url: string };

/** The operations that write, and whether they take JSON; files and events of Stripe are read by their routes. */
const operations = (takesJson: boolean): Call[] =>
  operationsOf(documentOf(api.app))
    .filter(({ method, path }) => method !== 'get' && method !== 'head' && path.startsWith('/v1/'))
    .filter(({ path }) => path !== '/v1/payments/stripe/events')
    .filter(({ operation }) => (operation.requestBody !== undefined) === takesJson)
    .map(({ method, path }) => ({ method: method.toUpperCase(), url: path.replaceAll(/\{\w+\}/g, 'x') }));

/** The answer to the first key whose surface and mode reach the operation. */
async function told({ method, url }: Call, options: { payload?: string; headers?: Record<string, string> } = {}) {
  const codeOf = ({ status, body }: Answer) => `${method} ${url} ${status} ${body?.['code'] ?? ''}`.trim();
  for (const key of keys) {
    const answer = await api.call(method, url, { key, ...options });
    if (answer.status !== 403) return codeOf(answer);
  }
  throw new Error(`no key reaches ${method} ${url}`);
}
const EMPTY = { payload: '', headers: { 'content-type': 'application/json; charset=utf-8', 'content-length': '0' } };

test('is the same call as without the header if the route takes no body', async () => {
  const calls = operations(false);
  expect(calls.length).toBeGreaterThan(20);
  for (const call of calls) expect(await told(call, EMPTY)).toBe(await told(call));
});

test('is refused as invalid JSON if the route takes a body', async () => {
  const calls = operations(true);
  expect(calls.length).toBeGreaterThan(20);
  for (const call of calls) expect(await told(call, EMPTY)).toBe(`${call.method} ${call.url} 400 malformed_json`);
});

test('still refuses forbidden keys and unknown fields', async () => {
  const call = { method: 'DELETE', url: '/v1/keys/x' };
  const headers = { 'content-type': 'application/json' };
  for (const [payload, code] of [
    ['{"__proto__":{"admin":true}}', '400 malformed_json'],
    ['{"constructor":{"prototype":{}}}', '400 malformed_json'],
    [' ', '400 malformed_json'],
    ['{"a":1}', '422 validation_failed'],
    ['{}', '404 not_found'],
  ] as const)
    expect(await told(call, { payload, headers })).toBe(`DELETE /v1/keys/x ${code}`);
});
