/** The results of the hourly check of all invariants. */
import type { Breach } from './checks/findings.ts';
import { jsonb, type Queryable } from '#sql/postgres.ts';

/** A year of reports, usually of a hundred bytes each. */
const KEPT_DAYS = 365;

type VerificationRow = {
  began_at: Date;
  ended_at: Date;
  breaches: number;
  report: { breaches: Breach[]; unchecked: string[] };
};

export async function findNewest(sql: Queryable): Promise<VerificationRow | undefined> {
  const [row] = await sql<VerificationRow[]>`
    select began_at, ended_at, breaches, report from verifications order by began_at desc limit 1`;
  return row;
}

/** Adds a result, and deletes those of more than a year before. */
export async function recordVerification(
  sql: Queryable,
  { beganAt, endedAt, report }: { beganAt: Date; endedAt: Date; report: VerificationRow['report'] },
): Promise<void> {
  await sql`insert into verifications ${sql({
    began_at: beganAt,
    ended_at: endedAt,
    breaches: report.breaches.length,
    report: jsonb(sql, report),
  })} on conflict do nothing`;
  await sql`delete from verifications where began_at < ${beganAt}::timestamptz - make_interval(days => ${KEPT_DAYS})`;
}
