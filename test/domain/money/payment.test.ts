/** Amounts as the payment provider takes them, currency by currency. A pure rule, by examples. */
import { expect, test } from 'vitest';
import { microsOfProvider, providerAmount } from '#domain/money/payment.ts';

test.each([
  ['EUR', 12_340_000, 1_234],
  ['EUR', 12_345_000, undefined],
  ['JPY', 500_000_000, 500],
  ['MGA', 500_000_000, 500],
  ['MGA', 500_500_000, undefined],
  ['KWD', 5_120_000, 5_120],
  ['KWD', 5_124_000, undefined],
  ['ISK', 5_000_000, 500],
  ['IQD', 5_000_000, undefined],
  ['UGX', 5_000_000, undefined],
])('%s %i micro-units are %s of the provider', (currency, micros, amount) => {
  expect(providerAmount(micros, currency)).toBe(amount);
  const back = amount === undefined ? micros : microsOfProvider(amount, currency);
  expect(back).toBe(micros);
});
