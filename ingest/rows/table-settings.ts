/**
 * Required settings of ClickHouse's tables, without which ingest must not start: rows would be written twice, or lost
 * in a power failure. Checked once, before the first batch is taken.
 */
import { Fault } from '#runtime/fault-error.ts';
import { STORED_TABLES } from '#sql/clickhouse-cluster.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';

/** ClickHouse's own settings of a table; each is off by default. */
const SYNCED = ['fsync_after_insert', 'fsync_part_directory', 'min_rows_to_fsync_after_merge'] as const;

/**
 * A group's plays are dropped once ClickHouse has answered its insert: asserts that they are on disk by then, in every
 * table that stores plays and scans, and that merged parts are on disk before their sources are deleted.
 * @throws Fault naming the tables without that.
 */
export async function assertSynced(clickhouse: Clickhouse): Promise<void> {
  const tables = await queryRows<{ name: string; engine_full: string }>(clickhouse, {
    query: `select name, engine_full from system.tables
      where ${STORED_TABLES} and (startsWith(name, 'plays') or startsWith(name, 'scans')) order by name`,
  });
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
 * the stored tables are those, and an insert has to be answered by them (`#sql/clickhouse-cluster.ts`). Tables with
 * replicas have to be read consistently, or one that lags would answer that rows are not there.
 * @returns the tables
 * @throws Fault `no_deduplication` or `stale_reads`, naming the tables and the setting
 */
export async function assertDeduplication(clickhouse: Clickhouse): Promise<StoredTable[]> {
  const tables = await queryRows<StoredTable>(clickhouse, {
    query: `select name, engine, engine_full,
        toBool(getSetting('select_sequential_consistency')) as is_consistent,
        toBool(database = currentDatabase() or (
          toBool(getSetting('distributed_foreground_insert'))
          and name in (select name from system.tables where database = currentDatabase() and engine = 'Distributed')
        )) as answers
      from system.tables where ${STORED_TABLES}`,
  });
  const fault = faultOfTables(tables);
  if (fault !== undefined) throw new Fault(fault.code, fault.detail, { retryable: false });
  return tables;
}

/** Whether an insert is answered after the table has it, and reads see the rows of other replicas. */
export type StoredTable = {
  name: string;
  engine: string;
  engine_full: string;
  answers: boolean;
  is_consistent: boolean;
};

/** The reason why rows in these tables could count twice or seem to be missing. */
export function faultOfTables(rows: readonly StoredTable[]): { code: string; detail: string } | undefined {
  const assured = new Set(rows.filter(row => row.answers && windowOf(row).test(row.engine_full)).map(row => row.name));
  const forgetful = TABLES.filter(table => !assured.has(table));
  if (forgetful.length > 0)
    return { code: 'no_deduplication', detail: `no deduplication window on ${forgetful.join(', ')}` };
  const stale = rows.filter(row => hasReplicas(row) && !row.is_consistent).map(row => row.name);
  if (stale.length === 0) return undefined;
  return {
    code: 'stale_reads',
    detail: `${stale.join(', ')} have replicas, and reads may miss what another replica has: set CLICKHOUSE_CLUSTER, or select_sequential_consistency = 1 for the user`,
  };
}

/** Whether all inserts into these tables run on the queried server. */
export function haveOneServer(tables: readonly StoredTable[], { insertHops }: Clickhouse): boolean {
  return insertHops === 1 && !tables.some(hasReplicas);
}

/** Replicated tables, and those of a managed service whose replicas share their storage. */
function hasReplicas({ engine }: StoredTable): boolean {
  return /^(Replicated|Shared)/.test(engine);
}

/** Each kind of table has its own window setting, and ignores the other. */
function windowOf(table: StoredTable): RegExp {
  return hasReplicas(table)
    ? /(?<!non_)replicated_deduplication_window = [1-9]/
    : /non_replicated_deduplication_window = [1-9]/;
}
