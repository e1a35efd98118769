/** Weekly reports: their content, and their files, each of which is written and mailed once. */
import type { AlertFact } from '#domain/alerts/words.ts';
import type { Handle } from '#domain/id.ts';
import type { Postgres, Queryable } from '../postgres.ts';
import type { ChoiceHandle } from './choices.ts';
import { insertFacts } from './facts.ts';

/** The newest campaigns of one report: a file of half a megabyte at most, and one statement of ClickHouse. */
const CAMPAIGNS_MAX = 500;
const KEPT_MS = 30 * 86_400_000;
const FORGOTTEN_AT_ONCE = 100;

export type ReportedCampaign = { handle: Handle<'campaign'>; name: string; currency: string };
type Reported = {
  workspace: Handle<'workspace'>;
  /** Undefined: all. */
  campaigns: readonly Handle<'campaign'>[] | undefined;
  from: string;
  to: string;
};

/** Campaigns that could play between two dates. Dates are local to venues, so a day more at both ends is looked at. */
export function readReportedCampaigns(
  sql: Queryable,
  { workspace, campaigns, from, to }: Reported,
): Promise<ReportedCampaign[]> {
  return sql<ReportedCampaign[]>`
    select handle, name, currency from campaigns
    where workspace_handle = ${workspace} and not sandbox and deleted_at is null
      and status in ('live', 'paused', 'finished')
      and starts_on <= ${to}::date + 1 and ends_on >= ${from}::date - 1
      ${campaigns === undefined ? sql`` : sql`and handle = any(${[...campaigns]}::bigint[])`}
    order by handle desc limit ${CAMPAIGNS_MAX}`;
}

/** The given campaigns that are live campaigns of the workspace. */
export async function listOwnCampaigns(
  sql: Queryable,
  workspace: Handle<'workspace'>,
  campaigns: readonly Handle<'campaign'>[],
): Promise<Handle<'campaign'>[]> {
  if (campaigns.length === 0) return [];
  const rows = await sql<{ handle: Handle<'campaign'> }[]>`
    select handle from campaigns where workspace_handle = ${workspace} and not sandbox and deleted_at is null
      and handle = any(${[...campaigns]}::bigint[])`;
  return rows.map(({ handle }) => handle);
}

export type NewReport = {
  choice: ChoiceHandle;
  week: string;
  name: string;
  csv: string;
  dueAt: Date;
  /** The fact for the mail, except the report's handle. */
  detail: Omit<Extract<AlertFact, { kind: 'weekly_report' }>['detail'], 'report'>;
};

/** Writes a report and the fact for its mail. @returns false if the week already has its report */
export async function writeReport(sql: Postgres, report: NewReport, now: Date): Promise<boolean> {
  const { choice, week, name, csv, dueAt, detail } = report;
  return sql.begin(async tx => {
    const [row] = await tx<{ handle: number }[]>`
      insert into weekly_reports (choice_handle, week, name, csv, created_at)
      values (${choice}, ${week}, ${name}, ${csv}, ${now})
      on conflict (choice_handle, week) do nothing returning handle`;
    if (row === undefined) return false;
    const fact = { kind: 'weekly_report', detail: { ...detail, report: row.handle } } as const;
    await insertFacts(tx, [{ ...fact, choice, key: `weekly report ${week}`, dueAt }], now);
    return true;
  });
}

/** The file of a mail. Undefined: it is older than files are kept. */
export async function readReport(sql: Queryable, handle: number): Promise<{ name: string; csv: string } | undefined> {
  const [row] = await sql<{ name: string; csv: string }[]>`
    select name, csv from weekly_reports where handle = ${handle}`;
  return row;
}

export async function forgetReports(sql: Queryable, now: Date): Promise<number> {
  const gone = await sql`
    delete from weekly_reports where handle in (select handle from weekly_reports
      where created_at < ${new Date(now.getTime() - KEPT_MS)} order by created_at limit ${FORGOTTEN_AT_ONCE})`;
  return gone.count;
}
