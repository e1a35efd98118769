import postgres from 'postgres';

/** int8 arrives as a number: handles, money in micro-units and counts all stay below 2^53, and a larger one is a bug. */
type Int8AsNumber = { int8: number };
export type Postgres = postgres.Sql<Int8AsNumber>;
/** A connection inside a transaction, or the pool: what a query needs. */
export type Queryable = Postgres | postgres.TransactionSql<Int8AsNumber>;
export type Transaction = postgres.TransactionSql<Int8AsNumber>;

export type Change = { revision: number; entity: 'workspace' | 'venue' | 'screen' | 'creative' | 'campaign' | 'playlist' | 'asset'; handle: number };

export { CONNECTIONS, CONNECTIONS_PER_SHARD } from './connection-budget.ts';

const CHANGES_CHANNEL = 'marquee_changes';
const INT8_OID = 20;

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`an int8 of ${text} does not fit a safe integer`);
  return value;
}

/**
 * A pool of connections. What `begin` and `reserve` give out is of one connection: when that is lost, the transaction has
 * ended or the reservation was released, every statement of theirs is refused (CONNECTION_CLOSED, TRANSACTION_ENDED,
 * RESERVATION_ENDED), and none reaches whoever has the connection by then. The library alone does not see to that (`patches/`).
 * @param connectionsMax the bound of the pool; the sum over all processes stays under the server's max_connections (`connection-budget.ts`).
 */
export function openPostgres(url: string, { connectionsMax, applicationName }: { connectionsMax: number; applicationName: string }): Postgres {
  return postgres(url, {
    max: connectionsMax,
    connection: { application_name: applicationName, TimeZone: 'UTC' },
    connect_timeout: 10,
    idle_timeout: 60,
    onnotice: () => undefined, // "relation exists, skipping" and the like: nothing to act on
    types: {
      int8: { to: INT8_OID, from: [INT8_OID], serialize: (value: number) => String(value), parse: parseInt8 },
    },
  });
}

/** Calls back with the revision of each committed change, and once more after every reconnection. */
export async function listenForChanges(sql: Postgres, onRevision: (revision: number) => void): Promise<() => Promise<void>> {
  const subscription = await sql.listen(CHANGES_CHANNEL, payload => onRevision(Number(payload)), () => {
    void currentRevision(sql).then(onRevision, () => undefined); // the reader also polls, so a failure here only delays it
  });
  return () => subscription.unlisten();
}

/** The revision of the last committed change; 0 before the first. */
export async function currentRevision(sql: Queryable): Promise<number> {
  const [row] = await sql<{ revision: number }[]>`select revision from change_revision`;
  return row?.revision ?? 0;
}

/** All changes after `revision`, in commit order. */
export async function changesSince(sql: Queryable, revision: number): Promise<Change[]> {
  return sql<Change[]>`select revision, entity, handle from change_log where revision > ${revision} order by revision`;
}

/**
 * Gives the changes of one transaction their revision and wakes the readers. The row lock on the counter is the last
 * lock that a transaction takes: revision order is commit order, without gaps.
 */
export async function recordChanges(tx: Transaction, changes: readonly Omit<Change, 'revision'>[], now: Date): Promise<number> {
  const [row] = await tx<{ revision: number }[]>`update change_revision set revision = revision + 1 returning revision`;
  const revision = row!.revision;
  const rows = changes.map(change => ({ revision, entity: change.entity, handle: change.handle, at: now }));
  await tx`insert into change_log ${tx(rows)} on conflict do nothing`;
  await tx`select pg_notify(${CHANGES_CHANNEL}, ${String(revision)})`; // tx.notify would take another connection of the pool
  return revision;
}
