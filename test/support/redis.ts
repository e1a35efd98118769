import { openRedis, redisReady, type Redis } from '#sql/redis.ts';
import { freshRedisUrl } from './databases.ts';

/** A connection to an empty Redis database of its own. */
export async function openFreshRedis(): Promise<Redis> {
  const redis = openRedis(await freshRedisUrl(), { role: 'commands' });
  await redisReady(redis);
  return redis;
}
