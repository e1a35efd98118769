import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type SupplyScreen, estimateSupply } from '#domain/forecast.ts';

const screen: SupplyScreen = { rateMicros: 5000, impressionsPerSlotThousandths: 2500, openMinutesPerDay: 600, adRatio: 0.5 };
const days = { startsOn: 20_000, endsOn: 20_002 };

describe('a supply estimate', () => {
  test('one screen of 1,200 slots a day and 2.5 people over three days', () => {
    expect(estimateSupply({ screens: [screen], ...days, budgetMicros: 100_000_000 })).toEqual({
      rateMicros: 5000, screensEligible: 1, plays: 3600, impressions: 9000, impressionsLow: 6300, impressionsHigh: 11_700, costMicros: 45_000_000, scanRateEst: 0.0005, fillProbability: 0.45,
      pacing: [{ day: 20_000, impressionsEst: 3000 }, { day: 20_001, impressionsEst: 3000 }, { day: 20_002, impressionsEst: 3000 }],
    });
  });

  test('a budget below the supply buys what it pays for', () => {
    expect(estimateSupply({ screens: [screen], ...days, budgetMicros: 9_000_000 })).toMatchObject({ plays: 720, impressions: 1800, costMicros: 9_000_000, fillProbability: 1 });
  });

  test('the rate is the mean of the venues, weighted by impressions', () => {
    const dear = { ...screen, rateMicros: 9000, adRatio: 0.25 };
    expect(estimateSupply({ screens: [screen, dear], ...days, budgetMicros: 1 }).rateMicros).toBe(Math.round((5000 * 2 + 9000) / 3));
  });

  test.each([
    ['no screens', []],
    ['only closed screens', [{ ...screen, openMinutesPerDay: 0 }]],
    ['only screens without ads', [{ ...screen, adRatio: 0 }]],
  ])('%s give a forecast of nothing', (_, screens) => {
    expect(estimateSupply({ screens, ...days, budgetMicros: 1_000_000 })).toMatchObject({ rateMicros: 0, screensEligible: screens.length, impressions: 0, impressionsLow: 0, impressionsHigh: 0, costMicros: 0, fillProbability: 0 });
  });

  test('the days sum to the whole, the cost stays within the budget and the band holds the estimate', () => {
    const screens = fc.array(fc.record({ rateMicros: fc.integer({ min: 1, max: 20_000 }), impressionsPerSlotThousandths: fc.integer({ min: 1, max: 10 ** 7 }), openMinutesPerDay: fc.double({ min: 0, max: 1440, noNaN: true }), adRatio: fc.double({ min: 0, max: 1, noNaN: true }) }), { maxLength: 20 });
    fc.assert(fc.property(screens, fc.integer({ min: 1, max: 1098 }), fc.integer({ min: 1, max: 10 ** 15 }), (screens, length, budgetMicros) => {
      const forecast = estimateSupply({ screens, startsOn: 20_000, endsOn: 20_000 + length - 1, budgetMicros });
      expect(forecast.pacing.reduce((sum, day) => sum + day.impressionsEst, 0)).toBe(forecast.impressions);
      expect(forecast.pacing).toHaveLength(length);
      expect(forecast.costMicros).toBeLessThanOrEqual(budgetMicros);
      expect(forecast.impressionsLow).toBeLessThanOrEqual(forecast.impressions);
      expect(forecast.impressionsHigh).toBeGreaterThanOrEqual(forecast.impressions);
      expect(forecast.fillProbability).toBeGreaterThanOrEqual(0);
      expect(forecast.fillProbability).toBeLessThanOrEqual(1);
    }));
  });

  test('more than three years, or none, is a bug', () => {
    expect(() => estimateSupply({ screens: [], startsOn: 5, endsOn: 4, budgetMicros: 1 })).toThrow('days');
    expect(() => estimateSupply({ screens: [], startsOn: 0, endsOn: 1098, budgetMicros: 1 })).toThrow('days');
  });
});
