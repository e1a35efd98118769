/**
 * Writes a group's rows once more, for a rebuild of the authority: a group whose insert was cut off may be in the raw
 * table and lack its part in a view.
 */
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { WrittenGroup } from '../queue/rebuild.ts';
import { PLAY_COLUMNS } from '../steps/play-block.ts';
import { NO_ATTEMPT, SCAN_COLUMNS, textBody } from '../steps/to-row.ts';
import { sendInsert } from './insert.ts';
import { EXECUTION_S_MAX } from './insert-pace.ts';
import { readServer } from './server-state.ts';

/**
 * Writes a group's rows once more, as they are in the raw table, under the token that wrote them: the raw table drops
 * them, and a view that lacks its part gets it. No pace adapts its time limit, so it is the longest: with a shorter one
 * no rebuild would end on a starved machine.
 * @throws if ClickHouse does not confirm the write; it may be repeated
 */
export async function repeatGroup(clickhouse: Clickhouse, { group, table, attempt }: WrittenGroup): Promise<void> {
  const columns = table === 'plays_raw' ? PLAY_COLUMNS : SCAN_COLUMNS;
  // The row with the attempt comes first, as in an insert.
  const result = await clickhouse.query({
    query: `select ${columns.join(', ')} from ${table} where group_id = {group:String} order by attempt desc`,
    query_params: { group },
    format: 'TabSeparated',
  });
  const lines = (await result.text()).split('\n').filter(line => line !== '');
  if (lines.length === 0) return;
  const rows = Buffer.from(`\t${lines.join(`\n${NO_ATTEMPT}\t`)}\n`);
  await sendInsert(
    clickhouse,
    { group, table, rows: lines.length, body: textBody(columns, rows) },
    { attempt, server: await readServer(clickhouse), executionS: EXECUTION_S_MAX },
  );
}
