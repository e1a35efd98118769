import type { Clickhouse } from '#sql/clickhouse.ts';
import { unlinkAll, type Redis } from '#sql/redis.ts';
import { COMPLETE_KEPT_S } from '../groups.ts';
import { sendInsert } from '../insert.ts';
import { groupPattern, inStreams, type IntakeKeys } from './intake-keys.ts';
import { PLAY_COLUMNS, SCAN_COLUMNS } from '../steps/to-row.ts';

/**
 * Ingest's part in a rebuild of the authority, while nothing answers. Groups are forgotten, because what was counted for
 * them may be lost; their jobs stay and are grouped and counted again. Rows that are written stay what they are.
 */
const CALLS_MAX = 1_000;

/** A group whose rows are in a raw table, and the attempt that wrote them. */
export type WrittenGroup = { group: string; table: 'plays_raw' | 'scans_raw'; attempt: number };

type UnsettledGroup = { group: string; lineMs: number };

/**
 * Forgets all groups but that these are written; and lists those that are not settled, each by a line that none of its rows
 * is older than.
 */
export async function forgetGroups(
  redis: Redis,
  { queueName, streams }: { queueName: string; streams: readonly IntakeKeys[] },
  { written, unsettled }: { written: readonly WrittenGroup[]; unsettled: readonly UnsettledGroup[] },
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
  // Without jobs: nobody can do anything with such a group any more. It says that its rows are no news after the next restart.
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

/**
 * Writes a group's rows once more, as they stand in the raw table, under the token that wrote them: the raw table drops
 * them, and a view that lacks its part gets it.
 * @throws when ClickHouse does not say that it is written; it may be repeated
 */
export async function repeatGroup(clickhouse: Clickhouse, { group, table, attempt }: WrittenGroup): Promise<void> {
  const columns = table === 'plays_raw' ? PLAY_COLUMNS : SCAN_COLUMNS;
  const stored = columns.filter(column => column !== 'insert_by');
  // The row that carries the attempt comes first, and lends its place to the deadline.
  const result = await clickhouse.query({
    query: `select ${stored.join(', ')} from ${table} where group_id = {group:String} order by attempt desc`,
    query_params: { group },
    format: 'TabSeparated',
  });
  const lines = (await result.text()).split('\n').filter(line => line !== '');
  if (lines.length === 0) return;
  const rows = lines.map((line, index) => (index === 0 ? line.slice(line.indexOf('\t')) : `\\N\t${line}`));
  await sendInsert(
    clickhouse,
    { group, table, columns, rows: rows.length, body: Buffer.from(`${rows.join('\n')}\n`) },
    { attempt, askedAtMs: performance.now() },
  );
}
