/**
 * Groups of plays for the services after ingest: settlement charges the complete ones and removes them from the list,
 * and a rebuild of the authority reads which had begun, and forgets them. Ingest itself forms and finishes them
 * (`ingest/groups.ts`).
 */
import type { Redis } from '#sql/redis.ts';
import { PLAY_QUEUE_NAME } from './play-queue.ts';
import { forgetGroups, type RememberedGroups, type WrittenGroup } from './rebuild.ts';
import { inStreams, streamsOf } from './stream-keys.ts';

export type PlayGroups = {
  /** Names of groups that are complete and not yet settled, oldest first. */
  unsettled(limit: number): Promise<string[]>;
  /** Removes settled groups from the list; after the charges are committed. */
  markSettled(groups: readonly string[]): Promise<void>;
  /**
   * The oldest line of a complete and unsettled group: no group with rows from before it is unsettled. Undefined: none.
   */
  oldestUnsettled(): Promise<number | undefined>;
  /** Which of these groups had begun their insert into that table, as far as Redis knows. */
  haveBegun(groups: readonly WrittenGroup[]): Promise<boolean[]>;
  /**
   * Part of a rebuild, while the authority does not answer: forgets all groups except that some are written, and lists
   * those to settle.
   */
  forgetAll(remembered: RememberedGroups): Promise<void>;
};

/**
 * @param options.redis a connection of role `producer` or `commands`; the caller closes it.
 * @param options.queueName another queue, for tests that share one Redis.
 */
export function createPlayGroups({
  redis,
  queueName = PLAY_QUEUE_NAME,
}: {
  redis: Redis;
  queueName?: string;
}): PlayGroups {
  const streams = streamsOf(queueName, redis);
  return {
    async unsettled(limit) {
      const lists = await Promise.all(
        streams.map(({ unsettled }) => redis.zrange(unsettled, 0, limit - 1, 'WITHSCORES')),
      );
      const groups = lists.flatMap(flat =>
        Array.from({ length: flat.length / 2 }, (_, i) => ({ name: flat[2 * i]!, line: Number(flat[2 * i + 1]) })),
      );
      return groups
        .sort((one, other) => one.line - other.line)
        .slice(0, limit)
        .map(({ name }) => name);
    },
    async markSettled(groups) {
      await inStreams({ redis, streams }, groups, {
        nameOf: group => group,
        send: (pipeline, keys, group) => pipeline.zrem(keys.unsettled, group),
      });
    },
    async oldestUnsettled() {
      const oldest = await Promise.all(
        streams.map(async ({ unsettled }) => (await redis.zrange(unsettled, 0, 0, 'WITHSCORES'))[1]),
      );
      const lines = oldest.filter(line => line !== undefined).map(Number);
      return lines.length === 0 ? undefined : Math.min(...lines);
    },
    async haveBegun(groups) {
      const found = await inStreams<WrittenGroup, number>({ redis, streams }, groups, {
        nameOf: ({ group }) => group,
        send: (pipeline, keys, { group, table }) => pipeline.hexists(keys.groupPrefix + group, `attempt:${table}`),
      });
      return found.map(each => each === 1);
    },
    forgetAll: remembered => forgetGroups(redis, { queueName, streams }, remembered),
  };
}
