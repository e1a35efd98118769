/**
 * One group, one insert per table, exactly once. The insert carries a token (`<group>:<attempt>`), so ClickHouse drops
 * a repeat in the raw table and in every view. Two things can go wrong with tokens alone: a killed ClickHouse may have
 * noted a token whose part it lost, and would swallow the repeat; and a writer that takes a new token while the old
 * insert is still on its way would write the rows twice. So after an unknown outcome the writer asks for the group's
 * rows. If they are there, it repeats the same token, which completes what is missing in the views. If not, it waits
 * until none can appear any more, and takes the next token: that is when the server was started again, or at the
 * insert's deadline. ClickHouse itself checks both as it computes the rows. A view cannot be asked so: that its own
 * token never stays without its part is ensured before ClickHouse starts (`deploy/clickhouse/forget-lost-tokens.sh`).
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

/** While another's insert may still come, its rows are asked for so often, not only at the deadline. */
const ASK_AGAIN_MS = 500;
const BACKOFF_MS_MIN = 50;
/** A restart takes some seconds, and what waits for it shall not wait for long after it; a ping costs little. */
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
   * Returns when the rows are in the table and its views. Tries for as long as it takes.
   * @throws Fault `stopped` when the signal ends the process meanwhile; the group is repeated by another.
   */
  insert(insert: TableInsert, signal: AbortSignal): Promise<void>;
};

/** How many inserts run at once, and for how long each may. */
export type InsertBounds = { places: Places; pace: InsertPace };

type WriterOptions = {
  clickhouse: Clickhouse;
  groups: Groups;
  log: Log;
  /** Shared by the writers of a process. */
  bounds?: InsertBounds;
};

/**
 * One that is counted while another is written, and a second where streams or decisions come beside it: each stream has
 * groups of its own, and a server that is given many inserts at once makes all of them slow.
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
 * Until the rows are written (0), or how long (ms) another's insert may still come. The state of the server is read and
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

/** True when ClickHouse said that all is written; false when it is not known. */
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
