/**
 * One insert of ClickHouse with its settings: the token for deduplication, and the deadline after which none of its
 * rows can appear.
 */
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Fault } from '#runtime/fault-error.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { INSERT_COLUMNS, type InsertBody } from '../steps/insert-body.ts';
import { EXECUTION_S_MAX, EXECUTION_S_MIN } from './insert-pace.ts';
import type { ServerState } from './server-state.ts';

/** One insert of one group into one table. */
export type TableInsert = {
  group: string;
  table: 'plays_raw' | 'scans_raw' | 'decisions' | 'private_decision_journal' | 'plays_not_counted';
  rows: number;
  body: InsertBody;
};

/**
 * ClickHouse refuses to begin the rows after 8 s and to continue for longer than the pace (at least 7 s), on all
 * servers together: after that none can appear. Both count from the time at which its state was read.
 */
const START_MS_MAX = 8_000;
/** The client gives up a little after ClickHouse has ended the insert, or when nothing answers at all. */
const BESIDE_MS_MAX = 1_000;
/** Above the rows of any group, so that a group is one block and its token covers all of it. */
const BLOCK_ROWS_MAX = 1_000_000;

/**
 * The server's uptime for an insert and its attempt. Not in its first seconds, because a restarted server could reach
 * the same uptime before the deadline; nor on a cluster, because a shard may continue after the queried server has
 * ended. Such an insert is waited for until its deadline.
 */
export function uptimeOfInsert({ insertHops }: Clickhouse, { uptimeS }: ServerState): number {
  return insertHops > 1 || uptimeS * 1_000 <= START_MS_MAX + UPTIME_STEP_MS ? 0 : uptimeS;
}

/** ClickHouse reports whole seconds. */
const UPTIME_STEP_MS = 1_000;

/** When the last of its rows can appear, in milliseconds from the reading of the server's state. */
export const deadlineOf = (executionS: number): Milliseconds => START_MS_MAX + executionS * 1_000;

/** Longer than any insert waits for its answer: the client of a connection must not give up before. */
export const ANSWER_MS_MAX = deadlineOf(EXECUTION_S_MAX) + 2 * BESIDE_MS_MAX;

/**
 * Sends the insert under the token of its attempt.
 * @param options.server as it was read before the attempt was asked for: the deadline counts from there, in
 *   ClickHouse's own time, so that the clocks of two machines need not agree, and a process that was paused since
 *   cannot write what another has given up as lost.
 * @param options.executionS how long it may run, on all servers together
 * @throws if it is not known to be written: a Fault `insert_timeout`, or ClickHouse's own error
 */
export async function sendInsert(
  clickhouse: Clickhouse,
  { group, table, body }: TableInsert,
  { attempt, server, executionS = EXECUTION_S_MIN }: { attempt: number; server: ServerState; executionS?: number },
): Promise<void> {
  const parts = body.parts({
    insertBy: server.nowMs + START_MS_MAX,
    uptimeMin: uptimeOfInsert(clickhouse, server),
    attempt,
  });
  const abort_signal = AbortSignal.timeout(deadlineOf(executionS) + BESIDE_MS_MAX);
  const sent = clickhouse.exec({
    abort_signal,
    query: `insert into ${table} (${[...INSERT_COLUMNS, ...body.columns].join(', ')}) format ${body.format}`,
    values: Readable.from([Buffer.concat(parts)], { objectMode: false }),
    clickhouse_settings: {
      insert_deduplication_token: `${group}:${attempt}`,
      insert_deduplicate: 1,
      deduplicate_blocks_in_dependent_materialized_views: 1,
      async_insert: 0,
      max_execution_time: Math.floor(executionS / clickhouse.insertHops),
      max_insert_block_size: String(BLOCK_ROWS_MAX),
      min_insert_block_size_rows: String(BLOCK_ROWS_MAX),
      min_insert_block_size_bytes: '0',
      input_format_parallel_parsing: 0,
      max_threads: 1, // parts are made one after the other in any case: more threads only wake each other
      input_format_null_as_default: 1,
    },
  });
  try {
    const { stream } = await sent;
    await finished(stream.resume());
  } catch (error) {
    if (!abort_signal.aborted) throw error;
    throw new Fault('insert_timeout', `ClickHouse did not answer an insert within its ${executionS} s`, {
      retryable: true,
    });
  }
}
