/**
 * The forecast of a plan with a frequency cap, beside the most that its screens could show under it, and of one beside
 * a booking with a cap: random small networks, in which every slot is tried.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTargets, type Targets } from '#domain/campaigns/targeting.ts';
import { unknownBands } from '#domain/forecast/band.ts';
import { type Forecast, forecastPlan } from '#domain/forecast/forecast.ts';
import { prepareForecasts } from '#domain/forecast/preparation.ts';
import { EMPTY_MODEL } from '#domain/forecast/supply/supply-model.ts';
import { handle } from '../../support/handle.ts';
import { placeOf } from '../allocation/place.ts';
import { mostPlays } from '../allocation/slot-by-slot.ts';

const TODAY = 20_600;
const DAYS = 7;
const SLOTS_PER_MINUTE = 4;
/** Every slot that the screens promise comes. */
const MODEL = { ...EMPTY_MODEL, shares: new Map([['*', new Float32Array(168).fill(1)]]) };

type Place = { screens: number; adRatio: number; people: number; city: string };

const places = fc.array(
  fc.record({
    screens: fc.integer({ min: 1, max: 4 }),
    // Slots that divide the hour evenly: then no cap lets in more plays than itself in any hour.
    adRatio: fc.constantFrom(0.25, 0.5, 1),
    people: fc.integer({ min: 1, max: 9 }),
    city: fc.constantFrom('berlin', 'paris'),
  }),
  { minLength: 1, maxLength: 4 },
);
const caps = fc.constantFrom(1, 2, 5, 12, 60, 120, 300);

const targets = parseTargets({}) as Targets;
const flight = { startsOn: TODAY, endsOn: TODAY + DAYS - 1 };

/** @param bookedCap of a campaign that wants more than there is; undefined: nothing is booked */
function forecastsOf(world: readonly Place[], bookedCap?: number): (frequencyPerHourMax: number | null) => Forecast {
  const prepared = prepareForecasts({
    places: world.map(({ screens, adRatio, people, city }, number) =>
      placeOf({
        venue: handle('venue', number + 1),
        screens,
        sensor: false,
        cityFolded: city,
        playsPerMinute: SLOTS_PER_MINUTE * screens * adRatio,
        impressionsPerMinute: SLOTS_PER_MINUTE * screens * adRatio * people,
      }),
    ),
    campaigns:
      bookedCap === undefined
        ? []
        : [
            {
              handle: handle('campaign', 1),
              sandbox: false,
              category: 'travel',
              targets,
              flight,
              orientations: ['landscape'],
              impressionsLeft: 1e12,
              frequencyPerHourMax: bookedCap,
            },
          ],
    model: MODEL,
    bands: unknownBands(),
    atMs: TODAY * 86_400_000,
  });
  return frequencyPerHourMax =>
    forecastPlan(prepared, { sandbox: false, targets, ...flight, budgetMicros: 1e15, frequencyPerHourMax });
}

test('is limited to the plays that its screens can show under the cap', () => {
  fc.assert(
    fc.property(places, caps, (world, cap) => {
      const most = world.reduce((sum, one) => sum + one.screens * one.people * DAYS * mostPlays(one.adRatio, cap), 0);
      const { impressions } = forecastsOf(world)(cap);
      expect(impressions).toBeLessThanOrEqual(most);
      expect(impressions).toBeGreaterThanOrEqual(0.999 * most);
    }),
  );
});

test('a booking with a cap leaves others the slots beyond its cap, however large its budget', () => {
  fc.assert(
    fc.property(places, caps, (world, cap) => {
      const all = forecastsOf(world)(null).impressions;
      const taken = forecastsOf(world)(cap).impressions;
      expect(forecastsOf(world, cap)(null).impressions / all).toBeCloseTo(1 - taken / all, 2);
    }),
    { numRuns: 50 },
  );
});

test('grows with the cap up to the forecast without a cap, which a cap of all slots equals', () => {
  fc.assert(
    fc.property(places, caps, (world, cap) => {
      const forecast = forecastsOf(world);
      const open = forecast(null);
      expect(forecast(cap).impressionsHigh).toBeLessThanOrEqual(forecast(cap + 1).impressionsHigh);
      expect(forecast(cap).impressionsHigh).toBeLessThanOrEqual(open.impressionsHigh);
      expect(forecast(240)).toEqual(open);
    }),
  );
});
