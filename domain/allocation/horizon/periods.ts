/**
 * The time ahead in periods: the next two hours one by one, because the plan's targets are hourly, then ever longer
 * ones, because later supply is less certain. Cells of a segment in one period are summed, so that a plan of the whole
 * horizon has about ten thousand of them instead of a million.
 */
import type { AllocationGraph } from '../flow/graph.ts';
import type { SupplyForecast } from '../flow/remaining-supply.ts';

/** A period's first bucket and the one after its last; hours from now at its start, and how many it has. */
export type Period = { from: number; to: number; startsInHours: number; hours: number };

/** Supply of one segment in one period. */
export type Cells = { segment: Int32Array; period: Int32Array; impressions: Float64Array };

/** Hours for which a plan carries targets: one, and one more in case the next plan is late. */
export const HOURS_PLANNED = 2;
/** Hours of the first periods; plans return `HOURS_PLANNED` of them. */
const FIRST_HOURS = [1, 1, 2] as const;

/** @param hours length of periods after the first four hours */
export function periodsOf({ buckets, bucketFrom, bucketsPerHour }: SupplyForecast, hours: number): Period[] {
  const periods: Period[] = [];
  let from = bucketFrom;
  while (from < buckets) {
    const long = FIRST_HOURS[periods.length] ?? hours;
    const to = Math.min(buckets, from + long * bucketsPerHour);
    periods.push({
      from,
      to,
      startsInHours: (from - bucketFrom) / bucketsPerHour,
      hours: (to - from) / bucketsPerHour,
    });
    from = to;
  }
  return periods;
}

/** Period by period. */
export function cellsOf(graph: AllocationGraph, forecast: SupplyForecast, periods: readonly Period[]): Cells {
  const { groups, buckets, segmentOf, supply, factor } = forecast;
  const segment: number[] = [];
  const period: number[] = [];
  const impressions: number[] = [];
  const cellOf = new Int32Array(graph.segments);
  periods.forEach(({ from, to }, number) => {
    cellOf.fill(-1);
    for (let group = 0; group < groups; group++) {
      for (let place = group * buckets + from; place < group * buckets + to; place++) {
        if (supply[place]! <= 0) continue;
        const one = segmentOf[place]!;
        if (cellOf[one]! < 0) {
          cellOf[one] = segment.push(one) - 1;
          period.push(number);
          impressions.push(0);
        }
        impressions[cellOf[one]!]! += supply[place]! * factor[group]!;
      }
    }
  });
  return {
    segment: Int32Array.from(segment),
    period: Int32Array.from(period),
    impressions: Float64Array.from(impressions),
  };
}
