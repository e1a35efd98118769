/**
 * The change log (written by units of work): what delivery and the forecasts follow. Writers of different workspaces do not wait for each other in it.
 *
 * A line carries the id of its transaction. A follower's position is the snapshot of its last reading (`pg_snapshot`: which
 * transactions it saw). The next reading gives the lines of all transactions that this snapshot did not see and the new one
 * does. So each line is read once, and a transaction that runs for long holds up nobody but itself.
 *
 * Ids of transactions belong to one history of a server. After a failover that lost commits they are given again; the
 * timeline says so, and the follower begins anew.
 */
import { Fault } from '#runtime/fault-error.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';

export type Change = {
  entity: 'workspace' | 'venue' | 'screen' | 'creative' | 'campaign' | 'playlist' | 'asset';
  handle: number;
};
/** `number` is the highest of a line that was read: for people, not for the order. */
export type Position = { snapshot: string; timeline: string; number: number };

const CHANGES_CHANNEL = 'marquee_changes';
/** Longer than a follower goes without reading while Postgres answers, so that none misses a line; short enough to stay small. */
export const CHANGES_KEPT_MS = 24 * 3_600_000;

/** Where a follower stands that sees all of what its transaction sees. */
export async function currentPosition(sql: Queryable): Promise<Position> {
  const [row] = await sql<Position[]>`
    select pg_current_snapshot()::text as snapshot, ${timelineOf(sql)} as timeline, coalesce((select max(number) from change_log), 0) as number`;
  return row!;
}

/**
 * All changes that were committed since `position` was taken, and the position after them. One statement: it reads by the
 * snapshot that it answers.
 * @throws Fault `other_history` where the position is of a server's history that has ended: load everything and begin anew.
 */
export async function changesSince(
  sql: Queryable,
  position: Position,
): Promise<{ changes: Change[]; position: Position }> {
  const [row] = await sql<(Position & { changes: (Change & { number: number })[] })[]>`
    select pg_current_snapshot()::text as snapshot, ${timelineOf(sql)} as timeline,
      coalesce((select json_agg(json_build_object('number', number, 'entity', entity, 'handle', handle) order by number) from change_log
        where ${isSeenSince(sql, position)}), '[]') as changes`;
  const { snapshot, timeline, changes } = row!;
  if (timeline !== position.timeline)
    throw new Fault('other_history', 'the database goes on from an earlier moment', { retryable: true });
  return {
    changes,
    position: {
      snapshot,
      timeline,
      number: changes.reduce((last, { number }) => Math.max(last, number), position.number),
    },
  };
}

/** Whether anything was committed since `position` was taken: a condition for a statement. */
export function hasChanged(sql: Queryable, position: Position) {
  return sql`(${timelineOf(sql)} <> ${position.timeline} or exists (select from change_log where ${isSeenSince(sql, position)}))`;
}

/** Each record once. */
export function distinct(changes: readonly Change[]): Change[] {
  return [...new Map(changes.map(change => [`${change.entity} ${change.handle}`, change])).values()];
}

type Teller = { underway: Promise<void>; next: Promise<void> | undefined };
const tellers = new WeakMap<Postgres, Teller>();

/**
 * Wakes the followers, after the commit: inside the transaction it would take a lock of the whole server until the commit is
 * on disk. One notice at a time is under way for a pool, and one that waits stands for all commits before it. A notice that
 * is lost costs a follower the time until its next look. Resolves when it is told; never rejects.
 */
export function tellChanges(sql: Postgres): Promise<void> {
  const teller = tellers.get(sql) ?? { underway: Promise.resolve(), next: undefined };
  tellers.set(sql, teller);
  teller.next ??= teller.underway.then(() => {
    teller.next = undefined;
    teller.underway = tell(sql);
    return teller.underway;
  });
  return teller.next;
}

async function tell(sql: Postgres): Promise<void> {
  // Nothing of it has to be on disk, so its commit waits for no disk.
  await sql`select set_config('synchronous_commit', 'off', true), pg_notify(${CHANGES_CHANNEL}, '')`.catch(
    () => undefined,
  ); // followers look each second anyway
}

/** Calls back after commits with changes, and once more after every reconnection. */
export async function listenForChanges(sql: Postgres, onChanges: () => void): Promise<() => Promise<void>> {
  const subscription = await sql.listen(CHANGES_CHANNEL, onChanges, onChanges);
  return () => subscription.unlisten();
}

/** Deletes lines that every follower has read, so many at most; answers how many. */
export async function forgetChanges(sql: Postgres, { now, count }: { now: Date; count: number }): Promise<number> {
  const before = new Date(now.getTime() - CHANGES_KEPT_MS);
  const gone =
    await sql`delete from change_log where number in (select number from (select number, at from change_log order by number limit ${count}) oldest where at < ${before})`;
  return gone.count;
}

/** The lines of transactions that `position` did not see and this statement sees. Restored lines may carry ids that are still to come. */
function isSeenSince(sql: Queryable, { snapshot }: Position) {
  return sql`transaction_id >= pg_snapshot_xmin(${snapshot}::pg_snapshot) and not pg_visible_in_snapshot(transaction_id, ${snapshot}::pg_snapshot)
    and pg_visible_in_snapshot(transaction_id, pg_current_snapshot())`;
}

/** The first part of the name of the file that is written now. A standby that is promoted begins a new timeline. */
function timelineOf(sql: Queryable) {
  return sql`substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)`;
}
