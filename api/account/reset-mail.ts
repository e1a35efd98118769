/**
 * Mails a link to set a new password to an address, if somebody signs in with it. The answer to the request does not
 * wait for it, so that its time tells nothing about the address. A mail that is lost costs another request.
 */
import type { MailLanguage } from '#domain/mail-language.ts';
import type { Actor } from '#books/unit-of-work.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Log } from '#runtime/log.ts';
import type { Mailer } from '#runtime/mail/mailer.ts';
import type { Places } from '#runtime/places.ts';
import type { Postgres } from '#sql/postgres.ts';
import { requestResetLink } from '#sql/people/password-resets.ts';
import { findSignIn } from '#sql/people/sign-ins.ts';
import { tryName } from '../sessions/tries.ts';
import type { GuessLimit } from '../rate-limit/guess-limit.ts';

/** Mails at once: a mail server takes one in a second or two. */
export const RESET_MAILS_AT_ONCE = 4;
/** About two minutes of mails; later requests must be repeated. */
const WAITING_MAX = 200;

export type ResetMailDependencies = {
  sql: Postgres;
  log: Log;
  now: () => Milliseconds;
  mailer?: Mailer;
  resetPlaces: Places;
  urls: { public: string };
  resetMails: GuessLimit;
};
export type ResetRequest = { email: string; language: MailLanguage; actor: Actor };

/** Returns at once; the outcome is in the log. */
export function sendResetMail(parts: ResetMailDependencies, request: ResetRequest): void {
  const { resetPlaces, log } = parts;
  if (resetPlaces.waiting >= WAITING_MAX) return log.warn('too many people ask for a new password at this moment');
  resetPlaces
    .during(() => mailResetLink(parts, request))
    .catch((error: unknown) => log.error({ err: error }, 'a link to a new password was not mailed'));
}

async function mailResetLink(parts: ResetMailDependencies, { email, language, actor }: ResetRequest): Promise<void> {
  const { sql, mailer, resetMails, urls, log, now } = parts;
  if (!mailer || (await resetMails.take(tryName(email))) > 0) return;
  const known = await findSignIn(sql, email);
  if (!known) return;
  const call = { actor, now: new Date(now()) };
  const { url } = await requestResetLink(sql, call, { person: known.person, publicUrl: urls.public });
  const problem = await mailer.send({ to: known.email, ...WORDS[language](url) }, now());
  if (problem !== undefined) log.warn({ problem }, 'the mail server did not take a mail');
}

const WORDS: Record<MailLanguage, (url: string) => { subject: string; text: string }> = {
  en: url => ({
    subject: 'Set a new password for Marquee',
    text: `Hello,

somebody asked for a new password for this address on Marquee. This link sets it:

${url}

It is valid for one hour and works once. All your sessions end then.
If you did not ask for it, do nothing: your password stays as it is.
`,
  }),
  de: url => ({
    subject: 'Neues Passwort für Marquee',
    text: `Guten Tag,

für diese Adresse wurde bei Marquee ein neues Passwort angefordert. Mit diesem Link legen Sie es fest:

${url}

Er gilt eine Stunde und funktioniert einmal. Alle Ihre Sitzungen enden dann.
Wenn Sie das nicht waren, tun Sie nichts: Ihr Passwort bleibt, wie es ist.
`,
  }),
};
