/** Takes free budget back from the authority right after a change was committed. */
import type { Handle } from '#domain/id.ts';
import { takeBackNow } from '#workers/budgets/take-back.ts';
import type { Authority } from '#authority/authority.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Log } from '#runtime/log.ts';
import type { Postgres } from '#sql/postgres.ts';

export type RefundDependencies = { sql: Postgres; authority: Authority; log: Log; now: () => Milliseconds };

/**
 * Takes back the free budget of a campaign that was cut or has ended, after the commit. The change stands even if this
 * fails: the workers repeat it until everything is back.
 */
export async function refundNow(
  { sql, authority, log, now }: RefundDependencies,
  { campaign, hold }: { campaign: Handle<'campaign'>; hold: string },
): Promise<void> {
  try {
    await takeBackNow({ sql, authority, now: () => new Date(now()) }, { campaign, hold });
  } catch (error) {
    log.warn({ err: error, campaign }, 'money of an edit comes back a little later');
  }
}
