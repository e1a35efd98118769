import { takeBackNow } from '#workers/budgets/take-back.ts';
import type { RouteDependencies } from '../../dependencies.ts';

/**
 * Brings back what is free of a campaign whose budget was cut or that has ended, after that was committed. The edit
 * stands whether this comes through or not: the workers do it again until all is back.
 */
export async function giveBackNow(
  { sql, authority, log, now }: RouteDependencies,
  { campaign, hold }: { campaign: number; hold: string },
): Promise<void> {
  try {
    await takeBackNow({ sql, authority, now: () => new Date(now()) }, { campaign, hold });
  } catch (error) {
    log.warn({ err: error, campaign }, 'money of an edit comes back a little later');
  }
}
