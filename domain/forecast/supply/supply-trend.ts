/**
 * How the supply of a whole network changes from day to day: by growth of the promise, and by drift of the seen share.
 */
import { median } from '../../median.ts';
import { DAYS_PER_WEEK, HOURS_PER_DAY } from '../../time/calendar.ts';
import type { SupplyHistory } from './supply-history.ts';

export type Trend = {
  /** By how much the promised slots of the network grow in a day, as a logarithm; 0 and more. */
  growthPerDay: number;
  /** By how much the seen part of the promise changes in a day, as a logarithm: the season. */
  driftPerDay: number;
};

/**
 * Growth is measured between weeks over four weeks, and most of it is assumed to continue. 1% a day would double a
 * network in ten weeks.
 */
const GROWTH_DAYS = 28;
const GROWTH_BETWEEN_DAYS = GROWTH_DAYS - DAYS_PER_WEEK;
const GROWTH_KEPT = 0.8;
const DRIFT_KEPT = 0.7;
const GROWTH_MAX = 0.01;

/** The supply factor by days ahead. Growth and most of the drift continue for as many days as they were measured. */
export function trendOf({ growthPerDay, driftPerDay }: Trend, daysAhead: number): number {
  return Math.exp((growthPerDay + DRIFT_KEPT * driftPerDay) * Math.min(GROWTH_DAYS, daysAhead));
}

/**
 * The growth of the whole network: the promise of the days of the last week over the same days three weeks earlier; 0
 * if that was 0. It is the median of these seven ratios, because an unfinished or partly recorded day is neither growth
 * nor its end.
 */
export function growthOf({ classes, days, promised }: SupplyHistory): number {
  if (days < GROWTH_DAYS) return 0;
  const promisedOn = (day: number) => {
    let sum = 0;
    for (let place = 0; place < classes.length; place++) {
      const row = (place * days + day) * HOURS_PER_DAY;
      for (let hour = row; hour < row + HOURS_PER_DAY; hour++) sum += promised[hour]!;
    }
    return sum;
  };
  const ratios: number[] = [];
  for (let day = days - DAYS_PER_WEEK; day < days; day++) {
    const [before, last] = [promisedOn(day - GROWTH_BETWEEN_DAYS), promisedOn(day)];
    if (before > 0 && last > 0) ratios.push(last / before);
  }
  const grown = median(ratios);
  return grown <= 1 ? 0 : Math.min(GROWTH_MAX, (GROWTH_KEPT * Math.log(grown)) / GROWTH_BETWEEN_DAYS);
}

/**
 * The slope of the network's daily logarithm of seen over promised: the median of the slopes of all pairs of days of
 * one weekday (Theil and Sen), which tolerates up to a fourth of bad days.
 */
export function driftOf({ classes, days, promised, seen }: SupplyHistory): number {
  if (days < GROWTH_DAYS) return 0;
  const logs: { day: number; value: number }[] = [];
  for (let day = days - GROWTH_DAYS; day < days; day++) {
    let expected = 0;
    let found = 0;
    for (let place = 0; place < classes.length; place++) {
      const row = (place * days + day) * HOURS_PER_DAY;
      for (let hour = row; hour < row + HOURS_PER_DAY; hour++) {
        expected += promised[hour]!;
        found += seen[hour]!;
      }
    }
    if (expected <= 0 || found <= 0) continue;
    logs.push({ day, value: Math.log(found / expected) });
  }
  // Only pairs of the same weekday, so that the shape of the week does not matter.
  const slopes = logs.flatMap((one, index) =>
    logs
      .slice(index + 1)
      .filter(other => (other.day - one.day) % 7 === 0)
      .map(other => (other.value - one.value) / (other.day - one.day)),
  );
  if (slopes.length < GROWTH_DAYS) return 0;
  return Math.max(-GROWTH_MAX, Math.min(GROWTH_MAX, median(slopes)));
}
