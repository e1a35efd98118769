/** As_of of one stream; `play-queue.ts` says how it is kept. */
import { callScript, type Redis } from '#sql/redis.ts';
import type { StreamKeys } from './stream-keys.ts';

/** The Redis time (ms) up to which every acknowledged play has its row. @throws Fault `authority_lost` */
export async function readAsOf(redis: Redis, keys: StreamKeys): Promise<number> {
  return (await callScript(redis, 'intake-as-of', { keys: [keys.pending], args: [] })) as number;
}
