/** The clock of Redis, by which the scripts of the authority measure time. */
import { callScript, type Redis } from '#sql/redis.ts';
import { allShards } from './authority-keys.ts';

/**
 * The time in ms, plus the offset that only tests set: the latest of all shards, whose clocks agree within a second.
 */
export async function redisNow(redis: Redis): Promise<number> {
  const times = await Promise.all(
    allShards(redis).map(({ record }) => callScript(redis, 'now', { keys: [record], args: [] }) as Promise<number>),
  );
  return Math.max(...times);
}
