/** One round of the outbox of mails: due facts become mails, and mails whose time has come are attempted. */
import { writeAlertMail } from '#domain/alerts/words.ts';
import { nextAttemptAt } from '#domain/webhook.ts';
import { UNSUBSCRIBE_PURPOSE, type Sealer } from '#runtime/cryptography/sealed.ts';
import type { Mailer } from '#runtime/mail/mailer.ts';
import { counter } from '#runtime/metrics.ts';
import type { ChoiceHandle } from '#sql/alerts/choices.ts';
import { claimMails, composeMail, readDueChoices, recordMail, type ClaimedMail } from '#sql/alerts/mails.ts';
import { readReport } from '#sql/alerts/weekly-reports.ts';
import type { JobContext } from '../schedule.ts';

export type MailParts = { mailer: Mailer; sealer: Sealer; publicUrl: string };

/** Mails per round: a round is short, and the next follows at once. */
const WRITTEN_AT_ONCE = 100;
/** As many as the mailer has conversations. */
const SENT_AT_ONCE = 10;

const outcomes = counter({
  name: 'workers_mails_total',
  help: 'Attempts of mails about alerts, by what came of them',
  labels: ['state'],
});

/** Returns how many mails were written or attempted. */
export async function sendMails({ sql, now }: JobContext, parts: MailParts): Promise<number> {
  const choices = await readDueChoices(sql, now(), WRITTEN_AT_ONCE);
  for (const choice of choices)
    await composeMail(sql, {
      choice,
      now: now(),
      write: ({ settings: { language, timezone }, workspace_name: workspaceName }, facts) =>
        writeAlertMail({
          language,
          timezone,
          workspaceName,
          facts,
          consoleUrl: `${parts.publicUrl}/console`,
          unsubscribeUrl: unsubscribeUrl(choice, parts),
        }),
    });
  const mails = await claimMails(sql, now(), SENT_AT_ONCE);
  await Promise.all(mails.map(mail => attempt(mail, { sql, now }, parts)));
  return choices.length + mails.length;
}

async function attempt(
  mail: ClaimedMail,
  { sql, now }: Pick<JobContext, 'sql' | 'now'>,
  parts: MailParts,
): Promise<void> {
  const { handle, email, subject, text, attempts, first_at: firstAt } = mail;
  const nowMs = now().getTime();
  if (email === null) return recordMail(sql, handle, { state: 'dropped', problem: null });
  const file = mail.report === null ? undefined : await readReport(sql, mail.report);
  const problem = await parts.mailer.send(
    {
      to: email,
      subject,
      text,
      id: `alerts-${handle}-${firstAt.getTime()}`,
      // RFC 8058: mail programs show a button that ends the alerts with one click.
      headers: {
        'List-Unsubscribe': `<${unsubscribeUrl(mail.choice, parts)}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
      ...(file && { attachment: { filename: file.name, content: file.csv, contentType: 'text/csv; charset=utf-8' } }),
    },
    nowMs,
  );
  const next = nextAttemptAt({ attempts, first: firstAt.getTime(), last: nowMs });
  const state = problem === undefined ? 'sent' : next === undefined ? 'failed' : 'pending';
  outcomes.inc({ state: problem ?? 'sent' });
  await recordMail(sql, handle, {
    state,
    problem: problem ?? null,
    ...(state === 'pending' && { nextAt: new Date(next!) }),
  });
}

/** The same for every mail of a choice. */
function unsubscribeUrl(choice: ChoiceHandle, { sealer, publicUrl }: MailParts): string {
  return `${publicUrl}/unsubscribe/${sealer.sealEqually(String(choice), UNSUBSCRIBE_PURPOSE).toString('base64url')}`;
}
