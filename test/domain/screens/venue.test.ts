/**
 * How many people are before a screen, and how many impressions a play has; what is plausible for each type of venue.
 * Pure rules, by examples and random figures.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VENUE_LIMITS_ROWS } from '#domain/data/venue-limits.ts';
import { parseVenueType, VENUE_TYPES } from '#domain/campaigns/taxonomy.ts';
import {
  audienceMaxOf,
  audienceMost,
  impressionsThousandths,
  meanAudience,
  SCREENS_SEEN_MAX,
  SELF_DECLARED_AUDIENCE_MAX,
  venueLimits,
} from '#domain/screens/venue.ts';

const GYM = { dailyVisitors: 800, dwellMinutes: 60, audienceMax: 75, screensNear: 1 };
const GYM_OPEN_MINUTES = 960;

describe('the people before one screen', () => {
  test.each([
    ['as many as are there in the mean', {}, GYM_OPEN_MINUTES, 50],
    ['more in fewer hours', {}, 800, 60],
    ['nobody without visitors', { dailyVisitors: 0 }, GYM_OPEN_MINUTES, 0],
    ['no more than can have it in view', { dailyVisitors: 8_000 }, GYM_OPEN_MINUTES, 75],
    ['no more than can have it in view, also when it is open for a minute', {}, 0, 75],
    ['as many as visit, since nobody stays longer than it is open', { dailyVisitors: 30 }, 1, 30],
    ['not fewer for as many screens as a visitor sees', { screensNear: SCREENS_SEEN_MAX }, GYM_OPEN_MINUTES, 50],
    [
      'a part of them where more screens stand at the address',
      { screensNear: 4 * SCREENS_SEEN_MAX },
      GYM_OPEN_MINUTES,
      12.5,
    ],
  ])('are %s', (_, change, openMinutes, people) => {
    expect(meanAudience({ ...GYM, ...change }, openMinutes)).toBe(people);
  });

  test('sum over any number of screens to at most the sum over the screens that a visitor sees', () => {
    fc.assert(
      fc.property(fc.integer({ min: SCREENS_SEEN_MAX, max: 10_000 }), screensNear => {
        expect(screensNear * meanAudience({ ...GYM, screensNear }, GYM_OPEN_MINUTES)).toBeLessThanOrEqual(
          SCREENS_SEEN_MAX * 50 + 1e-6,
        );
      }),
    );
  });

  test('of a venue without dwell are a bug', () => {
    expect(() => meanAudience({ ...GYM, dwellMinutes: Number.NaN }, GYM_OPEN_MINUTES)).toThrow('amounts');
  });
});

describe('impressions of a play', () => {
  test.each([
    [50, 15_000, 50_000],
    [50, 6_000, 20_000],
    [50, 20_000, 50_000],
    [0, 15_000, 1],
    [1e9, 15_000, 2_000_000_000],
  ])('before %d people for %d ms are %i thousandths', (people, durationMs, thousandths) => {
    expect(impressionsThousandths(people, durationMs)).toBe(thousandths);
  });

  test('are an integer that fits a play id, whatever the figures are', () => {
    const figures = fc.record({
      dailyVisitors: fc.integer({ min: 0, max: 10_000_000 }),
      dwellMinutes: fc.double({ min: 0.01, max: 1440, noNaN: true }),
      audienceMax: fc.double({ min: 0.5, max: 100_000, noNaN: true }),
      screensNear: fc.integer({ min: 0, max: 1000 }),
    });
    fc.assert(
      fc.property(
        figures,
        fc.double({ min: 0, max: 1440, noNaN: true }),
        fc.integer({ min: 6000, max: 20_000 }),
        fc.boolean(),
        (figures, openMinutes, durationMs, sensor) => {
          const mean = meanAudience(figures, openMinutes);
          const thousandths = impressionsThousandths(audienceMost(mean, figures.audienceMax, sensor), durationMs);
          expect(Number.isInteger(thousandths)).toBe(true);
          expect(thousandths).toBeGreaterThanOrEqual(impressionsThousandths(mean, durationMs));
          expect(thousandths).toBeLessThan(2 ** 32);
        },
      ),
    );
  });

  test('with a sensing module are at most twice the mean, and never above the people who can see the screen', () => {
    expect(audienceMost(30, 75, true)).toBe(60);
    expect(audienceMost(50, 75, true)).toBe(75);
    expect(audienceMost(50, 75, false)).toBe(50);
  });
});

describe('the plausible figures by type', () => {
  test('cover every OpenOOH type, and every row names one', () => {
    expect(VENUE_TYPES.map(({ name }) => name).filter(name => venueLimits(name) === venueLimits('no type'))).toEqual(
      [],
    );
    for (const [type] of VENUE_LIMITS_ROWS) expect(parseVenueType(type)).toBe(type);
  });

  test('are those of the nearest ancestor', () => {
    expect(venueLimits('entertainment.bars.restroom')).toBe(venueLimits('entertainment.bars'));
    expect(venueLimits('transit.subway.platform')).toBe(venueLimits('transit'));
  });

  test.each(VENUE_LIMITS_ROWS)(
    '%s: the figures of a small venue are within its limits',
    (_, visitorsMax, dwellMinutesMax, audienceMax, visitorsSmall, dwellMinutesSmall) => {
      expect(visitorsSmall).toBeLessThan(visitorsMax);
      expect(dwellMinutesSmall).toBeLessThan(dwellMinutesMax);
      expect((visitorsSmall * dwellMinutesSmall) / 1440).toBeLessThan(audienceMax);
    },
  );

  test('apply up to the self-declared bound, until the operator has approved more', () => {
    expect(audienceMaxOf('health_and_beauty.gyms', null)).toBe(75);
    expect(audienceMaxOf('outdoor.spectacular', null)).toBe(SELF_DECLARED_AUDIENCE_MAX);
    expect(audienceMaxOf('outdoor.spectacular', 1_000)).toBe(1_000);
  });
});
