/**
 * Writes the weekly reports that people chose: on Monday morning in their zone, the metrics of the week before, by
 * campaign and day. The mail follows at their chosen time. A week has one report for each choice, even if this job
 * fails or is repeated.
 */
import { mayBeAlerted } from '#domain/alerts/alert.ts';
import { dueAt, weekToReport } from '#domain/alerts/timing.ts';
import { formatId, parseId } from '#domain/id.ts';
import { formatDate } from '#domain/time/calendar.ts';
import { startOfDay } from '#domain/reporting/report-range.ts';
import { writeCsv } from '#runtime/csv.ts';
import { findReportReaders, type ReportReader } from '#sql/alerts/found.ts';
import { readReportedCampaigns, writeReport } from '#sql/alerts/weekly-reports.ts';
import { FIGURE_COLUMNS, figureCells } from '#sql/figures/figures.ts';
import { readFiguresOfEach } from '#sql/figures/read-figures.ts';
import { seriesOf } from '#sql/figures/series.ts';
import type { JobContext } from '../schedule.ts';

const COLUMNS = ['campaign_id', 'campaign', 'bucket', 'tz', ...FIGURE_COLUMNS];

/** Returns how many reports were written. */
export async function writeWeeklyReports(context: JobContext): Promise<number> {
  let written = 0;
  for await (const readers of findReportReaders(context.sql, context.now()))
    for (const reader of readers) if (await writeReportOf(reader, context)) written++;
  return written;
}

async function writeReportOf(reader: ReportReader, { sql, clickhouse, now: clock }: JobContext): Promise<boolean> {
  const { choice, settings, surface, role, workspace } = reader;
  const now = clock();
  const week = weekToReport(settings.timezone, now.getTime());
  const mode = settings.alerts.weekly_report;
  if (week === undefined || mode === 'off' || !mayBeAlerted(surface, role, 'weekly_report')) return false;
  const [from, to] = [formatDate(week.first), formatDate(week.last)];
  const ids = settings.report_campaigns?.map(id => parseId('campaign', id)).filter(handle => handle !== undefined);
  const campaigns = await readReportedCampaigns(sql, { workspace, campaigns: ids, from, to });
  if (campaigns.length === 0) return false;
  const { timezone: tz } = settings;
  const range = { tz, group: 'day', counted: week, shown: week, endsAt: startOfDay(week.last + 1, tz) } as const;
  const figures = await readFiguresOfEach(clickhouse, {
    campaigns: campaigns.map(({ handle }) => handle),
    sandbox: false,
    range,
  });
  const rows = campaigns.flatMap(({ handle, name, currency }) =>
    seriesOf(figures.get(handle)!, { range, currency, now: now.getTime() }).map(row => [
      formatId('campaign', handle),
      name,
      row.bucket,
      tz,
      ...figureCells(row),
    ]),
  );
  return writeReport(
    sql,
    {
      choice,
      week: from,
      name: `report-${from}-${to}.csv`,
      csv: writeCsv({ columns: COLUMNS, rows }, { isMarked: true }),
      dueAt: new Date(dueAt(settings, mode, now.getTime())),
      detail: { campaigns: campaigns.length, from, to },
    },
    now,
  );
}
