/** The outcome of a mail as the API shows it. */
import type { MailProblem } from '#runtime/mail/mailer.ts';

/** `off`: this installation sends no mail, or not for this workspace. `unknown`: it may have been sent. */
export const MAIL_STATES = ['sent', 'failed', 'unknown', 'off'] as const;
export type MailOutcome = { state: (typeof MAIL_STATES)[number]; problem: MailProblem | null };
