/** What the API takes of areas, so that a field says what is wrong before a campaign is sent. */
import { RADIUS_KM_MIN, type Area } from '../../../../ui/map/circle.ts';

/** As many as one campaign may have. */
export const AREAS_MAX = 100;
/** The least and the most of each field; radii end at half of the Earth's circumference. */
export const AREA_LIMITS = { lat: [-90, 90], lng: [-180, 180], radiusKm: [RADIUS_KM_MIN, 20_038] } as const;
export type AreaField = keyof typeof AREA_LIMITS;
/** In the order of the form. */
export const AREA_FIELDS = ['lat', 'lng', 'radiusKm'] as const satisfies readonly AreaField[];

/** Whether it can be booked: while a field is edited, it may be NaN or beyond its limits. */
export function isWhole(area: Area): boolean {
  return AREA_FIELDS.every(field => isWithinLimits(field, area[field]));
}

export function isWithinLimits(field: AreaField, value: number): boolean {
  const [least, most] = AREA_LIMITS[field];
  return value >= least && value <= most;
}
