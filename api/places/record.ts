/** A venue for brands: only its public fields. */
import { formatId, type Handle } from '#domain/id.ts';
import type { CoordinatesShown } from '#domain/screens/place.ts';
import type { Queryable } from '#sql/postgres.ts';
import { photoUrl } from '../venues/record.ts';
import type { PlaceFields } from './schema.ts';

/** The columns of a venue for readers other than its owner: hidden values are not in the row. */
export type PlaceRow = {
  handle: Handle<'venue'>;
  shown_name: string | null;
  type: string;
  city: string;
  timezone: string;
  shown_lat: number | null;
  shown_lng: number | null;
  coordinates_shown: CoordinatesShown;
  photo_object: string | null;
};

export function placeColumns(sql: Queryable) {
  return sql`v.handle, v.shown_name, v.type, v.city, v.timezone, v.shown_lat, v.shown_lng, v.coordinates_shown,
      v.photo_object`;
}

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
