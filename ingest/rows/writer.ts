/**
 * One group, one insert per table, exactly once. The insert carries a token (`<group>:<attempt>`), so ClickHouse drops
 * a repeat in the raw table and in every view. Tokens alone can fail in two ways: a killed ClickHouse may have noted a
 * token whose part it lost, and would drop the repeat; and a writer that takes a new token while the old insert is
 * still running would write the rows twice. So after an unknown outcome the writer asks for the group's rows. If they
 * exist, it repeats the same token, which completes the views. If not, it waits until none can appear, which is after a
 * restart of the server or at the insert's deadline, and takes the next token. ClickHouse itself checks both as it
 * computes the rows. A view cannot be checked this way: a token of a view without its part is removed before ClickHouse
 * starts (`deploy/clickhouse/forget-lost-tokens.sh`).
 */
import { setTimeout as wait } from 'node:timers/promises';
import { faultPoint } from '#runtime/fault.ts';
import { Fault } from '#runtime/fault-error.ts';
import type { Log } from '#runtime/log.ts';
import { Places } from '#runtime/places.ts';
import { counter } from '#runtime/metrics.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Finding, Groups } from '../groups.ts';
import { InsertPace } from './insert-pace.ts';
import { deadlineOf, sendInsert, uptimeOfInsert, type TableInsert } from './insert.ts';
import { lookForGroup, readServer, type ServerState } from './server-state.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** While another's insert may still arrive, its rows are checked this often, not only at the deadline. */
const ASK_AGAIN_MS = 500;
const BACKOFF_MS_MIN = 50;
/** A restart takes some seconds, and groups must not wait long after it; a ping costs little. */
const BACKOFF_MS_MAX = 250;

const unknownOutcomes = counter({
  name: 'ingest_insert_unknown_total',
  help: 'Inserts whose outcome was not known at first',
});
const insertedRows = counter({
  name: 'ingest_inserted_rows_total',
  help: 'Rows inserted into ClickHouse',
  labels: ['table'],
});

export type Writer = {
  /**
   * Returns when the rows are in the table and its views. Retries without a limit.
   * @throws Fault `stopped` when the signal ends the process meanwhile; the group is repeated by another.
   */
  insert(insert: TableInsert, signal: AbortSignal): Promise<void>;
};

/** The number of concurrent inserts, and the time limit of each. */
export type InsertBounds = { places: Places; pace: InsertPace };

type WriterOptions = {
  clickhouse: Clickhouse;
  groups: Groups;
  log: Log;
  /** Shared by the writers of a process. */
  bounds?: InsertBounds;
};

/**
 * One insert while another group is counted, and a second if there are more streams or decisions: each stream has its
 * own groups, and a server with many concurrent inserts slows all of them.
 */
const INSERTS_MAX = 2;

export const insertBounds = ({ isOneServer = false } = {}): InsertBounds => ({
  places: new Places(INSERTS_MAX),
  pace: new InsertPace({ isOneServer }),
});

export function createWriter({ clickhouse, groups, log, bounds = insertBounds() }: WriterOptions): Writer {
  const { places, pace } = bounds;
  return {
    async insert(insert, signal) {
      for (;;) {
        const waitMs = await places.during(() => tryInsert(insert, { clickhouse, groups, log, pace, signal }));
        if (waitMs === 0) return;
        await pause(Math.min(waitMs, ASK_AGAIN_MS), signal);
      }
    },
  };
}

type AttemptOptions = { clickhouse: Clickhouse; groups: Groups; log: Log; pace: InsertPace; signal: AbortSignal };

/**
 * 0 when the rows are written, or how long (ms) another's insert may still arrive. The state of the server is read and
 * used within one place, since the deadline of the insert counts from it.
 */
async function tryInsert(
  insert: TableInsert,
  { clickhouse, groups, log, pace, signal }: AttemptOptions,
): Promise<Milliseconds> {
  const { group, table } = insert;
  let finding: Finding | undefined;
  let server = await serverWhenThere(clickhouse, { log, signal });
  for (;;) {
    if (signal.aborted) throw stopped();
    const executionS = pace.executionS(table);
    const step = await groups.attempt({
      group,
      table,
      finding,
      server: { id: server.id, uptimeS: uptimeOfInsert(clickhouse, server) },
      insertMsMax: deadlineOf(executionS),
    });
    finding = undefined;
    if (step.kind === 'done') return 0;
    if (step.kind === 'wait') return step.ms;
    if (step.kind === 'look') {
      const found = await lookForGroup(clickhouse, insert);
      finding = { ...step, present: found.present };
      server = found.server;
    } else {
      if (await trySend(clickhouse, insert, { attempt: step.attempt, server, executionS, log, pace })) return 0;
      server = await serverWhenThere(clickhouse, { log, signal });
    }
  }
}

type SendOptions = { attempt: number; server: ServerState; executionS: number; log: Log; pace: InsertPace };

/** True if ClickHouse confirmed the write; false if unknown. */
async function trySend(
  clickhouse: Clickhouse,
  insert: TableInsert,
  { attempt, server, executionS, log, pace }: SendOptions,
): Promise<boolean> {
  const began = performance.now();
  try {
    await sendInsert(clickhouse, insert, { attempt, server, executionS });
  } catch (error) {
    pace.failed(insert.table, error);
    unknownOutcomes.inc();
    log.warn(
      { err: error, group: insert.group, table: insert.table, attempt },
      'an insert ended without an answer that it is written',
    );
    return false;
  }
  pace.ended(insert.table, performance.now() - began);
  insertedRows.inc({ table: insert.table }, insert.rows);
  faultPoint('ingest.after_insert');
  return true;
}

/** No attempt is used up while ClickHouse is down. @throws Fault `stopped` */
async function serverWhenThere(
  clickhouse: Clickhouse,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<ServerState> {
  let isSaid = false;
  for (let backoffMs = BACKOFF_MS_MIN; !signal.aborted; backoffMs = Math.min(2 * backoffMs, BACKOFF_MS_MAX)) {
    try {
      return await readServer(clickhouse);
    } catch (error) {
      if (!isSaid) log.warn({ err: error }, 'rows wait until ClickHouse answers');
      isSaid = true;
    }
    await pause(backoffMs, signal);
  }
  throw stopped();
}

const stopped = (): Fault => new Fault('stopped', 'the process drains', { retryable: true });

async function pause(ms: Milliseconds, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined); // the abort is seen by the caller's loop
}
