/**
 * ClickHouse as a cluster. Every shard has the tables and views of the schema, replicated, in a database of their own
 * (`<database>_local`). The product's database has a distributed table of the same name over each, so that every query
 * and every insert of the product stays as it is. Rows are sharded by campaign, so all rollups of a campaign are on one
 * shard. Without a cluster the tables are in the product's database itself.
 *
 * A shard drops a repeated insert by itself: the distributed table sends the same rows to the same shards, under the
 * token of the insert. That needs inserts to be answered after the shards have them (`CLUSTER_SETTINGS`).
 */
export type ClusterTarget = { cluster: string; database: string };

/**
 * Settings of every connection to a cluster. An insert is answered when the shards have it, and a majority of each
 * shard's replicas. A read never misses what such an insert has written; `as_of` relies on that, and so does a writer
 * that checks whether its rows are there. A report of one campaign reads one shard.
 */
export const CLUSTER_SETTINGS = {
  distributed_foreground_insert: 1,
  insert_quorum: 'auto',
  insert_quorum_parallel: 0,
  select_sequential_consistency: '1',
  optimize_skip_unused_shards: 1,
} as const;

/** Finds the tables that store rows, of a server or of a shard, from a connection to the product's database. */
export const STORED_TABLES = `database in (currentDatabase(), concat(currentDatabase(), '_local')) and engine like '%MergeTree' and name != 'migrations'`;

/**
 * Every table and view of the schema, and the column that its rows are sharded by. It never changes for a row, so that
 * a repeated row meets the first one.
 */
const SHARDED_BY: Readonly<Record<string, string>> = {
  plays_raw: 'campaign_id',
  plays_quarter_hour: 'campaign_id',
  plays_campaign_quarter_hour: 'campaign_id',
  plays_venue_quarter_hour: 'campaign_id',
  plays_screen_day: 'campaign_id',
  plays_taken_out: 'campaign_id',
  plays_not_counted: 'campaign_id',
  plays: 'campaign_id',
  plays_by_hour: 'campaign_id',
  scans_raw: 'campaign_id',
  scans_quarter_hour: 'campaign_id',
  scans_not_counted: 'campaign_id',
  scans: 'campaign_id',
  decisions: 'screen_id',
  private_decision_journal: 'node_epoch',
  private_api_calls: 'workspace_handle',
  private_integration_calls: 'workspace_handle',
  private_supply_hours: 'venue_handle',
};

/** The table or view that a statement creates or changes. ClickHouse expects `on cluster` directly after this name. */
const SUBJECT = /^(?:create table|create materialized view|create view|alter table) \w+/;

/**
 * The deduplication window of a plain table, and of a replicated one: as long as a group of reports may be repeated.
 */
const WINDOW = 'non_replicated_deduplication_window = 10000';
const REPLICATED_WINDOW = `replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = ${30 * 86_400}`;

/** @throws RangeError for an invalid name of a cluster */
export function parseClusterName(value: string): string {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(value)) throw new RangeError(`'${value}' is no name for a cluster`);
  return value;
}

/**
 * The target of statements that change the stored tables; undefined without a cluster.
 * @param url of ClickHouse; its path names the database
 */
export function clusterTarget(url: string, cluster: string | undefined): ClusterTarget | undefined {
  return cluster === undefined ? undefined : { cluster, database: new URL(url).pathname.slice(1) };
}

/** The database that has the stored tables. */
export const storedDatabase = ({ database }: ClusterTarget): string => `${database}_local`;

/** A table as a statement names it that changes what is stored, on every server that stores it. */
export function storedTable(table: string, target: ClusterTarget | undefined): string {
  return target === undefined ? table : `${storedDatabase(target)}.${table} on cluster '${target.cluster}'`;
}

/**
 * A statement of the schema as each server of a cluster carries it out, in the database of the stored tables.
 * @throws RangeError for a statement of a kind that the schema has not had so far
 */
export function renderForCluster(statement: string, { cluster }: ClusterTarget): string {
  if (!SUBJECT.test(statement)) throw new RangeError(`no rule renders for a cluster: ${statement.slice(0, 80)}`);
  return statement
    .replace(SUBJECT, `$& on cluster '${cluster}'`)
    .replace('\nengine = ', '\nengine = Replicated')
    .replace(WINDOW, REPLICATED_WINDOW);
}

/**
 * Makes the tables of the product's database, on every server. They store nothing, so each run replaces them with the
 * current columns.
 */
export function distributedTables(target: ClusterTarget): string[] {
  const { cluster, database } = target;
  const stored = storedDatabase(target);
  return Object.entries(SHARDED_BY).map(
    ([table, column]) =>
      `create or replace table ${database}.${table} on cluster '${cluster}' as ${stored}.${table} engine = Distributed('${cluster}', '${stored}', '${table}', cityHash64(${column}))`,
  );
}
