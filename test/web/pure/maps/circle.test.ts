/**
 * The circles of areas as the console's map draws them: they cover what the API takes for inside, over meridians and
 * poles, too. Pure functions; neither a browser nor an engine is needed.
 */
import type { Position } from 'geojson';
import { describe, expect, test } from 'vitest';
import { parseTargets } from '../../../../domain/campaigns/targeting.ts';
import { distanceKm } from '../../../../domain/geography.ts';
import { isRefusal } from '../../../../domain/refusal.ts';
import {
  AREA_FIELDS,
  AREA_LIMITS,
  AREAS_MAX,
  isWhole,
} from '../../../../web/console/pages/booking/form/areas/area-limits.ts';
import {
  circleRings,
  edgeOffsetPx,
  edgePoint,
  MAP_LAT_MAX,
  roundedPlace,
  roundedRadius,
  type Area,
} from '../../../../web/console/ui/map/circle.ts';

const BERLIN: Area = { lat: 52.52, lng: 13.405, radiusKm: 5 };
const AREAS: [string, Area][] = [
  ['a part of a city', BERLIN],
  ['a country', { ...BERLIN, radiusKm: 400 }],
  ['a place at the equator', { lat: 0, lng: 0, radiusKm: 900 }],
  ['an ocean over the 180th meridian', { lat: -17, lng: 178, radiusKm: 2_000 }],
  ['the north pole', { lat: 78, lng: 15, radiusKm: 2_500 }],
  ['the middle of the north pole', { lat: 90, lng: 0, radiusKm: 3_000 }],
  ['the south pole', { lat: -70, lng: -100, radiusKm: 4_000 }],
  ['half of the Earth', { lat: 0, lng: 100, radiusKm: 10_007.5 }],
  ['all but what is opposite', { lat: 40, lng: -70, radiusKm: 17_000 }],
];

/** Whether a place is inside an odd number of rings, on any copy of the world. */
function covers(rings: readonly Position[][], { lat, lng }: { lat: number; lng: number }): boolean {
  return [-360, 0, 360].some(turn => rings.filter(ring => isInside(ring, lng + turn, lat)).length % 2 === 1);
}

function isInside(ring: readonly Position[], x: number, y: number): boolean {
  const crossed = ring.slice(1).filter(([toX, toY], at) => {
    const [fromX, fromY] = ring[at]!;
    if (fromY! > y === toY! > y) return false;
    return x < fromX! + ((y - fromY!) / (toY! - fromY!)) * (toX! - fromX!);
  });
  return crossed.length % 2 === 1;
}

describe('the circle of an area', () => {
  test('has all corners at the radius from its center', () => {
    const [ring] = circleRings(BERLIN);
    const distances = ring!.map(([lng, lat]) => distanceKm(BERLIN, { lat: lat!, lng: lng! }));
    expect(Math.min(...distances)).toBeCloseTo(BERLIN.radiusKm, 6);
    expect(Math.max(...distances)).toBeCloseTo(BERLIN.radiusKm, 6);
  });

  test.each(AREAS)('covers exactly the points that the API counts as inside: %s', (_, area) => {
    const rings = circleRings(area);
    const wrong: unknown[] = [];
    let inside = 0;
    for (let part = 0; part < 2_000; part++) {
      // Places around the edge, from its middle to twice the radius.
      const [bearing, share] = [(part * 137.5) % 360, ((part % 40) + 0.5) / 20];
      const radiusKm = Math.min(area.radiusKm * share, 20_000);
      const place = roundedPlace(edgePoint({ ...area, radiusKm }, bearing));
      const isBeside = Math.abs(distanceKm(area, place) - area.radiusKm) < 0.02 * area.radiusKm;
      if (isBeside || Math.abs(place.lat) > MAP_LAT_MAX - 1) continue;
      const isIn = distanceKm(area, place) <= area.radiusKm;
      if (isIn) inside += 1;
      if (covers(rings, place) !== isIn) wrong.push([place, isIn]);
    }
    expect(wrong).toEqual([]);
    expect(inside).toBeGreaterThan(100);
  });

  test.each(AREAS)('consists of closed rings that do not jump across the map: %s', (_, area) => {
    for (const ring of circleRings(area).slice(-1)) {
      expect(ring.at(-1)).toEqual(ring[0]);
      const jumps = ring.slice(1).map(([lng, lat], at) => [Math.abs(lng! - ring[at]![0]!), Math.abs(lat!)]);
      expect(jumps.filter(([far, lat]) => far! > 180 && lat! < MAP_LAT_MAX - 0.01)).toEqual([]);
    }
  });

  test('is the whole map when nothing on Earth is farther than its radius', () => {
    const rings = circleRings({ ...BERLIN, radiusKm: 20_038 });
    expect(rings).toHaveLength(1);
    expect(covers(rings, { lat: -BERLIN.lat, lng: BERLIN.lng - 180 })).toBe(true);
  });
});

describe('a hand-drawn circle', () => {
  test('is placed to ten meters, within the coordinates of the API', () => {
    expect(roundedPlace({ lat: 52.520_008, lng: 373.404_954 })).toEqual({ lat: 52.52, lng: 13.405 });
    expect(roundedPlace({ lat: -0.000_01, lng: -190 })).toEqual({ lat: 0, lng: 170 });
  });

  test('has a radius of three digits that is never 0', () => {
    expect([12.345, 0.123_45, 0, 12_345].map(radius => roundedRadius(radius))).toEqual([12.3, 0.123, 0.01, 12_300]);
  });
});

describe('the limits of the form are those of the API', () => {
  const isTaken = (areas: readonly Area[]) => !isRefusal(parseTargets({ areas }));

  test.each(AREA_FIELDS.flatMap(field => AREA_LIMITS[field].map((limit, end) => ({ field, limit, end }))))(
    'for $field at $limit',
    ({ field, limit, end }) => {
      const [at, beyond] = [limit, end === 0 ? limit - 1 : limit + 1].map(value => ({ ...BERLIN, [field]: value }));
      expect([isWhole(at!), isTaken([at!])]).toEqual([true, true]);
      expect([isWhole(beyond!), isTaken([beyond!])]).toEqual([false, false]);
    },
  );

  test('for the number of areas', () => {
    const areas = (count: number) => Array.from({ length: count }, () => BERLIN);
    expect([isTaken(areas(AREAS_MAX)), isTaken(areas(AREAS_MAX + 1))]).toEqual([true, false]);
  });
});

test('the edge handle is on the edge unless the circle is too small for two handles', () => {
  expect([120, 24, 10, 0].map(edgeOffsetPx)).toEqual([0, 0, 14, 24]);
});
