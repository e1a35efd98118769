/**
 * Where and when a campaign wants to run. Within one field any value may match; every field that is given must match.
 * An empty list means any.
 */
import { type FieldFault, type Refusal, refuseFields } from '../refusal.ts';
import { WEEKDAYS, formatTimeOfDay } from '../time/calendar.ts';
import { type Daypart, parseDaypart } from '../time/daypart.ts';
import { type Orientation, ORIENTATIONS, isOrientation } from '../screens/screen.ts';
import { VENUE_TYPES, parseVenueType, venueTypeMatches } from './taxonomy.ts';
import { type Circle, foldCity, isInCircle, type ShownPosition } from '../geography.ts';
import { isPlainText } from '../text.ts';

export type Targets = {
  /** As written, for people. */
  cities: readonly string[];
  /** The same cities folded, for comparing. */
  citiesFolded: readonly string[];
  /** Canonical names. */
  venueTypes: readonly string[];
  areas: readonly Circle[];
  orientations: readonly Orientation[];
  daypart?: Daypart;
  /** Mask of weekdays, mon = 1. Absent: every day. */
  days?: number;
};

/**
 * The facts of a venue, and of a screen if known, that targets compare. `venueType` is canonical, `cityFolded` is
 * `foldCity(city)`. The position is the public one: targets must not reveal a hidden position.
 */
export type Place = ShownPosition & { cityFolded: string; venueType: string; orientation?: Orientation };

/** `targets` in the API's canonical form, as stored and returned. */
export type TargetsJson = {
  cities: string[];
  venue_types: string[];
  areas: Circle[];
  orientations?: Orientation[];
  daypart?: { start: string; end: string };
  days?: string[];
};

// Bounds of one campaign: each entry costs time in the index of every delivery process.
const CITIES_MAX = 200;
const VENUE_TYPES_MAX = 200;
const AREAS_MAX = 100;
const CITY_LENGTH_MAX = 200;
// Half of the Earth's circumference: a larger circle covers nothing more.
const RADIUS_KM_MAX = 20_038;

/**
 * Parents and children; the deepest level would make the list too long to read. Made once: targets are parsed on every
 * read of a campaign.
 */
const VENUE_TYPE_LIST = VENUE_TYPES.filter(type => type.name.split('.').length <= 2)
  .map(type => type.name)
  .join(', ');
const FIELDS = ['cities', 'venue_types', 'areas', 'orientations', 'daypart', 'days'];

type Faults = { pointer: string; list: FieldFault[] };
/** A field that is a list: where it is, how many entries it may have, and what an entry must be (for the message). */
type ListField = { path: string; max: number; what: string; faults: Faults };

/**
 * Targets from the API's form: `{cities, venue_types, areas: [{lat, lng, radiusKm}], orientations, daypart: {start,
 * end}, days: ["mon"]}`, each field optional; undefined means no targets. All faults are reported together, with
 * pointers under `pointer`.
 */
export function parseTargets(json: unknown, pointer = '/targets'): Targets | Refusal {
  if (json !== undefined && (typeof json !== 'object' || json === null || Array.isArray(json))) {
    return refuseFields([{ pointer, code: 'wrong_type', detail: 'must be an object' }]);
  }
  const fields = (json ?? {}) as Record<string, unknown>;
  const faults: Faults = { pointer, list: [] };
  for (const name of Object.keys(fields))
    if (!FIELDS.includes(name)) fault(faults, `/${name}`, 'unknown_field', `must be one of ${FIELDS.join(', ')}`);
  const cities = parseList(fields['cities'], { path: '/cities', max: CITIES_MAX, what: 'a city', faults }, parseCity);
  const venueTypes = parseList(
    fields['venue_types'],
    { path: '/venue_types', max: VENUE_TYPES_MAX, what: `one of ${VENUE_TYPE_LIST}`, faults },
    parseVenueTypeField,
  );
  const areas = parseList(
    fields['areas'],
    { path: '/areas', max: AREAS_MAX, what: `{lat, lng, radiusKm} with a radius of up to ${RADIUS_KM_MAX} km`, faults },
    parseArea,
  );
  const orientations = parseList(
    fields['orientations'],
    { path: '/orientations', max: ORIENTATIONS.length, what: `one of ${ORIENTATIONS.join(', ')}`, faults },
    value => (isOrientation(value) ? value : undefined),
  );
  const weekdays = parseList(
    fields['days'],
    { path: '/days', max: WEEKDAYS.length, what: `one of ${WEEKDAYS.join(', ')}`, faults },
    parseWeekday,
  );
  const daypart = parseDaypartField(fields['daypart'], faults);
  if (faults.list.length > 0) return refuseFields(faults.list);
  return {
    cities,
    citiesFolded: [...new Set(cities.map(foldCity))],
    venueTypes: [...new Set(venueTypes)],
    areas,
    orientations: [...new Set(orientations)],
    ...(daypart === undefined ? {} : { daypart }),
    ...(weekdays.length === 0 ? {} : { days: weekdays.reduce((mask, weekday) => mask | (1 << weekday), 0) }),
  };
}

/** The API's form of targets. `parseTargets` of it gives the same targets again. */
export function targetsJson(targets: Targets): TargetsJson {
  const { cities, venueTypes, areas, orientations, daypart, days } = targets;
  return {
    cities: [...cities],
    venue_types: [...venueTypes],
    areas: areas.map(area => ({ ...area })),
    ...(orientations.length === 0 ? {} : { orientations: [...orientations] }),
    ...(daypart === undefined
      ? {}
      : { daypart: { start: formatTimeOfDay(daypart.startMinute), end: formatTimeOfDay(daypart.endMinute) } }),
    ...(days === undefined ? {} : { days: WEEKDAYS.filter((_, weekday) => (days & (1 << weekday)) !== 0) }),
  };
}

/** Whether the targets match a place. Daypart and days are for `checkFlight`. */
export function matchesPlace(targets: Targets, place: Place): boolean {
  const { citiesFolded, venueTypes, areas, orientations } = targets;
  if (citiesFolded.length > 0 && !citiesFolded.includes(place.cityFolded)) return false;
  if (venueTypes.length > 0 && !venueTypes.some(target => venueTypeMatches(target, place.venueType))) return false;
  if (orientations.length > 0 && place.orientation !== undefined && !orientations.includes(place.orientation))
    return false;
  return areas.length === 0 || areas.some(area => isInCircle(area, place));
}

function fault(faults: Faults, path: string, code: string, detail: string): void {
  faults.list.push({ pointer: faults.pointer + path, code, detail });
}

function parseList<T>(json: unknown, field: ListField, parse: (value: unknown) => T | undefined): T[] {
  const { path, max, what, faults } = field;
  if (json === undefined) return [];
  if (!Array.isArray(json)) {
    fault(faults, path, 'wrong_type', 'must be a list');
    return [];
  }
  if (json.length > max) {
    fault(faults, path, 'too_many', `must have at most ${max} entries`);
    return [];
  }
  return json.flatMap((value: unknown, index) => {
    const parsed = parse(value);
    if (parsed !== undefined) return [parsed];
    fault(faults, `${path}/${index}`, 'unknown_value', `must be ${what}`);
    return [];
  });
}

function parseCity(value: unknown): string | undefined {
  return isPlainText(value, CITY_LENGTH_MAX) && foldCity(value) !== '' ? value.trim() : undefined;
}

function parseVenueTypeField(value: unknown): string | undefined {
  if (typeof value === 'number') return parseVenueType(String(value));
  return typeof value === 'string' ? parseVenueType(value) : undefined;
}

function parseArea(value: unknown): Circle | undefined {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 3) return undefined;
  const { lat, lng, radiusKm } = value as { lat?: unknown; lng?: unknown; radiusKm?: unknown };
  if (!isWithin(lat, -90, 90) || !isWithin(lng, -180, 180) || !isWithin(radiusKm, 0, RADIUS_KM_MAX) || radiusKm === 0)
    return undefined;
  return { lat: lat + 0, lng: lng + 0, radiusKm }; // -0 is stored as 0
}

function isWithin(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && value >= min && value <= max;
}

function parseWeekday(value: unknown): number | undefined {
  const weekday = WEEKDAYS.indexOf(value as (typeof WEEKDAYS)[number]);
  return weekday === -1 ? undefined : weekday;
}

function parseDaypartField(value: unknown, faults: Faults): Daypart | undefined {
  if (value === undefined) return undefined;
  const { start, end, ...others } = (typeof value === 'object' && value !== null ? value : {}) as {
    start?: unknown;
    end?: unknown;
  };
  const daypart =
    typeof start === 'string' && typeof end === 'string' && Object.keys(others).length === 0
      ? parseDaypart(start, end)
      : undefined;
  if (!daypart) fault(faults, '/daypart', 'bad_range', 'must be {start, end} with two different times HH:MM');
  return daypart;
}
