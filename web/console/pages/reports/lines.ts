/** The lines of the chart of a report: a measure bucket by bucket beside the time before, or a flight added up. */
import { addUp, besides, projectedSums } from './ranges.ts';
import type { Report } from './report.ts';

export const MEASURES = ['spend', 'plays', 'impressions', 'scans'] as const;
export type Measure = (typeof MEASURES)[number];
type Bucket = Report['series'][number];

export type Lines = {
  /** Days as `YYYY-MM-DD`, or hours as `YYYY-MM-DDTHH:00`. */
  buckets: readonly string[];
  values: readonly (number | null)[];
  beside?: { kind: 'before' | 'projected'; values: readonly (number | null)[]; sum: number };
};

export function linesOf(report: Report, { before, measure }: { before: Report | undefined; measure: Measure }): Lines {
  const values = valuesOf(report, measure);
  return {
    buckets: report.series.map(({ bucket }) => bucket),
    values,
    ...(before && {
      beside: {
        kind: 'before',
        values: besides(values, valuesOf(before, measure)),
        sum: valueOf(before.totals, measure),
      },
    }),
  };
}

type FlightOptions = {
  measure: Measure;
  /** The days that are left, without today; none: nothing is projected. */
  ahead: readonly string[];
  budget?: { amount: number } | null | undefined;
};

export function flightLines(report: Report, { measure, ahead, budget }: FlightOptions): Lines {
  const daily = valuesOf(report, measure);
  const sumMax = measure === 'spend' ? budget?.amount : undefined;
  const projected = ahead.length === 0 ? [] : projectedSums(daily, { daysLeft: ahead.length, sumMax });
  const shownAhead = projected.length === 0 ? [] : ahead;
  return {
    buckets: [...report.series.map(({ bucket }) => bucket), ...shownAhead],
    values: [...addUp(daily), ...shownAhead.map(() => null)],
    ...(projected.length > 0 && { beside: { kind: 'projected', values: projected, sum: projected.at(-1) ?? 0 } }),
  };
}

export function valueOf(figures: Pick<Bucket, Measure>, measure: Measure): number {
  return measure === 'spend' ? figures.spend.amount : figures[measure];
}

function valuesOf(report: Report, measure: Measure): number[] {
  return report.series.map(bucket => valueOf(bucket, measure));
}
