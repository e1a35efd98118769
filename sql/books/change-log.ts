/**
 * The change log, which delivery and the forecasts follow. Units of work write it; writers of different workspaces do
 * not wait for each other.
 *
 * A line carries the id of its transaction. A follower's position is the snapshot of its last reading (`pg_snapshot`:
 * which transactions it saw). The next reading gives the lines of all transactions that this snapshot did not see and
 * the new one does. So each line is read once, and a long transaction delays only itself.
 *
 * Ids of transactions are unique within one timeline of a server. After a failover that lost commits, some ids are used
 * again. The timeline has changed then, and the follower loads everything anew.
 */
import type { Handle } from '#domain/id.ts';
import { Fault } from '#runtime/fault-error.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';

type ChangedEntity = 'workspace' | 'venue' | 'screen' | 'creative' | 'campaign' | 'playlist' | 'asset';
export type Change = { entity: ChangedEntity; handle: Handle<ChangedEntity> };
/** `number` is the highest number of a line that was read. It is shown to people; the order does not depend on it. */
export type Position = { snapshot: string; timeline: string; number: number };

const CHANGES_CHANNEL = 'marquee_changes';
/**
 * Longer than a follower ever goes without reading while Postgres answers, so that none misses a line; short enough
 * that the table stays small.
 */
const CHANGES_KEPT_MS = 24 * 3_600_000;
/** Lines that are not read for this long may have been deleted. */
export const UNREAD_MS_MAX = CHANGES_KEPT_MS / 2;

/** The position of a follower that has read all that its transaction can see. */
export async function currentPosition(sql: Queryable): Promise<Position> {
  const [row] = await sql<Position[]>`
    select pg_current_snapshot()::text as snapshot, ${timelineOf(sql)} as timeline,
      coalesce((select max(number) from change_log), 0) as number`;
  return row!;
}

/**
 * All changes that were committed since `position` was taken, and the position after them. One statement reads both, so
 * that they are of the same snapshot.
 * @throws Fault `other_history` if the position is of another timeline: load everything again.
 */
export async function changesSince(
  sql: Queryable,
  position: Position,
): Promise<{ changes: Change[]; position: Position }> {
  const [row] = await sql<(Omit<Position, 'number'> & { changes: (Change & { number: number })[] })[]>`
    select pg_current_snapshot()::text as snapshot, ${timelineOf(sql)} as timeline,
      coalesce((select json_agg(json_build_object('number', number, 'entity', entity, 'handle', handle) order by number)
      from change_log
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
  return sql`(${timelineOf(sql)} <> ${position.timeline}
      or exists (select from change_log where ${isSeenSince(sql, position)}))`;
}

/** The changes with each record named once. */
export function distinct(changes: readonly Change[]): Change[] {
  return [...new Map(changes.map(change => [`${change.entity} ${change.handle}`, change])).values()];
}

type Notifier = { underway: Promise<void>; next: Promise<void> | undefined };
const notifiers = new WeakMap<Postgres, Notifier>();

/**
 * Notifies the followers after a commit. Inside the transaction, a notice would hold a lock of the whole server until
 * the commit is on disk. For each pool, at most one notice is being sent and one more waits, which covers all commits
 * before it. If a notice is lost, followers read the change with their next poll. Resolves when the notice was sent;
 * never rejects.
 */
export function tellChanges(sql: Postgres): Promise<void> {
  const notifier = notifiers.get(sql) ?? { underway: Promise.resolve(), next: undefined };
  notifiers.set(sql, notifier);
  notifier.next ??= notifier.underway.then(() => {
    notifier.next = undefined;
    notifier.underway = sendNotice(sql);
    return notifier.underway;
  });
  return notifier.next;
}

async function sendNotice(sql: Postgres): Promise<void> {
  // A notice need not survive a crash, so its commit does not wait for the disk.
  await sql`select set_config('synchronous_commit', 'off', true), pg_notify(${CHANGES_CHANNEL}, '')`.catch(
    () => undefined,
  ); // followers poll each second anyway
}

/** Calls back after commits with changes, and once more after every reconnection. */
export async function listenForChanges(sql: Postgres, onChanges: () => void): Promise<() => Promise<void>> {
  const subscription = await sql.listen(CHANGES_CHANNEL, onChanges, onChanges);
  return () => subscription.unlisten();
}

/** Makes restored lines those of this transaction: ids of transactions mean nothing on another server. */
export async function takeOverChanges(tx: Transaction): Promise<void> {
  await tx`update change_log set transaction_id = pg_current_xact_id()`;
}

/** Deletes up to `count` lines that every follower has read. Answers how many. */
export async function forgetChanges(sql: Postgres, { now, count }: { now: Date; count: number }): Promise<number> {
  const before = new Date(now.getTime() - CHANGES_KEPT_MS);
  const gone = await sql`delete from change_log where number in (select number
        from (select number, at from change_log order by number limit ${count}) oldest where at < ${before})`;
  return gone.count;
}

/**
 * A condition for the lines of transactions that `position` did not see and this statement sees. Lines of a restored
 * database may have ids that this server has not reached yet; those are left out.
 */
function isSeenSince(sql: Queryable, { snapshot }: Position) {
  return sql`transaction_id >= pg_snapshot_xmin(${snapshot}::pg_snapshot)
      and not pg_visible_in_snapshot(transaction_id, ${snapshot}::pg_snapshot)
    and pg_visible_in_snapshot(transaction_id, pg_current_snapshot())`;
}

/**
 * The timeline: the first eight characters of the name of the WAL file that is written now. A standby that is promoted
 * begins a new timeline.
 */
function timelineOf(sql: Queryable) {
  return sql`substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)`;
}
