/**
 * What processes tell each other about the ads that screens hold, over the real scripts in a Redis of two shards. The
 * time is that of the test.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAuthority, type Authority } from '#authority/authority.ts';
import { redisNow } from '#authority/redis-clock.ts';
import type { Handle } from '../../domain/id.ts';
import type { Redis } from '../../sql/redis.ts';
import { emptyRedis, openFreshRedis } from '../support/engines/redis.ts';
import { handle } from '../support/handle.ts';

let redis: Redis;
let authority: Authority;
let now: number;

beforeAll(async () => {
  redis = await openFreshRedis({ shards: 2 });
  authority = createAuthority(redis);
});
beforeEach(async () => {
  await emptyRedis(redis);
  now = await redisNow(redis);
});
afterAll(() => redis.disconnect());

const HOUR = 3_600_000;
const tell = (process: string, screen: Handle<'screen'>, heldMs: number, endsAtMs = now + 48 * HOUR) =>
  authority.heldTimes.tell(process, [{ screen, heldMs, endsAtMs }]);

test('each process learns what a screen holds from the others, including ended ones', async () => {
  expect(await tell('1', handle('screen', 7), 60_000)).toEqual([{ elsewhereMs: 0, shownTicks: 0 }]);
  expect(await tell('2', handle('screen', 7), 30_000)).toMatchObject([{ elsewhereMs: 60_000 }]);
  expect(await tell('3', handle('screen', 7), 0)).toMatchObject([{ elsewhereMs: 90_000 }]);
  expect(await tell('1', handle('screen', 7), 90_000)).toMatchObject([{ elsewhereMs: 30_000 }]);
  expect(await tell('1', handle('screen', 7), 0)).toMatchObject([{ elsewhereMs: 30_000 }]);
  expect(await tell('2', handle('screen', 7), 0)).toMatchObject([{ elsewhereMs: 0 }]);
  expect(await redis.keys('*:held')).toEqual([]);
});

test('lapsed plays are no longer held, and the entry is removed with the last one', async () => {
  await tell('1', handle('screen', 7), 60_000, now + HOUR);
  await tell('2', handle('screen', 7), 30_000, now + 2 * HOUR);
  const key = '{plays:1}:s7:held';
  expect(Math.abs((await redis.pexpiretime(key)) - (now + 2 * HOUR))).toBeLessThan(2);
  await redis.hset(key, '1', `60:${now - 1}`);
  expect(await tell('3', handle('screen', 7), 0)).toMatchObject([{ elsewhereMs: 30_000 }]);
  expect(await redis.hkeys(key)).toEqual(['2']);
});

test('the shown time of a screen is the time of its counted plays of three days', async () => {
  const tick = Math.floor(now / 250);
  const play = (hoursAgo: number, tag: number) => ({
    screen: handle('screen', 7),
    start: tick - hoursAgo * 14_400,
    ticks: 58,
    tag,
    firstHour: Math.floor(tick / 14_400) - hoursAgo - 1,
    lastHour: Math.floor(tick / 14_400) - hoursAgo,
  });
  await authority.screenTime.take([
    play(1, 1),
    play(30, 2),
    play(80, 3),
    { ...play(1, 4), screen: handle('screen', 9) },
  ]);
  await authority.screenTime.take([play(1, 1)]);
  expect(await tell('1', handle('screen', 7), 60_000)).toMatchObject([{ shownTicks: 2 * 58 }]);
});

test('many screens of all shards get answers in the order of the request', async () => {
  const screens = Array.from({ length: 700 }, (_, index) => ({
    screen: handle('screen', 1_000 + index),
    heldMs: (index + 1) * 1_000,
    endsAtMs: now + HOUR,
  }));
  await authority.heldTimes.tell('1', screens);
  const answers = await authority.heldTimes.tell(
    '2',
    screens.map(each => ({ ...each, heldMs: 0 })),
  );
  expect(answers.map(({ elsewhereMs }) => elsewhereMs)).toEqual(screens.map(({ heldMs }) => heldMs));
});

test('nothing is answered until the authority has been rebuilt', async () => {
  await redis.flushdb();
  await expect(tell('1', handle('screen', 7), 60_000)).rejects.toMatchObject({ code: 'authority_lost' });
});
