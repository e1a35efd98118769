import { keysOf } from './authority-keys.ts';
import { callScript, type Redis } from './redis.ts';

/** A bucket of calls per clock minute. */
export type MinuteBucket = { name: string; max: number };
/** What all keys of a workspace that have the same limit may call together, of which this is one. */
type SharedWindow = { workspace: number; perMinuteMax: number; perSecondMax: number };
/** What a key asks for: its bursts per clock second, and the buckets that the call counts in; the last one is shown. */
export type Take = { key: number; perSecondMax: number; buckets: readonly MinuteBucket[]; shared: SharedWindow };
/** `remaining` and `resetMs` are of the shown bucket, `sharedRemaining` of the workspace; `waitMs` is 0 when the call is allowed; `isShared`: the workspace has no calls left, not the key. */
export type Taken = { allowed: boolean; remaining: number; resetMs: number; waitMs: number; sharedRemaining: number; isShared: boolean };

/** Counts one call of a key and of its workspace, for all processes together (sql/redis/limiter.lua). Both stand in the workspace's shard. */
export async function takeCall(redis: Redis, { key, perSecondMax, buckets, shared }: Take): Promise<Taken> {
  const keys = keysOf(shared.workspace, redis);
  const args = [perSecondMax, shared.perSecondMax, shared.perMinuteMax, ...buckets.flatMap(({ name, max }) => [name, max])];
  const answer = await callScript(redis, 'limiter', { keys: [keys.calls(key), keys.workspaceCalls(shared.workspace, shared.perMinuteMax)], args });
  const [allowed, remaining, resetMs, waitMs, sharedRemaining, isShared] = answer as [number, number, number, number, number, number];
  return { allowed: allowed === 1, remaining, resetMs, waitMs, sharedRemaining, isShared: isShared === 1 };
}
