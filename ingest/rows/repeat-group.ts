/**
 * Writes a group's rows once more, for a rebuild of the authority: a group whose insert was cut off may be in the raw
 * table and lack its part in a view.
 */
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { WrittenGroup } from '../queue/rebuild.ts';
import { PLAY_COLUMNS, SCAN_COLUMNS } from '../steps/to-row.ts';
import { sendInsert } from './insert.ts';
import { readServer } from './server-state.ts';

/**
 * Writes a group's rows once more, as they stand in the raw table, under the token that wrote them: the raw table drops
 * them, and a view that lacks its part gets it.
 * @throws when ClickHouse does not say that it is written; it may be repeated
 */
export async function repeatGroup(clickhouse: Clickhouse, { group, table, attempt }: WrittenGroup): Promise<void> {
  const columns = table === 'plays_raw' ? PLAY_COLUMNS : SCAN_COLUMNS;
  const stored = columns.filter(column => column !== 'insert_by' && column !== 'uptime_min');
  // The row that carries the attempt comes first; the insert writes its first three fields, of which only the
  // attempt is stored, anew.
  const result = await clickhouse.query({
    query: `select ${stored.join(', ')} from ${table} where group_id = {group:String} order by attempt desc`,
    query_params: { group },
    format: 'TabSeparated',
  });
  const lines = (await result.text()).split('\n').filter(line => line !== '');
  if (lines.length === 0) return;
  const rows = lines.map((line, index) => (index === 0 ? line.slice(line.indexOf('\t')) : `\\N\t\\N\t${line}`));
  await sendInsert(
    clickhouse,
    { group, table, columns, rows: rows.length, body: Buffer.from(`${rows.join('\n')}\n`) },
    { attempt, server: await readServer(clickhouse) },
  );
}
