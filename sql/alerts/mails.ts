/**
 * The outbox of mails. Facts become a mail in one transaction, so each fact is in one mail. A mail is claimed before it
 * is sent: a process that is killed in between leaves it to the next attempt, which sends the same Message-ID.
 */
import { mayBeAlerted, type AlertKind } from '#domain/alerts/alert.ts';
import type { AlertFact } from '#domain/alerts/words.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Postgres, Queryable } from '../postgres.ts';
import type { ChoiceHandle } from './choices.ts';
import type { Reader } from './found.ts';

/** Facts in one mail; the rest goes into the next one. */
const FACTS_IN_A_MAIL_MAX = 50;
/** Mails that a person gets about one workspace in 24 hours; facts beyond wait and share a later mail. */
const MAILS_A_DAY_MAX = 50;
const DAY_MS: Milliseconds = 86_400_000;
/** Longer than a mailer tries: until then no other process sends a claimed mail. */
const CLAIM_MS: Milliseconds = 60_000;
const KEPT_MS = 30 * DAY_MS;
const FORGOTTEN_AT_ONCE = 1_000;

type MailReader = Reader & { workspace_name: string };
type Written = { subject: string; text: string };
type Write = (reader: MailReader, facts: readonly AlertFact[]) => Written;

/** Choices with facts that are due now. */
export async function readDueChoices(sql: Queryable, now: Date, count: number): Promise<ChoiceHandle[]> {
  const rows = await sql<{ choice: ChoiceHandle }[]>`
    select distinct f.choice_handle as choice from alert_facts f
    where f.state = 'waiting' and f.due_at <= ${now}
      and (select count(*) from mails m where m.choice_handle = f.choice_handle
        and m.created_at > ${new Date(now.getTime() - DAY_MS)}) < ${MAILS_A_DAY_MAX}
    order by choice limit ${count}`;
  return rows.map(({ choice }) => choice);
}

type FactRow = AlertFact & { handle: number };

/** Makes the due facts of a choice one mail. Facts that the person may no longer see are dropped. */
export async function composeMail(
  sql: Postgres,
  { choice, now, write }: { choice: ChoiceHandle; now: Date; write: Write },
): Promise<void> {
  await sql.begin(async tx => {
    const facts = withOneReport(
      await tx<FactRow[]>`
      select handle, kind, detail from alert_facts
      where choice_handle = ${choice} and state = 'waiting' and due_at <= ${now}
      order by handle limit ${FACTS_IN_A_MAIL_MAX} for update`,
    );
    const [reader] = await tx<MailReader[]>`
      select choice, surface, role, settings, currency, workspace_name from alert_readers where choice = ${choice}`;
    const heard = facts.filter(({ kind }) => reader !== undefined && mayHear(reader, kind));
    await tx`
      update alert_facts set state = case when handle = any(${heard.map(({ handle }) => handle)}::bigint[])
        then 'mailed' else 'dropped' end
      where handle = any(${facts.map(({ handle }) => handle)}::bigint[])`;
    if (reader === undefined || heard.length === 0) return;
    const { subject, text } = write(reader, heard);
    const report = heard.find(({ kind }) => kind === 'weekly_report');
    await tx`
      insert into mails (choice_handle, subject, text, report_handle, next_at, created_at)
      values (${choice}, ${subject}, ${text}, ${report?.kind === 'weekly_report' ? report.detail.report : null}, ${now},
        ${now})`;
  });
}

/** A mail has one file. Another report waits for the next mail. */
function withOneReport(facts: readonly FactRow[]): FactRow[] {
  const first = facts.find(({ kind }) => kind === 'weekly_report');
  return facts.filter(fact => fact.kind !== 'weekly_report' || fact === first);
}

function mayHear({ settings, surface, role }: Reader, kind: AlertKind): boolean {
  return (settings.alerts[kind] ?? 'off') !== 'off' && mayBeAlerted(surface, role, kind);
}

export type ClaimedMail = Written & {
  handle: number;
  choice: ChoiceHandle;
  /** Null: the person no longer has a seat, or turned all alerts off. */
  email: string | null;
  attempts: number;
  first_at: Date;
  /** Handle of the file that is attached. */
  report: number | null;
};

/** Claims mails whose time has come; each counts as attempted from here on. */
export async function claimMails(sql: Queryable, now: Date, count: number): Promise<ClaimedMail[]> {
  return sql<ClaimedMail[]>`
    update mails m set attempts = m.attempts + 1, first_at = coalesce(m.first_at, ${now}),
      next_at = ${new Date(now.getTime() + CLAIM_MS)}
    from (select handle from mails where state = 'pending' and next_at <= ${now}
      order by next_at, handle limit ${count} for update skip locked) due
    where m.handle = due.handle
    returning m.handle, m.choice_handle as choice, m.subject, m.text, m.attempts, m.first_at,
      m.report_handle as report,
      (select r.email from alert_readers r where r.choice = m.choice_handle) as email`;
}

export type MailResult = { state: 'pending' | 'sent' | 'failed' | 'dropped'; problem: string | null; nextAt?: Date };

/** Records the outcome of an attempt, unless the mail was dropped meanwhile. */
export async function recordMail(
  sql: Queryable,
  handle: number,
  { state, problem, nextAt }: MailResult,
): Promise<void> {
  await sql`
    update mails set state = ${state}, problem = ${problem}, next_at = coalesce(${nextAt ?? null}, next_at)
    where handle = ${handle} and state = 'pending'`;
}

export async function forgetMails(sql: Queryable, now: Date): Promise<number> {
  const gone = await sql`
    delete from mails where handle in (select handle from mails
      where created_at < ${new Date(now.getTime() - KEPT_MS)} order by created_at limit ${FORGOTTEN_AT_ONCE})`;
  return gone.count;
}
