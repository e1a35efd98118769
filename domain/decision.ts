/**
 * Why a slot got no ad, in the fixed order of the checks.
 *
 * A candidate is checked in this order and stops at the first check that it fails. A slot's reason is that of the
 * candidate that passed most checks, so the reason with the largest number wins. What concerns the screen alone
 * comes first, then what is fixed for a quarter of an hour (and so can be compiled), then what changes with every slot.
 */
export const NO_FILL_REASONS = [
  'no_campaign', // there is no campaign at all
  'screen_closed', // outside the venue's opening hours
  'ad_ratio', // the screen has shown its share of ads
  'sandbox', // campaign and screen are not of the same book
  'targeting', // city, venue type, area or orientation asked for by the campaign
  'venue_blocked', // the venue or the screen refuses the campaign's category
  'outside_schedule', // dates and days of the flight, local to the venue
  'outside_daypart', // hours of the flight, local to the venue
  'paused',
  'creative_not_ready', // no creative that could be played anywhere
  'format', // no ready creative of the screen's orientation and the slot's length
  'budget_exhausted', // nothing left that could pay for one play
  'no_lease', // money is left, but not with this process yet
  'frequency', // the campaign's plays per hour on one screen
  'separation', // another owner's campaign of the same category was in the slot before
  'paced_out', // too far ahead of its curve
] as const;

export type NoFillReason = (typeof NO_FILL_REASONS)[number];

/** The number of each reason: its place in the order of the checks. */
export const REASON_NUMBER = Object.freeze(
  Object.fromEntries(NO_FILL_REASONS.map((reason, number) => [reason, number])),
) as Readonly<Record<NoFillReason, number>>;

/** The reason with this number. */
export function reasonOf(number: number): NoFillReason {
  return NO_FILL_REASONS[number]!;
}
