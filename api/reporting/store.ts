/**
 * Writes reports from their figures: of one campaign or of several, as JSON and as the table of a CSV. It also says
 * whether a report is final, that is, whether its figures can still change.
 */
import type { Milliseconds } from '#domain/unit.ts';
import { isFinal, isOver } from '#domain/plays/final-report.ts';
import { formatId, parseId, type Handle } from '#domain/id.ts';
import { roundThousandths } from '#domain/money/money.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import { CLOCKS_MS, type Authority } from '#authority/authority.ts';
import type { CsvTable } from '../formats/csv.ts';
import type { CampaignRow } from '#domain/campaigns/changes/stored-campaign.ts';
import { money } from '../wire/shapes.ts';
import {
  addFigures,
  FIGURE_COLUMNS,
  figureCells,
  NO_FIGURES,
  shownFigures,
  type Figures,
} from '#sql/figures/figures.ts';
import type { ReportFigures } from '#sql/figures/read-figures.ts';
import { groupsTable } from './groups.ts';
import type { Invalid } from './invalid-plays.ts';
import type { NotCounted } from './schema/not-counted.ts';
import type { ReportRange } from '#domain/reporting/report-range.ts';
import { seriesOf } from '#sql/figures/series.ts';
import type { CampaignsReport, Report, ReportGroup } from './schema/report.ts';

/**
 * The inputs of a report. `asOf` (ms) was read before the metrics; `groups` are present if the query asked for them.
 */
type ReportInput = {
  range: ReportRange;
  figures: ReportFigures;
  groups?: { group_by: NonNullable<Report['group_by']>; groups: ReportGroup[] } | undefined;
  asOf: Milliseconds;
  final: boolean;
  now: Milliseconds;
};

/** The report of one campaign. */
export function reportOf(
  row: CampaignRow,
  {
    range,
    figures,
    groups,
    invalid,
    notCounted,
    asOf,
    final,
    now,
  }: ReportInput & { invalid: Invalid; notCounted: NotCounted },
): Report {
  const { currency } = row;
  const counted = sumOf(figures.buckets);
  const totals = shownFigures(counted, currency);
  return {
    campaign_id: formatId('campaign', row.handle),
    totals: { ...totals, scan_rate: scanRate(totals), screens: figures.screens },
    series: seriesOf(figures, { range, currency, now }),
    ...groups,
    late_plays: counted.late_plays,
    invalid_plays: invalid.plays,
    adjustments: invalid.adjustments,
    net: {
      plays: counted.plays - invalid.removed.plays,
      impressions: roundThousandths(counted.impressions_thousandths - invalid.removed.impressionsThousandths),
      spend: money(counted.cost_micros - invalid.removed.costMicros, currency),
    },
    plays_not_counted: notCounted.plays,
    scans_not_counted: notCounted.scans,
    as_of: new Date(asOf).toISOString(),
    is_final: final,
    tz: range.tz,
  };
}

/**
 * The report of several campaigns. Impressions are rounded per campaign, so that the campaigns' own reports add up to
 * the totals.
 */
export function reportOfSeveral(
  rows: readonly CampaignRow[],
  { range, figures, groups, asOf, final, now }: ReportInput,
): CampaignsReport {
  const { currency } = rows[0]!;
  const figuresOf = new Map(figures.groups.get('campaign')!.map(row => [row.label, row]));
  const counted = rows.map(({ handle }) => figuresOf.get(formatId('campaign', handle)) ?? NO_FIGURES);
  const campaigns = rows.map(({ handle, name }, index) => ({
    campaign_id: formatId('campaign', handle),
    name,
    ...shownFigures(counted[index]!, currency),
    late_plays: counted[index]!.late_plays,
  }));
  const sum = sumOf(counted);
  const impressions = campaigns.reduce((total, campaign) => total + campaign.impressions, 0);
  const totals = { ...shownFigures(sum, currency), impressions };
  return {
    totals: { ...totals, scan_rate: scanRate(totals), screens: figures.screens },
    campaigns,
    series: seriesOf(figures, { range, currency, now }),
    ...groups,
    late_plays: sum.late_plays,
    as_of: new Date(asOf).toISOString(),
    is_final: final,
    tz: range.tz,
  };
}

function sumOf(rows: readonly Omit<Figures, 'label'>[]): Omit<Figures, 'label'> {
  const sum = { ...NO_FIGURES };
  for (const row of rows) addFigures(sum, row);
  return sum;
}

function scanRate({ scans, impressions }: { scans: number; impressions: number }): number {
  return impressions === 0 ? 0 : Math.round((scans / impressions) * 1_000_000) / 1_000_000;
}

/** Plays of the range that were recorded and not charged. */
export function latePlaysOf({ buckets }: Pick<ReportFigures, 'buckets'>): number {
  return sumOf(buckets).late_plays;
}

/** The table of a report: a line per group if it has groups, else a line per bucket. */
export function reportTable(report: Report | CampaignsReport): CsvTable {
  const { series, group_by: groupBy, groups, as_of, is_final, tz } = report;
  const name = `report-${'campaign_id' in report ? report.campaign_id : 'campaigns'}`;
  const headers = { 'x-as-of': as_of, 'x-is-final': String(is_final) };
  if (groupBy !== undefined && groups) return { name, ...groupsTable(groupBy, groups), headers };
  return {
    name,
    columns: ['bucket', 'tz', ...FIGURE_COLUMNS],
    rows: series.map(row => [row.bucket, tz, ...figureCells(row)]),
    headers,
  };
}

/** Whether the report of a range is final for all of these campaigns. `rows` must have been read before `asOf`. */
export async function readFinality(
  { authority, clickhouse }: { authority: Authority; clickhouse: Clickhouse },
  rows: readonly CampaignRow[],
  { range, asOf }: { range: ReportRange; asOf: Milliseconds },
): Promise<boolean> {
  const judged = { endsAt: range.endsAt, clocksMs: CLOCKS_MS };
  if (!isOver(judged, asOf)) return false;
  const writtenPlays = await readWrittenPlays(
    clickhouse,
    rows.map(row => row.handle),
  );
  for (const { handle, charged_plays: chargedPlays } of rows) {
    const standing = await authority.standing(handle);
    if (!isFinal(judged, { chargedPlays, asOf, writtenPlays: writtenPlays.get(handle) ?? 0, standing })) return false;
  }
  return true;
}

async function readWrittenPlays(
  clickhouse: Clickhouse,
  campaigns: readonly Handle<'campaign'>[],
): Promise<Map<number | undefined, number>> {
  const rows = await queryRows<{ campaign_id: string; plays: number }>(clickhouse, {
    query:
      'select campaign_id, toInt64(sum(q.plays)) as plays from plays_campaign_quarter_hour as q where campaign_id in {campaigns:Array(String)} group by campaign_id',
    query_params: { campaigns: campaigns.map(handle => formatId('campaign', handle)) },
  });
  return new Map(rows.map(row => [parseId('campaign', row.campaign_id), row.plays]));
}
