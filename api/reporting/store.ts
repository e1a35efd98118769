/**
 * Writes reports from their figures: of one campaign or of several, as JSON and as the table of a CSV. It also says
 * whether a report is final, that is, whether its figures can still change.
 */
import type { Milliseconds } from '#domain/unit.ts';
import { isFinal, isOver } from '#domain/plays/final-report.ts';
import { formatId, parseId, type Handle } from '#domain/id.ts';
import { roundThousandths } from '#domain/money/money.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import { CLOCKS_MS, type Authority } from '#authority/authority.ts';
import type { CsvTable } from '../formats/csv.ts';
import type { CampaignRow } from '#domain/campaigns/changes/stored-campaign.ts';
import { money } from '../wire/shapes.ts';
import type { Figures, ReportFigures } from '#sql/figures/figures.ts';
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
  const sum = (pick: (bucket: Figures) => number) => figures.buckets.reduce((total, bucket) => total + pick(bucket), 0);
  const [plays, thousandths, costMicros] = [
    sum(bucket => bucket.plays),
    sum(bucket => bucket.impressions_thousandths),
    sum(bucket => bucket.cost_micros),
  ];
  const impressions = roundThousandths(thousandths);
  const scans = sum(bucket => bucket.scans);
  return {
    campaign_id: formatId('campaign', row.handle),
    totals: {
      plays,
      impressions,
      scans,
      scan_rate: scanRate(scans, impressions),
      spend: money(costMicros, row.currency),
      screens: figures.screens,
    },
    series: shownSeries(figures, { range, currency: row.currency, now }),
    ...groups,
    late_plays: latePlaysOf(figures),
    invalid_plays: invalid.plays,
    adjustments: invalid.adjustments,
    net: {
      plays: plays - invalid.removed.plays,
      impressions: roundThousandths(thousandths - invalid.removed.impressionsThousandths),
      spend: money(costMicros - invalid.removed.costMicros, row.currency),
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
  const costs = rows.map(row => figuresOf.get(formatId('campaign', row.handle))?.cost_micros ?? 0);
  const campaigns = rows.map(({ handle, name }, index) => {
    const own = figuresOf.get(formatId('campaign', handle));
    return {
      campaign_id: formatId('campaign', handle),
      name,
      plays: own?.plays ?? 0,
      impressions: roundThousandths(own?.impressions_thousandths ?? 0),
      scans: own?.scans ?? 0,
      spend: money(costs[index]!, currency),
      late_plays: own?.late_plays ?? 0,
    };
  });
  const sum = (pick: (campaign: (typeof campaigns)[number]) => number) =>
    campaigns.reduce((total, campaign) => total + pick(campaign), 0);
  const [impressions, scans] = [sum(campaign => campaign.impressions), sum(campaign => campaign.scans)];
  return {
    totals: {
      plays: sum(campaign => campaign.plays),
      impressions,
      scans,
      scan_rate: scanRate(scans, impressions),
      spend: money(
        costs.reduce((total, cost) => total + cost, 0),
        currency,
      ),
      screens: figures.screens,
    },
    campaigns,
    series: shownSeries(figures, { range, currency, now }),
    ...groups,
    late_plays: sum(campaign => campaign.late_plays),
    as_of: new Date(asOf).toISOString(),
    is_final: final,
    tz: range.tz,
  };
}

function scanRate(scans: number, impressions: number): number {
  return impressions === 0 ? 0 : Math.round((scans / impressions) * 1_000_000) / 1_000_000;
}

function shownSeries(
  figures: ReportFigures,
  { range, currency, now }: { range: ReportRange; currency: string; now: Milliseconds },
): Report['series'] {
  return seriesOf(figures, range, now).map(({ spendMicros, ...row }) => ({
    ...row,
    spend: money(spendMicros, currency),
  }));
}

/** Plays of the range that were recorded and not charged. */
export function latePlaysOf({ buckets }: Pick<ReportFigures, 'buckets'>): number {
  return buckets.reduce((sum, bucket) => sum + bucket.late_plays, 0);
}

/** The table of a report: a line per group if it has groups, else a line per bucket. */
export function reportTable(report: Report | CampaignsReport): CsvTable {
  const { series, group_by: groupBy, groups, as_of, is_final, tz } = report;
  const name = `report-${'campaign_id' in report ? report.campaign_id : 'campaigns'}`;
  const headers = { 'x-as-of': as_of, 'x-is-final': String(is_final) };
  if (groupBy !== undefined && groups) return { name, ...groupsTable(groupBy, groups), headers };
  return {
    name,
    columns: ['bucket', 'tz', 'plays', 'impressions', 'scans', 'spend', 'currency'],
    rows: series.map(({ bucket, plays, impressions, scans, spend }) => [
      bucket,
      tz,
      plays,
      impressions,
      scans,
      spend.amount,
      spend.currency,
    ]),
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
  const result = await clickhouse.query({
    query:
      'select campaign_id, toInt64(sum(q.plays)) as plays from plays_campaign_quarter_hour as q where campaign_id in {campaigns:Array(String)} group by campaign_id',
    query_params: { campaigns: campaigns.map(handle => formatId('campaign', handle)) },
    format: 'JSONEachRow',
  });
  return new Map(
    (await result.json<{ campaign_id: string; plays: number }>()).map(row => [
      parseId('campaign', row.campaign_id),
      row.plays,
    ]),
  );
}
