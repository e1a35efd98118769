import { setTimeout as wait } from 'node:timers/promises';
import { faultPoint } from '#runtime/fault.ts';
import { Fault } from '#runtime/fault-error.ts';
import type { Log } from '#runtime/log.ts';
import { counter } from '#runtime/metrics.ts';
import { STORED_TABLES } from '#sql/clickhouse-cluster.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Groups, Look } from './groups.ts';
import { INSERT_MS_MAX, sendInsert, type TableInsert } from './insert.ts';

/**
 * One group, one insert per table, exactly once. The insert carries a token (`<group>:<attempt>`), so ClickHouse drops a
 * repeat in the raw table and in every view. Two things can go wrong with tokens alone: a killed ClickHouse may have
 * noted a token whose part it lost, and would swallow the repeat; and a writer that takes a new token while the old
 * insert is still on its way would write the rows twice. So after an unknown outcome the writer looks for the group's
 * rows. There: repeat the same token, which completes what is missing in the views. Not there: wait until the
 * insert's deadline, which ClickHouse itself checks as it computes the rows, look again, and take the next token. A view
 * cannot be looked at so: that its own token never stays without its part is seen to before ClickHouse starts
 * (`deploy/clickhouse/forget-lost-tokens.sh`).
 */
/** While another's insert may still come, its rows are looked for so often, not only at the deadline. */
const LOOK_AGAIN_MS = 500;
const BACKOFF_MS_MIN = 50;
const BACKOFF_MS_MAX = 2_000;

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

export function createWriter({
  clickhouse,
  groups,
  log,
}: {
  clickhouse: Clickhouse;
  groups: Groups;
  log: Log;
}): Writer {
  const isPresent = async (table: string, group: string): Promise<boolean> => {
    const result = await clickhouse.query({
      query: `select 1 as found from ${table} where group_id = {group:String} limit 1`,
      query_params: { group },
      format: 'JSONEachRow',
    });
    return (await result.json()).length > 0;
  };
  return {
    async insert(insert, signal) {
      let look: Look | undefined;
      for (;;) {
        if (signal.aborted) throw new Fault('stopped', 'the process drains', { retryable: true });
        const askedAtMs = performance.now();
        const step = await groups.attempt(insert.group, insert.table, look, INSERT_MS_MAX);
        if (step.kind === 'done') return;
        if (step.kind === 'wait') {
          look = undefined;
          await pause(Math.min(step.ms, LOOK_AGAIN_MS), signal);
        } else if (step.kind === 'look') {
          look = { ...step, present: await isPresent(insert.table, insert.group) };
        } else {
          look = undefined;
          if (await trySend(clickhouse, insert, { attempt: step.attempt, askedAtMs, log })) return;
          await untilReachable(clickhouse, signal);
        }
      }
    },
  };
}

/** True when ClickHouse said that all is written; false when it is not known. */
async function trySend(
  clickhouse: Clickhouse,
  insert: TableInsert,
  { attempt, askedAtMs, log }: { attempt: number; askedAtMs: number; log: Log },
): Promise<boolean> {
  try {
    await sendInsert(clickhouse, insert, { attempt, askedAtMs });
  } catch (error) {
    unknownOutcomes.inc();
    log.warn(
      { err: error, group: insert.group, table: insert.table, attempt },
      'an insert ended without an answer that it is written',
    );
    return false;
  }
  insertedRows.inc({ table: insert.table }, insert.rows);
  faultPoint('ingest.after_insert');
  return true;
}

/** No attempt is used up while ClickHouse is away. */
async function untilReachable(clickhouse: Clickhouse, signal: AbortSignal): Promise<void> {
  for (let backoffMs = BACKOFF_MS_MIN; !signal.aborted; backoffMs = Math.min(2 * backoffMs, BACKOFF_MS_MAX)) {
    const ping = await clickhouse.ping();
    if (ping.success) return;
    await pause(backoffMs, signal);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined); // the abort is seen by the caller's loop
}

const TABLES = [
  'plays_raw',
  'plays_quarter_hour',
  'plays_campaign_quarter_hour',
  'plays_venue_quarter_hour',
  'plays_screen_day',
  'scans_raw',
  'scans_quarter_hour',
  'decisions',
  'private_decision_journal',
  'plays_not_counted',
];

/**
 * Exactly-once rests on ClickHouse remembering tokens: asserts that every table that receives rows does. On a cluster the
 * stored tables are those, and an insert has to be answered by them (`#sql/clickhouse-cluster.ts`).
 * @throws Fault naming the tables that do not.
 */
export async function assertDeduplication(clickhouse: Clickhouse): Promise<void> {
  const result = await clickhouse.query({
    query: `select name, engine_full,
        toBool(database = currentDatabase() or (
          toBool(getSetting('distributed_foreground_insert'))
          and name in (select name from system.tables where database = currentDatabase() and engine = 'Distributed')
        )) as answers
      from system.tables where ${STORED_TABLES}`,
    format: 'JSONEachRow',
  });
  const rows = await result.json<{ name: string; engine_full: string; answers: boolean }>();
  const assured = new Set(
    rows
      .filter(row => row.answers && /replicated_deduplication_window = [1-9]/.test(row.engine_full))
      .map(row => row.name),
  );
  const faults = TABLES.filter(table => !assured.has(table));
  if (faults.length > 0)
    throw new Fault('no_deduplication', `no deduplication window on ${faults.join(', ')}`, { retryable: false });
}
