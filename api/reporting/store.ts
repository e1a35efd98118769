import { isFinal, isOver } from '#domain/final-report.ts';
import { formatId } from '#domain/id.ts';
import { roundThousandths } from '#domain/money.ts';
import { CLOCKS_MS } from '#sql/authority-keys.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Authority } from '#sql/redis.ts';
import type { CsvTable } from '../csv.ts';
import type { CampaignRow } from '../campaigns/record.ts';
import { money } from '../shapes.ts';
import type { ReportFigures } from './figures.ts';
import type { Invalid } from './invalid-plays.ts';
import { labelsOf, type ReportRange } from './range.ts';
import type { Report } from './schema.ts';

/** The report of these figures. `asOf` (ms) was read before them. */
export function reportOf(row: CampaignRow, { range, figures, invalid, asOf, final, now }: { range: ReportRange; figures: ReportFigures; invalid: Invalid; asOf: number; final: boolean; now: number }): Report {
  const bucketOf = new Map(figures.buckets.map(bucket => [bucket.label, bucket]));
  const labels = [...new Set([...labelsOf(range, now), ...bucketOf.keys()])].sort();
  const sum = (pick: (bucket: ReportFigures['buckets'][number]) => number) => figures.buckets.reduce((total, bucket) => total + pick(bucket), 0);
  const [plays, thousandths, costMicros] = [sum(bucket => bucket.plays), sum(bucket => bucket.impressions_thousandths), sum(bucket => bucket.cost_micros)];
  const impressions = roundThousandths(thousandths);
  const scans = sum(bucket => bucket.scans);
  return {
    campaign_id: formatId('campaign', row.handle),
    totals: {
      plays,
      impressions,
      scans,
      scan_rate: impressions === 0 ? 0 : Math.round((scans / impressions) * 1_000_000) / 1_000_000,
      spend: money(costMicros, row.currency),
      screens: figures.screens,
    },
    series: labels.map(label => ({
      bucket: label,
      plays: bucketOf.get(label)?.plays ?? 0,
      impressions: roundThousandths(bucketOf.get(label)?.impressions_thousandths ?? 0),
      scans: bucketOf.get(label)?.scans ?? 0,
      spend: money(bucketOf.get(label)?.cost_micros ?? 0, row.currency),
    })),
    late_plays: latePlaysOf(figures),
    invalid_plays: invalid.plays,
    adjustments: invalid.adjustments,
    net: { plays: plays - invalid.out.plays, impressions: roundThousandths(thousandths - invalid.out.impressionsThousandths), spend: money(costMicros - invalid.out.costMicros, row.currency) },
    as_of: new Date(asOf).toISOString(),
    is_final: final,
    tz: range.tz,
  };
}

export function latePlaysOf({ buckets }: ReportFigures): number {
  return buckets.reduce((sum, bucket) => sum + bucket.late_plays, 0);
}

/** The series of a report, a line per bucket. */
export function reportTable({ campaign_id, series, as_of, is_final, tz }: Report): CsvTable {
  return {
    name: `report-${campaign_id}`,
    columns: ['bucket', 'tz', 'plays', 'impressions', 'scans', 'spend', 'currency'],
    rows: series.map(({ bucket, plays, impressions, scans, spend }) => [bucket, tz, plays, impressions, scans, spend.amount, spend.currency]),
    headers: { 'x-as-of': as_of, 'x-is-final': String(is_final) },
  };
}

/** Whether the report of a range is final. `row` was read before `asOf`. */
export async function readFinality({ authority, clickhouse }: { authority: Authority; clickhouse: Clickhouse }, row: CampaignRow, { range, asOf }: { range: ReportRange; asOf: number }): Promise<boolean> {
  const judged = { endsAt: range.endsAt, clocksMs: CLOCKS_MS };
  if (!isOver(judged, asOf)) return false;
  const writtenPlays = await readWrittenPlays(clickhouse, row.handle);
  const standing = await authority.standing(row.handle);
  return isFinal(judged, { chargedPlays: row.charged_plays, asOf, writtenPlays, standing });
}

async function readWrittenPlays(clickhouse: Clickhouse, campaign: number): Promise<number> {
  const result = await clickhouse.query({
    query: 'select toInt64(sum(q.plays)) as plays from plays_campaign_quarter_hour as q where campaign_id = {campaign:String}',
    query_params: { campaign: formatId('campaign', campaign) },
    format: 'JSONEachRow',
  });
  const [total] = await result.json<{ plays: number }>();
  return total!.plays;
}
