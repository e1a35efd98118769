/** Where delivery processes share the plan and how many screens each has: a real Redis, times of the test. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlanStore } from '#sql/plan/plan-store.ts';
import type { Redis } from '#sql/redis.ts';
import { openFreshRedis } from '../../support/engines/redis.ts';

let redis: Redis;
beforeAll(async () => {
  redis = await openFreshRedis();
});
afterAll(() => redis.disconnect());

test('connected screens are those of all processes that reported in the last fifteen seconds', async () => {
  const store = createPlanStore(redis);
  const nowMs = 1_800_000_000_000;
  expect(await store.connected('a', 100, nowMs)).toBe(100);
  expect(await store.connected('b', 20, nowMs + 10_000)).toBe(120);
  expect(await store.connected('a', 90, nowMs + 15_000)).toBe(110);
  expect(await store.connected('a', 90, nowMs + 25_000)).toBe(110);
  expect(await store.connected('a', 90, nowMs + 25_001)).toBe(90);
  // Forgotten, and not only left out: a clock that goes back does not bring it back.
  expect(await store.connected('a', 90, nowMs + 25_000)).toBe(90);
});

test('a plan started before the stored one does not replace it', async () => {
  const store = createPlanStore(redis);
  const [older, newer] = [await store.begin(), await store.begin()];
  expect(await store.write(new Uint8Array([2]), newer)).toBe(true);
  expect(await store.write(new Uint8Array([1]), older)).toBe(false);
  expect(await store.read()).toEqual(Buffer.of(2));
});
