/** What audiences with a source make of a place in plan and forecast. Pure rules, by examples. */
import { describe, expect, test } from 'vitest';
import { fewestPeople, hourlyImpressions, type ScreenAudiences } from '#domain/allocation/network/hourly-audience.ts';
import { placesOf, type PlaceRow } from '#domain/allocation/network/network-rows.ts';
import { expectedParts, EMPTY_MODEL } from '#domain/forecast/supply/supply-model.ts';
import { handle } from '../../support/handle.ts';

/** 8 people by day, 2 at night. */
const DAY = Array.from({ length: 168 }, (_, hour) => (hour % 24 >= 8 && hour % 24 < 20 ? 8_000 : 2_000));
const FLAT = Array.from({ length: 168 }, () => 6_000);
const ROW: PlaceRow = {
  type: 'entertainment.bars',
  daily_visitors: 400,
  dwell_minutes: 45,
  audience_max: null,
  screens_near: 1,
  city: 'Berlin',
  lat: 52.5,
  lng: 13.4,
  timezone: 'Europe/Berlin',
  opening_hours: null,
  blocked_categories: [],
  orientation: 'landscape',
  sandbox: false,
  ad_share: 1,
};
const OPEN_BY_DAY = { mon: [{ start: '08:00', end: '20:00' }], tue: [{ start: '08:00', end: '20:00' }] };
const placeOf = (changes: Partial<PlaceRow>) => placesOf([{ ...ROW, ...changes }])[0]!;

describe('a place', () => {
  test('has the mean and the shape of its audience', () => {
    const place = placeOf({ audiences: [[1, DAY]] });
    expect(place.impressionsPerMinute).toBe(5 * 4);
    expect([place.audienceShape![9], place.audienceShape![3]]).toEqual([Math.fround(1.6), Math.fround(0.4)]);
  });

  test('counts only open hours', () => {
    expect(placeOf({ audiences: [[1, DAY]], opening_hours: OPEN_BY_DAY }).impressionsPerMinute).toBe(8 * 4);
  });

  test('without an audience uses the figures of its venue, as before', () => {
    const { impressionsPerMinute, audienceShape } = placeOf({ audiences: null });
    expect(impressionsPerMinute).toBe(12.5 * 4);
    expect(audienceShape).toBeUndefined();
  });

  test('sums screens by their share of ads, and other screens with the figures of the venue', () => {
    const audiences: ScreenAudiences = [
      [0.5, DAY],
      [0.25, FLAT],
    ];
    const perHour = hourlyImpressions({ ad_share: 1, audiences }, 12.5)!;
    expect([perHour[9], perHour[3]]).toEqual([4 + 1.5 + 0.25 * 12.5, 1 + 1.5 + 0.25 * 12.5]);
  });

  test('is expected to reach its audience of each hour', () => {
    const place = { ...placeOf({ audiences: [[1, DAY]] }), venue: handle('venue', 1), sensor: false };
    const { audienceShape: _, ...plain } = place;
    const parts = expectedParts(EMPTY_MODEL, place);
    const before = expectedParts(EMPTY_MODEL, plain);
    expect(parts[9]! / before[9]!).toBeCloseTo(1.6, 5);
    expect(parts[3]! / before[3]!).toBeCloseTo(0.4, 5);
  });
});

describe('the cheapest play', () => {
  const own = 12.5;
  test.each<[string, Partial<PlaceRow>, number]>([
    ['is before the fewest people of any hour', { audiences: [[1, DAY]] }, 2],
    [
      'is before those of the venue where a screen has no audience',
      { audiences: [[0.5, FLAT.map(() => 90_000)]] },
      own,
    ],
    ['is before those of the venue without audiences', { audiences: null }, own],
  ])('%s', (_, changes, people) => {
    expect(fewestPeople({ ...ROW, ...changes }, { own, hours: undefined })).toBe(people);
  });
});
