/** The available part of a balance, the fee of a withdrawal, and the net amount. */
type Money = { value: number; currency: string };
export type Withdrawal = { amount: number; fee: number; arrives: number };

/** Part of a smallest unit: an amount is below a whole unit by less than this only through rounding. */
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
