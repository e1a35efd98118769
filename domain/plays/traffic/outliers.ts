/**
 * Robust statistics. The usual value is the median, and the usual distance from it is the median of all distances
 * (MAD), so up to half of the values may be wrong without moving either. A score is the distance from the median in
 * spreads; the factor 1.4826 makes a spread the standard deviation where values are normally distributed (Iglewicz and
 * Hoaglin, How to Detect and Handle Outliers, 1993).
 */
import { median } from '../../median.ts';

const MAD_TO_DEVIATION = 1.4826;

/** `spread`: MAD as a standard deviation. */
export type Usual = { median: number; spread: number; count: number };

/** The usual value and spread. */
export function usualOf(values: readonly number[]): Usual {
  const middle = median(values);
  return {
    median: middle,
    spread: MAD_TO_DEVIATION * median(values.map(value => Math.abs(value - middle))),
    count: values.length,
  };
}

/** The spread of a small sample is uncertain, so it is enlarged by the factor 1 + 8 / sample size. */
const SMALL_SAMPLE = 8;

/**
 * How far a value lies above what is usual, in spreads; below it the score is negative.
 * @param spreadMin the least spread that is used, so that identical peers do not make everybody else an outlier
 */
export function scoreOf(value: number, { median: middle, spread, count }: Usual, spreadMin: number): number {
  return (value - middle) / Math.max(spread * (1 + SMALL_SAMPLE / count), spreadMin);
}

/**
 * The probability of at most `count` events where `expected` (above 0) are: the lower tail of the Poisson distribution.
 * Its terms are added as logarithms first, because the terms themselves would underflow to 0.
 */
export function poissonAtMost(count: number, expected: number): number {
  let logTerm = -expected;
  let sum = Math.exp(logTerm);
  for (let k = 1; k <= count; k += 1) {
    logTerm += Math.log(expected / k);
    sum += Math.exp(logTerm);
  }
  return Math.min(1, sum);
}
