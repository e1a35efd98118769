/**
 * Removes the plays of upheld findings from the books. Written data stay: plays, charges and rollups are not changed.
 * First the plays are copied to `plays_taken_out` in ClickHouse, by which reports show them; then, in one transaction
 * of Postgres, the brands are credited and the earnings of the venue go back. A round has a number, and until its
 * transaction is committed a repeat has the same number and finds the same rows, so an interrupted round takes effect
 * once.
 *
 * Plays may be reported for nine days after their slot, so rounds continue for that time; and there is one more after
 * each failed payout of earnings of these days, which are reversed as well.
 */
import { formatId } from '#domain/id.ts';
import { ruleLabel } from '#domain/plays/traffic/invalid-traffic.ts';
import { counter } from '#runtime/metrics.ts';
import { findingsToTakeOut, type Finding } from '#sql/findings/findings.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import type { JobContext } from '../schedule.ts';
import { takeOut } from './money.ts';
import { keepTakenOut, readTakenOut } from './plays.ts';

const FINDINGS_AT_ONCE = 20;

const takenOut = counter({
  name: 'workers_plays_taken_out_total',
  help: 'Plays that were charged and taken out after a finding was upheld',
  labels: ['rule'],
});

/** Returns the number of completed findings. */
export async function takeOutPlays(context: JobContext): Promise<number> {
  let done = 0;
  for (const finding of await findingsToTakeOut(context.sql, { now: context.now(), rowsMax: FINDINGS_AT_ONCE })) {
    if (await takeOutOf(context, finding)) done += 1;
  }
  return done;
}

/** False while some of its plays wait for settlement: uncharged plays cannot be credited. */
async function takeOutOf(
  { sql, clickhouse, now, log }: JobContext,
  finding: Finding & { rounds: number },
): Promise<boolean> {
  const round = { finding: finding.handle, number: finding.rounds + 1 };
  await keepTakenOut(clickhouse, finding, round);
  const sums = await readTakenOut(clickhouse, round);
  // It holds earnings again because a payout with earnings of its days has failed.
  const before = finding.isHolding ? await readTakenOut(clickhouse, round, 'before') : [];
  const plays = await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now: now() }, unit =>
    takeOut(unit, { finding, round, sums, before }),
  );
  if (plays === undefined) return false;
  const rule = ruleLabel({ name: finding.rule, version: finding.ruleVersion });
  takenOut.inc({ rule }, plays);
  if (plays > 0)
    log.info(
      { finding: formatId('finding', finding.handle), number: round.number, rule, plays },
      'plays of an upheld finding were taken out',
    );
  return true;
}
