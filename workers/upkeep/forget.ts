/** Deletes expired rows. A round deletes little, and the next one follows at once while there is more. */
import { SCREENSHOT_KEPT_MS } from '#domain/screens/screenshot.ts';
import { forgetAudit } from '#books/audit-chain.ts';
import { forgetChanges } from '#books/change-log.ts';
import { forgetReplies } from '#books/once.ts';
import { forgetInvitations } from '#sql/members/invitations.ts';
import { forgetSessions } from '#sql/people/sessions.ts';
import { forgetScreenshots } from '#sql/screenshots/screenshots.ts';
import type { JobContext } from '../schedule.ts';

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

const CHANGES_AT_ONCE = 5_000;

/** Lines of the change log, a day after they were written: delivery reads them within a second. */
export async function forgetOldChanges({ sql, now }: JobContext): Promise<number> {
  return forgetChanges(sql, { now: now(), count: CHANGES_AT_ONCE });
}

const ROWS_AT_ONCE = 1_000;
/** They contain addresses of people; the audit log has their outcome. */
const INVITATIONS_KEPT_MS = 90 * 24 * 60 * 60 * 1_000;

/** Screenshots. */
export async function forgetOldScreenshots({ sql, now }: JobContext): Promise<number> {
  return forgetScreenshots(sql, { before: new Date(now().getTime() - SCREENSHOT_KEPT_MS), count: ROWS_AT_ONCE });
}

/** Invitations, 90 days after they ended. */
export async function forgetOldInvitations({ sql, now }: JobContext): Promise<number> {
  return forgetInvitations(sql, { before: new Date(now().getTime() - INVITATIONS_KEPT_MS), count: ROWS_AT_ONCE });
}

/** They contain user agents of people; the audit log has sign-ins and sign-outs. */
const SESSIONS_KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

/** Sessions of the console, 30 days after they ended. */
export async function forgetOldSessions({ sql, now }: JobContext): Promise<number> {
  return forgetSessions(sql, { before: new Date(now().getTime() - SESSIONS_KEPT_MS), count: ROWS_AT_ONCE });
}
