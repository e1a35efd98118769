/**
 * What a booking will get: supply of its days, less what is booked already, bought by its budget, within a band that
 * the past justifies. Pure rules, by examples and random questions.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { repeatForecasts } from '#domain/forecast/backtest.ts';
import {
  bandOf,
  calibrateBands,
  chanceAbove,
  type PastForecast,
  sizeClassOf,
  unknownBands,
} from '#domain/forecast/band.ts';
import { type BookedCampaign, flightHours } from '#domain/forecast/bookings.ts';
import type { ForecastPlace } from '#domain/forecast/supply/supply.ts';
import { forecastPlan } from '#domain/forecast/forecast.ts';
import type { Plan } from '#domain/forecast/plan-supply.ts';
import type { Restriction } from '#domain/law/restriction.ts';
import { prepareForecasts } from '#domain/forecast/preparation.ts';
import { checkFlight, type FlightRule } from '#domain/screens/schedule.ts';
import { EMPTY_MODEL } from '#domain/forecast/supply/supply-model.ts';
import { parseTargets, type Targets } from '#domain/campaigns/targeting.ts';
import { handle } from '../../support/handle.ts';
import { placeOf } from '../allocation/place.ts';

const TODAY = 20_600;
const DAY_MS = 86_400_000;
const targetsOf = (json: object = {}) => parseTargets(json) as Targets;
const place = (changes: Partial<ForecastPlace> = {}): ForecastPlace =>
  placeOf({
    venue: handle('venue', 1),
    screens: 1,
    sensor: false,
    venueType: 'entertainment.bars',
    playsPerMinute: 2,
    impressionsPerMinute: 10,
    ...changes,
  });
const booked = (changes: Partial<BookedCampaign> = {}): BookedCampaign => ({
  handle: handle('campaign', 1),
  sandbox: false,
  category: 'travel',
  targets: targetsOf(),
  flight: { startsOn: TODAY, endsOn: TODAY + 27 },
  orientations: ['landscape', 'portrait'],
  impressionsLeft: 1000,
  ...changes,
});
const ask = (places: ForecastPlace[], campaigns: BookedCampaign[], plan: Partial<Plan> = {}) =>
  forecastPlan(
    prepareForecasts({ places, campaigns, model: EMPTY_MODEL, bands: unknownBands(), atMs: TODAY * DAY_MS }),
    { sandbox: false, targets: targetsOf(), startsOn: TODAY, endsOn: TODAY + 6, budgetMicros: 1e15, ...plan },
  );
/** Open always, nine in ten slots of the promise. */
const PER_DAY = 10 * 1440 * 0.9;

describe('a forecast', () => {
  test('is the supply of the requested days', () => {
    expect(ask([place()], []).impressions).toBeCloseTo(7 * PER_DAY, -1);
    expect(ask([place()], [], { endsOn: TODAY }).impressions).toBeCloseTo(PER_DAY, -1);
    expect(ask([place()], [], { targets: targetsOf({ days: ['sat', 'sun'] }) }).impressions).toBeCloseTo(
      2 * PER_DAY,
      -1,
    );
    expect(
      ask([place()], [], { targets: targetsOf({ daypart: { start: '18:00', end: '21:00' } }) }).impressions,
    ).toBeCloseTo((7 * PER_DAY) / 8, -1);
  });

  test('continues after the four weeks like the last of them', () => {
    expect(ask([place()], [], { endsOn: TODAY + 99 }).impressions / (100 * PER_DAY)).toBeCloseTo(1, 2);
    expect(ask([place()], [], { startsOn: TODAY + 60, endsOn: TODAY + 66 }).impressions / (7 * PER_DAY)).toBeCloseTo(
      1,
      2,
    );
  });

  test('is limited by the budget at the rate of the venue if supply is ample', () => {
    const forecast = ask([place()], [], { budgetMicros: 51_000_000 });
    expect(forecast).toMatchObject({ rateMicros: 5100, impressions: 10_000, plays: 2_000, costMicros: 51_000_000 });
    expect(forecast.fillProbability).toBeGreaterThan(0.95);
    expect(ask([place()], []).fillProbability).toBe(0.012);
  });

  test('leaves out screens of the other book and venues that block the category', () => {
    const places = [place(), place({ sandbox: true }), place({ blockedCategories: ['alcohol'] })];
    expect(ask(places, []).screensEligible).toBe(2);
    expect(ask(places, [], { category: 'alcohol' }).screensEligible).toBe(1);
    expect(ask(places, [], { sandbox: true }).screensEligible).toBe(1);
  });

  test('leaves out hours in which a rule forbids the category', () => {
    const timed: Restriction[] = [
      { rule: 'Example rule', category: 'alcohol', hours: { daypart: { startMinute: 0, endMinute: 18 * 60 } } },
    ];
    const most = (category: string) =>
      ask([place({ timed })], [], { category, budgetMicros: 1e15 }).impressions /
      ask([place()], [], { budgetMicros: 1e15 }).impressions;
    expect(most('alcohol')).toBeCloseTo(1 / 4, 2);
    expect(most('gambling')).toBe(1);
  });

  test('without supply is zero, with a warning', () => {
    expect(ask([], [])).toMatchObject({
      rateMicros: 0,
      impressions: 0,
      impressionsLow: 0,
      impressionsHigh: 0,
      costMicros: 0,
      fillProbability: 0,
      screensEligible: 0,
    });
    expect(ask([], []).warnings).toContainEqual(expect.objectContaining({ code: 'no_matching_screen' }));
  });
});

describe('bookings', () => {
  const week = { startsOn: TODAY, endsOn: TODAY + 6 };

  test('leave the supply that they do not take', () => {
    const free = ask([place()], []).impressions;
    expect(ask([place()], [booked({ flight: week, impressionsLeft: 40_000 })]).impressions).toBeCloseTo(
      free - 40_000,
      -2,
    );
    expect(ask([place()], [booked({ flight: week, impressionsLeft: 1e9 })])).toMatchObject({
      impressions: 0,
      warnings: [expect.objectContaining({ code: 'nothing_free' })],
    });
  });

  test('are moved if there is room elsewhere', () => {
    const places = [place(), place({ cityFolded: 'potsdam' })];
    const plan = { targets: targetsOf({ cities: ['Berlin'] }) };
    const all = ask(places, [], plan).impressions;
    const anywhere = booked({ flight: week, impressionsLeft: 70_000 });
    expect(ask(places, [anywhere], plan).impressions / all).toBeCloseTo(1, 2);
    expect(ask(places, [{ ...anywhere, targets: plan.targets }], plan).impressions).toBeCloseTo(all - 70_000, -2);
  });

  test.each([40_000, 0])('of the plan itself, %i impressions, do not reduce its forecast', impressionsLeft => {
    const campaigns = [booked({ flight: week, impressionsLeft })];
    expect(ask([place()], campaigns, { replaces: handle('campaign', 1) }).impressions).toBeCloseTo(
      ask([place()], []).impressions,
      -2,
    );
  });

  test('of the plan itself free no supply elsewhere', () => {
    const places = [place(), place({ cityFolded: 'potsdam' })];
    const inCity = (city: string, campaign: number, impressionsLeft: number) =>
      booked({
        handle: handle('campaign', campaign),
        targets: targetsOf({ cities: [city] }),
        flight: week,
        impressionsLeft,
      });
    const campaigns = [inCity('Berlin', 1, 40_000), inCity('Potsdam', 2, 70_000), inCity('Potsdam', 3, 10_000)];
    const impressionsIn = (city: string, plan: Partial<Plan> = {}) =>
      ask(places, campaigns, { targets: targetsOf({ cities: [city] }), ...plan }).impressions;
    const own = { replaces: handle('campaign', 1) };
    expect(impressionsIn('Potsdam', own)).toBe(impressionsIn('Potsdam'));
    expect(impressionsIn('Berlin', own)).toBeCloseTo(impressionsIn('Berlin') + 40_000, -2);
    expect(impressionsIn('Potsdam', { replaces: handle('campaign', 3) })).toBeCloseTo(
      impressionsIn('Potsdam') + 10_000, // of two bookings that are merged its own alone
      -2,
    );
  });
});

test('for any request the band contains the forecast, the pacing sums to it, and the budget is not exceeded', () => {
  const prepared = prepareForecasts({
    places: [
      place(),
      place({ cityFolded: 'potsdam', venueType: 'health_and_beauty.gyms', timezone: 'America/New_York' }),
      place({
        timezone: 'Asia/Kolkata',
        hours: Array.from({ length: 7 }, () => [{ startMinute: 1200, endMinute: 120 }]),
      }),
    ],
    campaigns: [booked({ impressionsLeft: 200_000 })],
    model: EMPTY_MODEL,
    bands: unknownBands(),
    atMs: TODAY * DAY_MS + 5e7,
  });
  fc.assert(
    fc.property(
      fc.integer({ min: -10, max: 60 }),
      fc.integer({ min: 0, max: 90 }),
      fc.integer({ min: 1, max: 1e12 }),
      fc.constantFrom({}, { cities: ['Berlin'] }, { daypart: { start: '22:00', end: '03:00' } }),
      (from, days, budgetMicros, targets) => {
        const plan = {
          sandbox: false,
          targets: targetsOf(targets),
          startsOn: TODAY + from,
          endsOn: TODAY + from + days,
          budgetMicros,
        };
        const forecast = forecastPlan(prepared, plan);
        expect(forecast.impressionsLow).toBeLessThanOrEqual(forecast.impressions);
        expect(forecast.impressionsHigh).toBeGreaterThanOrEqual(forecast.impressions);
        expect(forecast.pacing).toHaveLength(days + 1);
        expect(forecast.pacing.reduce((sum, day) => sum + day.impressionsEst, 0)).toBe(forecast.impressions);
        expect(forecast.costMicros).toBeLessThanOrEqual(budgetMicros);
        expect(forecastPlan(prepared, plan)).toEqual(forecast);
      },
    ),
    { numRuns: 40 },
  );
});

test('the hours of a flight are the minutes in which delivery runs', () => {
  const rules: fc.Arbitrary<FlightRule> = fc
    .record({
      startsOn: fc.integer({ min: TODAY - 5, max: TODAY + 30 }),
      endsOn: fc.integer({ min: TODAY - 2, max: TODAY + 40 }),
      days: fc.option(fc.integer({ min: 1, max: 127 }), { nil: undefined }),
      daypart: fc.option(
        fc
          .tuple(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 0, max: 1440 }))
          .filter(([start, end]) => start !== end)
          .map(([startMinute, endMinute]) => ({ startMinute, endMinute })),
        { nil: undefined },
      ),
    })
    .map(({ days, daypart, ...rule }) => ({
      ...rule,
      ...(days !== undefined && { days }),
      ...(daypart && { daypart }),
    }));
  fc.assert(
    fc.property(rules, fc.integer({ min: 0, max: 29 * 24 - 1 }), (rule, hour) => {
      let minutes = 0;
      for (let minute = 0; minute < 60; minute++)
        if (checkFlight(rule, 0, TODAY * DAY_MS + (hour * 60 + minute) * 60_000) === 'ok') minutes++;
      expect(flightHours(rule, TODAY)[hour]).toBeCloseTo(minutes / 60, 5);
    }),
    { numRuns: 300 },
  );
});

describe('replayed forecasts', () => {
  // Open from 8 to 20, three quarters of the promise, twice as much on weekends.
  const days = 42;
  const bar = { cityFolded: 'berlin', venueType: 'entertainment.bars', orientation: 'landscape' as const };
  const cells = (part: number) =>
    Float64Array.from({ length: 2 * days * 24 }, (_, cell) =>
      cell % 24 < 8 || cell % 24 >= 20 ? 0 : 100 * part * ((Math.floor(cell / 24) % days) % 7 < 5 ? 1 : 2),
    );
  const history = {
    classes: [bar, { ...bar, cityFolded: 'bonn' }],
    firstDay: TODAY,
    days,
    promised: cells(1),
    seen: cells(0.75),
  };
  const past = [...repeatForecasts({ history, screens: Int32Array.of(3, 9) })].flat();

  test('cover whole days and parts, one week and two, and are right if the future equals the past', () => {
    for (const partOfDay of [false, true])
      for (const length of [7, 14])
        expect(past.some(one => one.partOfDay === partOfDay && one.end - one.cutoff === length)).toBe(true);
    for (const { forecast, came } of past) expect(Math.abs(Math.log(came / forecast))).toBeLessThan(0.02);
    expect(new Set(past.map(one => one.screens))).toEqual(new Set([3, 9, 12]));
  });

  test('leave out unrecorded hours, before and after the forecast', () => {
    const isLost = (day: number, hour: number) => day === 25 || day === 26 || (day === days - 1 && hour >= 14);
    const without = (values: Float64Array) =>
      values.map((slots, cell) => (isLost(Math.floor(cell / 24) % days, cell % 24) ? 0 : slots));
    const broken = { ...history, promised: without(history.promised), seen: without(history.seen) };
    const again = [...repeatForecasts({ history: broken, screens: Int32Array.of(3, 9) })].flat();
    const compared = again.filter(one => one.forecast > 0 && one.came > 0);
    expect(compared.length).toBeGreaterThan(0.9 * past.length);
    for (const { forecast, came } of compared) expect(Math.abs(Math.log(came / forecast))).toBeLessThan(0.02);
  });

  test('do not use the days that they are compared with', () => {
    const cutoff = 30;
    const broken = {
      ...history,
      seen: history.seen.map((slots, cell) => (Math.floor(cell / 24) % days >= cutoff ? 0.1 * slots : slots)),
    };
    const again = [...repeatForecasts({ history: broken, screens: Int32Array.of(3, 9) })].flat();
    const known = (made: typeof past) => made.filter(one => one.cutoff <= cutoff).map(one => one.forecast);
    expect(known(again)).toEqual(known(past));
    expect(again.some(one => one.cutoff <= cutoff && one.came < 0.5 * one.forecast)).toBe(true);
  });
});

describe('bands', () => {
  const past = (ratio: (index: number) => number, changes: Partial<PastForecast> = {}): PastForecast[] =>
    Array.from({ length: 400 }, (_, index) => ({
      screens: 40,
      partOfDay: false,
      cutoff: Math.floor(index / 10),
      end: Math.floor(index / 10) + 7,
      forecast: 1000,
      came: 1000 * ratio(index),
      ...changes,
    }));
  const spread = (index: number) => Math.exp((((index * 7919) % 400) / 400 - 0.5) * 0.4);
  const allDay = { screens: 40, daypart: undefined };

  test('contain nine in ten of the past', () => {
    const band = bandOf(calibrateBands(past(spread)), allDay);
    expect(band.high).toBeCloseTo(0.18, 2);
    expect(band.low).toBe(-band.high);
  });

  test('reach as far to the other side if the whole past missed on one side', () => {
    const band = bandOf(calibrateBands(past(index => 0.8 * spread(index))), allDay);
    expect(band.low).toBeLessThan(-0.35);
    expect(band.high).toBe(-band.low);
  });

  test('are the default ones until twenty forecasts have ended', () => {
    expect(calibrateBands(past(spread).slice(0, 19))).toEqual(unknownBands());
  });

  test('of a part of the day use those of parts, or of its size if there are none', () => {
    const narrow = past(() => 1.01);
    const table = calibrateBands([...narrow, ...past(spread, { partOfDay: true })]);
    expect(bandOf(table, allDay).high).toBeCloseTo(0.01, 3);
    expect(bandOf(table, { screens: 40, daypart: { startMinute: 1320, endMinute: 360 } }).high).toBeCloseTo(0.18, 2);
    expect(bandOf(table, { screens: 40, daypart: { startMinute: 360, endMinute: 1320 } }).high).toBeCloseTo(0.01, 3);
    expect(
      bandOf(calibrateBands(narrow), { screens: 40, daypart: { startMinute: 480, endMinute: 600 } }).high,
    ).toBeCloseTo(0.01, 3);
  });

  test('the chance of a level falls as the level rises', () => {
    const [band] = unknownBands();
    expect(chanceAbove(band!, 0)).toBe(1);
    expect(chanceAbove(band!, 1)).toBeCloseTo(0.5, 1);
    expect(chanceAbove(band!, 0.5)).toBeGreaterThan(chanceAbove(band!, 0.9));
    expect(chanceAbove(band!, 100)).toBeLessThan(0.02);
  });

  test('make supply at the forecast nearly certain if all of the past came as forecast', () => {
    expect(chanceAbove(bandOf(calibrateBands(past(() => 1)), allDay), 1)).toBeGreaterThan(0.98);
  });

  test.each([
    [0, 0],
    [7, 0],
    [8, 1],
    [29, 1],
    [30, 2],
    [1000, 2],
  ])('%i screens are of size class %i', (screens, size) => expect(sizeClassOf(screens)).toBe(size));
});
