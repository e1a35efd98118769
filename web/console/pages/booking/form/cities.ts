/**
 * The cities with screens and their positions: the middle of the places of a city that show their position.
 */
import type { Marquee, RecordOf } from '@marquee/sdk';
import { foldCity } from '#domain/geography.ts';
import { useRead } from '../../../api/api.ts';

export type Place = RecordOf<'/v1/inventory'>;
export type City = { name: string; screens: number; lat: number | undefined; lng: number | undefined };

/** Places are read to show cities on the map; a thousand of them suffice to locate the cities. */
const PLACES_MAX = 1_000;

export function useCities() {
  return useRead(['cities on the map'], async (api, signal) => {
    const [{ data }, places] = await Promise.all([api.get('/v1/cities', { signal }), readPlaces(api, signal)]);
    return data.map(({ name, screens }): City => ({ name, screens, ...middleOf(places, name) }));
  });
}

async function readPlaces(api: Marquee, signal: AbortSignal): Promise<Place[]> {
  const places: Place[] = [];
  for await (const place of api.list('/v1/inventory', { query: { limit: '100' }, signal })) {
    places.push(place);
    if (places.length >= PLACES_MAX) break;
  }
  return places;
}

function middleOf(places: readonly Place[], city: string): Pick<City, 'lat' | 'lng'> {
  const points = places.flatMap(place =>
    foldCity(place.city) === foldCity(city) && place.coordinates ? [place.coordinates] : [],
  );
  if (points.length === 0) return { lat: undefined, lng: undefined };
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return { lat: mean(points.map(point => point.lat)), lng: mean(points.map(point => point.lng)) };
}
