/** What can be withdrawn of a balance now, what that costs, and what arrives. */
type Money = { value: number; currency: string };
export type Withdrawal = { amount: number; fee: number; arrives: number };

/** Of a smallest unit: below it an amount is short of a whole unit by rounding alone. */
const ROUNDING = 1e-6;

/**
 * All that is available in whole smallest units (`unit`: 0.01 of EUR); the rest stays. Undefined if the fee would use
 * it up.
 */
export function withdrawalOf(
  { available, fee }: { available: Money; fee: Money },
  { freeAbove, unit }: { freeAbove: number; unit: number },
): Withdrawal | undefined {
  const inUnits = (amount: number) => Number((Math.floor(amount / unit + ROUNDING) * unit).toFixed(6));
  const amount = inUnits(available.value);
  const charged = amount > freeAbove ? 0 : fee.value;
  const arrives = inUnits(amount - charged);
  return amount > charged ? { amount, fee: charged, arrives } : undefined;
}
