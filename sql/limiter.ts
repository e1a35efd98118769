import { keysOf } from './authority-keys.ts';
import { callScript, type Redis } from './redis.ts';

/** A bucket of calls per clock minute. */
export type MinuteBucket = { name: string; max: number };
/** What a key asks for: its bursts per clock second, and the buckets that the call counts in; the last one is shown. */
export type Take = { key: number; perSecondMax: number; buckets: readonly MinuteBucket[] };
/** `remaining` and `resetMs` are of the shown bucket; `waitMs` is 0 when the call is allowed. */
export type Taken = { allowed: boolean; remaining: number; resetMs: number; waitMs: number };

/** Counts one call of a key, for all processes together (sql/redis/limiter.lua). */
export async function takeCall(redis: Redis, { key, perSecondMax, buckets }: Take): Promise<Taken> {
  const args = [perSecondMax, ...buckets.flatMap(({ name, max }) => [name, max])];
  const [allowed, remaining, resetMs, waitMs] = await callScript(redis, 'limiter', { keys: [keysOf(key, redis).calls(key)], args }) as [number, number, number, number];
  return { allowed: allowed === 1, remaining, resetMs, waitMs };
}
