/**
 * The number of shards (`REDIS_SHARDS`), and the note of it in Postgres that every process is compared with when it starts.
 */
import { integer, withDefault, type Field } from '#runtime/config.ts';
import { Fault } from '#runtime/fault-error.ts';
import { SHARDS_MAX } from './authority-keys.ts';
import type { Queryable } from '#sql/postgres.ts';

/** `REDIS_SHARDS`: into how many shards plays and money are divided (authority-keys.ts). */
export const redisShards = (): Field<number> => withDefault(integer({ min: 1, max: SHARDS_MAX }), 1);

/** The number that was noted; 1 before the first process has begun. */
export async function shardsNoted(sql: Queryable): Promise<number> {
  const [row] = await sql<{ shards: number | null }[]>`select shards from authority_life`;
  return row?.shards ?? 1;
}

/**
 * Notes the number with which the authority begins, and holds every later process to it: with another one a campaign's money
 * would be looked for where it is not.
 * @throws Fault `other_shards`
 */
export async function agreeOnShards(sql: Queryable, shards: number): Promise<void> {
  const [row] = await sql<
    { shards: number }[]
  >`update authority_life set shards = coalesce(shards, ${shards}) returning shards`;
  if (row?.shards !== shards)
    throw new Fault('other_shards', `REDIS_SHARDS is ${shards}, and Redis is divided into ${row?.shards}`, {
      retryable: false,
    });
}
