/**
 * The reference of ingest: rows that are already in memory go straight into the same table and views with the official
 * client, one insert at a time, in batches as large as ours, as text and under a token each. It runs in a process of
 * its own, so that its CPU time can be told.
 */
import { Readable } from 'node:stream';
import { openClickhouse } from '#sql/clickhouse.ts';
import type { InsertCommand } from './insert-process.ts';

process.on('message', (command: InsertCommand) => {
  const client = openClickhouse(command.url, { application: 'marquee-bench', connectionsMax: 1 });
  const columns = [...command.columns] as [string, ...string[]];
  const run = async (): Promise<number> => {
    const result = await client.query({
      query: `select ${columns.join(', ')} from ${command.fromTable} where received_at >= fromUnixTimestamp64Milli({from:Int64}) limit ${command.rowsMax}`,
      query_params: { from: command.fromMs },
      format: 'TabSeparated',
      clickhouse_settings: { date_time_output_format: 'simple' }, // the format of times that an insert accepts
    });
    const rows = (await result.text())
      .split('\n')
      .slice(0, -1)
      .map(line => line.split('\t'));
    process.send?.({ loaded: rows.length });
    await new Promise<void>(resolve => {
      process.once('message', () => resolve());
    });
    for (let from = 0; from < rows.length; from += command.batchRows) {
      const body = rows
        .slice(from, from + command.batchRows)
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
    return rows.length;
  };
  process.removeAllListeners('message');
  run().then(
    inserted => process.send?.({ inserted }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
