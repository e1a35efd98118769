/** The advisory locks in Postgres, and those of jobs: one process at a time runs a job. */
import type { Postgres } from './postgres.ts';

/** The key of a lock, or the first of its two keys. */
export const ADVISORY_LOCKS = {
  /** Migrations of a database. */
  migrations: 7_265_001,
  /** By the number of the job. */
  jobs: 7_265_002,
  /** Exclusive for dropping months, shared for reading the same months from beginning to end. */
  rawMonths: 7_265_003,
  /** Two repairs of rollups at the same time would both add the same rows. */
  repairs: 7_265_004,
  /** By the content of a file. */
  contents: 7_265_005,
  /** By the code that a screen shows. */
  pairingCodes: 7_265_006,
  /** Simultaneous sign-ups are counted one by one. */
  signUps: 7_265_007,
} as const;

/** Takes the lock of a job for as long as the reserved connection lives. False if another process has it. */
export async function takeJobLock(connection: Postgres, job: number): Promise<boolean> {
  const [row] = await connection<{ locked: boolean }[]>`
    select pg_try_advisory_lock(${ADVISORY_LOCKS.jobs}, ${job}) as locked`;
  return row!.locked;
}

export async function freeJobLock(connection: Postgres, job: number): Promise<void> {
  await connection`select pg_advisory_unlock(${ADVISORY_LOCKS.jobs}, ${job})`;
}

/** The jobs that run now, by the numbers of their locks. */
export async function readJobLocks(sql: Postgres): Promise<Set<number>> {
  const rows = await sql<{ lock: number }[]>`
    select objid::bigint as lock from pg_locks
    where locktype = 'advisory' and granted and classid = ${ADVISORY_LOCKS.jobs}
      and database = (select oid from pg_database where datname = current_database())`;
  return new Set(rows.map(row => row.lock));
}
