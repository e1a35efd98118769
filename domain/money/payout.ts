/** A withdrawal of earnings: its states, its fee, and which earnings it takes. */
import { assert } from '../assertion.ts';
import { apportion, floorToMinor, formatAmount, minorUnitMicros, refuseFunds } from './money.ts';
import { refuse, refuseField, type Refusal } from '../refusal.ts';
import { defineMachine, next } from '../transition.ts';
import type { Micros, Milliseconds } from '../unit.ts';

const payoutMachine = defineMachine({
  states: ['issued', 'paid', 'failed'],
  moves: [
    { from: 'issued', on: 'pay', to: 'paid' },
    { from: 'issued', on: 'fail', to: 'failed' },
  ],
});
export type PayoutState = (typeof payoutMachine.states)[number];
export const PAYOUT_STATES = payoutMachine.states;

/** The state after the bank's answer; `state_conflict` where the payout has one already. */
export function settlePayout(state: PayoutState, outcome: 'paid' | 'failed'): PayoutState | Refusal {
  return (
    next(payoutMachine, state, outcome === 'paid' ? 'pay' : 'fail') ??
    refuse('state_conflict', `The payout is ${state} already.`)
  );
}

type NewAccount = { isFirst: boolean; nowMs: Milliseconds; pauseMs: Milliseconds };

/**
 * The time (ms since 1970) from which withdrawals go to an account set now. The first account is used at once. One that
 * replaces another waits: the holder of a stolen key could otherwise change the account and withdraw before it is
 * noticed.
 */
export function accountUsableFromMs({ isFirst, nowMs, pauseMs }: NewAccount): Milliseconds {
  return isFirst ? nowMs : nowMs + pauseMs;
}

/** The account that a withdrawal goes to, or why it may not; `account` undefined where none is set. */
export function usableAccount<Account extends { usableFrom: Date }>(
  account: Account | undefined,
  nowMs: Milliseconds,
): Account | Refusal {
  if (!account)
    return refuse('payout_account_missing', 'Set the account that payouts go to with PUT /v1/payouts/account first.');
  if (account.usableFrom.getTime() <= nowMs) return account;
  return refuse(
    'payout_account_changed',
    `The account was changed; withdrawals to it are possible from ${timeInWords(account.usableFrom.getTime())}, or as soon as the operator has confirmed it.`,
  );
}

const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** `9 Mar 2026, 00:00 UTC` */
function timeInWords(ms: Milliseconds): string {
  return `${TIME.format(ms)} UTC`;
}

/** Withdrawals above `freeAboveMicros` cost nothing, others `feeMicros`; both in the currency that is withdrawn. */
export type PayoutTerms = { freeAboveMicros: Micros; feeMicros: Micros };
export type Withdrawal = { amountMicros: Micros; feeMicros: Micros };

/**
 * Earnings that were not withdrawn: those that can be now, and those that are held. Of the held ones `reviewedMicros`
 * wait for a decision of the operator, the others for a time: the first of them until `nextMs`, undefined where there
 * are none.
 */
export type Earnings = {
  availableMicros: Micros;
  heldMicros: Micros;
  reviewedMicros: Micros;
  nextMs: Milliseconds | undefined;
};

/** `wantedMicros` is undefined where the caller named no amount. */
type WithdrawalRequest = { wantedMicros: Micros | undefined; earnings: Earnings; currency: string; terms: PayoutTerms };

/**
 * The amount and the fee of a withdrawal. Without an amount it takes all available earnings payable in the currency;
 * the rest, below a minor unit, stays. Refuses more than is available, and what its fee would use up.
 */
export function planWithdrawal({ wantedMicros, earnings, currency, terms }: WithdrawalRequest): Withdrawal | Refusal {
  const { availableMicros, heldMicros } = earnings;
  const amountMicros = wantedMicros ?? floorToMinor(availableMicros, currency);
  if (amountMicros > availableMicros + heldMicros)
    return refuseFunds(
      { neededMicros: amountMicros, availableMicros, currency },
      available => `${available} can be withdrawn now.`,
    );
  if (amountMicros > availableMicros) return refuseHeld(earnings, currency);
  const feeMicros = withdrawalFee(amountMicros, currency, terms);
  if (amountMicros > feeMicros) return { amountMicros, feeMicros };
  if (wantedMicros !== undefined) return refuseField('/amount/value', 'out_of_range', 'must be above the sending fee');
  return heldMicros > 0
    ? refuseHeld(earnings, currency)
    : refuse(
        'insufficient_funds',
        `There are no earnings that exceed the sending fee of ${formatAmount(feeMicros, currency)} ${currency}.`,
      );
}

function refuseHeld({ availableMicros, heldMicros, reviewedMicros, nextMs }: Earnings, currency: string): Refusal {
  const amount = (micros: Micros) => `${formatAmount(floorToMinor(micros, currency), currency)} ${currency}`;
  const reviewed = reviewedMicros === 0 ? '' : `, ${amount(reviewedMicros)} of it under review (GET /v1/payouts/holds)`;
  const until = nextMs === undefined ? '' : `, the next part until ${timeInWords(nextMs)}`;
  return refuse(
    'earnings_held',
    `${amount(availableMicros)} can be withdrawn now; ${amount(heldMicros)} is held${reviewed}${until}.`,
  );
}

/** The fee in whole minor units of the currency: 1.50 becomes 2 in a currency without decimals. */
export function withdrawalFee(
  amountMicros: Micros,
  currency: string,
  { freeAboveMicros, feeMicros }: PayoutTerms,
): number {
  if (amountMicros > freeAboveMicros) return 0;
  const unit = minorUnitMicros(currency);
  return Math.ceil(feeMicros / unit) * unit;
}

/** The remaining earnings of a venue on a day: integers of 0 or more. */
export type EarningLeft = { plays: number; impressionsThousandths: number; grossMicros: Micros; earnedMicros: Micros };

/**
 * Takes an amount out of earnings, the first ones first. The last of them may be taken in part: then the same part,
 * rounded, of its plays, impressions and gross goes with it, and what is left of them stays for a later withdrawal.
 * @param lefts together at least `amountMicros`
 */
export function takeEarnings<Left extends EarningLeft>(
  lefts: readonly Left[],
  amountMicros: Micros,
): { left: Left; taken: EarningLeft }[] {
  const portions: { left: Left; taken: EarningLeft }[] = [];
  let wanted = amountMicros;
  for (const left of lefts) {
    if (wanted === 0) break;
    const { earnedMicros } = left;
    if (earnedMicros === 0) continue;
    const part = Math.min(wanted, earnedMicros);
    const partOf = (amount: number) => apportion(amount, [part, earnedMicros - part])[0]!;
    portions.push({
      left,
      taken: {
        plays: partOf(left.plays),
        impressionsThousandths: partOf(left.impressionsThousandths),
        grossMicros: partOf(left.grossMicros),
        earnedMicros: part,
      },
    });
    wanted -= part;
  }
  assert(wanted === 0, `earnings lack ${wanted} micro-units of a withdrawal`);
  return portions;
}
