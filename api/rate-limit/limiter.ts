/**
 * The rate limit of API keys and of people who are signed in, counted in Redis for all processes together by
 * `scripts/time/limiter.lua`: windows of a clock second and of a clock minute, of a caller and of its workspace.
 */
import type { Handle } from '#domain/id.ts';
import { keysOf } from '#authority/authority-keys.ts';
import { callScript, type Redis } from '#sql/redis.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** The subject of a limit: a key by its handle, a person by theirs for all sessions. */
export type CallerName = Handle<'key'> | `p${number}`;
/** A bucket of calls per clock minute. */
export type MinuteBucket = { name: string; max: number };
/** The shared limit of all keys of a workspace with the same limit, including this one. */
type SharedWindow = { workspace: Handle<'workspace'>; perMinuteMax: number; perSecondMax: number };
/** The limits of a key: its burst per clock second, and the buckets of the call; the last one is shown. */
export type Take = { key: CallerName; perSecondMax: number; buckets: readonly MinuteBucket[]; shared: SharedWindow };
/** The exhausted window: of the key, or of all keys of the workspace. `name` is that of the bucket. */
export type SpentWindow = { of: 'key' | 'workspace'; window: 'second' | 'minute'; name: string; max: number };
/**
 * `remaining` and `resetMs` are of the shown bucket, `sharedRemaining` of the workspace; `waitMs` is 0 when the call is
 * allowed; `spent` is what refused it.
 */
export type Taken = {
  allowed: boolean;
  remaining: number;
  resetMs: Milliseconds;
  waitMs: Milliseconds;
  sharedRemaining: number;
  spent: SpentWindow | undefined;
};
/**
 * How many calls to take at once, and how many of those that were taken in `minute` are given back to the first bucket.
 */
export type ShareRequest = { wanted: number; unused: number; minute: number };
/** `calls` were granted, 0 to `wanted`; they are valid until the second ends, in `secondMs`. */
export type Share = Omit<Taken, 'allowed'> & { calls: number; secondMs: Milliseconds; minute: number };

/** Counts one call of a key and of its workspace, for all processes together. */
export async function takeCall(redis: Redis, take: Take): Promise<Taken> {
  const { calls, remaining, resetMs, waitMs, sharedRemaining, spent } = await takeShare(redis, take, {
    wanted: 1,
    unused: 0,
    minute: 0,
  });
  return { allowed: calls === 1, remaining, resetMs, waitMs, sharedRemaining, spent };
}

/**
 * Counts several calls at once (authority/scripts/time/limiter.lua). Both windows are in the workspace's shard.
 */
export async function takeShare(
  redis: Redis,
  take: Take,
  { wanted, unused, minute: minuteOfUnused }: ShareRequest,
): Promise<Share> {
  const { key, perSecondMax, buckets, shared } = take;
  const keys = keysOf(shared.workspace, redis);
  const args = [
    perSecondMax,
    shared.perSecondMax,
    shared.perMinuteMax,
    wanted,
    unused,
    minuteOfUnused,
    ...buckets.flatMap(({ name, max }) => [name, max]),
  ];
  const answer = await callScript(redis, 'limiter', {
    keys: [keys.calls(key), keys.workspaceCalls(shared.workspace, shared.perMinuteMax)],
    args,
  });
  const [calls, remaining, resetMs, waitMs, sharedRemaining, refusedBy, secondMs, minute] = answer as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const spent = calls > 0 ? undefined : spentOf(take, refusedBy);
  return { calls, remaining, resetMs, waitMs, sharedRemaining, spent, secondMs, minute };
}

/** @param refusedBy as the script says it: the minute bucket of the key, from 1 on, or a negative number */
function spentOf({ perSecondMax, buckets, shared }: Take, refusedBy: number): SpentWindow {
  if (refusedBy > 0) return { of: 'key', window: 'minute', ...buckets[refusedBy - 1]! };
  if (refusedBy === -1) return { of: 'workspace', window: 'minute', name: 'requests', max: shared.perMinuteMax };
  if (refusedBy === -2) return { of: 'key', window: 'second', name: 'requests', max: perSecondMax };
  return { of: 'workspace', window: 'second', name: 'requests', max: shared.perSecondMax };
}
