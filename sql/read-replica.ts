/**
 * Decides where a read goes that may be some seconds old: to the replica while that follows closely, else to the
 * primary. A route that uses this accepts rows of some seconds ago. It must not be used for what a caller has just
 * written, nor for anything that a decision depends on.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Postgres } from './postgres.ts';
import type { Milliseconds } from '#domain/unit.ts';

type ReadOptions = { primary: Postgres; replica: Postgres | undefined; pollMs?: Milliseconds };
export type Reads = { sql(): Postgres; close(): Promise<void> };

/** The workers write twice a second, so a replica whose last transaction is older has fallen behind, or they have. */
const LAG_S_MAX = 5;
const POLL_MS = 1_000;

/** @param replica absent: everything is read from the primary. The caller closes both connections. */
export function createReads({ primary, replica, pollMs = POLL_MS }: ReadOptions): Reads {
  if (!replica) return { sql: () => primary, close: () => Promise.resolve() };
  const stop = new AbortController();
  let isClose = false;
  const follow = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      isClose = await followsClosely(replica);
      // The loop's condition sees the stop.
      await wait(pollMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  };
  const following = follow();
  return {
    sql: () => (isClose ? replica : primary),
    async close() {
      stop.abort();
      await following;
    },
  };
}

async function followsClosely(replica: Postgres): Promise<boolean> {
  try {
    const [row] = await replica<
      { lag_s: number | null }[]
    >`select extract(epoch from now() - pg_last_xact_replay_timestamp())::float8 as lag_s where pg_is_in_recovery()`;
    return typeof row?.lag_s === 'number' && row.lag_s <= LAG_S_MAX;
  } catch {
    return false; // it is down: the primary answers
  }
}
