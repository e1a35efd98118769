/**
 * The reference of ingest: rows that are already in memory go straight into the same table and views with the official
 * client, one insert at a time, in batches as large as ours, as text and under a token each. It runs in a process of
 * its own, so that its CPU time can be told.
 */
import { Readable } from 'node:stream';
import { type Clickhouse, openClickhouse } from '#sql/clickhouse.ts';
import { serve } from '../serve.ts';

type Source = {
  /** Names the database that receives the rows. */
  url: string;
  /** `database.table` that they are read from, before the clock starts. */
  fromTable: string;
  columns: readonly string[];
  /** Rows received at or after this time (ms). */
  fromMs: number;
  rowsMax: number;
  batchRows: number;
};

let loaded: { client: Clickhouse; columns: [string, ...string[]]; batchRows: number; rows: string[][] };

/** Reads the rows; returns their number. */
async function load({ url, fromTable, fromMs, rowsMax, batchRows, ...source }: Source): Promise<number> {
  const client = openClickhouse(url, { application: 'marquee-bench', connectionsMax: 1 });
  const columns = [...source.columns] as [string, ...string[]];
  const result = await client.query({
    query: `select ${columns.join(', ')} from ${fromTable} where received_at >= fromUnixTimestamp64Milli({from:Int64}) limit ${rowsMax}`,
    query_params: { from: fromMs },
    format: 'TabSeparated',
    clickhouse_settings: { date_time_output_format: 'simple' }, // the format of times that an insert accepts
  });
  const rows = (await result.text())
    .split('\n')
    .slice(0, -1)
    .map(line => line.split('\t'));
  loaded = { client, columns, batchRows, rows };
  return rows.length;
}

/** Inserts all rows; resolves when ClickHouse has answered the last batch. */
async function insert(): Promise<void> {
  const { client, columns, batchRows, rows } = loaded;
  for (let from = 0; from < rows.length; from += batchRows) {
    const body = rows
      .slice(from, from + batchRows)
      .map(fields => `${fields.join('\t')}\n`)
      .join('');
    await client.insert({
      table: 'plays_raw',
      columns,
      format: 'TabSeparated',
      values: Readable.from([body], { objectMode: false }),
      clickhouse_settings: {
        insert_deduplication_token: `direct-${process.pid}-${from}`,
        insert_deduplicate: 1,
        deduplicate_blocks_in_dependent_materialized_views: 1,
        max_insert_block_size: '1000000',
        min_insert_block_size_rows: '1000000',
        min_insert_block_size_bytes: '0',
        input_format_parallel_parsing: 0,
      },
    });
  }
}

const calls = { load, insert };
export type InsertCalls = typeof calls;
serve(calls);
