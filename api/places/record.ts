/** A venue for brands: only its public fields. */
import { formatId } from '#domain/id.ts';
import type { PlaceRow } from '#sql/venues/places.ts';
import { photoUrl } from '../venues/record.ts';
import type { PlaceFields } from './schema.ts';

export function placeFieldsOf(row: PlaceRow, publicUrl: string): PlaceFields {
  const { shown_lat: lat, shown_lng: lng, coordinates_shown: shown } = row;
  return {
    venue_id: formatId('venue', row.handle),
    name: row.shown_name,
    type: row.type,
    city: row.city,
    timezone: row.timezone,
    coordinates: lat === null || lng === null || shown === 'hidden' ? null : { lat, lng, precision: shown },
    photo_url: photoUrl(row.photo_object, publicUrl),
  };
}
