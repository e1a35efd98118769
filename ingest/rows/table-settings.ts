/**
 * Settings of ClickHouse's tables without which ingest must not start: rows would be written twice, or lost with a cut
 * of power. Checked once, before the first batch is taken.
 */
import { Fault } from '#runtime/fault-error.ts';
import { STORED_TABLES } from '#sql/clickhouse-cluster.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';

/** ClickHouse's own settings of a table; each is off by default. */
const SYNCED = ['fsync_after_insert', 'fsync_part_directory', 'min_rows_to_fsync_after_merge'] as const;

/**
 * A group's plays are given up when ClickHouse has answered its insert: asserts that they are on the disk by then, in
 * every table of plays and scans that stores rows, and that what merges make of them is before its sources go.
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

/** Every table that receives rows. */
const TABLES = [
  'plays_raw',
  'plays_quarter_hour',
  'plays_campaign_quarter_hour',
  'plays_venue_quarter_hour',
  'plays_screen_day',
  'scans_raw',
  'scans_quarter_hour',
  'decisions',
  'private_decision_journal',
  'plays_not_counted',
];

/**
 * Exactly-once rests on ClickHouse remembering tokens: asserts that every table that receives rows does. On a cluster
 * the stored tables are those, and an insert has to be answered by them (`#sql/clickhouse-cluster.ts`).
 * @throws Fault naming the tables that do not.
 */
export async function assertDeduplication(clickhouse: Clickhouse): Promise<void> {
  const result = await clickhouse.query({
    query: `select name, engine_full,
        toBool(database = currentDatabase() or (
          toBool(getSetting('distributed_foreground_insert'))
          and name in (select name from system.tables where database = currentDatabase() and engine = 'Distributed')
        )) as answers
      from system.tables where ${STORED_TABLES}`,
    format: 'JSONEachRow',
  });
  const rows = await result.json<{ name: string; engine_full: string; answers: boolean }>();
  const assured = new Set(
    rows
      .filter(row => row.answers && /replicated_deduplication_window = [1-9]/.test(row.engine_full))
      .map(row => row.name),
  );
  const faults = TABLES.filter(table => !assured.has(table));
  if (faults.length > 0)
    throw new Fault('no_deduplication', `no deduplication window on ${faults.join(', ')}`, { retryable: false });
}
