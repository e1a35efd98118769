import { inject } from 'vitest';
import { openRedis, redisReady, type Redis } from '../../sql/redis.ts';

/** An emptied Redis database of the run's server. Each test file has a number of its own. */
export async function openDatabase(number: number): Promise<Redis> {
  const redis = openRedis(`${inject('redisUrl')}/${number}`, { role: 'commands' });
  await redisReady(redis);
  await redis.flushdb();
  return redis;
}
