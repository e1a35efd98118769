/** What is forecast beyond the four weeks that are looked at by the hour. Pure rules. */
import { expect, test } from 'vitest';
import { availabilityOf } from '#domain/forecast/availability.ts';
import { unknownBands } from '#domain/forecast/band.ts';
import { forecastPlan } from '#domain/forecast/forecast.ts';
import type { Plan } from '#domain/forecast/plan-supply.ts';
import { prepareForecasts } from '#domain/forecast/preparation.ts';
import { EMPTY_MODEL } from '#domain/forecast/supply/supply-model.ts';
import { parseTargets, type Targets } from '#domain/campaigns/targeting.ts';
import { handle } from '../../support/handle.ts';
import { placeOf } from '../allocation/place.ts';

const TODAY = 20_600;
const DAY_MS = 86_400_000;
const VENUE = handle('venue', 1);
/** One screen, open always. Of the promised slots nine in ten are expected. */
const IMPRESSIONS_PER_MINUTE = 10;
const PER_MINUTE = 0.9 * IMPRESSIONS_PER_MINUTE;
const PER_DAY = 1440 * PER_MINUTE;

const prepared = prepareForecasts({
  places: [
    placeOf({
      venue: VENUE,
      screens: 1,
      sensor: false,
      venueType: 'entertainment.bars',
      playsPerMinute: 2,
      impressionsPerMinute: IMPRESSIONS_PER_MINUTE,
    }),
  ],
  campaigns: [],
  model: EMPTY_MODEL,
  bands: unknownBands(),
  atMs: TODAY * DAY_MS,
});
const ask = (plan: Pick<Plan, 'startsOn' | 'endsOn'>, targets: object = {}) =>
  forecastPlan(prepared, { sandbox: false, targets: parseTargets(targets) as Targets, budgetMicros: 1e15, ...plan });

test.each([
  ['12:40', '13:20', 40],
  ['08:20', '08:40', 20],
  ['23:40', '00:20', 40],
  ['22:10', '22:05', 1435],
])('a daypart from %s to %s has its %i minutes a day there, as within the four weeks', (start, end, minutes) => {
  const week = 7 * minutes * PER_MINUTE;
  const targets = { daypart: { start, end } };
  expect(ask({ startsOn: TODAY + 1, endsOn: TODAY + 7 }, targets).impressions / week).toBeCloseTo(1, 2);
  const later = ask({ startsOn: TODAY + 60, endsOn: TODAY + 66 }, targets);
  expect(later.impressions / week).toBeCloseTo(1, 2);
  expect(later.pacing).toHaveLength(7);
  for (const { impressionsEst } of later.pacing) expect((7 * impressionsEst) / week).toBeCloseTo(1, 1);
});

test('a flight in ten years has the same forecast as a flight today', () => {
  const week = { startsOn: TODAY + 3650, endsOn: TODAY + 3656 };
  expect(ask(week).impressions / (7 * PER_DAY)).toBeCloseTo(1, 2);
  const available = availabilityOf(prepared, { sandbox: false, venues: new Set([VENUE]), ...week });
  expect(available.get(VENUE)!.impressions / (7 * PER_DAY)).toBeCloseTo(1, 2);
});

test('a flight of three years has the sum of its days, including a night at its end', () => {
  const years = { startsOn: TODAY + 1, endsOn: TODAY + 1096 };
  expect(ask(years).impressions / (1096 * PER_DAY)).toBeCloseTo(1, 3);
  const night = ask(years, { daypart: { start: '22:00', end: '06:00' } });
  expect((3 * night.impressions) / (1096 * PER_DAY)).toBeCloseTo(1, 3);
  expect(night.pacing.at(-1)!.impressionsEst / night.pacing[500]!.impressionsEst).toBeCloseTo(1, 3);
});
