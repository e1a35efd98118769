/**
 * The promises of plans compared with final delivery: by the first plan that knows a campaign, and by the one half
 * through its flight.
 */
import type { World } from './world/world.ts';

export const PROMISED_AT = ['first', 'half'] as const;
/** Impressions by campaign; NaN without a promise of a plan. */
export type Promised = Record<(typeof PROMISED_AT)[number], Float64Array>;
/** Promised over delivered, of each campaign. */
export type PromiseRatios = Record<(typeof PROMISED_AT)[number], readonly number[]>;

/** @param partOf the share of its goal that the plan of this hour promises a campaign */
export function notePromises(
  promised: Promised,
  { goal, knownFrom, bookings }: World,
  { hour, partOf }: { hour: number; partOf: (campaign: number) => number },
): void {
  goal.forEach((impressions, campaign) => {
    const { startDay, endDay } = bookings[campaign]!;
    if (impressions === 0) return;
    if (hour === knownFrom[campaign]) promised.first[campaign] = impressions * partOf(campaign);
    if (hour === (24 * (startDay + endDay)) / 2) promised.half[campaign] = impressions * partOf(campaign);
  });
}

/** @param served impressions by campaign */
export function promiseRatios(promised: Promised, served: Float64Array): PromiseRatios {
  // A campaign without delivery counts as one impression.
  const ratios = (all: Float64Array) =>
    Array.from(all, (impressions, campaign) => impressions / Math.max(1, served[campaign]!)).filter(
      ratio => !Number.isNaN(ratio),
    );
  return { first: ratios(promised.first), half: ratios(promised.half) };
}
