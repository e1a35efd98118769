/** Connections to Postgres, and the two kinds of parameters that the library has no types for. */
import type { Readable } from 'node:stream';
import postgres from 'postgres';
import { parsePostgresUrl } from './tls.ts';

/**
 * int8 arrives as a number: handles, money in micro-units and counts all stay below 2^53, and a larger one is a bug.
 */
type Int8AsNumber = { int8: number };
export type Postgres = postgres.Sql<Int8AsNumber>;
/** A connection inside a transaction, or the pool: either can run a query. */
export type Queryable = Postgres | postgres.TransactionSql<Int8AsNumber>;
export type Transaction = postgres.TransactionSql<Int8AsNumber>;

/** A part of a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

export { CONNECTIONS, ingestConnectionsToClickhouse } from './connection-budget.ts';

const INT8_OID = 20;

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`an int8 of ${text} does not fit a safe integer`);
  return value;
}

type PoolOptions = {
  connectionsMax: number;
  applicationName: string;
  /** Without named statements, which a pooler in transaction mode loses. */
  isPooled?: boolean;
};

/**
 * A pool of connections. `begin` and `reserve` each use one connection. When that is lost, the transaction has ended or
 * the reservation was released, every later statement of theirs is refused (CONNECTION_CLOSED, TRANSACTION_ENDED,
 * RESERVATION_ENDED), and none can reach the connection's next user. Our patch of the library does that (`patches/`).
 * @param connectionsMax the bound of the pool; the sum over all processes stays under the server's max_connections
 *   (`connection-budget.ts`).
 */
export function openPostgres(url: string, { connectionsMax, applicationName, isPooled }: PoolOptions): Postgres {
  const address = parsePostgresUrl(url);
  return postgres(address.url, {
    ssl: address.ssl,
    max: connectionsMax,
    prepare: isPooled !== true,
    connection: { application_name: applicationName, TimeZone: 'UTC' },
    connect_timeout: 10,
    idle_timeout: 60,
    onnotice: () => undefined, // "relation exists, skipping" and the like: nothing to act on
    types: { int8: { to: INT8_OID, from: [INT8_OID], serialize: (value: number) => String(value), parse: parseInt8 } },
  });
}

export type DatabaseUrls = { DATABASE_URL: string; DATABASE_DIRECT_URL: string | undefined };

/**
 * Postgres as a service's variables name it. With a direct URL the other one may lead through a pooler in transaction
 * mode: what needs a session of its own (`listen`, and `reserve` for locks that outlast a transaction) goes around it.
 */
export function openDatabase(
  { DATABASE_URL: url, DATABASE_DIRECT_URL: direct }: DatabaseUrls,
  options: PoolOptions,
): Postgres {
  if (direct === undefined) return openPostgres(url, options);
  const pool = openPostgres(url, { ...options, isPooled: true });
  const { listen, reserve, end } = openPostgres(direct, options);
  const endPool = pool.end;
  return Object.assign(pool, {
    listen,
    reserve,
    async end(endOptions?: { timeout?: number }) {
      await Promise.all([endPool(endOptions), end(endOptions)]);
    },
  });
}

/**
 * A value for a jsonb column or parameter. The library's type of JSON does not accept interfaces and optional fields,
 * though `JSON.stringify` can write them.
 */
export function jsonb(tx: Queryable, value: unknown): postgres.Parameter {
  return tx.json(value as postgres.JSONValue);
}

/** Whether Postgres itself refused a statement, so that nothing of it was written. A lost connection does not say. */
export function isRolledBack(error: unknown): boolean {
  return (error as { name?: string }).name === 'PostgresError';
}

/**
 * The columns of an `update ... set` of which only the caller knows which there are; at least one. Postgres checks
 * their names and types.
 */
export function assignments(tx: Queryable, columns: Record<string, unknown>): postgres.Helper<Record<string, unknown>> {
  return tx(columns as Record<string, postgres.SerializableParameter<number>>);
}

/**
 * The output of a `copy ... to stdout`. The library stops reading its socket while a piece waits to be taken, and goes
 * on when more is asked for. After the last piece nothing asks, and the end of the statement would never be read: so
 * that is done here.
 */
export async function copiedBytes(copy: Fragment): Promise<Readable> {
  const bytes = await copy.readable();
  bytes.once('close', () => bytes._read(0));
  return bytes;
}
