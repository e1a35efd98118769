/** Amounts of payouts. */
import { money } from '../../text/format.ts';

/** Money of payouts has `value` where other money has `amount`. */
export function payoutMoney({ value, currency }: { value: number; currency: string }): string {
  return money({ amount: value, currency });
}
