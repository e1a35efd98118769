/**
 * Why a slot got no ad, in the fixed order of the checks.
 *
 * A candidate is checked in this order and stops at the first check that it fails. A slot's reason is that of the
 * candidate that passed most checks, so the reason with the largest number wins. What concerns the screen alone
 * comes first, then what is fixed for a quarter of an hour (and so can be compiled), then what changes with every slot.
 */
import type { Milliseconds } from '../unit.ts';

export const NO_FILL_REASONS = [
  'no_campaign', // there is no campaign at all
  'screen_closed', // outside the venue's opening hours
  'ad_ratio', // the screen has shown its share of ads
  'sandbox', // campaign and screen are not of the same book
  'targeting', // city, venue type, area or orientation asked for by the campaign
  'venue_blocked', // the venue or the screen refuses the campaign's category
  'restricted', // a rule of the law forbids the category at the venue, always or at this hour
  'outside_schedule', // dates and days of the flight, local to the venue
  'outside_daypart', // hours of the flight, local to the venue
  'paused',
  'creative_not_ready', // no creative that could be played anywhere
  'format', // no ready creative of the screen's orientation and the slot's length
  'budget_exhausted', // nothing left that could pay for one play
  'no_lease', // money is left, but not with this process yet
  'frequency', // the campaign's plays per hour on one screen
  'separation', // another owner's campaign of the same category was in the slot before
  'paced_out', // too far ahead of its curve, or the screen holds as many ads as it may
] as const;

export type NoFillReason = (typeof NO_FILL_REASONS)[number];

/**
 * The number of each reason: its place in the order of the checks. It is of one version of the program; records of
 * decisions carry codes that stay (`decision-record.ts`).
 */
export const REASON_NUMBER = Object.freeze(
  Object.fromEntries(NO_FILL_REASONS.map((reason, number) => [reason, number])),
) as Readonly<Record<NoFillReason, number>>;

/** The reason with this number. */
export function reasonOf(number: number): NoFillReason {
  return NO_FILL_REASONS[number]!;
}

/** Why a campaign did not get a slot: as a slot's reason, or it could play and another one was further behind. */
export const LOSS_REASONS = [...NO_FILL_REASONS, 'outranked'] as const;
export type LossReason = (typeof LOSS_REASONS)[number];

/**
 * The most ad time that a screen may save up while nothing can play: a minute. So the ad ratio holds over every few
 * minutes and not only over days.
 */
export const AD_CREDIT_MS_MAX = 60_000;
/** Credits are sums of fractions: half a millisecond absorbs their rounding. */
const CREDIT_TOLERANCE_MS = 0.5;
const RATIO_TOLERANCE = 1e-9;
/** No creative is shorter. */
const CREATIVE_MS_MIN = 6_000;
/** By how many plays a campaign may always be ahead of its curve, whatever share of its budget they are. */
export const LEAD_PLAYS = 20;

/** How long an ad of a screen with this share (0..1) and this credit may be, in ms; 0 when it may show none. */
export function allowedAdMs(adRatio: number, creditMs: Milliseconds): Milliseconds {
  if (adRatio <= 0) return 0;
  const allowedMs = adRatio >= 1 - RATIO_TOLERANCE ? Infinity : (creditMs + CREDIT_TOLERANCE_MS) / (1 - adRatio);
  return allowedMs < CREATIVE_MS_MIN ? 0 : allowedMs;
}
