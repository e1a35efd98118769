/**
 * The automatic review: campaigns that wait for the rules go live, are rejected with the reason, or then wait for an
 * operator. Each in its own transaction, under the lock of its row, so that several workers and an operator never
 * decide twice on one.
 */
import { waitingForRules } from '#sql/campaigns/list.ts';
import { reviewByRules } from '#sql/campaigns/units.ts';
import { tellFirstTranche } from '../budgets/hand-budgets.ts';
import type { JobContext } from '../schedule.ts';

const ROUND_CAMPAIGNS_MAX = 50;

/** Reviews the campaigns that wait longest, and returns how many were decided. */
export async function reviewCampaigns(context: JobContext): Promise<number> {
  const { sql, now } = context;
  const at = now();
  let decided = 0;
  for (const campaign of await waitingForRules(sql, at, ROUND_CAMPAIGNS_MAX)) {
    const outcome = await reviewByRules(sql, at, campaign);
    if (outcome !== 'waits') decided += 1;
    if (outcome === 'approved') await tellFirstTranche(context, campaign);
  }
  return decided;
}
