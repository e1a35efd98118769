/**
 * The discounts on the next charge: tiers of the month, credits, and what they add up to. Pure rules, by examples and
 * random charges.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { discountMicros, discountRate, volumeDiscountMicros, type DiscountFacts } from '#domain/money/discount.ts';

const EUR = 1_000_000;
const none: DiscountFacts = { monthToDateMicros: 0, deliveredMicros: 0, dueMicros: 0, caseStudy: false };
const spend = fc.integer({ min: 0, max: 10 ** 12 });
const facts = fc.record({
  monthToDateMicros: spend,
  deliveredMicros: spend,
  dueMicros: spend,
  caseStudy: fc.boolean(),
});

describe('the rate of the next charge', () => {
  test.each([
    [0, 0],
    [4_999.99, 0],
    [5_000, 0.05],
    [19_999.99, 0.05],
    [20_000, 0.1],
    [50_000, 0.15],
    [99_999, 0.15],
    [100_000, 0.22],
    [5_000_000, 0.22],
  ])('after %d of the month is %d', (spent, rate) => {
    expect(discountRate({ ...none, monthToDateMicros: Math.round(spent * EUR) })).toBe(rate * EUR);
  });

  test.each([
    ['at 95% of what is due there is no bonus', { deliveredMicros: 95 * EUR, dueMicros: 100 * EUR }, 0],
    ['above it there is', { deliveredMicros: 95 * EUR + 1, dueMicros: 100 * EUR }, 0.06],
    ['where nothing is due there is none', { deliveredMicros: 95 * EUR, dueMicros: 0 }, 0],
    ['a case study adds to it', { caseStudy: true }, 0.02],
    [
      'all together are the most there is',
      { monthToDateMicros: 100_000 * EUR, deliveredMicros: 2, dueMicros: 1, caseStudy: true },
      0.3,
    ],
  ])('%s', (_name, changes, rate) => {
    expect(discountRate({ ...none, ...changes })).toBe(Math.round(rate * EUR));
  });

  test('is 0 to 0.30', () => {
    fc.assert(
      fc.property(facts, of => {
        expect(discountRate(of)).toBeGreaterThanOrEqual(0);
        expect(discountRate(of)).toBeLessThanOrEqual(300_000);
      }),
    );
  });
});

describe('the discount on a charge', () => {
  test('across tiers applies each rate to the part in its tier', () => {
    const crossing = { ...none, monthToDateMicros: 4_000 * EUR };
    expect(discountMicros(crossing, 17_000 * EUR)).toBe((15_000 * 0.05 + 1_000 * 0.1) * EUR);
  });

  test('at the highest tier with both bonuses is 0.30, the rate that agencies see', () => {
    const most = { monthToDateMicros: 100_000 * EUR, deliveredMicros: 96, dueMicros: 100, caseStudy: true };
    expect(discountMicros(most, 1_000 * EUR)).toBe(300 * EUR);
    expect(discountRate(most)).toBe(0.3 * EUR);
  });

  test('is whole, at most 0.30 plus a micro-unit of rounding, and never above the charge', () => {
    fc.assert(
      fc.property(facts, spend, (of, charge) => {
        const discount = discountMicros(of, charge);
        expect(Number.isSafeInteger(discount) && discount >= 0).toBe(true);
        expect(BigInt(discount - 1) * 10n <= BigInt(charge) * 3n).toBe(true);
        expect(discount).toBeLessThanOrEqual(charge);
      }),
    );
  });

  test('for volume is the same however a month is split into settlements', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20_000 * EUR }), { minLength: 1, maxLength: 40 }), charges => {
        let spent = 0;
        let given = 0;
        for (const charge of charges) {
          given += discountMicros({ ...none, monthToDateMicros: spent }, charge);
          spent += charge;
        }
        expect(given).toBe(volumeDiscountMicros(spent));
        expect(given).toBe(discountMicros(none, spent));
      }),
    );
  });
});
