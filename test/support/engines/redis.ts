/**
 * An empty Redis for one test file, on the server of the run or wherever a test has said; and its clock, which tests
 * move.
 */
import { Cluster } from 'ioredis';
import { allShards, shardKeys } from '#authority/authority-keys.ts';
import { openRedis, redisReady, type Redis } from '#sql/redis.ts';
import { beginAuthority, freshRedisUrl } from './databases.ts';
import type { OwnCluster } from './own-cluster.ts';

/** Moves Redis time, as the scripts of the only shard know it (ms, or '=<ms>'). */
export const CLOCK = shardKeys(0).clock;

/** Moves the time of all shards by so many ms. */
export async function moveClock(redis: Redis, ms: number): Promise<void> {
  await Promise.all(allShards(redis).map(({ clock }) => redis.set(clock, ms)));
}

/** Where `openFreshRedis` opens: databases of the run's one server, or what a test has put here. */
export const place: { url?: string; shards?: number; cluster?: OwnCluster } = {};

/** A connection to an empty Redis of its own, of so many shards where no test has said another place. */
export async function openFreshRedis({ shards = 1 } = {}): Promise<Redis> {
  const redis = openRedis(place.url ?? (await freshRedisUrl()), { role: 'commands', shards: place.shards ?? shards });
  await redisReady(redis);
  if (place.url !== undefined) await emptyRedis(redis);
  return redis;
}

/** Nothing is in it, and an authority that was never handed anything answers. */
export async function emptyRedis(redis: Redis): Promise<void> {
  await flush(redis);
  await beginAuthority(redis);
}

/** Nothing is in it. */
export async function flush(redis: Redis): Promise<void> {
  await Promise.all((redis instanceof Cluster ? redis.nodes('master') : [redis]).map(server => server.flushdb()));
}
