/** The figures of a report by bucket, with a row of zeros for each empty bucket. */
import { labelsOf, type ReportRange } from '#domain/reporting/report-range.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { NO_FIGURES, shownFigures } from './figures.ts';
import type { ReportFigures } from './read-figures.ts';

/** All buckets of the range that have begun. */
export function seriesOf(
  { buckets }: Pick<ReportFigures, 'buckets'>,
  { range, currency, now }: { range: ReportRange; currency: string; now: Milliseconds },
) {
  const bucketOf = new Map(buckets.map(bucket => [bucket.label, bucket]));
  const labels = [...new Set([...labelsOf(range, now), ...bucketOf.keys()])].sort();
  return labels.map(bucket => ({ bucket, ...shownFigures(bucketOf.get(bucket) ?? NO_FIGURES, currency) }));
}
