/**
 * The band of a forecast, by split conformal prediction. Past forecasts are repeated from the data known then and
 * compared with the actual supply (`backtest.ts`). The scores are log(actual / forecast), by size of the plan and by
 * whether it covers whole days, and the edges of the band are two of them. Each score counts with both signs: a
 * seasonal error affects all plans of some weeks alike, and may go the other way later.
 */
import { assert } from '../assertion.ts';
import { MINUTES_PER_DAY } from '../time/calendar.ts';
import type { Daypart } from '../time/daypart.ts';

/**
 * A repeated forecast. `screens`: how many match; `partOfDay`: as of `bandOf`; `cutoff` and `end`: the days (in order,
 * any origin) it was made on and it ended before.
 */
export type PastForecast = {
  screens: number;
  partOfDay: boolean;
  cutoff: number;
  end: number;
  forecast: number;
  came: number;
};

/** Edges and quantiles of log(actual / forecast) of the supply of one stratum. */
type Band = { low: number; high: number; quantiles: readonly number[]; count: number };
/** By size class x 2, whole days before parts of them. */
export type BandTable = readonly Band[];

/** Fewer than 8 screens, 8 to 29, 30 and more: small targets vary more. */
export const SIZE_CLASSES = ['small', 'medium', 'large'] as const;
const SIZE_FROM = [0, 8, 30];
/** Shorter dayparts have too few hours to average errors out. */
const PART_OF_DAY_MINUTES_MAX = 720;

/**
 * The share of scores that may lie outside of the band, by size, chosen so that one in ten plans does. Small plans
 * depend on the rest that bookings leave of one or two places, which supply scores do not show. For the others,
 * counting scores with both signs makes the band a little wider than necessary (measured by `bench forecast`, seeds 1
 * to 6).
 */
const MISS_SHARES = [0.08, 0.11, 0.11];
/** With fewer than twenty scores a twentieth cannot be cut at either end. */
const SCORES_MIN = 20;
const QUANTILES = 41;

// Without history: the spread of the public figures for such forecasts (RAP: 78 to 88% accuracy from plain history),
// and a fifth more for few screens. It claims no measured coverage.
const UNKNOWN_SPREAD = [0.5, 0.4, 0.35];
const NORMAL_AT_95 = 1.645;

export function sizeClassOf(screens: number): number {
  return SIZE_FROM.findLastIndex(from => screens >= from);
}

function stratumOf({ screens, partOfDay }: { screens: number; partOfDay: boolean }): number {
  return sizeClassOf(screens) * 2 + (partOfDay ? 1 : 0);
}

/** The band of a plan by its screens and its daypart. */
export function bandOf(
  table: BandTable,
  { screens, daypart }: { screens: number; daypart: Daypart | undefined },
): Band {
  return table[stratumOf({ screens, partOfDay: isPartOfDay(daypart) })]!;
}

function isPartOfDay(daypart: Daypart | undefined): boolean {
  if (daypart === undefined) return false;
  const { startMinute, endMinute } = daypart;
  return endMinute - startMinute + (endMinute < startMinute ? MINUTES_PER_DAY : 0) <= PART_OF_DAY_MINUTES_MAX;
}

/** The table of a network without history. */
export function unknownBands(): BandTable {
  return UNKNOWN_SPREAD.flatMap(spread => {
    const quantiles = Array.from(
      { length: QUANTILES },
      (_, index) => (spread / NORMAL_AT_95) * normalQuantile((index + 0.5) / QUANTILES),
    );
    const band = { low: -spread, high: spread, quantiles, count: 0 };
    return [band, band];
  });
}

/**
 * Bands from past forecasts. A stratum with too few takes those of its size, else those of all, else those of a network
 * without history.
 */
export function calibrateBands(past: readonly PastForecast[]): BandTable {
  return unknownBands().map((fallback, stratum) => {
    const isOf = [
      (one: PastForecast) => stratumOf(one) === stratum,
      (one: PastForecast) => sizeClassOf(one.screens) === stratum >> 1,
      () => true,
    ];
    for (const fits of isOf) {
      const scores = past
        .filter(one => one.forecast > 0 && one.came > 0 && fits(one))
        .map(({ forecast, came }) => Math.log(came / forecast));
      if (scores.length >= SCORES_MIN) return calibrate(scores, MISS_SHARES[stratum >> 1]!);
    }
    return fallback;
  });
}

/** Ranks floor(miss / 2 x (n + 1)) and ceil((1 - miss / 2) x (n + 1)) of the scores with both signs. */
function calibrate(scores: readonly number[], miss: number): Band {
  const sorted = Float64Array.from([...scores, ...scores.map(score => -score)]).sort();
  const rank = Math.min(sorted.length, Math.ceil((1 - miss / 2) * (sorted.length + 1)));
  const edge = sorted[rank - 1]!;
  return {
    low: -edge,
    high: edge,
    quantiles: Array.from({ length: QUANTILES }, (_, index) => quantileOf(sorted, (index + 0.5) / QUANTILES)),
    count: scores.length,
  };
}

/** The chance that supply is at least `factor` times its forecast. */
export function chanceAbove({ quantiles }: Band, factor: number): number {
  if (factor <= 0) return 1;
  const score = Math.log(factor);
  const first = quantiles.findIndex(quantile => quantile >= score);
  if (first <= 0) return first === 0 ? 1 - 0.5 / quantiles.length : 0.5 / quantiles.length;
  const before = quantiles[first - 1]!;
  const part = (score - before) / Math.max(1e-12, quantiles[first]! - before);
  return 1 - (first - 0.5 + part) / quantiles.length;
}

function quantileOf(sorted: Float64Array, part: number): number {
  assert(sorted.length > 0, 'no values have no quantile');
  const place = Math.min(sorted.length - 1, Math.max(0, part * sorted.length - 0.5));
  const below = Math.floor(place);
  return sorted[below]! + (place - below) * (sorted[Math.min(sorted.length - 1, below + 1)]! - sorted[below]!);
}

/** Quantile of the standard normal, from Winitzki's approximation of the inverse error function; within 0.01 here. */
function normalQuantile(part: number): number {
  const x = 2 * part - 1;
  const log = Math.log(1 - x * x);
  const first = 2 / (Math.PI * 0.147) + log / 2;
  return Math.SQRT2 * Math.sign(x) * Math.sqrt(Math.sqrt(first * first - log / 0.147) - first);
}
