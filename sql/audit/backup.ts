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
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { Fault } from '#runtime/fault-error.ts';
import { STORED_TABLES } from '#sql/clickhouse-cluster.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Postgres, Transaction } from '#sql/postgres.ts';
import { RAW_TABLES, withRawMonths, type RawTable } from './raw-retention.ts';

type Databases = { sql: Postgres; clickhouse: Clickhouse };
type SavedTable = { table: string; rows: number };
/** `groups`: the rows are in the order of their groups, and each group is inserted under a token of its own. */
type SavedRows = SavedTable & { file: string; groups: boolean };
export type Manifest = {
  format: 1;
  taken_at: string;
  migrations: { postgres: number; clickhouse: number };
  postgres: SavedTable[];
  clickhouse: SavedRows[];
};

/** Far more numbers than any installation gives out between two backups. */
const SEQUENCE_GAP = 1_000_000;
/** The size of one insert of a restore: below what the embedded ClickHouse collects (256 MiB), yet few parts. */
const INSERT_ROWS = 100_000;
const INSERT_BYTES_MAX = 64 * 2 ** 20;
/** Above the rows of any insert, so that each is one block and its token stands for all of it. */
const INSERT_BLOCK_ROWS = 1_000_000;
/**
 * The raw table of each rollup. When raw rows are restored, views fill the rollups again; only the months whose raw
 * rows were dropped are saved from a rollup itself.
 */
const RAW_OF_ROLLUP: Readonly<Record<string, { raw: RawTable; month: string }>> = {
  plays_quarter_hour: { raw: 'plays_raw', month: 'toYYYYMM(bucket)' },
  plays_campaign_quarter_hour: { raw: 'plays_raw', month: 'toYYYYMM(bucket)' },
  plays_venue_quarter_hour: { raw: 'plays_raw', month: 'toYYYYMM(bucket)' },
  plays_screen_day: { raw: 'plays_raw', month: 'toYYYYMM(day)' },
  scans_quarter_hour: { raw: 'scans_raw', month: 'toYYYYMM(bucket)' },
};
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
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0)
    throw new Fault('folder_not_empty', `${folder} is not empty`, { retryable: false });
  await Promise.all([mkdir(join(folder, 'postgres')), mkdir(join(folder, 'clickhouse'))]);
  const manifest = await withRawMonths(sql, async (): Promise<Manifest> => {
    const postgres = await sql.begin('isolation level repeatable read read only', tx => backUpPostgres(tx, folder));
    return {
      format: 1,
      taken_at: now.toISOString(),
      migrations: await migrationsOf({ sql, clickhouse }),
      postgres,
      clickhouse: await backUpClickhouse({ sql, clickhouse }, folder),
    };
  });
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  return manifest;
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
    await restorePostgres(tx, folder, manifest.postgres);
    // No process from the time of the backup is left, so as_of must not wait for the copies of one.
    await tx`update delivery_epochs set ended_at = now() where ended_at is null`;
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
  const [{ number }] = (await rowsOf<{ number: number }>(
    clickhouse,
    'select max(number) as number from migrations',
  )) as [{ number: number }];
  return { postgres: row!.number, clickhouse: number };
}

async function rowsOf<T>(clickhouse: Clickhouse, query: string): Promise<T[]> {
  return (await clickhouse.query({ query, format: 'JSONEachRow' })).json<T>();
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
    const [row] = await tx<{ rows: number }[]>`select count(*) as rows from ${tx(table)}`;
    const out = await tx`copy (select ${tx(columns)} from ${tx(table)}) to stdout`.readable();
    await pipeline(out, createGzip(), createWriteStream(fileOf(folder, 'postgres', table)));
    tables.push({ table, rows: row!.rows });
  }
  return tables;
}

async function restorePostgres(tx: Transaction, folder: string, tables: readonly SavedTable[]): Promise<void> {
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
      coalesce((xpath('/row/m/text()', query_to_xml(format('select max(%I) as m from %I', column_name, table_name),
      false, true, '')))[1]::text::bigint, 0) + ${SEQUENCE_GAP})
    from information_schema.columns where table_schema = 'public' and is_identity = 'YES'`;
  // Ids of transactions mean nothing on another server.
  await tx`update change_log set transaction_id = pg_current_xact_id()`;
  // The schema is of this moment, too: what was kept of this database before (`witnessOf`) is of another one now.
  await tx`update migrations set applied_at = clock_timestamp()`;
  // A generation that no Redis has, so that the workers rebuild Redis from what was restored.
  await tx`update authority_life set generation = generation + ${SEQUENCE_GAP}, is_whole = false,
      lost_at = clock_timestamp()`;
}

async function backUpClickhouse({ sql, clickhouse }: Databases, folder: string): Promise<SavedRows[]> {
  const tables = await rowsOf<{ name: string }>(
    clickhouse,
    `select name from system.tables where ${STORED_TABLES} order by name`,
  );
  const [life] = await sql<
    { line: number }[]
  >`select greatest(0, floor((settled_before_ms - ${TOKENS_KEPT_MS}) / 1000)) as line from authority_life`;
  const recent = `inserted_at >= toDateTime64(${life!.line}, 3)`;
  const saved: SavedRows[] = [];
  for (const { name } of tables) {
    if (!isRaw(name))
      saved.push(
        await keepRows(clickhouse, folder, {
          table: name,
          file: name,
          groups: false,
          condition: await monthsOf(clickhouse, name),
        }),
      );
    else {
      saved.push(
        await keepRows(clickhouse, folder, {
          table: name,
          file: name,
          groups: false,
          condition: `where not (${recent})`,
        }),
      );
      saved.push(
        await keepRows(clickhouse, folder, {
          table: name,
          file: `${name}.recent`,
          groups: true,
          condition: `where ${recent} order by group_id, attempt desc`,
        }),
      );
    }
  }
  return saved;
}

type TableExport = { table: string; file: string; groups: boolean; condition: string };

async function keepRows(
  clickhouse: Clickhouse,
  folder: string,
  { table, file, groups, condition }: TableExport,
): Promise<SavedRows> {
  const result = await clickhouse.query({
    query: `select * from ${table} ${condition}`,
    format: 'TabSeparatedWithNames',
    clickhouse_settings: { date_time_output_format: 'simple' },
  });
  let rows = -1; // the first line has the names of the columns
  const lines = Readable.from(
    (async function* count() {
      for await (const chunk of result.stream<string>() as AsyncIterable<{ text: string }[]>) {
        rows += chunk.length;
        yield chunk.map(row => `${row.text}\n`).join('');
      }
    })(),
  );
  await pipeline(lines, createGzip(), createWriteStream(fileOf(folder, 'clickhouse', file)));
  return { table, file, rows, groups };
}

const isRaw = (table: string): table is RawTable => table in RAW_TABLES;

/** The condition that saves of a rollup only the months before its oldest raw row. */
async function monthsOf(clickhouse: Clickhouse, table: string): Promise<string> {
  const rollup = RAW_OF_ROLLUP[table];
  if (!rollup) return '';
  const [oldest] = await rowsOf<{ month: number }>(
    clickhouse,
    `select min(toYYYYMM(${RAW_TABLES[rollup.raw]})) as month from ${rollup.raw} having count() > 0`,
  );
  return oldest ? `where ${rollup.month} < ${oldest.month}` : '';
}

async function assertEmpty({ sql, clickhouse }: Databases): Promise<void> {
  const [workspaces] = await sql<{ rows: number }[]>`select count(*) as rows from workspaces`;
  const [raw] = await rowsOf<{ rows: number }>(
    clickhouse,
    'select (select count() from plays_raw) + (select count() from scans_raw) as rows',
  );
  if (workspaces!.rows > 0 || Number(raw!.rows) > 0)
    throw new Fault('not_empty', 'a backup is restored into an installation that has no data', { retryable: false });
}

async function restoreTable(
  clickhouse: Clickhouse,
  folder: string,
  { table, file, groups, rows }: SavedRows,
): Promise<void> {
  const lines = createInterface({
    input: createReadStream(fileOf(folder, 'clickhouse', file)).pipe(createGunzip()),
    crlfDelay: Infinity,
  });
  let names: string[] | undefined;
  let batch: string[] = [];
  let [bytes, written] = [0, 0];
  const valueOf = (line: string, name: string): string => line.split('\t')[names!.indexOf(name)]!;
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const token = groups ? `${valueOf(batch[0]!, 'group_id')}:${valueOf(batch[0]!, 'attempt')}` : undefined;
    await insertLines(clickhouse, { table, names: names!, lines: batch, token });
    written += batch.length;
    [batch, bytes] = [[], 0];
  };
  for await (const line of lines) {
    if (!names) {
      names = line.split('\t');
      continue;
    }
    const isFull = groups
      ? batch.length > 0 && valueOf(line, 'group_id') !== valueOf(batch[0]!, 'group_id')
      : batch.length >= INSERT_ROWS || bytes >= INSERT_BYTES_MAX;
    if (isFull) await flush();
    batch.push(line);
    bytes += line.length;
  }
  await flush();
  if (written !== rows)
    throw new Fault('rows_missing', `${file} has ${written} rows instead of ${rows}`, { retryable: false });
}

type TableInsert = { table: string; names: readonly string[]; lines: readonly string[]; token: string | undefined };

/** Inserts a group under its token as ingest does, so that a repeat is dropped by the table and by every view. */
async function insertLines(clickhouse: Clickhouse, { table, names, lines, token }: TableInsert): Promise<void> {
  await clickhouse.insert({
    table,
    columns: [...names] as [string, ...string[]],
    format: 'TabSeparated',
    values: Readable.from([`${lines.join('\n')}\n`], { objectMode: false }),
    clickhouse_settings: {
      async_insert: 0,
      ...(token === undefined
        ? { insert_deduplicate: 0 }
        : {
            insert_deduplicate: 1,
            insert_deduplication_token: token,
            deduplicate_blocks_in_dependent_materialized_views: 1,
          }),
      max_insert_block_size: String(INSERT_BLOCK_ROWS),
      min_insert_block_size_rows: String(INSERT_BLOCK_ROWS),
      min_insert_block_size_bytes: '0',
      input_format_parallel_parsing: 0,
    },
  });
}

function fileOf(folder: string, engine: 'postgres' | 'clickhouse', table: string): string {
  return join(folder, engine, `${table}.${engine === 'postgres' ? 'copy' : 'tsv'}.gz`);
}
