/**
 * Whether an engine answers, checked before work begins with it. Connections to Redis wait forever, and a recount in
 * ClickHouse for minutes; a person needs the name of the variable to check. Only this check has a time limit: later
 * work of an answering engine may take hours.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { isEngineAway } from '#runtime/fault-error.ts';
import { openRedis, type Redis, redisReady } from '#sql/redis.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { faultOf, isKnown, silenceFault, type Named } from './sentence.ts';

/** A returning engine is up within seconds, and a person waits ten for the start of the command. */
const ANSWER_MS_MAX = 8_000;
const PAUSE_MS = 250;

/** `awayMs`: how long a refusing engine is retried. A silent one has `withinMs`. */
export type Limit = { withinMs?: Milliseconds; awayMs?: Milliseconds };

/** Whether `INFO` comes from a Redis that loads its data, which answers nothing else. */
export const isLoading = (info: string): boolean => /^loading:1/m.test(info);

/**
 * Calls `ask` with what `INFO` says. A Redis that is loading its data has answered: the caller waits for it.
 * @throws Fault `engine_unavailable`
 */
export async function reachRedis<T>(
  named: Named,
  limit: Limit,
  ask: (redis: Redis, info: string) => Promise<T>,
): Promise<T> {
  let last: Error | undefined;
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => undefined);
  const note = (error: Error): void => {
    last = error;
    if (isKnown(error)) fail(error);
  };
  const redis = openRedis(named.url, { role: 'worker', onError: note });
  try {
    return await reach(named, { ...limit, awayMs: 0, why: () => last }, async () => {
      // The only command that is sent, and answered, while data is loaded.
      const info = new Promise<string>(resolve => {
        redis.on('connect', () => void redis.info().then(resolve, note));
      });
      const said = await Promise.race([info, failed]);
      if (!isLoading(said)) await Promise.race([redisReady(redis), failed]);
      return Promise.race([ask(redis, said), failed]);
    });
  } finally {
    redis.disconnect();
  }
}

/**
 * What `ask` answers. `why`: the reason of a client that tries again by itself.
 * @throws Fault `engine_unavailable`
 */
export async function reach<T>(
  named: Named,
  { withinMs = ANSWER_MS_MAX, awayMs = 0, why }: Limit & { why?: () => Error | undefined },
  ask: () => Promise<T>,
): Promise<T> {
  const limit = AbortSignal.timeout(withinMs);
  const expired = new Promise<never>((_, reject) => {
    limit.addEventListener('abort', () => reject(limit.reason as Error), { once: true });
  });
  expired.catch(() => undefined);
  const givesUpAt = performance.now() + awayMs;
  let last: unknown;
  for (;;) {
    try {
      return await Promise.race([ask(), expired]);
    } catch (error) {
      if (limit.aborted) {
        const cause = why?.() ?? last;
        throw cause === undefined ? silenceFault(named, withinMs / 1_000) : faultOf(cause, named);
      }
      if (isKnown(error) || !isEngineAway(error as Error) || performance.now() >= givesUpAt)
        throw faultOf(error, named);
      last = error;
      await wait(PAUSE_MS);
    }
  }
}
