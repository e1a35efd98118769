/**
 * Amounts in micro-units: how the API writes them, how prices and shares round, and that nothing is lost beyond 2^53.
 * Pure rules, by examples and compared with exact arithmetic.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  apportion,
  ceilToMinor,
  costMicros,
  currencyDecimals,
  decimalFromMicros,
  floorToMinor,
  formatAmount,
  formatExact,
  microsFromDecimal,
  minorUnitMicros,
  roundThousandths,
  roundToMinor,
  shareMicros,
} from '#domain/money/money.ts';

describe('amounts', () => {
  test.each([
    [100, 'EUR', 100_000_000],
    [0.01, 'EUR', 10_000],
    [19.99, 'USD', 19_990_000],
    [0.1, 'GBP', 100_000],
    [1_000_000_000, 'EUR', 1_000_000_000_000_000],
    [500, 'JPY', 500_000_000],
    [1.234, 'BHD', 1_234_000],
    [0, 'EUR', 0],
    [-0, 'EUR', 0],
  ])('%s %s is %i micro-units', (amount, currency, micros) => {
    expect(microsFromDecimal(amount, currency)).toBe(micros);
  });

  test.each([
    [0.1 + 0.2, 'EUR', '/amount', 'too_many_decimals'],
    [10.005, 'EUR', '/amount', 'too_many_decimals'],
    [0.5, 'JPY', '/amount', 'too_many_decimals'],
    [1.2345, 'BHD', '/amount', 'too_many_decimals'],
    [1e-7, 'EUR', '/amount', 'too_many_decimals'],
    [1.5e-7, 'EUR', '/amount', 'too_many_decimals'],
    [-1, 'EUR', '/amount', 'out_of_range'],
    [Number.NaN, 'EUR', '/amount', 'out_of_range'],
    [Number.POSITIVE_INFINITY, 'EUR', '/amount', 'out_of_range'],
    [1e21, 'EUR', '/amount', 'out_of_range'],
    [9_007_199_255, 'EUR', '/amount', 'out_of_range'],
    [1, 'eur', '/currency', 'unknown_currency'],
    [1, 'ABC', '/currency', 'unknown_currency'],
    [1, 'toString', '/currency', 'unknown_currency'],
  ])('%s %s is refused at %s: %s', (amount, currency, pointer, code) => {
    expect(microsFromDecimal(amount, currency, '/budget')).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: `/budget${pointer}`, code }],
    });
  });

  test('every amount in the smallest unit of a currency passes through the API unchanged', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('JPY', 'EUR', 'KWD'),
        fc.integer({ min: 0, max: 1_000_000_000 }),
        (currency, minor) => {
          const unit = 10 ** (6 - currencyDecimals(currency)!);
          expect(microsFromDecimal(decimalFromMicros(minor * unit), currency)).toBe(minor * unit);
        },
      ),
    );
  });

  test('micro-units up to the largest budget print as their exact decimal', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 15 }), micros => {
        expect(Math.round(Number(String(decimalFromMicros(micros))) * 1e6)).toBe(micros);
        expect(Number(BigInt(micros) / 1_000_000n)).toBe(Math.floor(decimalFromMicros(micros)));
      }),
    );
  });
});

describe('prices', () => {
  test.each([
    [7160, 1000, 7160],
    [7160, 1, 8],
    [7160, 2500, 17_900],
    [1, 1, 1],
    [1, 1001, 2],
    [0, 5000, 0],
    [5000, 0, 0],
    [3333, 333, 1110],
  ])('a rate of %i and %i thousandths of an impression cost %i', (rate, thousandths, cost) => {
    expect(costMicros(rate, thousandths)).toBe(cost);
  });

  test('a price is the exact product, rounded up, whatever its size', () => {
    const amount = fc.oneof(fc.nat(), fc.maxSafeNat(), fc.integer({ min: 0, max: 10 ** 9 }));
    fc.assert(
      fc.property(amount, amount, (rate, thousandths) => {
        const exact = (BigInt(rate) * BigInt(thousandths) + 999n) / 1000n;
        fc.pre(exact <= BigInt(Number.MAX_SAFE_INTEGER));
        expect(BigInt(costMicros(rate, thousandths))).toBe(exact);
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    [2 ** 53 - 1, 1000, 2 ** 53 - 1],
    [2 ** 52, 1999, 9_002_695_655_113_622],
    [9_007_199_254_740, 1_000_000, 9_007_199_254_740_000],
  ])('a rate of %i and %i thousandths cost %i, though their product is beyond 2^53', (rate, thousandths, cost) =>
    expect(BigInt(costMicros(rate, thousandths))).toBe(BigInt(cost)),
  );

  test.each([
    [2 ** 53 - 1, 1001],
    [2 ** 53 - 1, 2 ** 53 - 1],
  ])('a rate of %i and %i thousandths, beyond all money, are a bug', (rate, thousandths) => {
    expect(() => costMicros(rate, thousandths)).toThrow('2^53');
  });

  test('more impressions never cost less', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 10 ** 7 }),
        fc.nat({ max: 10 ** 8 }),
        fc.nat({ max: 10 ** 6 }),
        (rate, thousandths, more) => {
          expect(costMicros(rate, thousandths + more)).toBeGreaterThanOrEqual(costMicros(rate, thousandths));
        },
      ),
    );
  });

  test.each([
    [-1, 1],
    [1, -1],
    [0.5, 1],
    [1, 0.5],
    [Number.NaN, 1],
  ])('a rate of %s with %s thousandths is a bug', (rate, thousandths) => {
    expect(() => costMicros(rate, thousandths)).toThrow('not an integer');
  });

  test.each([
    [0, 0],
    [499, 0],
    [500, 1],
    [999, 1],
    [1000, 1],
    [1500, 2],
    [Number.MAX_SAFE_INTEGER, 9_007_199_254_741],
  ])('%i thousandths are shown as %i', (thousandths, shown) => {
    expect(roundThousandths(thousandths)).toBe(shown);
  });
});

describe('shares', () => {
  const amount = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

  test('are exact and rounded down, even if the product is beyond 2^53', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 1_000_000 }), (micros, millionths) => {
        expect(BigInt(shareMicros(micros, millionths))).toBe((BigInt(micros) * BigInt(millionths)) / 1_000_000n);
      }),
    );
    expect(() => shareMicros(1, 1_000_001)).toThrow('no share');
  });

  test('sum to the total when apportioned, each within one of its exact part', () => {
    fc.assert(
      fc.property(amount, fc.array(fc.nat(10 ** 9), { minLength: 1, maxLength: 30 }), (total, weights) => {
        const sum = weights.reduce((all, weight) => all + weight, 0);
        fc.pre(sum > 0);
        const parts = apportion(total, weights);
        expect(parts.reduce((all, part) => all + BigInt(part), 0n)).toBe(BigInt(total));
        for (const [index, part] of parts.entries()) {
          const exact = BigInt(total) * BigInt(weights[index]!);
          expect(
            BigInt(part) * BigInt(sum) > exact - BigInt(sum) && BigInt(part) * BigInt(sum) < exact + BigInt(sum),
          ).toBe(true);
        }
      }),
    );
  });

  test('of zero are zero, and an amount needs a recipient', () => {
    expect(apportion(0, [0, 0])).toEqual([0, 0]);
    expect(apportion(1, [0, 0, 1, 1])).toEqual([0, 0, 1, 0]);
    expect(() => apportion(1, [0])).toThrow('nobody');
  });
});

describe('minor units', () => {
  test.each('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '))(
    '%s has no decimals',
    currency => expect(currencyDecimals(currency)).toBe(0),
  );
  test.each('BHD IQD JOD KWD LYD OMR TND'.split(' '))('%s has three decimals', currency =>
    expect(currencyDecimals(currency)).toBe(3),
  );

  test.each([
    ['EUR', 10_000, '1234.50', 1_234_500_000],
    ['JPY', 1_000_000, '1234', 1_234_000_000],
    ['KWD', 1_000, '1234.005', 1_234_005_000],
    ['EUR', 10_000, '-0.05', -50_000],
    ['KWD', 1_000, '0.000', 0],
  ])('of %s are %i micro-units, as in %s', (currency, unit, text, micros) => {
    expect(minorUnitMicros(currency)).toBe(unit);
    expect(formatAmount(micros, currency)).toBe(text);
  });

  test('amounts are rounded half up, and down to payable amounts', () => {
    expect([4_999, 5_000, 14_999, 15_000].map(micros => roundToMinor(micros, 'EUR'))).toEqual([
      0, 10_000, 10_000, 20_000,
    ]);
    expect([9_999, 10_000, 19_999].map(micros => floorToMinor(micros, 'EUR'))).toEqual([0, 10_000, 10_000]);
    expect([0, 1, 10_000, 10_001].map(micros => ceilToMinor(micros, 'EUR'))).toEqual([0, 10_000, 10_000, 20_000]);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 14 }), fc.constantFrom('EUR', 'JPY', 'KWD'), (micros, currency) => {
        const unit = minorUnitMicros(currency);
        expect(Math.abs(roundToMinor(micros, currency) - micros)).toBeLessThanOrEqual(unit / 2);
        expect(roundToMinor(micros, currency) % unit).toBe(0);
        expect(micros - floorToMinor(micros, currency)).toBeLessThan(unit);
        expect(Number(formatAmount(floorToMinor(micros, currency), currency))).toBe(
          decimalFromMicros(floorToMinor(micros, currency)),
        );
      }),
    );
    expect(() => formatAmount(1, 'EUR')).toThrow('no amount of EUR');
    expect(() => minorUnitMicros('XXX')).toThrow('no currency');
  });
});

test.each([
  [1_234_505_000, 'EUR', '1234.505'],
  [1_234_500_000, 'EUR', '1234.50'],
  [-1, 'EUR', '-0.000001'],
  [0, 'EUR', '0.00'],
  [5_000_000, 'JPY', '5'],
  [5_100_000, 'JPY', '5.1'],
  [1_000, 'KWD', '0.001'],
])('%i micro-units of %s are written %s, and nothing is rounded', (micros, currency, text) => {
  expect(formatExact(micros, currency)).toBe(text);
});
