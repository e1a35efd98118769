/** The measures of the pacing benchmark: how well a rule delivered and paced in one world, against the bound. */
import type { Bound } from './bound.ts';
import { promiseRatios, type PromiseRatios } from './promised.ts';
import type { Replay } from './replay.ts';
import { eligibleCurve, type World } from './world/world.ts';

/** How much was delivered in one world. Shares are 0..1. */
export type Volume = {
  /** Impressions, and revenue, over the bound's. */
  delivered: number;
  revenue: number;
  /** Delivered share of the goal at the 10th percentile of campaigns. */
  tenth: number;
};

/** How well a rule did in one world. */
export type Measures = Volume & {
  /**
   * Mean distance from the curve of expected eligible supply over the hours in which a campaign is live, weighted by
   * budget.
   */
  pacingError: number;
  /** Campaigns that stay within 12% of their curve for 80% of their hours. */
  within12: number;
  /** Impressions beyond goals. */
  overspend: number;
  promises: PromiseRatios;
  pickNsMedian: number;
  pickNs99: number;
};

const BAND = 0.12;
const BAND_HOURS = 0.8;

export function measure(world: World, run: Replay, bound: Bound): Measures {
  const { goal, price, hours } = world;
  const curve = eligibleCurve(world, world.expected);
  let overspend = 0;
  let error = 0;
  let weight = 0;
  let within = 0;
  for (let campaign = 0; campaign < goal.length; campaign++) {
    if (goal[campaign] === 0) continue;
    const budget = goal[campaign]! * price[campaign]!;
    overspend += Math.max(0, run.served[campaign]! - goal[campaign]!);
    const row = campaign * (hours + 1);
    const { distance, live, near } = distanceFrom(
      curve.subarray(row, row + hours + 1),
      run.progress.subarray(row, row + hours + 1),
      goal[campaign]!,
    );
    if (live === 0) continue;
    error += (distance / live) * budget;
    weight += budget;
    if (near / live >= BAND_HOURS) within++;
  }
  return {
    ...volumeOf(world, run.served, bound),
    pacingError: error / weight,
    within12: within / goal.filter(impressions => impressions > 0).length,
    overspend,
    promises: promiseRatios(run.promised, run.served),
    pickNsMedian: percentile(run.pickNs, 0.5),
    pickNs99: percentile(run.pickNs, 0.99),
  };
}

/** @param served impressions by campaign */
export function volumeOf({ goal, price }: World, served: Float64Array, bound: Bound): Volume {
  const shares: number[] = [];
  let [impressions, revenue] = [0, 0];
  served.forEach((one, campaign) => {
    impressions += one;
    revenue += one * price[campaign]!;
    if (goal[campaign]! > 0) shares.push(one / goal[campaign]!);
  });
  shares.sort((a, b) => a - b);
  return {
    delivered: impressions / bound.impressions,
    revenue: revenue / bound.revenue,
    tenth: shares[Math.floor(0.1 * shares.length)]!,
  };
}

function distanceFrom(
  curve: Float64Array,
  progress: Float64Array,
  goal: number,
): { distance: number; live: number; near: number } {
  const whole = curve.at(-1)!;
  let distance = 0;
  let live = 0;
  let near = 0;
  for (let hour = 1; hour < curve.length; hour++) {
    if (curve[hour] === 0 || curve[hour - 1] === whole) continue;
    const off = Math.abs(progress[hour]! / goal - curve[hour]! / whole);
    distance += off;
    live++;
    if (off <= BAND) near++;
  }
  return { distance, live, near };
}

function percentile(sorted: Float64Array, part: number): number {
  return sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
}
