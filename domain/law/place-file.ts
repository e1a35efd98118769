/**
 * Sensitive places from a file: points with a kind such as `school`, as CSV or GeoJSON. A file with one wrong line is
 * refused as a whole, and each fault names its line (of GeoJSON: the number of its feature) and field.
 */
import { isPlainText } from '../text.ts';
import { numberOf, parseCsv, withoutMark } from './csv.ts';
import { type FileFault, valuesOf } from './file-fault.ts';

export type SensitivePlace = { id: string; kind: string; name: string; lat: number; lng: number };

/** A country has tens of thousands of schools; a file beyond this is a mistake. */
const PLACES_MAX = 500_000;
const ID_LENGTH_MAX = 100;
const NAME_LENGTH_MAX = 200;
const KIND = /^[a-z][a-z0-9_]{0,39}$/;
const COLUMNS = ['id', 'kind', 'latitude', 'longitude', 'name'];

/** Whether a text is a kind of place: `place_of_worship`. */
export function isPlaceKind(text: string): boolean {
  return KIND.test(text);
}

/** The places of a file, or what is wrong with it. GeoJSON begins with a brace. */
export function parsePlaceFile(text: string): SensitivePlace[] | FileFault[] {
  const places = text.trimStart().startsWith('{') ? readGeoJson(text) : readCsv(text);
  return valuesOf(places, { field: 'id', most: PLACES_MAX, noun: 'places' });
}

type Read = { line: number; value: SensitivePlace; faults: FileFault[] };
type RawPlace = Record<'id' | 'kind' | 'name' | 'latitude' | 'longitude', unknown>;

function readCsv(text: string): Read[] | FileFault[] {
  const csv = parseCsv(text);
  if ('detail' in csv) return [csv];
  const missing = COLUMNS.filter(name => !csv.header.includes(name));
  if (missing.length > 0) return missing.map(field => ({ line: 1, field, detail: 'the column is missing' }));
  return csv.records.map(({ line, fields }) =>
    placeOf(line, {
      ...(fields as Record<keyof RawPlace, string>),
      latitude: numberOf(fields['latitude']!),
      longitude: numberOf(fields['longitude']!),
    }),
  );
}

function readGeoJson(text: string): Read[] | FileFault[] {
  const features = featuresOf(text);
  if (features === undefined) return [{ line: 1, detail: 'it is no GeoJSON FeatureCollection' }];
  return features.map((feature, number) => {
    const { id, geometry, properties } = (feature ?? {}) as Record<string, unknown>;
    const named = (properties ?? {}) as Partial<RawPlace>;
    const { type, coordinates } = (geometry ?? {}) as { type?: unknown; coordinates?: unknown };
    const [longitude, latitude] = type === 'Point' && Array.isArray(coordinates) ? (coordinates as unknown[]) : [];
    const ownId = named.id ?? id;
    const read = placeOf(number + 1, {
      id: typeof ownId === 'number' ? String(ownId) : ownId,
      kind: named.kind,
      name: named.name ?? '',
      latitude,
      longitude,
    });
    if (type === 'Point') return read;
    const faults = read.faults.filter(({ field }) => field !== 'latitude' && field !== 'longitude');
    return { ...read, faults: [...faults, { line: number + 1, field: 'geometry', detail: 'must be a Point' }] };
  });
}

function featuresOf(text: string): unknown[] | undefined {
  try {
    const json = JSON.parse(withoutMark(text)) as { type?: unknown; features?: unknown };
    return json.type === 'FeatureCollection' && Array.isArray(json.features) ? json.features : undefined;
  } catch {
    return undefined;
  }
}

function placeOf(line: number, { id, kind, name, latitude, longitude }: RawPlace): Read {
  const faults: FileFault[] = [];
  const check = (field: string, isRight: boolean, detail: string) => {
    if (!isRight) faults.push({ line, field, detail });
  };
  check('id', isPlainText(id, ID_LENGTH_MAX), `must be a text of 1 to ${ID_LENGTH_MAX} characters without controls`);
  check('kind', typeof kind === 'string' && isPlaceKind(kind), 'must be lower case, such as school');
  check(
    'name',
    name === '' || isPlainText(name, NAME_LENGTH_MAX),
    `must be at most ${NAME_LENGTH_MAX} characters without controls`,
  );
  check('latitude', isDegrees(latitude, 90), 'must be a number from -90 to 90');
  check('longitude', isDegrees(longitude, 180), 'must be a number from -180 to 180');
  // Read only where there are no faults.
  return { line, faults, value: { id, kind, name, lat: latitude, lng: longitude } as SensitivePlace };
}

function isDegrees(value: unknown, most: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= most;
}
