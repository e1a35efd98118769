import { assert } from './assertion.ts';
import { apportion } from './money.ts';

/**
 * What becomes of money when plays that were counted and charged are taken out, because the operator upheld a finding about
 * them. Nothing that was charged is changed: the brand is credited what it paid for them, and what their venue earned of
 * them and has not withdrawn goes back to the platform. All amounts are integer micro-units.
 */

/** What a campaign was charged so far, what its workspace was given back of that as discounts, and what it was credited. */
export type CampaignPaid = { chargedMicros: number; discountMicros: number; creditedMicros: number };

/**
 * What a brand gets back for plays of this gross price: what it paid for them, which is the price less the campaign's mean
 * discount; in all of a campaign's time never more than it paid.
 */
export function creditMicros(grossMicros: number, { chargedMicros, discountMicros, creditedMicros }: CampaignPaid): number {
  assert(grossMicros <= chargedMicros, `plays of ${grossMicros} micro-units are taken out of charges of ${chargedMicros}`);
  const paidMicros = chargedMicros - discountMicros;
  const [paid] = apportion(grossMicros, [paidMicros, discountMicros]) as [number, number];
  return Math.min(paid, paidMicros - creditedMicros);
}

/** Plays of a venue on a day, and what brands were charged for them. */
export type PlaysOut = { plays: number; impressionsThousandths: number; grossMicros: number };
/** Earnings of a venue on a day at one commission, as far as they were not withdrawn. `grossMicros` is above 0. */
export type EarningOpen = PlaysOut & { handle: number; shareMillionths: number; earnedMicros: number };
export type EarningBack = PlaysOut & { handle: number; earnedMicros: number };

/**
 * What goes back of each of a day's open earnings, where these plays are taken out. Which of several commissions a play
 * earned by is not kept, so the plays are shared out in proportion to what was charged under each. What was withdrawn
 * before is not there any more, and stays paid.
 */
export function reverseEarnings(open: readonly EarningOpen[], out: PlaysOut): EarningBack[] {
  if (open.length === 0) return [];
  const weights = open.map(row => row.grossMicros);
  const grosses = apportion(Math.min(out.grossMicros, weights.reduce((sum, gross) => sum + gross, 0)), weights);
  const [plays, impressions] = [apportion(out.plays, weights), apportion(out.impressionsThousandths, weights)];
  return open.map((row, at) => ({
    handle: row.handle,
    plays: Math.min(row.plays, plays[at]!),
    impressionsThousandths: Math.min(row.impressionsThousandths, impressions[at]!),
    grossMicros: grosses[at]!,
    earnedMicros: grosses[at] === row.grossMicros ? row.earnedMicros : Math.min(row.earnedMicros, shareUpMicros(grosses[at]!, row.shareMillionths)),
  }));
}

const MILLION = 1_000_000n;

/** Rounded up, so that what stays is never above its share of what stays of the charges. */
function shareUpMicros(grossMicros: number, shareMillionths: number): number {
  return Number((BigInt(grossMicros) * BigInt(shareMillionths) + MILLION - 1n) / MILLION);
}
