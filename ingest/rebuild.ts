import type { Clickhouse } from '#sql/clickhouse.ts';
import { execAll, type Redis } from '#sql/redis.ts';
import { COMPLETE_KEPT_S } from './groups.ts';
import { sendInsert } from './insert.ts';
import type { IntakeKeys } from './intake-keys.ts';
import { PLAY_COLUMNS, SCAN_COLUMNS } from './steps/to-row.ts';

/**
 * Ingest's part in a rebuild of the authority, while nothing answers. Groups are forgotten, because what was counted for
 * them may be lost; their jobs stay and are grouped and counted again. Rows that are written stay what they are.
 */
const SCANNED_AT_ONCE = 5_000;
const CALLS_MAX = 1_000;

/** A group whose rows are in a raw table, and the attempt that wrote them. */
export type WrittenGroup = { group: string; table: 'plays_raw' | 'scans_raw'; attempt: number };

/**
 * Forgets all groups but that these are written; and lists those that are not settled, each by a line that none of its rows
 * is older than.
 */
export async function forgetGroups(redis: Redis, keys: IntakeKeys, { written, unsettled }: { written: readonly WrittenGroup[]; unsettled: readonly { group: string; lineMs: number }[] }): Promise<void> {
  for await (const found of redis.scanStream({ match: `${keys.groupPrefix}*`, count: SCANNED_AT_ONCE }) as AsyncIterable<string[]>) {
    if (found.length > 0) await redis.unlink(...found);
  }
  const pending = await redis.zrange(keys.pending, 0, -1);
  for (let at = 0; at < pending.length; at += CALLS_MAX) {
    const pipeline = redis.pipeline();
    for (const job of pending.slice(at, at + CALLS_MAX)) pipeline.hdel(keys.jobPrefix + job, 'group');
    await execAll(pipeline);
  }
  await redis.unlink(keys.grouped);
  for (let at = 0; at < written.length; at += CALLS_MAX) {
    const pipeline = redis.pipeline();
    // Without jobs: nobody can do anything with such a group any more. It says that its rows are no news after the next restart.
    for (const { group, table, attempt } of written.slice(at, at + CALLS_MAX)) {
      pipeline.hset(keys.groupPrefix + group, 'done', 1, `attempt:${table}`, attempt).expire(keys.groupPrefix + group, COMPLETE_KEPT_S);
    }
    await execAll(pipeline);
  }
  for (let at = 0; at < unsettled.length; at += CALLS_MAX) {
    await redis.zadd(keys.unsettled, ...unsettled.slice(at, at + CALLS_MAX).flatMap(({ group, lineMs }) => [lineMs, group]));
  }
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
  const result = await clickhouse.query({ query: `select ${stored.join(', ')} from ${table} where group_id = {group:String} order by attempt desc`, query_params: { group }, format: 'TabSeparated' });
  const lines = (await result.text()).split('\n').filter(line => line !== '');
  if (lines.length === 0) return;
  const rows = lines.map((line, index) => (index === 0 ? line.slice(line.indexOf('\t')) : `\\N\t${line}`));
  await sendInsert(clickhouse, { group, table, columns, rows: rows.length, body: Buffer.from(`${rows.join('\n')}\n`) }, { attempt, askedAtMs: performance.now() });
}
