/**
 * The load client of the benchmarks against a real echo server in a process of its own: what it sends, counts and
 * times.
 */
import { pack } from 'msgpackr';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEcho } from '../../bench/sockets/echo.ts';
import { startLoad } from '../../bench/sockets/load.ts';

const answer = pack({
  t: 'fill',
  id: 1,
  slots: [{ no_fill: 'no_campaign' }, { play_id: 'x'.repeat(104), starts_at: 1, duration_ms: 10_000 }],
});
let echo: Awaited<ReturnType<typeof startEcho>>;
let port: number;

beforeAll(async () => {
  echo = await startEcho(answer, 1);
  ({ port } = echo.server.target);
});

afterAll(() => echo.end());

test('the load client keeps one message in flight per screen and counts answers and their bytes', async () => {
  const client = await startLoad({ port, path: '/', connections: 7 });
  await client.call('drive', 1);
  let counts = await client.call('count');
  while (counts.answers < 1_000) counts = await client.call('count');
  expect(counts.answerBytes).toBe(counts.answers * answer.length);
  expect(counts).toMatchObject({ others: 0, closed: 0 });
  await client.close();
});

test('the load client sends sixteen messages at once, and the next ones after all answers', async () => {
  const client = await startLoad({ port, path: '/', connections: 2 });
  await client.call('drive', 16);
  let counts = await client.call('count');
  while (counts.answers < 1_000) counts = await client.call('count');
  expect(counts).toMatchObject({ others: 0, closed: 0 });
  await client.close();
});

test('the load client sends at a fixed rate regardless of answers, and times each round trip', async () => {
  const client = await startLoad({ port, path: '/', connections: 3 });
  await client.call('pace', 500);
  let times = await client.call('times');
  for (let seen = times.count; seen < 200; seen += times.count) times = await client.call('times');
  while (times.count === 0) times = await client.call('times');
  await client.close();
  const { count, p50Us, p99Us, maxUs } = times;
  expect(count).toBeGreaterThan(0);
  expect([p50Us, p99Us, maxUs].toSorted((a, b) => a - b)).toEqual([p50Us, p99Us, maxUs]);
  expect(p50Us).toBeGreaterThan(0);
});

test('the load client collects the results of its slots', async () => {
  const client = await startLoad({ port, path: '/', connections: 3 });
  const { fills, noFills, samples } = await client.call('gather', { messages: 4, count: 2, backMs: 0 });
  expect({ fills, noFills }).toEqual({ fills: 12, noFills: { no_campaign: 12 } });
  expect(samples).toHaveLength(12);
  expect(await client.call('prepareReports', { playsPerMessage: 2 })).toBe(12);
  await client.close();
});

test('an unreachable server is reported as an error, and the client ends', async () => {
  await expect(startLoad({ port: 1, path: '/', connections: 1 })).rejects.toThrow('ECONNREFUSED');
});
