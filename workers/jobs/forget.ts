import { forgetAudit } from '#sql/audit-chain.ts';
import { forgetReplies } from '#sql/once.ts';
import type { JobContext } from '../schedule.ts';

/** What is kept for a time only. A round deletes little, and the next one follows at once while there is more. */
const REPLIES_AT_ONCE = 1_000;
const AUDIT_ENTRIES_AT_ONCE = 1_000;

/** Replies to requests with an Idempotency-Key, 24 hours after them. */
export async function forgetOldReplies({ sql, now }: JobContext): Promise<number> {
  return forgetReplies(sql, { now: now(), count: REPLIES_AT_ONCE });
}

/** Audit entries beyond the retention of the workspace's plan, the oldest first, so that the chain stays verifiable. */
export async function forgetOldAudit({ sql }: JobContext): Promise<number> {
  return forgetAudit(sql, AUDIT_ENTRIES_AT_ONCE);
}
