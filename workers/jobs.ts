import { dispatchOutbox } from './webhooks/dispatch-outbox.ts';
import { fenceNodes } from './budgets/fence-nodes.ts';
import { finishCampaigns } from './campaigns/finish-campaigns.ts';
import {
  forgetOldAudit,
  forgetOldChanges,
  forgetOldCodes,
  forgetOldHealth,
  forgetOldInvitations,
  forgetOldPayments,
  forgetOldReplies,
} from './upkeep/forget.ts';
import { forgetDeliveries } from './webhooks/forget-deliveries.ts';
import { handBudgets, retellHanded } from './budgets/hand-budgets.ts';
import { issueInvoices } from './invoices/issue-invoices.ts';
import { issueTestInvoices } from './invoices/issue-test-invoices.ts';
import { lapsePlays } from './budgets/lapse-plays.ts';
import { planDelivery } from './campaigns/plan-delivery.ts';
import { rebuildAuthority } from './budgets/rebuild-authority.ts';
import { refitSupply } from './campaigns/refit-supply.ts';
import { reviewCampaigns } from './campaigns/review-campaigns.ts';
import { settleSpend } from './settlement/settle-spend.ts';
import { sweepPresence } from './upkeep/sweep-presence.ts';
import { takeBack } from './budgets/take-back.ts';
import { takeOutPlays } from './taken-out/take-out-plays.ts';
import { takeUpCounts } from './settlement/take-up-counts.ts';
import type { Job } from './schedule.ts';

/**
 * Every scheduled job on one page. A round answers how much it did: with something done the next round begins at once,
 * else after `everyMs`. A job runs in one process at a time (an advisory lock in Postgres per job), except those that are safe and
 * quicker side by side. Beside these, `main.ts` schedules the look for uploads, the look at due webhooks and the exports of the audit, which are made with
 * what they work on.
 */
export const JOBS: readonly Job[] = [
  // Nothing is counted or granted until an authority that was restarted is looked after; while it answers, two small writes a second.
  { name: 'rebuild-authority', everyMs: 500, lock: 34, run: context => rebuildAuthority(context) },
  // A node that ran short serves nothing meanwhile, so it waits 50 ms at most. Wanted campaigns are popped, each by one.
  { name: 'hand-budgets', everyMs: 50, lock: undefined, run: handBudgets },
  // Heals what a crash between the commit in Postgres and the call to Redis left; also right after the start.
  { name: 'retell-handed', everyMs: 30_000, lock: 2, run: retellHanded },
  // Half a second keeps wallets as fresh as reports, at two small transactions a second.
  { name: 'settle-spend', everyMs: 500, lock: 3, run: settleSpend },
  // A month has ended for a while before its invoice is looked for; a round without one is one query of an index.
  { name: 'issue-invoices', everyMs: 60_000, lock: 60, run: issueInvoices },
  // Of sandboxes whose clock is that of all; those of a moved clock are issued when it has moved.
  { name: 'issue-test-invoices', everyMs: 60_000, lock: 240, run: context => issueTestInvoices(context) },
  // The end of a schedule is a matter of days; that of a budget should be seen soon.
  { name: 'finish-campaigns', everyMs: 2_000, lock: 4, run: finishCampaigns },
  // A campaign that only the rules decide on is live before its creator has looked; one query of an index that is mostly empty.
  { name: 'review-campaigns', everyMs: 100, lock: undefined, run: reviewCampaigns },
  // What was free came back with the edit itself; here is what plays on their way free later.
  { name: 'take-back', everyMs: 1_000, lock: 5, run: takeBack },
  // A person has decided and may look at what became of it; one query of an index that is mostly empty.
  { name: 'take-out-plays', everyMs: 5_000, lock: 160, run: takeOutPlays },
  // The first plan soon after the start; after that the job itself says how often.
  { name: 'plan-delivery', everyMs: 1_000, lock: 33, run: planDelivery },
  // It fits once an hour; a look every half minute, so that the hour's end is recorded with the screens that were online then.
  { name: 'refit-supply', everyMs: 30_000, lock: 90, run: refitSupply },
  // As often as nodes renew; a fence is one look at a small sorted set.
  { name: 'fence-nodes', everyMs: 5_000, lock: 30, run: fenceNodes },
  // A window is 48 hours long: a minute more does not matter.
  { name: 'lapse-plays', everyMs: 60_000, lock: 31, run: lapsePlays },
  // For the campaigns that an upgrade finds; after it, one round trip for each thousand campaigns.
  { name: 'take-up-counts', everyMs: 300_000, lock: 35, run: takeUpCounts },
  { name: 'sweep-presence', everyMs: 10_000, lock: 32, run: sweepPresence },
  // A subscriber hears of an event soon; one look at an index that is mostly empty. One process, so that events keep their order.
  { name: 'dispatch-outbox', everyMs: 100, lock: 70, run: dispatchOutbox },
  { name: 'forget-deliveries', everyMs: 60_000, lock: 71, run: forgetDeliveries },
  // Both are late by at most their period, of the 24 hours and the years that they keep.
  { name: 'forget-replies', everyMs: 60_000, lock: 10, run: forgetOldReplies },
  { name: 'forget-audit', everyMs: 3_600_000, lock: 11, run: forgetOldAudit },
  { name: 'forget-health', everyMs: 3_600_000, lock: 50, run: forgetOldHealth },
  { name: 'forget-codes', everyMs: 3_600_000, lock: 51, run: forgetOldCodes },
  { name: 'forget-changes', everyMs: 60_000, lock: 52, run: forgetOldChanges },
  { name: 'forget-invitations', everyMs: 3_600_000, lock: 230, run: forgetOldInvitations },
  { name: 'forget-payments', everyMs: 3_600_000, lock: 220, run: forgetOldPayments },
];
