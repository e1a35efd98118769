import { Fault } from '#runtime/fault-error.ts';
import { STORED_TABLES } from '#sql/clickhouse-cluster.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';

/** ClickHouse's own settings of a table; each is off where nobody turns it on. */
const SYNCED = ['fsync_after_insert', 'fsync_part_directory', 'min_rows_to_fsync_after_merge'] as const;

/**
 * A group's plays are given up when ClickHouse has answered its insert: asserts that they are on the disk by then, in every
 * table of plays and scans that stores rows, and that what merges make of them is before its sources go.
 * @throws Fault naming the tables of which that is not true.
 */
export async function assertSynced(clickhouse: Clickhouse): Promise<void> {
  const result = await clickhouse.query({
    query: `select name, engine_full from system.tables
      where ${STORED_TABLES} and (startsWith(name, 'plays') or startsWith(name, 'scans')) order by name`,
    format: 'JSONEachRow',
  });
  const tables = await result.json<{ name: string; engine_full: string }>();
  const unsynced = tables
    .filter(table => !SYNCED.every(setting => new RegExp(`\\b${setting} = (?:1|true)\\b`).test(table.engine_full)))
    .map(({ name }) => name);
  if (unsynced.length > 0)
    throw new Fault(
      'not_synced',
      `a cut of power would lose rows of ${unsynced.join(', ')}: ${SYNCED.join(', ')} must be 1`,
      { retryable: false },
    );
}
