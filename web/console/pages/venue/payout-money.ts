/** Amounts of payouts. */
import { money, smallestAmount } from '../../text/format.ts';

/** Money of payouts has `value` where other money has `amount`. */
export function payoutMoney({ value, currency }: { value: number; currency: string }): string {
  return money({ amount: value, currency });
}

/** Part of a smallest unit: an amount is below a whole unit by less than this only through rounding. */
const ROUNDING = 1e-6;

/** What a bank can transfer of an amount: whole smallest units, cents of EUR. Parts of one stay on the balance. */
export function withdrawableMoney({ value, currency }: { value: number; currency: string }): string {
  const unit = Number(smallestAmount(currency));
  return money({ amount: Math.floor(value / unit + ROUNDING) * unit, currency });
}
