import { assert } from './assertion.ts';

/**
 * How wrong forecasts of supply have been, and the band that follows: split conformal prediction. Past forecasts are
 * made again from what was known then and held against what came; the logarithms of came over forecast, by size of the
 * plan and length of its flight, are the scores, and the band's edges are two of them. Errors of one week are not
 * independent of each other, so the level is corrected by what it achieved (adaptive conformal inference, Gibbs and
 * Candes 2021): a miss lowers it and widens the band.
 */

/** A forecast made again. `screens`: how many match; `cutoff` and `end`: the days (in order, any origin) it was made on and it ended before. */
export type PastForecast = { screens: number; cutoff: number; end: number; forecast: number; came: number };

/**
 * Edges and quantiles of log(came / forecast) of supply of one stratum; and how many times as far from the forecast the
 * edges of what plans got had to lie (1 where no plan of this size has ended yet).
 */
export type Band = { low: number; high: number; quantiles: readonly number[]; count: number; stretchLow: number; stretchHigh: number };
/** A plan whose budget did not bind and what it got. `low`, `high`: its band before any stretch. */
export type PlanOutcome = { screens: number; cutoff: number; end: number; forecast: number; low: number; high: number; came: number };
/** By size class x 2, short flights before long ones. */
export type BandTable = readonly Band[];

/** Fewer than 8 screens, 8 to 29, 30 and more: small targets vary more. */
export const SIZE_CLASSES = ['small', 'medium', 'large'] as const;
const SIZE_FROM = [0, 8, 30];
/** A flight of more days averages more and looks further ahead. */
const LONG_DAYS = 10;

/** One in ten may lie outside. Errors of a week are one draw more than many, so the level begins lower and is let up by results. */
const MISS_SHARE = 0.1;
const MISS_FIRST = 0.06;
const LEVEL_STEP = 0.05;
const LEVEL_MIN = 0.01;
const LEVEL_MAX = 0.25;
/** Twenty scores are the fewest from which a twentieth can be cut off at either end. */
const SCORES_MIN = 20;
/** Three times as many, for an edge of an edge; and it only widens: plans of a few weeks say little of the next ones. */
const STRETCH_SCORES_MIN = 60;
const STRETCH_MIN = 1;
/** Scores of so many days count: older ones are of another network. */
const SCORE_DAYS = 42;
const QUANTILES = 41;

// Without history: the spread of the public figures for such forecasts (RAP: 78 to 88% accuracy from plain history), and
// a fifth more for few screens. It claims no measured coverage.
const UNKNOWN_SPREAD = [0.5, 0.4, 0.35];
const NORMAL_AT_95 = 1.645;

export function sizeClassOf(screens: number): number {
  return SIZE_FROM.findLastIndex(from => screens >= from);
}

function stratumOf(screens: number, days: number): number {
  return sizeClassOf(screens) * 2 + (days > LONG_DAYS ? 1 : 0);
}

/** The band of a plan by its screens and the days of its flight. */
export function bandOf(table: BandTable, { screens, days }: { screens: number; days: number }): Band {
  return table[stratumOf(screens, days)]!;
}

/** The table of a network without history. */
export function unknownBands(): BandTable {
  return UNKNOWN_SPREAD.flatMap(spread => {
    const quantiles = Array.from({ length: QUANTILES }, (_, index) => (spread / NORMAL_AT_95) * normalQuantile((index + 0.5) / QUANTILES));
    const band = { low: -spread, high: spread, quantiles, count: 0, stretchLow: 1, stretchHigh: 1 };
    return [band, band];
  });
}

/** Bands from past forecasts; a stratum with too few takes those of its size, else of all, else the unknown. */
export function calibrateBands(past: readonly PastForecast[]): BandTable {
  const unknown = unknownBands();
  return unknown.map((fallback, stratum) => {
    const isOf = [
      (one: PastForecast) => stratumOf(one.screens, one.end - one.cutoff) === stratum,
      (one: PastForecast) => sizeClassOf(one.screens) === stratum >> 1,
      () => true,
    ];
    for (const fits of isOf) {
      const scores = scoresOf(past.filter(fits));
      if (scores.length >= SCORES_MIN) return calibrate(scores);
    }
    return fallback;
  });
}

/**
 * The second correction: bands of supply go through the allocation on their way to a plan, which has errors of its own.
 * Scores are signed distances from the forecast in units of the band's own arms, by size class.
 */
export function stretchBands(table: BandTable, outcomes: readonly PlanOutcome[]): BandTable {
  const edges = SIZE_CLASSES.map((_, size) => {
    const scores = outcomes.filter(one => sizeClassOf(one.screens) === size).flatMap(one => armsOf(one));
    return scores.length < STRETCH_SCORES_MIN ? undefined : calibrate(scores);
  });
  return table.map((band, stratum) => {
    const found = edges[stratum >> 1];
    return found === undefined ? band : { ...band, stretchLow: Math.max(STRETCH_MIN, -found.low), stretchHigh: Math.max(STRETCH_MIN, found.high) };
  });
}

function armsOf({ cutoff, end, forecast, low, high, came }: PlanOutcome): Score[] {
  if (forecast <= 0) return [];
  const below = Math.log(Math.max(1, low) / forecast);
  const above = Math.log(high / forecast);
  const off = Math.log(Math.max(1, came) / forecast);
  const arm = off < 0 ? -below : above;
  return arm <= 0 ? [] : [{ cutoff, end, value: off / arm }];
}

/** An edge so many times as far from the forecast as it was, in logarithms. */
export function stretchEdge(forecast: number, edge: number, times: number): number {
  return forecast <= 0 || edge <= 0 ? edge : forecast * (edge / forecast) ** times;
}

/** The chance that supply comes to at least `factor` times its forecast. */
export function chanceAbove({ quantiles }: Band, factor: number): number {
  if (factor <= 0) return 1;
  const score = Math.log(factor);
  const first = quantiles.findIndex(quantile => quantile >= score);
  if (first <= 0) return first === 0 ? 1 - 0.5 / quantiles.length : 0.5 / quantiles.length;
  const before = quantiles[first - 1]!;
  const part = (score - before) / Math.max(1e-12, quantiles[first]! - before);
  return 1 - (first - 0.5 + part) / quantiles.length;
}

type Score = { cutoff: number; end: number; value: number };

function scoresOf(past: readonly PastForecast[]): Score[] {
  return past.filter(one => one.forecast > 0 && one.came > 0).map(({ cutoff, end, forecast, came }) => ({ cutoff, end, value: Math.log(came / forecast) }));
}

function calibrate(scores: readonly Score[]): Band {
  const last = Math.max(...scores.map(score => score.end));
  const miss = adaptedMiss(scores);
  const values = recentValues(scores, last + 1);
  return { ...edgesOf(values, miss), quantiles: Array.from({ length: QUANTILES }, (_, index) => quantileOf(values, (index + 0.5) / QUANTILES)), count: values.length, stretchLow: 1, stretchHigh: 1 };
}

/** Sorted values of what had ended before `day`, of the last days. */
function recentValues(scores: readonly Score[], day: number): number[] {
  return scores.filter(score => score.end <= day && score.end > day - SCORE_DAYS).map(score => score.value).sort((a, b) => a - b);
}

/** Makes the bands of the past in order, each from what had ended by then, and moves the level after each day's result. */
function adaptedMiss(scores: readonly Score[]): number {
  let miss = MISS_FIRST;
  for (const cutoff of [...new Set(scores.map(score => score.cutoff))].sort((a, b) => a - b)) {
    const known = recentValues(scores, cutoff);
    if (known.length < SCORES_MIN) continue;
    const { low, high } = edgesOf(known, miss);
    const made = scores.filter(score => score.cutoff === cutoff);
    const missed = made.filter(({ value }) => value < low || value > high).length / made.length;
    miss = Math.min(LEVEL_MAX, Math.max(LEVEL_MIN, miss + LEVEL_STEP * (MISS_SHARE - missed)));
  }
  return miss;
}

/** Ranks floor(miss / 2 x (n + 1)) and ceil((1 - miss / 2) x (n + 1)) of sorted values. */
function edgesOf(sorted: readonly number[], miss: number): { low: number; high: number } {
  const count = sorted.length;
  const rankLow = Math.max(1, Math.floor((miss / 2) * (count + 1)));
  const rankHigh = Math.min(count, Math.ceil((1 - miss / 2) * (count + 1)));
  return { low: sorted[rankLow - 1]!, high: sorted[rankHigh - 1]! };
}

function quantileOf(sorted: readonly number[], part: number): number {
  assert(sorted.length > 0, 'no values have no quantile');
  const place = Math.min(sorted.length - 1, Math.max(0, part * sorted.length - 0.5));
  const below = Math.floor(place);
  return sorted[below]! + (place - below) * (sorted[Math.min(sorted.length - 1, below + 1)]! - sorted[below]!);
}

/** Of the standard normal: Winitzki's approximation of the inverse error function, within 0.01 here. */
function normalQuantile(part: number): number {
  const x = 2 * part - 1;
  const log = Math.log(1 - x * x);
  const first = 2 / (Math.PI * 0.147) + log / 2;
  return Math.SQRT2 * Math.sign(x) * Math.sqrt(Math.sqrt(first * first - log / 0.147) - first);
}
