/**
 * Raw plays and scans are kept for 25 months and are dropped by whole months (UTC), which are the partitions of their
 * tables: a month is dropped when its last moment is 25 months old. Rollups stay. Postgres stores the first month that
 * is kept, and changes it before anything is dropped, so that it is never derived from a clock or from the rows.
 */
import { ADVISORY_LOCKS } from '#sql/advisory-locks.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';

const MONTHS_KEPT = 25;
/** The raw tables, and the column that tells the month of a row. */
export const RAW_TABLES = { plays_raw: 'slot_at', scans_raw: 'scanned_at' } as const;
export type RawTable = keyof typeof RAW_TABLES;

/** The first month (yyyymm) that is kept at `now`. */
export function firstMonthKept(now: Date): number {
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS_KEPT, 1));
  return 100 * month.getUTCFullYear() + month.getUTCMonth() + 1;
}

/** The first month (yyyymm) whose raw rows are certainly there; 0 while none was dropped. */
export async function rawKeptFrom(sql: Queryable): Promise<number> {
  const [row] = await sql<{ month: number }[]>`select kept_from as month from raw_retention`;
  return row!.month;
}

/**
 * Runs `use` while no month of raw rows is dropped. `use` gets the session that holds the lock; its statements fail
 * when the session was lost.
 */
export async function withRawMonths<T>(sql: Postgres, use: (session: Postgres) => Promise<T>): Promise<T> {
  const connection = await sql.reserve();
  try {
    await connection`select pg_advisory_lock_shared(${ADVISORY_LOCKS.rawMonths})`;
    try {
      return await use(connection);
    } finally {
      await connection`select pg_advisory_unlock_shared(${ADVISORY_LOCKS.rawMonths})`;
    }
  } finally {
    connection.release();
  }
}

/**
 * Stores `month` as the first month that is kept, and runs `drop` while no `withRawMonths` runs; false when one does.
 * The month is committed before `drop` begins, and is never set back.
 */
export async function dropBefore(sql: Postgres, month: number, drop: () => Promise<void>): Promise<boolean> {
  const connection = await sql.reserve();
  try {
    const [row] = await connection<{ locked: boolean }[]>`
      select pg_try_advisory_lock(${ADVISORY_LOCKS.rawMonths}) as locked`;
    if (row?.locked !== true) return false;
    try {
      await connection`update raw_retention set kept_from = greatest(kept_from, ${month})`;
      await drop();
      return true;
    } finally {
      await connection`select pg_advisory_unlock(${ADVISORY_LOCKS.rawMonths})`;
    }
  } finally {
    connection.release();
  }
}
