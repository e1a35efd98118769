import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VENUE_TYPES } from '#domain/taxonomy.ts';
import { impressionsEstThousandths, venueRateMicros } from '#domain/venue.ts';

describe('rates', () => {
  test.each([
    ['health_and_beauty.gyms', 6900],
    ['health_and_beauty.gyms.lobby', 6900],
    ['health_and_beauty.salons', 6280],
    ['entertainment.bars', 5100],
    ['entertainment.sports.arena', 4800],
    ['transit.subway.platform', 6830],
    ['education', 8500],
    ['outdoor.billboards', 7160],
    ['government.dmv', 7160],
  ])('an impression in %s costs %i micro-units', (type, rate) => expect(venueRateMicros(type)).toBe(rate));

  test('every type has a rate between the floor and the top of the market, 2.50 to 9 per thousand', () => {
    for (const { name } of VENUE_TYPES) {
      expect(venueRateMicros(name)).toBeGreaterThanOrEqual(2500);
      expect(venueRateMicros(name)).toBeLessThanOrEqual(9000);
    }
  });
});

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
