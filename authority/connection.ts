/**
 * Connections to the Redis of the authority. It is divided into shards (authority-keys.ts), the same number in every
 * process of a deployment: a connection knows the number, and callers need not.
 */
import { integer, withDefault } from '#runtime/config.ts';
import { Fault } from '#runtime/fault-error.ts';
import type { Queryable } from '#sql/postgres.ts';
import { openRedis, type Redis, type RedisRole } from '#sql/redis.ts';
import { redisUrl } from '#sql/redis-url.ts';
import { SHARDS_MAX } from './authority-keys.ts';

export type AuthorityVariables = { REDIS_URL: string; REDIS_SHARDS: number };
type ConnectionOptions = { role: RedisRole; onError?: (error: Error) => void };

/** The variables of a service with the address of Redis and the number of shards for plays and money. */
export const authorityVariables = () => ({
  REDIS_URL: redisUrl(),
  REDIS_SHARDS: withDefault(integer({ min: 1, max: SHARDS_MAX }), 1),
});

/** Opens a connection for a service. */
export const openAuthorityRedis = (
  { REDIS_URL: url, REDIS_SHARDS: shards }: AuthorityVariables,
  options: ConnectionOptions,
): Redis => openRedis(url, { ...options, shards });

/**
 * Opens a connection for a command next to running services: with the number of shards noted by the first service, or 1
 * before that.
 */
export async function openRunningRedis(sql: Queryable, url: string, options: ConnectionOptions): Promise<Redis> {
  const [row] = await sql<{ shards: number | null }[]>`select shards from authority_life`;
  return openRedis(url, { ...options, shards: row?.shards ?? 1 });
}

/**
 * A process joins the users of the authority: the first notes the number of shards, and every later one must have the
 * same. With another number a campaign's money would be looked up in the wrong shard.
 * @throws Fault `other_shards`
 */
export async function joinAuthority(
  sql: Queryable,
  { REDIS_SHARDS: shards }: Pick<AuthorityVariables, 'REDIS_SHARDS'>,
): Promise<void> {
  const [row] = await sql<{ shards: number }[]>`
    update authority_life set shards = coalesce(shards, ${shards}) returning shards`;
  if (row?.shards !== shards)
    throw new Fault('other_shards', `REDIS_SHARDS is ${shards}, and Redis is divided into ${row?.shards}`, {
      retryable: false,
    });
}
