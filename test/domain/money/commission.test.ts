/**
 * What a screen earns of a play: between a tenth and half of its ad ratio. Pure rules, by examples and random screens.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commissionOf, earnedMicros } from '#domain/money/commission.ts';

const facts = fc.record({
  adRatio: fc.double({ min: 0, max: 1, noNaN: true }),
  hasSensor: fc.boolean(),
  dailyVisitors: fc.integer({ min: 0, max: 10_000_000 }),
  dwellMinutes: fc.double({ min: 0.1, max: 1440, noNaN: true }),
});
const money = fc.integer({ min: 0, max: 10 ** 15 });

describe('the commission of a screen', () => {
  test.each([
    [
      'at full ad ratio with a sensing module is half',
      { adRatio: 1, hasSensor: true, dailyVisitors: 0, dwellMinutes: 1 },
      'sensing',
      500_000,
    ],
    [
      'at half the ad ratio is half of that',
      { adRatio: 0.5, hasSensor: true, dailyVisitors: 50, dwellMinutes: 5 },
      'sensing',
      250_000,
    ],
    [
      'without a module is the same for 1,000 visitors and 30 minutes',
      { adRatio: 1, hasSensor: false, dailyVisitors: 1_000, dwellMinutes: 30 },
      'full_audience',
      500_000,
    ],
    [
      'does not grow beyond them',
      { adRatio: 1, hasSensor: false, dailyVisitors: 90_000, dwellMinutes: 300 },
      'full_audience',
      500_000,
    ],
    [
      'goes with visitors',
      { adRatio: 1, hasSensor: false, dailyVisitors: 500, dwellMinutes: 45 },
      'scaled_audience',
      250_000,
    ],
    [
      'and with dwell',
      { adRatio: 0.8, hasSensor: false, dailyVisitors: 500, dwellMinutes: 15 },
      'scaled_audience',
      100_000,
    ],
    [
      'is never under a tenth of the ad ratio',
      { adRatio: 0.6, hasSensor: false, dailyVisitors: 40, dwellMinutes: 5 },
      'minimum',
      60_000,
    ],
    [
      'is nothing where no ads are shown',
      { adRatio: 0, hasSensor: true, dailyVisitors: 1_000, dwellMinutes: 30 },
      'sensing',
      0,
    ],
  ])('%s', (_name, of, tier, shareMillionths) => {
    expect(commissionOf(of)).toEqual({ tier, shareMillionths });
  });

  test('is between a tenth and half of the ad ratio, whatever the facts', () => {
    fc.assert(
      fc.property(facts, of => {
        const { shareMillionths } = commissionOf(of);
        expect(shareMillionths).toBeGreaterThanOrEqual(Math.round(0.1 * of.adRatio * 1e6));
        expect(shareMillionths).toBeLessThanOrEqual(Math.round(0.5 * of.adRatio * 1e6));
      }),
    );
  });

  test('never falls with more visitors, more dwell, more ads or a sensing module', () => {
    fc.assert(
      fc.property(facts, facts, (a, b) => {
        const more = {
          adRatio: Math.max(a.adRatio, b.adRatio),
          hasSensor: a.hasSensor || b.hasSensor,
          dailyVisitors: Math.max(a.dailyVisitors, b.dailyVisitors),
          dwellMinutes: Math.max(a.dwellMinutes, b.dwellMinutes),
        };
        expect(commissionOf(more).shareMillionths).toBeGreaterThanOrEqual(commissionOf(a).shareMillionths);
      }),
    );
  });

  test('pays whole micro-units, at most half of the gross, and less than one under the exact share', () => {
    fc.assert(
      fc.property(facts, money, (of, gross) => {
        const commission = commissionOf(of);
        const earned = earnedMicros(gross, commission);
        expect(Number.isSafeInteger(earned)).toBe(true);
        expect(earned * 2).toBeLessThanOrEqual(gross);
        const exact = BigInt(gross) * BigInt(commission.shareMillionths);
        expect(BigInt(earned) * 1_000_000n <= exact && exact < (BigInt(earned) + 1n) * 1_000_000n).toBe(true);
      }),
    );
  });

  test('of parts is at most the commission of the whole, and below it by less than a micro-unit per part', () => {
    fc.assert(
      fc.property(facts, fc.array(money, { minLength: 1, maxLength: 20 }), (of, parts) => {
        const commission = commissionOf(of);
        const whole = earnedMicros(
          parts.reduce((sum, part) => sum + part, 0),
          commission,
        );
        const sum = parts.reduce((total, part) => total + earnedMicros(part, commission), 0);
        expect(whole - sum).toBeGreaterThanOrEqual(0);
        expect(whole - sum).toBeLessThan(parts.length);
      }),
    );
  });
});
