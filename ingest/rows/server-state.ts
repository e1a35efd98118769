/**
 * Which run of the ClickHouse server a writer talks to. A server that has run for less time than before was started in
 * between: what the one before it had not written by then will never be there. The writer asks with each look for its
 * rows, and each insert says how long its server had run, so that a later run refuses it.
 */
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** As the server itself says it: `uptimeS` only grows during one run; `id` stays over restarts. */
export type ServerState = { id: string; uptimeS: number; nowMs: Milliseconds };

/** A server that is gone without a word is not waited for as long as an insert is. */
export const READ_MS_MAX = 30_000;
const COLUMNS = 'toUnixTimestamp64Milli(now64(3)) as now, uptime() as uptime_s, toString(serverUUID()) as server';

type ServerRow = { now: number; uptime_s: number; server: string };

/** @throws when it is down */
export async function readServer(clickhouse: Clickhouse): Promise<ServerState> {
  const result = await clickhouse.query({
    query: `select ${COLUMNS}`,
    format: 'JSONEachRow',
    abort_signal: AbortSignal.timeout(READ_MS_MAX),
  });
  const [row] = await result.json<ServerRow>();
  return stateOf(row!);
}

/**
 * Whether rows of the group are in the table, and the state of the server that says so, in one statement: behind a
 * balancer two could be of two servers. @throws when it is down
 */
export async function lookForGroup(
  clickhouse: Clickhouse,
  { table, group }: { table: string; group: string },
): Promise<{ present: boolean; server: ServerState }> {
  const result = await clickhouse.query({
    query: `select ${COLUMNS}, exists(select 1 from ${table} where group_id = {group:String}) as present`,
    query_params: { group },
    format: 'JSONEachRow',
    abort_signal: AbortSignal.timeout(READ_MS_MAX),
  });
  const [row] = await result.json<ServerRow & { present: number }>();
  return { present: row!.present === 1, server: stateOf(row!) };
}

const stateOf = ({ now, uptime_s: uptimeS, server: id }: ServerRow): ServerState => ({
  id,
  uptimeS: Number(uptimeS),
  nowMs: Number(now),
});
