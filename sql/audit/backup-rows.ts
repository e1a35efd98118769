/** The tables of ClickHouse in a backup, and how their rows are brought back. */
import { Readable } from 'node:stream';
import { Fault } from '#runtime/fault-error.ts';
import { STORED_TABLES } from '#sql/clickhouse-cluster.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import { fileOf, keepFile, linesOfFile } from './backup-files.ts';
import { RAW_TABLES, type RawTable } from './raw-retention.ts';

export type SavedTable = { table: string; rows: number };
/** `groups`: the rows are in the order of their groups, and each group is inserted under a token of its own. */
export type SavedRows = SavedTable & { file: string; groups: boolean };

/** The size of one insert of a restore: below what the embedded ClickHouse collects (256 MiB), yet few parts. */
const INSERT_ROWS = 100_000;
const INSERT_BYTES_MAX = 64 * 2 ** 20;
/** Above the rows of any insert, so that each is one block and its token covers all of it. */
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

export async function backUpClickhouse(
  clickhouse: Clickhouse,
  { folder, tokensFromS }: { folder: string; tokensFromS: number },
): Promise<SavedRows[]> {
  const tables = await queryRows<{ name: string }>(clickhouse, {
    query: `select name from system.tables where ${STORED_TABLES} order by name`,
  });
  const recent = `inserted_at >= toDateTime64(${tokensFromS}, 3)`;
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
  await keepFile(lines, fileOf(folder, 'clickhouse', file));
  return { table, file, rows, groups };
}

const isRaw = (table: string): table is RawTable => table in RAW_TABLES;

/** The condition that saves of a rollup only the months before its oldest raw row. */
async function monthsOf(clickhouse: Clickhouse, table: string): Promise<string> {
  const rollup = RAW_OF_ROLLUP[table];
  if (!rollup) return '';
  const [oldest] = await queryRows<{ month: number }>(clickhouse, {
    query: `select min(toYYYYMM(${RAW_TABLES[rollup.raw]})) as month from ${rollup.raw} having count() > 0`,
  });
  return oldest ? `where ${rollup.month} < ${oldest.month}` : '';
}

export async function restoreTable(
  clickhouse: Clickhouse,
  folder: string,
  { table, file, groups, rows }: SavedRows,
): Promise<void> {
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
  for await (const line of linesOfFile(fileOf(folder, 'clickhouse', file))) {
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
