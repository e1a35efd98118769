/**
 * The table of scheduled jobs that need only the shared context. A round returns how much it did: if it did something,
 * the next round begins at once, else after `everyMs`. A job with a `lock` (the number of an advisory lock in Postgres)
 * runs in one process at a time; the others are safe, and faster, in parallel. A number is never reused for another
 * job. `workers.ts` adds the jobs with further inputs: uploads, due webhooks, exports of the audit log, measurements,
 * sandboxes, the consistency check, the review of traffic, the evaluation of yesterday and the retention of raw rows.
 */
import { forgetOldCodes } from '#sql/screens/pairing.ts';
import { forgetOldHealth, sweepPresence } from '#sql/screens/presence.ts';
import { fenceNodes } from './budgets/fence-nodes.ts';
import { handBudgets, retellHanded } from './budgets/hand-budgets.ts';
import { lapsePlays } from './budgets/lapse-plays.ts';
import { rebuildAuthority } from './budgets/rebuild-authority.ts';
import { takeBack } from './budgets/take-back.ts';
import { finishCampaignsJob } from './campaigns/finish-campaigns.ts';
import { isPlanDue, planDelivery } from './campaigns/plan-delivery.ts';
import { refitSupply } from './campaigns/refit-supply.ts';
import { reviewCampaigns } from './campaigns/review-campaigns.ts';
import { issueInvoices } from './invoices/issue-invoices.ts';
import { issueTestInvoices } from './invoices/issue-test-invoices.ts';
import { forgetSponsors } from '#sql/campaigns/units.ts';
import { forgetPayments } from '#sql/payments/events.ts';
import { forgetDeliveries } from '#sql/webhooks/sending.ts';
import type { Job } from './schedule.ts';
import { settleSpendJob } from './settlement/settle-spend.ts';
import { takeUpCounts } from './settlement/take-up-counts.ts';
import { takeOutPlays } from './taken-out/take-out-plays.ts';
import {
  forgetOldAudit,
  forgetOldChanges,
  forgetOldInvitations,
  forgetOldSessions,
  forgetOldReplies,
  forgetOldScreenshots,
} from './upkeep/forget.ts';
import { beginAudiencesJob } from './upkeep/begin-audiences.ts';

export const JOBS: readonly Job[] = [
  // After a restart of Redis nothing is counted or granted until this has run, so it is tried again soon; while the
  // authority answers, two small writes a second.
  { name: 'rebuild-authority', everyMs: 500, faultPauseMs: 250, lock: 34, run: context => rebuildAuthority(context) },
  // A node that ran short fills no slots meanwhile, so it waits at most 50 ms. Each campaign in need is popped by one
  // process.
  { name: 'hand-budgets', everyMs: 50, lock: undefined, run: handBudgets },
  // Repairs the effects of a crash between the commit in Postgres and the call to Redis; also right after the start.
  { name: 'retell-handed', everyMs: 30_000, lock: 2, run: retellHanded },
  settleSpendJob,
  // An invoice may be a minute late; a round without one is one query of an index.
  { name: 'issue-invoices', everyMs: 60_000, lock: 60, run: issueInvoices },
  // For sandboxes whose clock was not moved; otherwise the move itself issues them.
  { name: 'issue-test-invoices', everyMs: 60_000, lock: 240, run: context => issueTestInvoices(context) },
  finishCampaignsJob(),
  // A campaign decided only by the rules is live before its creator has read the answer; one query of an index that is
  // mostly empty.
  { name: 'review-campaigns', everyMs: 100, lock: undefined, run: reviewCampaigns },
  // The edit itself returned free money; this returns money that becomes free as pending plays are counted or lapse.
  { name: 'take-back', everyMs: 1_000, lock: 5, run: takeBack },
  // A person has decided and may check the result; one query of an index that is mostly empty.
  { name: 'take-out-plays', everyMs: 5_000, lock: 160, run: takeOutPlays },
  // The first plan soon after the start; after that the job itself decides how often.
  { name: 'plan-delivery', everyMs: 1_000, lock: 33, hasWork: isPlanDue, run: planDelivery },
  // It fits once an hour; checked every half minute, so that the end of the hour is recorded with the screens that were
  // online then.
  { name: 'refit-supply', everyMs: 30_000, lock: 90, run: refitSupply },
  // As often as nodes renew their epochs; a round reads one small sorted set.
  { name: 'fence-nodes', everyMs: 5_000, lock: 30, run: fenceNodes },
  // A window is 48 hours long: a minute more does not matter.
  { name: 'lapse-plays', everyMs: 60_000, lock: 31, run: lapsePlays },
  // For campaigns that were played before an upgrade; after it, one round trip for each thousand campaigns.
  { name: 'take-up-counts', everyMs: 300_000, lock: 35, run: takeUpCounts },
  // A screen is silent for a minute before it is set offline: ten seconds more do not matter.
  { name: 'sweep-presence', everyMs: 10_000, lock: 32, run: sweepPresence },
  beginAudiencesJob,
  // Thirty days are kept.
  { name: 'forget-deliveries', everyMs: 60_000, lock: 71, run: ({ sql, now }) => forgetDeliveries(sql, now()) },
  // Late by at most their period, compared with retention of hours to years.
  { name: 'forget-replies', everyMs: 60_000, lock: 10, run: forgetOldReplies },
  { name: 'forget-audit', everyMs: 3_600_000, lock: 11, run: forgetOldAudit },
  { name: 'forget-health', everyMs: 3_600_000, lock: 50, run: oneByOne(forgetOldHealth, forgetOldScreenshots) },
  { name: 'forget-codes', everyMs: 3_600_000, lock: 51, run: forgetOldCodes },
  { name: 'forget-changes', everyMs: 60_000, lock: 52, run: forgetOldChanges },
  { name: 'forget-sessions', everyMs: 3_600_000, lock: 231, run: oneByOne(forgetOldSessions, forgetOldInvitations) },
  { name: 'forget-sponsors', everyMs: 3_600_000, lock: 234, run: ({ sql, now }) => forgetSponsors(sql, now()) },
  { name: 'forget-payments', everyMs: 3_600_000, lock: 220, run: ({ sql, now }) => forgetPayments(sql, now()) },
];

/** Small tasks of one period share a job, since each job holds connections to Postgres (`sql/connection-budget.ts`). */
function oneByOne(...tasks: readonly Job['run'][]): Job['run'] {
  return async context => {
    let did = 0;
    for (const run of tasks) did += await run(context);
    return did;
  };
}
