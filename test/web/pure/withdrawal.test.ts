/** What a withdrawal takes, costs and brings, as the console says it before. Pure functions. */
import { describe, expect, test } from 'vitest';
import { withdrawalOf } from '../../../web/console/pages/venue/withdrawal.ts';

const balance = (available: number, currency = 'EUR', fee = 1.5) => ({
  available: { value: available, currency },
  fee: { value: fee, currency },
});
const TERMS = { freeAbove: 100, unit: 0.01 };

describe('a withdrawal', () => {
  test('shows its amount, its fee and the net amount', () => {
    expect(withdrawalOf(balance(42), TERMS)).toEqual({ amount: 42, fee: 1.5, arrives: 40.5 });
  });

  test('is free above the limit, and not at it', () => {
    expect(withdrawalOf(balance(100), TERMS)).toMatchObject({ fee: 1.5 });
    expect(withdrawalOf(balance(100.01), TERMS)).toEqual({ amount: 100.01, fee: 0, arrives: 100.01 });
  });

  test.each([
    ['EUR', 621.637156, 0.01, 621.63],
    ['JPY', 621.637156, 1, 621],
    ['KWD', 621.637156, 0.001, 621.637],
    ['EUR', 0.29, 0.01, 0.29],
  ])('of %s takes %d in whole units of %d', (currency, available, unit, amount) => {
    expect(withdrawalOf(balance(available, currency, 0), { freeAbove: 1_000, unit })).toMatchObject({ amount });
  });

  test.each([[0], [0.004], [1.5]])('of %d is not offered, because the net amount would be zero', available => {
    expect(withdrawalOf(balance(available), TERMS)).toBeUndefined();
  });
});
