import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { impressionsEstThousandths } from '#domain/venue.ts';

describe('estimated impressions', () => {
  const gym = { dailyVisitors: 800, dwellMinutes: 60, openMinutesPerDay: 960, durationMs: 15_000 };

  test.each([
    [{}, 50_000],
    [{ durationMs: 6000 }, 20_000],
    [{ durationMs: 20_000 }, 50_000],
    [{ dwellMinutes: 1 }, 833],
    [{ dailyVisitors: 0 }, 1],
    [{ dailyVisitors: 1, dwellMinutes: 0.01 }, 1],
    [{ openMinutesPerDay: 0 }, 48_000_000],
    [{ dailyVisitors: 10_000_000, dwellMinutes: 1440, openMinutesPerDay: 1 }, 2_000_000_000],
  ])('800 visitors of an hour in 16 hours, with %j: %i thousandths', (change, thousandths) => {
    expect(impressionsEstThousandths({ ...gym, ...change })).toBe(thousandths);
  });

  test('an estimate is an integer that fits a play id, also when a sensor doubles it', () => {
    const amounts = fc.record({
      dailyVisitors: fc.integer({ min: 0, max: 10_000_000 }), dwellMinutes: fc.double({ min: 0.01, max: 1440, noNaN: true }),
      openMinutesPerDay: fc.double({ min: 0, max: 1440, noNaN: true }), durationMs: fc.integer({ min: 6000, max: 20_000 }),
    });
    fc.assert(fc.property(amounts, amounts => {
      const thousandths = impressionsEstThousandths(amounts);
      expect(Number.isInteger(thousandths)).toBe(true);
      expect(thousandths).toBeGreaterThanOrEqual(1);
      expect(2 * thousandths).toBeLessThan(2 ** 32);
    }));
  });

  test('no dwell or no duration is a bug', () => {
    expect(() => impressionsEstThousandths({ ...gym, dwellMinutes: 0 })).toThrow('amounts');
    expect(() => impressionsEstThousandths({ ...gym, durationMs: Number.NaN })).toThrow('amounts');
  });
});
