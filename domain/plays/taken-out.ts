/**
 * The money of counted and charged plays that are removed because the operator upheld a finding. The charges stay as
 * they are: the brand is credited what it paid for the plays, and what the venue earned by them and has not withdrawn
 * goes back to the platform. All amounts are integer micro-units.
 */
import { assert } from '../assertion.ts';
import type { Handle } from '../id.ts';
import { apportion } from '../money/money.ts';
import type { Micros } from '../unit.ts';

/** A campaign's charges so far, the discounts of its workspace on them, and the credits. */
export type CampaignPaid = { chargedMicros: Micros; discountMicros: Micros; creditedMicros: Micros };

/**
 * The credit of a brand for plays of this gross price: its payment, which is the price less the campaign's mean
 * discount. Over the whole life of a campaign it never gets back more than it paid.
 */
export function creditMicros(
  grossMicros: Micros,
  { chargedMicros, discountMicros, creditedMicros }: CampaignPaid,
): Micros {
  assert(
    grossMicros <= chargedMicros,
    `plays of ${grossMicros} micro-units are taken out of charges of ${chargedMicros}`,
  );
  const paidMicros = chargedMicros - discountMicros;
  const [paid] = apportion(grossMicros, [paidMicros, discountMicros]) as [number, number];
  return Math.min(paid, paidMicros - creditedMicros);
}

/** Plays of a venue on a day, and what brands were charged for them. */
export type PlaysOut = { plays: number; impressionsThousandths: number; grossMicros: Micros };
/** Earnings of a venue on a day at one commission, as far as they were not withdrawn. `grossMicros` is above 0. */
export type EarningOpen = PlaysOut & { handle: Handle<'earning'>; shareMillionths: number; earnedMicros: Micros };
export type EarningBack = PlaysOut & { handle: Handle<'earning'>; earnedMicros: Micros };

/**
 * How much of each of a day's open earnings goes back when these plays are taken out. It is not recorded which of
 * several commissions a play was paid by, so the plays are divided in proportion to what was charged under each. What
 * was already withdrawn stays paid.
 */
export function reverseEarnings(open: readonly EarningOpen[], out: PlaysOut): EarningBack[] {
  if (open.length === 0) return [];
  const weights = open.map(row => row.grossMicros);
  const grosses = apportion(
    Math.min(
      out.grossMicros,
      weights.reduce((sum, gross) => sum + gross, 0),
    ),
    weights,
  );
  const [plays, impressions] = [apportion(out.plays, weights), apportion(out.impressionsThousandths, weights)];
  return open.map((row, at) =>
    grosses[at] === row.grossMicros
      ? wholeOf(row) // no play is left that was charged nothing
      : {
          handle: row.handle,
          plays: Math.min(row.plays, plays[at]!),
          impressionsThousandths: Math.min(row.impressionsThousandths, impressions[at]!),
          grossMicros: grosses[at]!,
          earnedMicros: Math.min(row.earnedMicros, shareUpMicros(grosses[at]!, row.shareMillionths)),
        },
  );
}

function wholeOf({ handle, plays, impressionsThousandths, grossMicros, earnedMicros }: EarningOpen): EarningBack {
  return { handle, plays, impressionsThousandths, grossMicros, earnedMicros };
}

/**
 * The remaining reversal of a day with removed plays, after a payout of their earnings has failed: the part not
 * reversed then, and at most the day's part of failed payouts.
 * @param out all plays of the day that were taken out
 * @param back their earlier reversals
 */
export function outOfFailedPayouts(out: PlaysOut, back: PlaysOut, failedGrossMicros: Micros): PlaysOut | undefined {
  const leftMicros = out.grossMicros - back.grossMicros;
  const grossMicros = Math.min(leftMicros, failedGrossMicros);
  if (grossMicros <= 0) return undefined;
  const partOf = (amount: number) => apportion(Math.max(0, amount), [grossMicros, leftMicros - grossMicros])[0]!;
  return {
    plays: partOf(out.plays - back.plays),
    impressionsThousandths: partOf(out.impressionsThousandths - back.impressionsThousandths),
    grossMicros,
  };
}

/** The remaining earnings of a screen with a category, on a day at one commission. */
export type LineOpen = PlaysOut & { screen: Handle<'screen'>; category: string; earnedMicros: Micros };

/**
 * Divides what goes back among the lines of the earnings: in proportion to what was charged for the plays of a line
 * that were taken out, and never more than the line has. What these lines cannot give is taken from the others. All
 * lines together may hold less than the earnings; then less is taken.
 * @param outMicros what was charged for the plays of a line that were taken out
 */
export function reverseLines<Line extends LineOpen>(
  lines: readonly Line[],
  back: PlaysOut & { earnedMicros: Micros },
  outMicros: (line: Line) => number,
): Line[] {
  const weights = lines.map(line => Math.min(line.grossMicros, outMicros(line)));
  const partsOf = (pick: (amounts: PlaysOut & { earnedMicros: Micros }) => number) =>
    takeByWeight(pick(back), weights, lines.map(pick));
  const [plays, impressions, grosses, earned] = [
    partsOf(a => a.plays),
    partsOf(a => a.impressionsThousandths),
    partsOf(a => a.grossMicros),
    partsOf(a => a.earnedMicros),
  ];
  return lines
    .map((line, at) => ({
      ...line,
      plays: plays[at]!,
      impressionsThousandths: impressions[at]!,
      grossMicros: grosses[at]!,
      earnedMicros: earned[at]!,
    }))
    .filter(line => line.plays > 0 || line.impressionsThousandths > 0 || line.grossMicros > 0 || line.earnedMicros > 0);
}

/**
 * Divides a total in proportion to weights, no part above what is held there; the rest is taken wherever something is
 * left.
 */
function takeByWeight(total: number, weights: readonly number[], holds: readonly number[]): number[] {
  const hasWeight = weights.some(weight => weight > 0);
  const parts = (hasWeight ? apportion(total, weights) : weights.map(() => 0)).map((part, at) =>
    Math.min(part, holds[at]!),
  );
  let left = total - parts.reduce((sum, part) => sum + part, 0);
  for (const [at, part] of parts.entries()) {
    const more = Math.min(left, holds[at]! - part);
    parts[at] = part + more;
    left -= more;
  }
  return parts;
}

const MILLION = 1_000_000n;

/** Rounded up, so that the remaining earnings are never above their share of the remaining charges. */
function shareUpMicros(grossMicros: Micros, shareMillionths: number): Micros {
  return Number((BigInt(grossMicros) * BigInt(shareMillionths) + MILLION - 1n) / MILLION);
}
