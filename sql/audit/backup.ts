/**
 * Backup and restore of Postgres and ClickHouse while everything runs: one folder of compressed tables and a manifest.
 *
 * Postgres is read at one moment, and ClickHouse after it. So every charge of the backup has its rows. Groups of rows
 * that were settled in between are not settled in the backup; the next settlement after a restore charges them, once.
 * Redis is not part of a backup: on a restored installation it is empty, and the workers rebuild from the other two
 * databases what was spent and counted. Numbers that were given out between the backup and the loss may be known
 * outside (a play id on a screen, an id in a customer's system), so a restore leaves a gap in every sequence. Files of
 * the storage are content-addressed and are copied by other means.
 */
import { createReadStream } from 'node:fs';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { replaceDurably, syncFolder } from '#runtime/durable-file.ts';
import { Fault } from '#runtime/fault-error.ts';
import { STORED_TABLES } from '#sql/clickhouse-cluster.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import { copiedBytes, type Postgres, type Transaction } from '#sql/postgres.ts';
import { fileOf, keepFile, OWN_FILE, OWN_FOLDER } from './backup-files.ts';
import { backUpClickhouse, restoreTable, type SavedRows, type SavedTable } from './backup-rows.ts';
import { withRawMonths } from './raw-retention.ts';
import { endEpochsOf, recordRestore } from '#authority/life-row.ts';
import { takeOverChanges } from '#books/change-log.ts';

type Databases = { sql: Postgres; clickhouse: Clickhouse };
export type Manifest = {
  format: 1;
  taken_at: string;
  migrations: { postgres: number; clickhouse: number };
  postgres: SavedTable[];
  clickhouse: SavedRows[];
  /** The last number that each sequence gave out. Backups of 0.2.0 have none. */
  sequences?: SavedSequence[];
};
type SavedSequence = { sequence: string; last: number };

/** Far more numbers than any installation gives out between two backups. */
const SEQUENCE_GAP = 1_000_000;
/**
 * Groups that were inserted this long before the settled time, or later, are restored under their tokens. The rebuild
 * of Redis repeats the groups that are not settled, and a new ClickHouse must know their tokens to drop them. The
 * rebuild allows an hour for differing clocks; two hours cover that.
 */
const TOKENS_KEPT_MS = 2 * 3_600_000;

/**
 * Writes a backup into a folder, which must be new or empty. The manifest is written last: a folder without one is no
 * backup.
 * @throws Fault `folder_not_empty`
 */
export async function backUp({ sql, clickhouse }: Databases, folder: string, now: Date): Promise<Manifest> {
  await mkdir(folder, { recursive: true, mode: OWN_FOLDER });
  if ((await readdir(folder)).length > 0)
    throw new Fault('folder_not_empty', `${folder} is not empty`, { retryable: false });
  const folders = [join(folder, 'postgres'), join(folder, 'clickhouse')];
  await Promise.all(folders.map(path => mkdir(path, { mode: OWN_FOLDER })));
  const manifest = await withRawMonths(sql, async (): Promise<Manifest> => {
    const { tokensFromS, ...saved } = await sql.begin('isolation level repeatable read read only', async tx => ({
      tokensFromS: await tokensFromOf(tx),
      postgres: await backUpPostgres(tx, folder),
      sequences: await sequencesOf(tx),
    }));
    return {
      format: 1,
      taken_at: now.toISOString(),
      migrations: await migrationsOf({ sql, clickhouse }),
      ...saved,
      clickhouse: await backUpClickhouse(clickhouse, { folder, tokensFromS }),
    };
  });
  for (const path of folders) await syncFolder(path);
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  replaceDurably({ path: join(folder, 'manifest.json'), text, mode: OWN_FILE });
  await syncFolder(dirname(folder));
  return manifest;
}

/**
 * Refusals of `restore` that do not depend on the schemas. Checked before these are created, so that existing data are
 * not upgraded on the way to a refusal.
 * @throws Fault `no_backup`, `not_empty`
 */
export async function assertRestorable(sql: Postgres, folder: string): Promise<void> {
  await readManifest(folder);
  const [found] = await sql<{ is_made: boolean }[]>`select to_regclass('public.workspaces') is not null as is_made`;
  if (found!.is_made) await assertNoWorkspaces(sql);
}

/**
 * Fills databases that are migrated and empty from a backup.
 * @throws Fault `no_backup`, `other_schema` (restore with the version that took it, then upgrade), `not_empty`,
 *   `rows_missing`
 */
export async function restore({ sql, clickhouse }: Databases, folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const ours = await migrationsOf({ sql, clickhouse });
  if (ours.postgres !== manifest.migrations.postgres || ours.clickhouse !== manifest.migrations.clickhouse) {
    throw new Fault(
      'other_schema',
      `the backup has migrations ${JSON.stringify(manifest.migrations)}, this installation ${JSON.stringify(ours)}; restore with the version that took it, and upgrade then`,
      { retryable: false },
    );
  }
  await assertEmpty({ sql, clickhouse });
  for (const saved of manifest.clickhouse) await restoreTable(clickhouse, folder, saved);
  // Postgres comes last and in one transaction. A restore that fails leaves it empty, so that the failure is seen and
  // the restore can be repeated.
  await sql.begin(async tx => {
    await restorePostgres(tx, folder, manifest);
    // No process from the time of the backup is left, so as_of must not wait for the copies of one.
    await endEpochsOf(tx);
  });
  return manifest;
}

async function readManifest(folder: string): Promise<Manifest> {
  try {
    return JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest;
  } catch (error) {
    throw new Fault('no_backup', `${folder} holds no complete backup`, { retryable: false, cause: error });
  }
}

async function migrationsOf({ sql, clickhouse }: Databases): Promise<Manifest['migrations']> {
  const [row] = await sql<{ number: number }[]>`select max(number) as number from migrations`;
  const [other] = await queryRows<{ number: number }>(clickhouse, {
    query: 'select max(number) as number from migrations',
  });
  return { postgres: row!.number, clickhouse: other!.number };
}

/** The tables of Postgres, each after those that it refers to. Partitions are part of their table. */
async function tablesOf(sql: Postgres | Transaction): Promise<{ table: string; columns: string[] }[]> {
  const tables = await sql<{ table: string; columns: string[]; needs: string[] }[]>`
    select c.relname as table,
      (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      coalesce((select array_agg(distinct f.confrelid::regclass::text) from pg_constraint f
      where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid), '{}') as needs
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'migrations' order by c.relname`;
  const ordered: (typeof tables)[number][] = [];
  while (ordered.length < tables.length) {
    const next = tables.filter(
      table => !ordered.includes(table) && table.needs.every(need => ordered.some(done => done.table === need)),
    );
    if (next.length === 0) throw new Error('tables refer to each other in a circle');
    ordered.push(...next);
  }
  return ordered;
}

async function backUpPostgres(tx: Transaction, folder: string): Promise<SavedTable[]> {
  const tables: SavedTable[] = [];
  for (const { table, columns } of await tablesOf(tx)) {
    const [counted] = await tx<{ rows: number }[]>`select count(*) as rows from ${tx(table)}`;
    const rows = await copiedBytes(tx`copy (select ${tx(columns)} from ${tx(table)}) to stdout`);
    await keepFile(rows, fileOf(folder, 'postgres', table));
    tables.push({ table, rows: counted!.rows });
  }
  return tables;
}

/**
 * The time from which groups are restored under their tokens, in seconds, as this transaction sees it: a rebuild after
 * a restore goes by the settled time of the backup, which is hours old once large tables have been read.
 */
async function tokensFromOf(tx: Transaction): Promise<number> {
  const [life] = await tx<{ line: number }[]>`
    select greatest(0, floor((settled_before_ms - ${TOKENS_KEPT_MS}) / 1000)) as line from authority_life`;
  return life!.line;
}

/** Sequences are of no snapshot: read after the rows, none is behind a number that they have. */
async function sequencesOf(tx: Transaction): Promise<SavedSequence[]> {
  return tx<SavedSequence[]>`
    select sequencename as sequence, last_value as last from pg_sequences
    where schemaname = 'public' and last_value is not null order by sequencename`;
}

async function restorePostgres(
  tx: Transaction,
  folder: string,
  { postgres: tables, sequences = [] }: Manifest,
): Promise<void> {
  for (const { table, columns } of await tablesOf(tx)) {
    const wanted = tables.find(candidate => candidate.table === table);
    if (!wanted) continue;
    await tx`alter table ${tx(table)} disable trigger user`;
    await tx`delete from ${tx(table)}`; // rows that migrations made
    await pipeline(
      createReadStream(fileOf(folder, 'postgres', table)),
      createGunzip(),
      await tx`copy ${tx(table)} (${tx(columns)}) from stdin`.writable(),
    );
    await tx`alter table ${tx(table)} enable trigger user`;
    const [row] = await tx<{ rows: number }[]>`select count(*) as rows from ${tx(table)}`;
    if (row!.rows !== wanted.rows)
      throw new Fault('rows_missing', `${table} has ${row!.rows} rows instead of ${wanted.rows}`, { retryable: false });
  }
  await tx`
    select setval(pg_get_serial_sequence(quote_ident(table_name), column_name),
      greatest(saved.last, (xpath('/row/m/text()', query_to_xml(format('select max(%I) as m from %I', column_name,
      table_name), false, true, '')))[1]::text::bigint, 0) + ${SEQUENCE_GAP})
    from information_schema.columns left join unnest(${sequences.map(({ sequence }) => sequence)}::text[],
      ${sequences.map(({ last }) => last)}::bigint[]) as saved (sequence, last)
      on saved.sequence::regclass = pg_get_serial_sequence(quote_ident(table_name), column_name)::regclass
    where table_schema = 'public' and is_identity = 'YES'`;
  await takeOverChanges(tx);
  await recordRestore(tx, SEQUENCE_GAP);
}

/**
 * Rows written twice must not count twice: an interrupted restore has left rows in ClickHouse, of rollups before those
 * of plays. Tables that drop a repeated row by themselves may have some.
 */
async function assertEmpty({ sql, clickhouse }: Databases): Promise<void> {
  await assertNoWorkspaces(sql);
  const filled = await queryRows<{ name: string }>(clickhouse, {
    query: `select distinct table as name from system.parts where active and rows > 0 and (database, table) in
      (select database, name from system.tables where ${STORED_TABLES} and engine not like '%Replacing%') order by name`,
  });
  if (filled.length > 0)
    throw notEmpty(
      `ClickHouse has rows in ${filled.map(({ name }) => name).join(', ')}. Where a restore was cut short, drop that database, migrate, and restore again`,
    );
}

async function assertNoWorkspaces(sql: Postgres): Promise<void> {
  const [workspaces] = await sql<{ rows: number }[]>`select count(*) as rows from workspaces`;
  if (workspaces!.rows > 0) throw notEmpty('Postgres has workspaces');
}

function notEmpty(found: string): Fault {
  return new Fault('not_empty', `a backup is restored into an installation that has no data, and ${found}`, {
    retryable: false,
  });
}
