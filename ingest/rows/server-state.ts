/**
 * Identifies the run of the ClickHouse server. A server with a lower uptime than before was restarted in between: rows
 * that the previous run had not written will never appear. The writer reads it with each check for its rows, and each
 * insert carries the uptime of its server, so that a later run refuses it.
 */
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** As reported by the server: `uptimeS` only grows during one run; `id` is the same after restarts. */
export type ServerState = { id: string; uptimeS: number; nowMs: Milliseconds };

/** A silent server is not waited for as long as an insert. */
export const READ_MS_MAX = 30_000;
const COLUMNS = 'toUnixTimestamp64Milli(now64(3)) as now, uptime() as uptime_s, toString(serverUUID()) as server';

type ServerRow = { now: number; uptime_s: number; server: string };

/** @throws when it is down */
export async function readServer(clickhouse: Clickhouse): Promise<ServerState> {
  const [row] = await queryRows<ServerRow>(clickhouse, {
    query: `select ${COLUMNS}`,
    abort_signal: AbortSignal.timeout(READ_MS_MAX),
  });
  return stateOf(row!);
}

/**
 * Whether rows of the group are in the table, and the state of the answering server, in one statement: behind a
 * balancer two statements could reach two servers. @throws if it is down
 */
export async function lookForGroup(
  clickhouse: Clickhouse,
  { table, group }: { table: string; group: string },
): Promise<{ present: boolean; server: ServerState }> {
  const [row] = await queryRows<ServerRow & { present: number }>(clickhouse, {
    query: `select ${COLUMNS}, exists(select 1 from ${table} where group_id = {group:String}) as present`,
    query_params: { group },
    abort_signal: AbortSignal.timeout(READ_MS_MAX),
  });
  return { present: row!.present === 1, server: stateOf(row!) };
}

const stateOf = ({ now, uptime_s: uptimeS, server: id }: ServerRow): ServerState => ({
  id,
  uptimeS: Number(uptimeS),
  nowMs: Number(now),
});
