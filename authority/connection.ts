/**
 * Connections to the Redis of the authority. It is divided into shards (authority-keys.ts), into as many in every
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

/** The variables of a service that say where Redis is, and into how many shards plays and money are divided in it. */
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
 * Opens a connection for a command beside services that run: Redis is divided as the first of them has noted, into 1
 * before it has begun.
 */
export async function openRunningRedis(sql: Queryable, url: string, options: ConnectionOptions): Promise<Redis> {
  const [row] = await sql<{ shards: number | null }[]>`select shards from authority_life`;
  return openRedis(url, { ...options, shards: row?.shards ?? 1 });
}

/**
 * A process joins those that use the authority: the first notes into how many shards it is divided, and every later one
 * is held to that. With another number a campaign's money would be looked for where it is not.
 * @throws Fault `other_shards`
 */
export async function joinAuthority(
  sql: Queryable,
  { REDIS_SHARDS: shards }: Pick<AuthorityVariables, 'REDIS_SHARDS'>,
): Promise<void> {
  const [row] = await sql<
    { shards: number }[]
  >`update authority_life set shards = coalesce(shards, ${shards}) returning shards`;
  if (row?.shards !== shards)
    throw new Fault('other_shards', `REDIS_SHARDS is ${shards}, and Redis is divided into ${row?.shards}`, {
      retryable: false,
    });
}
