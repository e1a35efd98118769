/**
 * Circles on the Earth as the map draws them: rings of points at one distance from their middle. The sphere is the one
 * by which the API decides what lies in an area.
 */
import type { Position } from 'geojson';
import { EARTH_RADIUS_KM } from '#domain/geography.ts';

/** As campaigns have them: `targets.areas`. */
export type Area = { lat: number; lng: number; radiusKm: number };
type Point = { lat: number; lng: number };

/** Mercator's projection, which the map has, ends there. */
export const MAP_LAT_MAX = 85.0511;
const RADIANS = Math.PI / 180;
/** From a pole every direction is a longitude: a center slightly off the pole has a bearing for each point. */
const LAT_MAX = 89.9999;
/** Corners of a ring: neighbors are indistinguishable in a circle as wide as a screen. */
const CORNERS = 128;
/** About ten metres. */
const PLACE_DECIMALS = 4;
/** The rounding of hand-drawn radii. */
const RADIUS_DIGITS = 3;
export const RADIUS_KM_MIN = 0.01;
/** The width of a handle on the map. */
const HANDLE_PX = 24;

/**
 * The rings of a GeoJSON polygon: the edge of what is covered, then a hole where there is one. A ring goes on beyond
 * the 180th meridian instead of jumping across the map. A circle around a pole ends at the edge of the map.
 */
export function circleRings(area: Area): Position[][] {
  const { lat, lng, radiusKm } = area;
  const reach = radiusKm / EARTH_RADIUS_KM / RADIANS;
  const [hasNorth, hasSouth] = [lat + reach > 90, lat - reach < -90];
  if (!hasNorth && !hasSouth) return [closed(pointsFrom(area, 0))];
  if (hasNorth && hasSouth) return farSideRings(area, 180 - reach);
  // It begins where the ring is above the pole, so that longitudes grow or shrink from one end of the map to the other.
  const edge = pointsFrom(area, hasNorth ? 0 : -180);
  const pole = hasNorth ? MAP_LAT_MAX : -MAP_LAT_MAX;
  const [first, last] = hasNorth ? [lng + 180, lng - 180] : [lng - 180, lng + 180];
  return [closed([[first, edge[0]![1]!], ...edge.slice(1), [last, edge[0]![1]!], [last, pole], [first, pole]])];
}

/** The point of the edge in a direction, in degrees from north. */
export function edgePoint({ lat, lng, radiusKm }: Area, bearing: number): Point {
  const middle = Math.max(-LAT_MAX, Math.min(LAT_MAX, lat)) * RADIANS;
  const [reach, way] = [radiusKm / EARTH_RADIUS_KM, bearing * RADIANS];
  const sinLat = Math.sin(middle) * Math.cos(reach) + Math.cos(middle) * Math.sin(reach) * Math.cos(way);
  const aside = Math.atan2(
    Math.sin(way) * Math.sin(reach) * Math.cos(middle),
    Math.cos(reach) - Math.sin(middle) * sinLat,
  );
  return { lat: Math.asin(Math.max(-1, Math.min(1, sinLat))) / RADIANS, lng: lng + aside / RADIANS };
}

/** A place as a hand has chosen it, within the longitudes that the API takes. */
export function roundedPlace({ lat, lng }: Point): Point {
  const round = (degrees: number) => Number(degrees.toFixed(PLACE_DECIMALS)) + 0; // + 0: no -0
  return { lat: round(lat), lng: round(lng - 360 * Math.round(lng / 360)) };
}

/** The distance of the edge handle from the edge, so that it does not cover the center handle. */
export function edgeOffsetPx(radiusPx: number): number {
  return Math.max(0, HANDLE_PX - radiusPx);
}

/** A radius as a hand has drawn it. */
export function roundedRadius(radiusKm: number, digits = RADIUS_DIGITS): number {
  return Math.max(RADIUS_KM_MIN, Number(radiusKm.toPrecision(digits)));
}

/** The whole map except the circle around the opposite point: the form of a circle over both poles. */
function farSideRings({ lat, lng }: Area, restDegrees: number): Position[][] {
  const opposite = { lat: -lat, lng: lng > 0 ? lng - 180 : lng + 180 };
  const [west, east] = [opposite.lng - 180, opposite.lng + 180];
  const whole = closed([
    [west, -MAP_LAT_MAX],
    [east, -MAP_LAT_MAX],
    [east, MAP_LAT_MAX],
    [west, MAP_LAT_MAX],
  ]);
  if (restDegrees <= 0) return [whole];
  const radiusKm = restDegrees * RADIANS * EARTH_RADIUS_KM;
  return [whole, closed(pointsFrom({ ...opposite, radiusKm }, 0))];
}

function pointsFrom(area: Area, bearing: number): Position[] {
  return Array.from({ length: CORNERS }, (_, corner) => {
    const { lat, lng } = edgePoint(area, bearing + (corner / CORNERS) * 360);
    return [lng, Math.max(-MAP_LAT_MAX, Math.min(MAP_LAT_MAX, lat))];
  });
}

function closed(points: Position[]): Position[] {
  return [...points, points[0]!];
}
