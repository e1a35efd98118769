import { finishCampaigns } from './jobs/finish-campaigns.ts';
import { handBudgets, retellHanded } from './jobs/hand-budgets.ts';
import { settleSpend } from './jobs/settle-spend.ts';
import type { Job } from './schedule.ts';

/**
 * Every scheduled job on one page. A round answers how much it did: with something done the next round begins at once,
 * else after `everyMs`. A job runs in one process at a time (an advisory lock in Postgres per job), except those that are safe and
 * quicker side by side.
 */
export const JOBS: readonly Job[] = [
  // A node that ran short serves nothing meanwhile, so it waits 50 ms at most. Wanted campaigns are popped, each by one.
  { name: 'hand-budgets', everyMs: 50, lock: undefined, run: handBudgets },
  // Heals what a crash between the commit in Postgres and the call to Redis left; also right after the start.
  { name: 'retell-handed', everyMs: 30_000, lock: 2, run: retellHanded },
  // Half a second keeps wallets as fresh as reports, at two small transactions a second.
  { name: 'settle-spend', everyMs: 500, lock: 3, run: settleSpend },
  // The end of a schedule is a matter of days; that of a budget should be seen soon.
  { name: 'finish-campaigns', everyMs: 2_000, lock: 4, run: finishCampaigns },
];
