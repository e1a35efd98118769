/**
 * How often a key may call in a minute and in a second, and which headers say so. The API and a second one on the same
 * real Redis stand for two processes. The last tests take Redis away or let it hang: the process then keeps the limits
 * alone.
 */
import type { FastifyReply } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRateLimit, limitCall } from '../../../api/rate-limit/rate-limit.ts';
import type { Redis } from '../../../sql/redis.ts';
import { registry } from '../../../runtime/metrics.ts';
import { handle } from '../../support/handle.ts';
import {
  createKey,
  createWorkspace,
  startApi,
  type Answer,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { startMinute } from '../support/limit-windows.ts';
import { startSecondApi, type SecondApi } from '../support/second-app.ts';
import { CLOCK } from '../../support/engines/redis.ts';
import { standIn } from '../../support/stand-in.ts';

let api: TestApi;
let other: SecondApi;
let brand: TestWorkspace;

beforeAll(async () => {
  api = await startApi();
  other = await startSecondApi(api);
  brand = await createWorkspace(api);
});
afterAll(async () => {
  await other.close();
  await api.close();
});

const NAMES = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const numbersOf = (answer: Answer) => NAMES.map(name => Number(answer.headers[name]));

describe('X-RateLimit headers', () => {
  test('are on every answer to a key, and Retry-After is not', async () => {
    const key = await createKey(api, brand, { perMinuteMax: 600, perSecondMax: 200 });
    await startMinute(api);
    const answers = [
      await api.call('GET', '/v1/campaigns', { key }),
      await api.call('GET', '/v1/campaigns/cmp_x', { key }),
      await api.call('GET', '/v1/campaigns?order=asc', { key }),
      await api.call('GET', '/v1/screens', { key }),
      await api.call('POST', '/v1/campaigns', { key, body: {} }),
      await api.call('POST', '/v1/campaigns', { key, payload: '{', headers: { 'content-type': 'application/json' } }),
    ];
    expect(answers.map(answer => answer.status)).toEqual([200, 404, 400, 403, 422, 400]);
    expect(answers.map(answer => numbersOf(answer).slice(0, 2))).toEqual(
      [599, 598, 597, 596, 595, 594].map(left => [600, left]),
    );
    for (const answer of answers) {
      expect(numbersOf(answer)[2]).toBeGreaterThanOrEqual(1);
      expect(numbersOf(answer)[2]).toBeLessThanOrEqual(60);
      expect(answer.headers['retry-after']).toBeUndefined();
    }
  });

  test('are not on answers without a valid key', async () => {
    const answer = await api.call('GET', '/v1/campaigns', { key: 'sk_live_no' });
    expect(answer.status).toBe(401);
    expect(NAMES.map(name => answer.headers[name])).toEqual([undefined, undefined, undefined]);
  });
});

describe('a key', () => {
  test('calls 600 times a minute and no more, over two processes together', async () => {
    const key = await createKey(api, brand, { perMinuteMax: 600, perSecondMax: 10_000 });
    await startMinute(api);
    const answers = await Promise.all(
      Array.from({ length: 700 }, (_, index) => (index % 2 === 0 ? api : other).call('GET', '/v1/wallet', { key })),
    );
    const refused = answers.filter(answer => answer.status === 429);
    const allowed = answers.filter(answer => answer.status === 200).length;
    expect(allowed + refused.length).toBe(700);
    // A process may hold calls that it took and did not need: it uses them with its next calls.
    expect(allowed).toBeGreaterThan(600 - 2 * 64);
    const more: number[] = [];
    for (const process of [api, other])
      for (let status = 200; status === 200;)
        more.push((status = (await process.call('GET', '/v1/wallet', { key })).status));
    expect(allowed + more.filter(status => status === 200).length).toBe(600);
    for (const answer of refused) {
      expect(answer.body['code']).toBe('rate_limited');
      expect(numbersOf(answer).slice(0, 2)).toEqual([600, 0]);
      expect(answer.headers['x-ratelimit-bucket']).toBe('requests/minute');
      expect(answer.body['detail']).toMatch(/^This key has used up its 600 calls of this minute\. Wait \d+ s\.$/);
      expect(answer.headers['retry-after']).toBe(answer.headers['x-ratelimit-reset']);
    }
  });

  test('that calls often reserves several calls at once, so that few of its calls wait for Redis', async () => {
    const asked = async () =>
      Number(/cmdstat_evalsha:calls=(\d+)/.exec(await api.redis.info('commandstats'))?.[1] ?? 0);
    const key = await createKey(api, brand, { perMinuteMax: 100_000, perSecondMax: 10_000 });
    await startMinute(api);
    const before = await asked();
    for (let call = 0; call < 400; call += 1)
      expect((await api.call('GET', '/v1/categories', { key })).status).toBe(200);
    expect((await asked()) - before).toBeLessThan(100);
  });

  test('calls 200 times a second, and the next second again; Retry-After is 1', async () => {
    const key = await createKey(api, brand, { perMinuteMax: 600, perSecondMax: 200 });
    await startMinute(api);
    const burst = await Promise.all(Array.from({ length: 230 }, () => api.call('GET', '/v1/wallet', { key })));
    const refused = burst.filter(answer => answer.status === 429);
    // 30, unless the machine was so slow that some of the calls came in the next second.
    expect(refused.length).toBeLessThanOrEqual(30);
    for (const answer of refused) {
      expect(answer.body['detail']).toBe('This key has used up its 200 calls of this second. Wait 1 s.');
      expect([...numbersOf(answer), answer.headers['x-ratelimit-bucket']]).toEqual([200, 0, 1, 'requests/second']);
      expect(answer.headers['retry-after']).toBe('1');
    }
    await api.redis.incrby(CLOCK, 1_000);
    expect((await api.call('GET', '/v1/wallet', { key })).status).toBe(200);
  });

  test('with raised limits sees and gets these limits', async () => {
    const key = await createKey(api, brand, { perMinuteMax: 3, perSecondMax: 100 });
    await startMinute(api);
    const statuses = [];
    for (let call = 0; call < 4; call += 1) statuses.push((await api.call('GET', '/v1/wallet', { key })).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    await api.sql`update keys set per_minute_max = 5 where per_minute_max = 3`;
    api.clock.offsetMs += 950;
    expect(numbersOf(await api.call('GET', '/v1/wallet', { key })).slice(0, 2)).toEqual([5, 1]);
  });

  test('has a separate limit of 50 forecasts a minute, which other calls do not use up', async () => {
    const limit = createRateLimit({ redis: api.redis, now: api.clock.now });
    const key = {
      caller: handle('key', 900_001),
      home: handle('workspace', 900_001),
      perMinuteMax: 600,
      perSecondMax: 10_000,
    };
    await startMinute(api);
    for (let call = 0; call < 10; call += 1) await limit.take(key, undefined);
    const forecasts = [];
    for (let call = 0; call < 51; call += 1) forecasts.push(await limit.take(key, 'forecasts'));
    expect(forecasts[0]).toMatchObject({ allowed: true, limit: 50, remaining: 49 });
    expect(forecasts.filter(taken => taken.allowed)).toHaveLength(50);
    const spent = { of: 'key', window: 'minute', name: 'forecasts', max: 50 };
    expect(forecasts[50]).toMatchObject({ allowed: false, remaining: 0, spent });
    expect(await limit.take(key, 'audit_exports')).toMatchObject({ allowed: true, limit: 50, remaining: 49 });
    // A key with more calls than the 600 of others has as much more of the narrower buckets, and never less than them.
    for (const [perMinuteMax, most] of [
      [1_200, 100],
      [1_000_000, 83_333],
      [100, 50],
    ] as const)
      expect(
        await limit.take({ ...key, caller: handle('key', perMinuteMax), perMinuteMax }, 'forecasts'),
      ).toMatchObject({ limit: most });
    // 10 + 50 + 1 of the 600; the refused one consumed nothing.
    expect(await limit.take(key, undefined)).toMatchObject({ limit: 600, remaining: 600 - 62 });
  });

  test('of another workspace has its own windows', async () => {
    const [mine, theirs] = [
      await createKey(api, brand, { perMinuteMax: 1 }),
      await createKey(api, await createWorkspace(api), { perMinuteMax: 1 }),
    ];
    await startMinute(api);
    expect([
      (await api.call('GET', '/v1/wallet', { key: mine })).status,
      (await api.call('GET', '/v1/wallet', { key: mine })).status,
      (await api.call('GET', '/v1/wallet', { key: theirs })).status,
    ]).toEqual([200, 429, 200]);
  });
});

describe('while Redis is down', () => {
  test('this process enforces the same limits alone and reports that in metrics', async () => {
    const down = await startSecondApi(api);
    down.redis.disconnect();
    const key = await createKey(api, brand, { perMinuteMax: 5, perSecondMax: 100 });
    const minuteEnd = 60_000 - (down.clock.now() % 60_000);
    down.clock.offsetMs += minuteEnd; // the start of a minute
    const answers = [];
    for (let call = 0; call < 7; call += 1) answers.push(await down.call('GET', '/v1/wallet', { key }));
    expect(answers.map(answer => answer.status)).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(answers.map(answer => numbersOf(answer)[1])).toEqual([4, 3, 2, 1, 0, 0, 0]);
    expect(answers[6]!.headers['retry-after']).toBe(answers[6]!.headers['x-ratelimit-reset']);
    const metrics = await registry.metrics();
    expect(metrics).toMatch(/api_rate_limit_local 1/);
    expect(metrics).toMatch(/api_rate_limit_decisions_total\{counted="local",outcome="refused"\} 2/);
    await down.close();
  });

  test('a hanging Redis delays a request by at most a quarter of a second, and only one per second', async () => {
    const hanging = standIn<Redis>({
      status: 'ready',
      shards: 1,
      'marquee:limiter': () => new Promise(() => undefined),
    });
    const limit = createRateLimit({ redis: hanging, now: api.clock.now });
    const startedAt = performance.now();
    for (let call = 0; call < 20; call += 1)
      expect(
        (
          await limit.take(
            { caller: handle('key', 1), home: handle('workspace', 1), perMinuteMax: 100, perSecondMax: 100 },
            undefined,
          )
        ).allowed,
      ).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(2_500); // a quarter of a second each would be five
  });

  test('the headers come from the same windows', async () => {
    const limit = createRateLimit({ redis: standIn<Redis>({ status: 'end' }), now: () => 60_000 * 1_000 });
    const headers: Record<string, unknown> = {};
    const reply: FastifyReply = standIn<FastifyReply>({
      headers(more) {
        Object.assign(headers, more);
        return reply;
      },
      header(name: string, value: unknown) {
        headers[name] = value;
        return reply;
      },
    });
    const call = () =>
      limitCall(limit, reply, {
        key: { caller: handle('key', 1), home: handle('workspace', 1), perMinuteMax: 1, perSecondMax: 9 },
        bucket: undefined,
      });
    expect(await call()).toBeUndefined();
    expect(await call()).toMatchObject({ code: 'rate_limited' });
    expect(headers).toEqual({
      'x-ratelimit-limit': 1,
      'x-ratelimit-remaining': 0,
      'x-ratelimit-reset': 60,
      'x-ratelimit-workspace-limit': 5,
      'x-ratelimit-workspace-remaining': 4,
      'x-ratelimit-bucket': 'requests/minute',
      'retry-after': 60,
    });
  });
});
