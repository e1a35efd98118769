/**
 * Percentiles of the decision's time, from the delivery processes' own histogram. They are upper bounds, which are as
 * exact as the histogram's buckets are narrow.
 */
import { readMetrics } from '../metrics.ts';

/**
 * Percentiles of the decision out of the delivery processes' own histogram: upper bounds, to the width of its buckets.
 */
export type DecisionTimes = { count: number; p50Us: number; p99Us: number; p999Us: number };
/** Cumulative counts by upper bound in seconds. */
export type Buckets = ReadonlyMap<number, number>;

const BUCKET = /^delivery_decision_seconds_bucket\{[^}]*le="([^"]+)"[^}]*\} (\d+)/gm;

/** Reads the histogram of all delivery processes, added up. */
export async function readDecisionBuckets(opsUrls: readonly string[]): Promise<Buckets> {
  return bucketsOf(await readMetrics(opsUrls));
}

/** The buckets in texts of Prometheus's format. */
export function bucketsOf(texts: readonly string[]): Buckets {
  const buckets = new Map<number, number>();
  for (const [, le, count] of texts.flatMap(text => [...text.matchAll(BUCKET)])) {
    const bound = le === '+Inf' ? Infinity : Number(le);
    buckets.set(bound, (buckets.get(bound) ?? 0) + Number(count));
  }
  return buckets;
}

/** Percentiles of the increase between two readings. */
export function decisionTimes(before: Buckets, after: Buckets): DecisionTimes {
  const bounds = [...after.keys()].sort((a, b) => a - b);
  const added = (bound: number) => after.get(bound)! - (before.get(bound) ?? 0);
  const count = bounds.length === 0 ? 0 : added(Infinity);
  const percentileUs = (share: number) =>
    Math.round((bounds.find(bound => added(bound) >= count * share) ?? 0) * 1e8) / 100;
  return { count, p50Us: percentileUs(0.5), p99Us: percentileUs(0.99), p999Us: percentileUs(0.999) };
}
