/**
 * Where a campaign wants to play: cities, areas, venue types and screens, and what is refused of what a caller sends.
 * Pure rules, by examples and random places.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distanceKm, foldCity } from '#domain/geography.ts';
import { type Targets, matchesPlace, parseTargets, targetsJson } from '#domain/campaigns/targeting.ts';
import { VENUE_TYPES } from '#domain/campaigns/taxonomy.ts';

const parse = (json: unknown) => parseTargets(json) as Targets;
const berlin = { lat: 52.52, lng: 13.405 };
const place = { cityFolded: 'berlin', venueType: 'health_and_beauty.gyms', ...berlin };

describe('cities', () => {
  test.each([
    ['München', 'MUNCHEN'],
    ['São Paulo', 'sao  paulo '],
    ['Zürich', 'Zu\u0308rich'],
    ['Łódź', 'lodz'],
    ['İstanbul', 'istanbul'],
    ['København', 'kobenhavn'],
    ['Straßburg', 'strassburg'],
    ['Montréal', 'montreal'],
    ['Ｔｏｋｙｏ', 'tokyo'],
    ['ΑΘΉΝΑ', 'αθηνα'],
    ['東京', '東京'],
    ['New\u00a0York', 'new york'],
  ])('%s and %s are the same city', (one, other) => expect(foldCity(one)).toBe(foldCity(other)));
  test.each([
    ['Paris', 'Paris TX'],
    ['Bonn', 'Bon'],
    ['東京', '京都'],
  ])('%s and %s are two cities', (one, other) => expect(foldCity(one)).not.toBe(foldCity(other)));
  test('folding twice changes nothing more', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), city => {
        expect(foldCity(foldCity(city))).toBe(foldCity(city));
      }),
    );
  });
});

describe('distances', () => {
  test.each([
    ['Berlin to Munich', berlin, { lat: 48.137, lng: 11.575 }, 504],
    ['New York to London', { lat: 40.7128, lng: -74.006 }, { lat: 51.5074, lng: -0.1278 }, 5570],
    ['over the antimeridian', { lat: 0, lng: 179.9 }, { lat: 0, lng: -179.9 }, 22],
    ['the two names of the antimeridian', { lat: 10, lng: 180 }, { lat: 10, lng: -180 }, 0],
    ['over the pole', { lat: 89.9, lng: 0 }, { lat: 89.9, lng: 180 }, 22],
    ['opposite points', { lat: 0, lng: 0 }, { lat: 0, lng: 180 }, 20_015],
  ])('%s is %i km', (_, from, to, km) => expect(Math.round(distanceKm(from, to))).toBe(km));

  test('a distance is symmetric and never more than half of the circumference', () => {
    const point = fc.record({
      lat: fc.double({ min: -90, max: 90, noNaN: true }),
      lng: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    fc.assert(
      fc.property(point, point, (from, to) => {
        expect(distanceKm(from, to)).toBeCloseTo(distanceKm(to, from), 6);
        expect(distanceKm(from, to)).toBeLessThanOrEqual(20_016);
      }),
    );
  });
});

describe('a place', () => {
  test.each([
    ['no targets', undefined, true],
    ['empty lists', { cities: [], venue_types: [], areas: [], days: [], orientations: [] }, true],
    ['its city', { cities: ['BERLIN'] }, true],
    ['one of several cities', { cities: ['Köln', 'Berlin'] }, true],
    ['another city', { cities: ['Köln'] }, false],
    ['its venue type', { venue_types: ['health_and_beauty.gyms'] }, true],
    ['the parent of its type', { venue_types: ['health_beauty'] }, true],
    ['a part of its type', { venue_types: ['health_and_beauty.gyms.lobby'] }, false],
    ['another type', { venue_types: ['retail', 'entertainment.bars'] }, false],
    ['its city and another type', { cities: ['Berlin'], venue_types: ['retail'] }, false],
    ['an area around it', { areas: [{ lat: 52.5, lng: 13.4, radiusKm: 3 }] }, true],
    ['an area beside it', { areas: [{ lat: 52.4, lng: 13.4, radiusKm: 3 }] }, false],
    [
      'one of several areas',
      {
        areas: [
          { lat: 0, lng: 0, radiusKm: 1 },
          { lat: 52.5, lng: 13.4, radiusKm: 3 },
        ],
      },
      true,
    ],
    ['its city and an area elsewhere', { cities: ['Berlin'], areas: [{ lat: 48, lng: 11, radiusKm: 50 }] }, false],
    [
      'a daypart and days, which are not about places',
      { daypart: { start: '06:00', end: '10:00' }, days: ['mon'] },
      true,
    ],
    ['an orientation, while the screen is not known', { orientations: ['portrait'] }, true],
  ])('is wanted by %s: %s', (_, json, wanted) => expect(matchesPlace(parse(json), place)).toBe(wanted));

  test('matches by the orientation of its screen', () => {
    const targets = parse({ orientations: ['portrait'] });
    expect(matchesPlace(targets, { ...place, orientation: 'portrait' })).toBe(true);
    expect(matchesPlace(targets, { ...place, orientation: 'landscape' })).toBe(false);
  });

  test('an area reaches across the antimeridian as far as anywhere else', () => {
    const offset = fc.double({ min: -2, max: 2, noNaN: true });
    const wrap = (lng: number) => (lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng);
    fc.assert(
      fc.property(
        offset,
        offset,
        fc.double({ min: -60, max: 60, noNaN: true }),
        fc.double({ min: 1, max: 300, noNaN: true }),
        (centre, shift, lat, radiusKm) => {
          const far = distanceKm({ lat, lng: centre }, { lat, lng: centre + shift });
          // Within a metre of the edge rounding decides.
          fc.pre(Math.abs(far - radiusKm) > 0.001);
          const targets = parse({ areas: [{ lat, lng: wrap(180 + centre), radiusKm }] });
          expect(matchesPlace(targets, { ...place, lat, lng: wrap(180 + centre + shift) })).toBe(far <= radiusKm);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('targets of the API', () => {
  test('every field is parsed, and cities and types are normalized', () => {
    expect(
      parse({
        cities: [' Köln '],
        venue_types: ['health_beauty.gym', 'health_and_beauty.gyms', 804],
        areas: [{ lat: 1, lng: 2, radiusKm: 3 }],
        orientations: ['portrait'],
        daypart: { start: '22:00', end: '02:00' },
        days: ['sun', 'mon', 'mon'],
      }),
    ).toEqual({
      cities: ['Köln'],
      citiesFolded: ['koln'],
      venueTypes: ['health_and_beauty.gyms', 'entertainment.bars'],
      areas: [{ lat: 1, lng: 2, radiusKm: 3 }],
      orientations: ['portrait'],
      daypart: { startMinute: 1320, endMinute: 120 },
      days: 0b1000001,
    });
  });

  test('stored targets parse to the same targets', () => {
    const time = fc
      .integer({ min: 0, max: 1439 })
      .map(minute => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`);
    const json = fc.record(
      {
        cities: fc.array(fc.constantFrom('Köln', 'Berlin', 'São Paulo'), { maxLength: 3 }),
        venue_types: fc.array(fc.constantFrom(...VENUE_TYPES.flatMap(type => [type.name, String(type.id)])), {
          maxLength: 4,
        }),
        areas: fc.array(
          fc.record({
            lat: fc.double({ min: -90, max: 90, noNaN: true }),
            lng: fc.double({ min: -180, max: 180, noNaN: true }),
            radiusKm: fc.double({ min: 0.1, max: 100, noNaN: true }),
          }),
          { maxLength: 3 },
        ),
        orientations: fc.subarray(['landscape', 'portrait']),
        daypart: fc
          .record({ start: time, end: fc.oneof(time, fc.constant('24:00')) })
          .filter(({ start, end }) => start !== end),
        days: fc.subarray(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(json, json => {
        const targets = parse(json);
        expect(parseTargets(JSON.parse(JSON.stringify(targetsJson(targets))))).toEqual(targets);
      }),
    );
  });

  test.each([
    ['a list', [], '', 'wrong_type'],
    ['null', null, '', 'wrong_type'],
    ['a text', 'all', '', 'wrong_type'],
    ['an unknown field', { city: ['Berlin'] }, '/city', 'unknown_field'],
    ['a city alone', { cities: 'Berlin' }, '/cities', 'wrong_type'],
    ['cities of null', { cities: null }, '/cities', 'wrong_type'],
    ['a number as a city', { cities: ['Berlin', 5] }, '/cities/1', 'unknown_value'],
    ['an empty city', { cities: [' '] }, '/cities/0', 'unknown_value'],
    ['a city of accents alone', { cities: ['\u0301'] }, '/cities/0', 'unknown_value'],
    ['a city with a NUL', { cities: ['Ber\u0000lin'] }, '/cities/0', 'unknown_value'],
    ['a city of 201 characters', { cities: ['x'.repeat(201)] }, '/cities/0', 'unknown_value'],
    ['201 cities', { cities: Array.from({ length: 201 }, () => 'Berlin') }, '/cities', 'too_many'],
    ['an unknown venue type', { venue_types: ['retail', 'castles'] }, '/venue_types/1', 'unknown_value'],
    ['an area without radius', { areas: [{ lat: 0, lng: 0 }] }, '/areas/0', 'unknown_value'],
    ['an area of radius 0', { areas: [{ lat: 0, lng: 0, radiusKm: 0 }] }, '/areas/0', 'unknown_value'],
    ['an area beyond the pole', { areas: [{ lat: 90.1, lng: 0, radiusKm: 1 }] }, '/areas/0', 'unknown_value'],
    ['an area beyond the antimeridian', { areas: [{ lat: 0, lng: 180.1, radiusKm: 1 }] }, '/areas/0', 'unknown_value'],
    ['an area of texts', { areas: [{ lat: '0', lng: '0', radiusKm: '1' }] }, '/areas/0', 'unknown_value'],
    [
      'an area with a field too many',
      { areas: [{ lat: 0, lng: 0, radiusKm: 1, name: 'x' }] },
      '/areas/0',
      'unknown_value',
    ],
    ['an area of null', { areas: [null] }, '/areas/0', 'unknown_value'],
    ['an orientation of its own', { orientations: ['square'] }, '/orientations/0', 'unknown_value'],
    ['a long weekday', { days: ['monday'] }, '/days/0', 'unknown_value'],
    ['a daypart of no length', { daypart: { start: '06:00', end: '06:00' } }, '/daypart', 'bad_range'],
    ['a daypart without end', { daypart: { start: '06:00' } }, '/daypart', 'bad_range'],
    [
      'a daypart with a field too many',
      { daypart: { start: '06:00', end: '07:00', tz: 'UTC' } },
      '/daypart',
      'bad_range',
    ],
    ['a daypart as text', { daypart: 'morning' }, '/daypart', 'bad_range'],
    ['a daypart of null', { daypart: null }, '/daypart', 'bad_range'],
  ])('%s is refused', (_, json, pointer, code) => {
    expect(parseTargets(json)).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: `/targets${pointer}`, code }],
    });
  });

  test('an unknown venue type is refused with the list of allowed types', () => {
    expect(parseTargets({ venue_types: ['castles'] })).toMatchObject({
      errors: [{ detail: expect.stringContaining('health_and_beauty.gyms') }],
    });
  });

  test('all faults are reported together', () => {
    expect(parseTargets({ cities: 1, venue_types: [2.5], days: ['x', 'y'], daypart: {} }, '/t')).toMatchObject({
      errors: ['/t/cities', '/t/venue_types/0', '/t/days/0', '/t/days/1', '/t/daypart'].map(pointer => ({ pointer })),
    });
  });
});
