/** Places by name and by position: how names of cities are compared, and how far apart two points are. */
export const EARTH_RADIUS_KM = 6371.0088;

// Letters that Unicode does not decompose into a base letter and an accent.
const LETTERS: Record<string, string> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', æ: 'ae', œ: 'oe', ı: 'i' };

/** Names that only need lowercasing. Most names do, and this check costs a tenth of the folding. */
const PLAIN_NAME = /^[!-~]+(?: [!-~]+)*$/;

/** A city without case, accents and surplus spaces, for comparing: `foldCity(' MÜNCHEN')` is `munchen`. */
export function foldCity(city: string): string {
  if (PLAIN_NAME.test(city)) return city.toLowerCase();
  return city
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßøłđðþæœı]/g, letter => LETTERS[letter]!)
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** A public position: degrees, or nulls if it is hidden. */
export type ShownPosition = { lat: number | null; lng: number | null };
export type Circle = { lat: number; lng: number; radiusKm: number };

/** Whether a circle contains a position. A hidden one is in no circle, so that no search can find it. */
export function isInCircle(circle: Circle, { lat, lng }: ShownPosition): boolean {
  return lat !== null && lng !== null && distanceKm(circle, { lat, lng }) <= circle.radiusKm;
}

/** Distance of two points over the Earth's surface (haversine on a sphere; within 0.6% of the ellipsoid). */
export function distanceKm(from: { lat: number; lng: number }, to: { lat: number; lng: number }): number {
  const radians = Math.PI / 180;
  const sinLat = Math.sin(((to.lat - from.lat) * radians) / 2);
  const sinLng = Math.sin(((to.lng - from.lng) * radians) / 2);
  const chord = sinLat * sinLat + Math.cos(from.lat * radians) * Math.cos(to.lat * radians) * sinLng * sinLng;
  // Rounding may carry the chord of opposite points just over 1.
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(Math.min(1, chord)));
}
