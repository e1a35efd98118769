/**
 * One small runner for both databases. Migrations are numbered files (NNNN_name.sql), forward only, each applied once.
 * A database with a different migration under a number has another history, and is refused before it is changed.
 * Postgres applies a file and its record in one transaction, under an advisory lock; ClickHouse has no transactions, so
 * its files are split into statements that are recorded one by one, each on the disk before the next begins.
 */
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '#runtime/fault-error.ts';
import { openClickhouse, type Clickhouse, queryRows } from './clickhouse.ts';
import { clusterTarget, distributedTables, renderForCluster, storedDatabase } from './clickhouse-cluster.ts';
import type { ClusterTarget } from './clickhouse-cluster.ts';
import { openPostgres, type Postgres, type Transaction } from './postgres.ts';
import { foldStoredAddresses } from './migrations/stored-addresses.ts';

/** A numbered file. */
export type Migration = { number: number; name: string; text: string };

export function migrationsOf(path: string): Migration[] {
  return readdirSync(path)
    .filter(name => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort()
    .map(name => ({ number: Number(name.slice(0, 4)), name, text: readFileSync(join(path, name), 'utf8') }));
}

/** @throws Fault `other_history`, not retryable, where the number was applied under another name */
export function assertSameHistory(number: number, applied: string, ours: string): void {
  if (applied === ours) return;
  throw new Fault(
    'other_history',
    `migration ${number} of this database is ${applied}, that of this version is ${ours}: the database is of an earlier, unreleased state, which nothing upgrades. Drop the database (of \`npm start\`: remove its data folder) and migrate again.`,
    { retryable: false },
  );
}

/** Changes of rows that SQL cannot express: executed before the migration of that number, in its transaction. */
const BEFORE: Readonly<Record<number, (tx: Transaction) => Promise<void>>> = { 10: foldStoredAddresses };

/** Brings the Postgres schema up to date. Safe to call from several processes at once. Returns the names applied. */
export async function migratePostgres(url: string): Promise<string[]> {
  const sql = openPostgres(url, { connectionsMax: 1, applicationName: 'marquee-migrate' });
  try {
    await sql`create table if not exists migrations (number integer primary key, name text not null,
        applied_at timestamptz not null default now())`.catch(ignoreLostRace);
    return await applyToPostgres(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Two processes that create the table at the same moment: one of them gets a unique violation of the catalogue. */
function ignoreLostRace(error: unknown): void {
  if ((error as { code?: string }).code !== '23505') throw error;
}

async function applyToPostgres(sql: Postgres): Promise<string[]> {
  const applied: string[] = [];
  for (const migration of migrationsOf(join(import.meta.dirname, 'migrations/postgres'))) {
    const done = await sql.begin(async tx => {
      await tx`select pg_advisory_xact_lock(${ADVISORY_LOCKS.migrations})`;
      const [row] = await tx<{ name: string }[]>`select name from migrations where number = ${migration.number}`;
      if (row) {
        assertSameHistory(migration.number, row.name, migration.name);
        return false;
      }
      await BEFORE[migration.number]?.(tx);
      await tx.unsafe(migration.text);
      await tx`insert into migrations (number, name) values (${migration.number}, ${migration.name})`;
      return true;
    });
    if (done) applied.push(migration.name);
  }
  return applied;
}

/** Hosts of a cluster carry out a statement one after the other's answer; ClickHouse itself gives them 180 s. */
const CLUSTER_STATEMENT_MS_MAX = 200_000;

const CLICKHOUSE_FOLDER = join(import.meta.dirname, 'migrations/clickhouse');

type ClickhouseMigrationOptions = {
  /** Makes the schema on all servers of the cluster of that name (`clickhouse-cluster.ts`). */
  cluster?: string | undefined;
  /** Folder of the migrations; tests have others. */
  folder?: string;
};

/** Brings the ClickHouse schema up to date in the URL's database, which is created if it is absent. */
export async function migrateClickhouse(
  url: string,
  { cluster, folder = CLICKHOUSE_FOLDER }: ClickhouseMigrationOptions = {},
): Promise<string[]> {
  const database = new URL(url).pathname.slice(1) || 'marquee';
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(database))
    throw new RangeError(`'${database}' is no name for a ClickHouse database`);
  const target = clusterTarget(url, cluster);
  const stored = target ? storedDatabase(target) : database;
  const options = {
    application: 'marquee-migrate',
    connectionsMax: 1,
    cluster,
    ...(cluster !== undefined && { requestTimeoutMs: CLUSTER_STATEMENT_MS_MAX }),
  };
  const creator = openClickhouse(withDatabase(url, 'default'), options);
  for (const name of new Set([database, stored]))
    await creator.command({ query: `create database if not exists ${name}${onCluster(target)}` });
  await creator.close();
  const clients = {
    product: openClickhouse(withDatabase(url, database), options),
    stored: openClickhouse(withDatabase(url, stored), options),
  };
  try {
    const applied = await applyToClickhouse(clients, target, folder);
    if (target) for (const query of distributedTables(target)) await clients.product.command({ query });
    return applied;
  } finally {
    await Promise.all([clients.product.close(), clients.stored.close()]);
  }
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

const onCluster = (target: ClusterTarget | undefined): string => (target ? ` on cluster '${target.cluster}'` : '');

/** The table of what was applied: one for a whole cluster, so that it is applied once. */
function migrationsTable(target: ClusterTarget | undefined): string {
  const engine = target
    ? `ReplicatedMergeTree('/clickhouse/tables/all/{database}/{table}', '{shard}-{replica}')`
    : 'MergeTree';
  return `create table if not exists migrations${onCluster(target)} (number UInt32, statement UInt32, name String, applied_at DateTime default now()) engine = ${engine} order by (number, statement)
  settings fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1`;
}

/**
 * Codes of ClickHouse for a `create` or `add column` that was carried out before: TABLE_ALREADY_EXISTS,
 * DUPLICATE_COLUMN.
 */
const DONE_ALREADY: ReadonlySet<unknown> = new Set(['57', '15']);

/**
 * `product`: connected to the product's database; `stored`: to the one that has the stored tables, the same without a
 * cluster.
 */
type Clients = { product: Clickhouse; stored: Clickhouse };
type AppliedStatement = { number: number; statement: number; name: string };

async function applyToClickhouse(
  { product, stored }: Clients,
  target: ClusterTarget | undefined,
  folder: string,
): Promise<string[]> {
  await product.command({ query: migrationsTable(target) });
  const rows = await queryRows<AppliedStatement>(product, { query: 'select number, statement, name from migrations' });
  const done = new Set(rows.map(row => `${row.number}.${row.statement}`));
  const names = new Map(rows.map(row => [row.number, row.name]));
  const applied: string[] = [];
  for (const { number, name, statements } of clickhouseMigrations(target, folder)) {
    assertSameHistory(number, names.get(number) ?? name, name);
    for (const [statement, query] of statements.entries()) {
      if (done.has(`${number}.${statement}`)) continue;
      await applyStatement(stored, {
        query,
        token: `migration ${number}.${statement}`,
        mayBeDone: applied.length === 0,
      });
      await product.command({
        query: `insert into migrations (number, statement, name) values (${number}, ${statement}, '${name}')`,
      });
      if (!applied.includes(name)) applied.push(name);
    }
  }
  return applied;
}

type PendingStatement = { query: string; token: string; mayBeDone: boolean };

/**
 * The first statement without a record may have been carried out: the process or the machine died before it was
 * recorded. What changes settings may be repeated, rows are copied under a token, and the rest is refused as done.
 */
async function applyStatement(client: Clickhouse, { query, token, mayBeDone }: PendingStatement): Promise<void> {
  try {
    await client.command({
      query,
      ...(query.startsWith('insert') && { clickhouse_settings: { insert_deduplication_token: token } }),
    });
  } catch (error) {
    if (!mayBeDone || !DONE_ALREADY.has((error as { code?: string }).code)) throw error;
  }
}

type ClickhouseMigration = { number: number; name: string; statements: string[] };

/** The statements of every migration of ClickHouse, as they are sent: to one server, or to a cluster. */
export function clickhouseMigrations(
  target: ClusterTarget | undefined,
  folder = CLICKHOUSE_FOLDER,
): ClickhouseMigration[] {
  return migrationsOf(folder).map(({ number, name, text }) => {
    const statements = statementsOf(text);
    return {
      number,
      name,
      statements: target ? statements.map(statement => renderForCluster(statement, target)) : statements,
    };
  });
}

/** Statements end with a semicolon at the end of a line; comments of whole lines are left out. */
export function statementsOf(text: string): string[] {
  return text
    .split('\n')
    .filter(line => !line.trimStart().startsWith('--'))
    .join('\n')
    .split(/;\s*(?:\n|$)/)
    .map(statement => statement.trim())
    .filter(statement => statement !== '');
}
