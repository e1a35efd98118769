/**
 * Ingest's part in a rebuild of the authority, during which the authority answers nothing. Groups are forgotten,
 * because their counts may be lost; their jobs stay and are grouped and counted again. Written rows stay unchanged.
 */
import { unlinkAll, type Redis } from '#sql/redis.ts';
import { COMPLETE_KEPT_S } from './batch-jobs.ts';
import { groupPattern, inStreams, type StreamKeys } from './stream-keys.ts';
import type { Milliseconds } from '#domain/unit.ts';

const CALLS_MAX = 1_000;

/** A group with rows in a raw table, and the attempt that wrote them. */
export type WrittenGroup = { group: string; table: 'plays_raw' | 'scans_raw'; attempt: number };

/** The remembered facts: which groups are written, and which are unsettled, each with a line before all of its rows. */
export type RememberedGroups = {
  written: readonly WrittenGroup[];
  unsettled: readonly { group: string; lineMs: Milliseconds }[];
};

/** Forgets all groups of the queue except the remembered facts. */
export async function forgetGroups(
  redis: Redis,
  { queueName, streams }: { queueName: string; streams: readonly StreamKeys[] },
  { written, unsettled }: RememberedGroups,
): Promise<void> {
  await unlinkAll(redis, groupPattern(queueName));
  for (const keys of streams) {
    const pending = await redis.zrange(keys.pending, 0, -1);
    await inStreams({ redis, streams }, pending, {
      nameOf: job => job,
      pageMax: CALLS_MAX,
      send: (pipeline, { jobPrefix }, job) => pipeline.hdel(jobPrefix + job, 'group'),
    });
    await redis.unlink(keys.grouped);
  }
  const nameOf = ({ group }: { group: string }): string => group;
  // Without jobs: such a group is never processed again. After the next restart, it proves that its rows are known.
  await inStreams({ redis, streams }, written, {
    nameOf,
    pageMax: CALLS_MAX,
    send: (pipeline, keys, { group, table, attempt }) =>
      pipeline.hset(keys.groupPrefix + group, 'done', 1, `attempt:${table}`, attempt),
  });
  await inStreams({ redis, streams }, written, {
    nameOf,
    pageMax: CALLS_MAX,
    send: (pipeline, keys, { group }) => pipeline.expire(keys.groupPrefix + group, COMPLETE_KEPT_S),
  });
  await inStreams({ redis, streams }, unsettled, {
    nameOf,
    pageMax: CALLS_MAX,
    send: (pipeline, keys, { group, lineMs }) => pipeline.zadd(keys.unsettled, lineMs, group),
  });
}
