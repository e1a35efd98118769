/** The figures of a report by bucket, as people read them: whole impressions, and a row for each empty bucket. */
import { roundThousandths } from '#domain/money/money.ts';
import { labelsOf, type ReportRange } from '#domain/reporting/report-range.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';
import type { ReportFigures } from './figures.ts';

type SeriesRow = { bucket: string; plays: number; impressions: number; scans: number; spendMicros: Micros };

/** All buckets of the range that have begun; empty ones have zeros. */
export function seriesOf({ buckets }: Pick<ReportFigures, 'buckets'>, range: ReportRange, now: Milliseconds) {
  const bucketOf = new Map(buckets.map(bucket => [bucket.label, bucket]));
  const labels = [...new Set([...labelsOf(range, now), ...bucketOf.keys()])].sort();
  return labels.map((label): SeriesRow => ({
    bucket: label,
    plays: bucketOf.get(label)?.plays ?? 0,
    impressions: roundThousandths(bucketOf.get(label)?.impressions_thousandths ?? 0),
    scans: bucketOf.get(label)?.scans ?? 0,
    spendMicros: bucketOf.get(label)?.cost_micros ?? 0,
  }));
}
