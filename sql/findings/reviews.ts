/** The hourly reviews of the traffic of screens and venues, and what they raise. */
import { diffOfNew } from '#domain/access/audit-diff.ts';
import { formatId } from '#domain/id.ts';
import { concernOf } from '#domain/plays/traffic/invalid-traffic.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import type { Postgres } from '#sql/postgres.ts';
import { raiseFinding, type NewFinding } from './findings.ts';

export async function isReviewed(sql: Postgres, since: Date): Promise<boolean> {
  const rows = await sql`select 1 from traffic_reviews where reviewed_at > ${since}`;
  return rows.length > 0;
}

/** Records the end of a review and the number of its new findings. */
export async function recordReview(sql: Postgres, at: Date, raised: number): Promise<void> {
  await sql`insert into traffic_reviews (reviewed_at, raised) values (${at}, ${raised}) on conflict (one) do update
    set reviewed_at = excluded.reviewed_at, raised = excluded.raised`;
}

/**
 * Raises a finding; true if it is new. The workspace is locked as withdrawals lock it: a running one ends first, and
 * the next one sees the hold.
 */
export async function raiseAudited(sql: Postgres, found: NewFinding, now: Date): Promise<boolean> {
  const { rule, workspace, venue, screen, fromAt, toAt } = found;
  return inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now }, async unit => {
    await unit.tx`select from workspaces where handle = ${workspace} for no key update`;
    const raised = await raiseFinding(unit.tx, found, now);
    if (!raised?.isNew) return false;
    // The part for the owner; the rule and its evidence are for the operator.
    const diff = diffOfNew({
      status: 'under_review',
      concerns: concernOf(rule),
      venue_id: formatId('venue', venue),
      ...(screen !== null && { screen_id: formatId('screen', screen) }),
      from: fromAt,
      to: toAt,
    });
    unit.audit({ workspace, action: 'finding.raised', entityType: 'finding', entityHandle: raised.handle, diff });
    return true;
  });
}
