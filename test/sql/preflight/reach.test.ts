/** Whether an engine answers, with engines that answer, refuse or are silent as the test says. */
import { expect, test } from 'vitest';
import { reach } from '#sql/preflight/reach.ts';
import { sessionsOf } from '#sql/preflight/requirements.ts';

const REDIS = { engine: 'Redis', variable: 'REDIS_URL', url: 'redis://127.0.0.1:1' } as const;
const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });

test('an engine that refuses is retried until it answers', async () => {
  let asked = 0;
  const answer = reach(REDIS, { awayMs: 5_000 }, async () => {
    asked += 1;
    if (asked < 3) throw refused;
    return 'ready';
  });
  expect(await answer).toBe('ready');
  expect(asked).toBe(3);
});

test('an engine that refuses is named with its own message if there is no wait', async () => {
  await expect(reach(REDIS, {}, () => Promise.reject(refused))).rejects.toMatchObject({
    code: 'engine_unavailable',
    retryable: true,
    message: expect.stringMatching(/REDIS_URL.*ECONNREFUSED/),
  });
});

test('a permanent fault is reported at once', async () => {
  let asked = 0;
  const denied = new Error('WRONGPASS invalid username-password pair');
  await expect(
    reach(REDIS, { awayMs: 60_000 }, () => {
      asked += 1;
      return Promise.reject(denied);
    }),
  ).rejects.toMatchObject({ code: 'engine_unavailable', retryable: false });
  expect(asked).toBe(1);
});

test('a silent engine is given up after its timeout, with its last message', async () => {
  const silent = () => new Promise<never>(() => undefined);
  await expect(reach(REDIS, { withinMs: 20 }, silent)).rejects.toThrow(/REDIS_URL/);
  await expect(reach(REDIS, { withinMs: 20, why: () => refused }, silent)).rejects.toThrow(/ECONNREFUSED/);
});

test('sessions go to Postgres itself if there is a pooler', () => {
  const engines = { DATABASE_URL: 'postgres://pooler', REDIS_URL: '', CLICKHOUSE_URL: '' };
  expect(sessionsOf(engines)).toEqual({ variable: 'DATABASE_URL', url: 'postgres://pooler' });
  expect(sessionsOf({ ...engines, DATABASE_DIRECT_URL: 'postgres://direct' })).toEqual({
    variable: 'DATABASE_DIRECT_URL',
    url: 'postgres://direct',
  });
});
