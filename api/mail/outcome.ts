/** What comes of a mail, and in which languages one is written. */

/**
 * `refused`: the server does not take it. `unreachable`: there is no server, or it lets us not in. `late`: the server
 * was still at it when the time was over, so the mail may come. `busy`: too many are under way, or were sent.
 */
export const MAIL_PROBLEMS = ['refused', 'unreachable', 'late', 'busy'] as const;
export type MailProblem = (typeof MAIL_PROBLEMS)[number];

export const MAIL_LANGUAGES = ['en', 'de'] as const;
export type MailLanguage = (typeof MAIL_LANGUAGES)[number];
/** `off`: this installation sends no mail, or not for this workspace. `unknown`: it may have been sent. */
export const MAIL_STATES = ['sent', 'failed', 'unknown', 'off'] as const;
export type MailOutcome = { state: (typeof MAIL_STATES)[number]; problem: MailProblem | null };
