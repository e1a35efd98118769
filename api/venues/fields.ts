/** Parses the bodies and filters of venues, beyond the checks of the schema, and returns all faults together. */
import { parseId } from '#domain/id.ts';
import { isRefusal, refuse, refuseFields, type FieldFault, type Refusal } from '#domain/refusal.ts';
import { parseOpeningHours, parseZone } from '#domain/screens/schedule.ts';
import { foldCity } from '#domain/geography.ts';
import { parseCategory, parseVenueType, VENUE_TYPES, venueTypeMatches } from '#domain/campaigns/taxonomy.ts';
import type { VenueColumns } from '#domain/screens/stored-venue.ts';
import type { VenueFilter } from '#sql/venues/rows.ts';
import type { ChangeVenue, ListVenues } from './schema.ts';

export function parseVenueFilter({ type, city, q, count }: ListVenues): VenueFilter | Refusal {
  const types = type?.split(',').map(parseVenueType);
  if (types?.includes(undefined))
    return refuse('bad_query_parameter', 'type must be OpenOOH venue types (GET /v1/venue-types).');
  const wanted =
    types && VENUE_TYPES.map(known => known.name).filter(name => types.some(one => venueTypeMatches(one!, name)));
  return {
    isCounted: count === 'true',
    ...(wanted && { types: wanted }),
    ...(city !== undefined && { citiesFolded: city.split(',').map(foldCity) }),
    ...(q !== undefined && { name: q }),
  };
}

/** Checks that a schema cannot express: names of zones, taxonomies, opening hours. All faults together. */
export function parseVenueFields(body: ChangeVenue): VenueColumns | Refusal {
  const faults: FieldFault[] = [];
  const { default_playlist_id: playlistId, visibility, photo_asset_id: photoId, ...plain } = body;
  const columns: VenueColumns = { ...plain };
  if (visibility?.name !== undefined) columns.name_shown = visibility.name;
  if (visibility?.coordinates !== undefined) columns.coordinates_shown = visibility.coordinates;
  if (body.type !== undefined) {
    const type = parseVenueType(body.type);
    if (type === undefined)
      faults.push({
        pointer: '/type',
        code: 'unknown_value',
        detail: `must be an OpenOOH venue type: ${venueTypeNames()}`,
      });
    else columns.type = type;
  }
  if (body.timezone !== undefined) {
    const timezone = parseZone(body.timezone);
    if (timezone === undefined)
      faults.push({
        pointer: '/timezone',
        code: 'unknown_value',
        detail: 'must be an IANA time zone, such as Europe/Berlin',
      });
    else columns.timezone = timezone;
  }
  if (body.opening_hours !== undefined) {
    const hours = parseOpeningHours(body.opening_hours);
    if (isRefusal(hours)) faults.push(...(hours.errors ?? []));
  }
  if (body.blocked_categories !== undefined)
    columns.blocked_categories = parseCategories(body.blocked_categories, faults);
  if (playlistId !== undefined) {
    const playlist = playlistId === null ? null : parseId('playlist', playlistId);
    if (playlist === undefined)
      faults.push({
        pointer: '/default_playlist_id',
        code: 'unknown_playlist',
        detail: 'is not a playlist of this workspace',
      });
    else columns.default_playlist_handle = playlist;
  }
  if (photoId !== undefined) {
    const asset = photoId === null ? null : parseId('asset', photoId);
    if (asset === undefined)
      faults.push({ pointer: '/photo_asset_id', code: 'unknown_asset', detail: 'is not an asset of this workspace' });
    else columns.photo_asset_handle = asset;
  }
  return faults.length > 0 ? refuseFields(faults) : columns;
}

/** Categories as slugs, each once. Faults are added to the list. */
export function parseCategories(names: readonly string[], faults: FieldFault[]): string[] {
  const slugs = names.flatMap((name, index) => {
    const category = parseCategory(name);
    if (category) return [category.slug];
    faults.push({
      pointer: `/blocked_categories/${index}`,
      code: 'unknown_value',
      detail: 'must be a tier-1 category of IAB Ad Product 2.0, by id or slug',
    });
    return [];
  });
  return [...new Set(slugs)];
}

function venueTypeNames(): string {
  return VENUE_TYPES.filter(type => type.name.split('.').length <= 2)
    .map(type => type.name)
    .join(', ');
}
