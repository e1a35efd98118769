/**
 * The client of the SDK over a fetch that answers what a test says: what is repeated and with which key, how long is
 * waited, how pages are read, and which errors are thrown.
 */
import { webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createMarquee,
  MarqueeError,
  VERSION,
  type ErrorCode,
  type MarqueeOptions,
} from '../../sdk/typescript/src/index.ts';
import { REFUSALS, type RefusalCode } from '#domain/refusal.ts';
import { ROOT } from '../support/architecture/source-files.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

type Sent = { method: string; url: string; headers: Headers; body: string };
type Reply = Response | Error | (() => Promise<Response>);

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
const problem = (status: number, code: ErrorCode, headers: Record<string, string> = {}): Response =>
  json(status, { type: '', title: '', status, detail: 'A sentence.', code, request_id: 'req_1' }, headers);

/** A client whose calls are answered in turn, the last reply again and again; its clock is moved by its own waits. */
function clientOver(replies: Reply[], options: Partial<MarqueeOptions> = {}) {
  const sent: Sent[] = [];
  const waits: number[] = [];
  const marquee = createMarquee({
    baseUrl: 'http://api.test',
    key: 'a-key',
    fetch: async request => {
      const { method, url, headers } = request;
      sent.push({ method, url, headers, body: await request.text() });
      const reply = replies.length > 1 ? replies.shift()! : replies[0]!;
      if (reply instanceof Error) throw reply;
      return typeof reply === 'function' ? reply() : reply.clone();
    },
    ...options,
    retries: {
      random: () => 0.5,
      sleep: waitMs => {
        waits.push(waitMs);
        return Promise.resolve();
      },
      ...options.retries,
    },
  });
  return { marquee, sent, waits };
}

const WEBHOOK = { body: { url: 'https://hooks.example.com/', events: ['campaign.approved' as const] } };
const caught = (call: Promise<unknown>): Promise<MarqueeError> =>
  call.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: unknown) => error as MarqueeError,
  );

describe('a call', () => {
  test('sends the key, the workspace and the program, and fills in its path', async () => {
    const { marquee, sent } = clientOver([json(200, { id: 'cmp/1' })], { workspace: 'ws_1', sdk: 'planner/2' });
    expect(await marquee.get('/v1/campaigns/{id}', { path: { id: 'cmp/1' } })).toEqual({ id: 'cmp/1' });
    expect(sent[0]).toMatchObject({ method: 'GET', url: 'http://api.test/v1/campaigns/cmp%2F1', body: '' });
    expect(Object.fromEntries(sent[0]!.headers)).toMatchObject({
      authorization: 'Bearer a-key',
      'x-workspace-id': 'ws_1',
      'x-service-sdk': 'planner/2',
    });
    expect(sent[0]!.headers.has('idempotency-key')).toBe(false);
  });

  test('sends the name of the SDK unless the program names itself', async () => {
    const { marquee, sent } = clientOver([json(200, {})]);
    await marquee.get('/v1/wallet');
    expect(sent[0]!.headers.get('x-service-sdk')).toBe(`marquee-sdk/${VERSION}`);
  });

  test('without a body in the answer returns undefined', async () => {
    const { marquee } = clientOver([new Response(null, { status: 204 })]);
    expect(await marquee.delete('/v1/webhooks/{id}', { path: { id: 'wh_1' } })).toBeUndefined();
  });

  test('with a wrong path, query or body does not compile', () => {
    const { marquee } = clientOver([json(200, {})]);
    const wrong = [
      // @ts-expect-error no such path
      () => marquee.get('/v1/nothing'),
      // @ts-expect-error the path needs an id
      () => marquee.get('/v1/campaigns/{id}'),
      // @ts-expect-error no such parameter
      () => marquee.get('/v1/campaigns', { query: { nothing: '1' } }),
      // @ts-expect-error no such event
      () => marquee.post('/v1/webhooks', { body: { url: 'https://example.com', events: ['nothing'] } }),
      // @ts-expect-error a wallet is no list
      () => marquee.list('/v1/wallet'),
    ];
    expect(wrong).toHaveLength(5);
  });
});

describe('repeats', () => {
  test('of a POST have one key and one body, with doubling waits, until there is an answer', async () => {
    const replies = [
      new TypeError('fetch failed'),
      new Response('', { status: 502 }),
      problem(503, 'engine_unavailable'),
    ];
    const { marquee, sent, waits } = clientOver([...replies, json(201, { id: 'wh_1' })]);
    expect(await marquee.post('/v1/webhooks', WEBHOOK)).toEqual({ id: 'wh_1' });
    expect(waits).toEqual([1_000, 2_000, 4_000]);
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect(sent.map(({ body }) => body)).toEqual(Array(4).fill(JSON.stringify(WEBHOOK.body)));
  });

  test('generate a new key for each call even on a plain-http page without randomUUID', async () => {
    const { marquee, sent } = clientOver([json(201, {})]);
    vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => webcrypto.getRandomValues(bytes) });
    onTestFinished(() => void vi.unstubAllGlobals());
    for (let call = 0; call < 2; call++) await marquee.post('/v1/webhooks', WEBHOOK);
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(keys[0]).not.toBe(keys[1]);
  });

  test('of another call have another key, or the key from the caller', async () => {
    const { marquee, sent } = clientOver([json(201, {})]);
    await marquee.post('/v1/webhooks', WEBHOOK);
    await marquee.post('/v1/webhooks', WEBHOOK);
    await marquee.post('/v1/webhooks', { ...WEBHOOK, idempotencyKey: 'my own' });
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(3);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[2]).toBe('my own');
  });

  test('wait for Retry-After, and a second for a call in flight', async () => {
    const { marquee, waits } = clientOver([
      problem(429, 'rate_limited', { 'retry-after': '7' }),
      problem(409, 'idempotency_in_flight'),
      json(201, {}),
    ]);
    await marquee.post('/v1/webhooks', WEBHOOK);
    expect(waits).toEqual([7_000, 1_000]);
  });

  test('end after six attempts with the last answer or error', async () => {
    const answered = clientOver([problem(503, 'engine_unavailable')]);
    expect((await caught(answered.marquee.get('/v1/wallet'))).code).toBe('engine_unavailable');
    expect(answered.waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    const silent = clientOver([new TypeError('fetch failed')]);
    expect(await caught(silent.marquee.get('/v1/wallet'))).toMatchObject({ code: 'no_answer', status: 0 });
    expect(silent.sent).toHaveLength(6);
  });

  test('are not made when Retry-After is longer than a minute', async () => {
    const { marquee, waits } = clientOver([problem(429, 'rate_limited', { 'retry-after': '3600' })]);
    expect((await caught(marquee.get('/v1/wallet'))).is('rate_limited')).toBe(true);
    expect(waits).toEqual([]);
  });

  test.each<[number, ErrorCode]>([
    [409, 'state_conflict'],
    [422, 'validation_failed'],
    [404, 'not_found'],
    [500, 'internal_error'],
  ])('are not made of %i %s', async (status, code) => {
    const { marquee, sent } = clientOver([problem(status, code)]);
    expect((await caught(marquee.post('/v1/webhooks', WEBHOOK))).code).toBe(code);
    expect(sent).toHaveLength(1);
  });

  test('follow a truncated body', async () => {
    const broken = new ReadableStream({ start: controller => controller.error(new Error('reset')) });
    const { marquee, sent } = clientOver([() => Promise.resolve(new Response(broken)), json(200, { id: 1 })]);
    expect(await marquee.get('/v1/wallet')).toEqual({ id: 1 });
    expect(sent).toHaveLength(2);
  });

  test('follow an attempt whose connection hangs, even if only its timer keeps the process alive', async () => {
    let attempts = 0;
    const hung = createMarquee({
      baseUrl: 'http://api.test',
      fetch: () => {
        attempts += 1;
        setImmediate(collectGarbage);
        return new Promise<Response>(() => undefined);
      },
      retries: { timeoutMs: 50, attemptsMax: 2, sleep: () => Promise.resolve() },
    });
    expect((await caught(hung.get('/v1/wallet'))).message).toContain('TimeoutError');
    expect(attempts).toBe(2);
  });

  test('end with the signal of the caller while an attempt hangs', async () => {
    const given = new AbortController();
    const hung = createMarquee({
      baseUrl: 'http://api.test',
      fetch: () => {
        setImmediate(() => given.abort(new Error('enough')));
        return new Promise<Response>(() => undefined);
      },
    });
    await expect(hung.get('/v1/wallet', { signal: given.signal })).rejects.toThrow('enough');
  });

  test('end when the caller aborts, even during a wait', async () => {
    const given = new AbortController();
    const { marquee, sent } = clientOver([problem(503, 'engine_unavailable')], {
      retries: {
        sleep: (_, signal) => {
          given.abort(new Error('enough'));
          return Promise.reject(signal.reason as Error);
        },
      },
    });
    await expect(marquee.get('/v1/wallet', { signal: given.signal })).rejects.toThrow('enough');
    expect(sent).toHaveLength(1);
  });
});

describe('a list', () => {
  const page = (ids: string[], next: string | null): Response =>
    json(200, { data: ids.map(id => ({ id })), has_more: next !== null, next_cursor: next });

  test('returns all records of all pages, with the query of the first on each', async () => {
    const { marquee, sent } = clientOver([page(['a', 'b'], 'c1'), page([], 'c2'), page(['c'], null)]);
    const ids: string[] = [];
    for await (const { id } of marquee.list('/v1/campaigns', { query: { limit: '2' } })) ids.push(id);
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([
      '?limit=2',
      '?limit=2&cursor=c1',
      '?limit=2&cursor=c2',
    ]);
  });

  test('is one table as CSV, with the line of names once', async () => {
    const table = (text: string, headers: Record<string, string> = {}) =>
      new Response(text, { headers: { 'content-type': 'text/csv', ...headers } });
    const { marquee, sent } = clientOver([
      table('key,name\r\n1,a\r\n', { 'x-next-cursor': 'c1' }),
      table('key,name\r\n2,b\r\n'),
    ]);
    expect(await marquee.csv('/v1/payouts/earnings', { query: { limit: '1' } })).toBe('key,name\r\n1,a\r\n2,b\r\n');
    expect(sent.map(({ url }) => new URL(url).search)).toEqual(['?limit=1', '?limit=1&cursor=c1']);
  });

  test('reads pages only on demand', async () => {
    const { marquee, sent } = clientOver([page(['a', 'b'], 'c1'), page(['c'], null)]);
    for await (const { id } of marquee.list('/v1/campaigns')) if (id === 'b') break;
    expect(sent).toHaveLength(1);
  });
});

describe('an error', () => {
  test('has the code, the status, the faults of fields and the id of the request', async () => {
    const errors = [{ pointer: '/url', code: 'bad_url', detail: 'must be a URL' }];
    const { marquee } = clientOver([
      json(422, { status: 422, detail: 'No.', code: 'validation_failed', request_id: 'req_9', errors }),
    ]);
    const error = await caught(marquee.post('/v1/webhooks', WEBHOOK));
    expect(error).toBeInstanceOf(MarqueeError);
    expect(error).toMatchObject({ code: 'validation_failed', status: 422, errors, requestId: 'req_9' });
    expect([error.is('validation_failed'), error.is('not_found', 'rate_limited')]).toEqual([true, false]);
  });

  test('of lacking money has what is needed and what there is', async () => {
    const funds = { needed: { amount: 500, currency: 'EUR' }, available: { amount: 12.5, currency: 'EUR' } };
    const { marquee } = clientOver([
      json(409, { status: 409, detail: 'No.', code: 'insufficient_funds', request_id: 'req_9', funds }),
    ]);
    expect((await caught(marquee.post('/v1/webhooks', WEBHOOK))).funds).toEqual(funds);
  });

  test('for an answer that is not from the API says so', async () => {
    const { marquee } = clientOver([new Response('<h1>Nginx</h1>', { status: 403 })]);
    expect(await caught(marquee.get('/v1/wallet'))).toMatchObject({ code: 'unreadable_answer', status: 403 });
  });

  test("has one of the server's codes in its type", () => {
    const known: Record<ErrorCode, unknown> = REFUSALS;
    const knownHere: Record<RefusalCode, unknown> = known;
    expect(Object.keys(knownHere)).toContain('not_found');
  });
});

test('the package has the version of the product and the tested openapi-fetch', () => {
  const manifest = (path: string) =>
    JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as { version: string } & Record<string, Record<string, string>>;
  const sdk = manifest('sdk/typescript/package.json');
  const product = manifest('package.json');
  expect([sdk.version, VERSION]).toEqual([product.version, product.version]);
  expect(sdk['dependencies']!['openapi-fetch']).toBe(product['dependencies']!['openapi-fetch']);
});
