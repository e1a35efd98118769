/**
 * The operator's rules from a CSV file: a category that must not play near a kind of place, in a country or zone, or in
 * some hours. What a line leaves empty does not narrow its rule. Each rule names the law that it follows.
 */
import { parseCategory } from '../campaigns/taxonomy.ts';
import { TIME_ZONES } from '../data/time-zones.ts';
import { parseZone } from '../screens/schedule.ts';
import { WEEKDAYS } from '../time/calendar.ts';
import { type Daypart, parseDaypart } from '../time/daypart.ts';
import { isPlainText } from '../text.ts';
import { numberOf, parseCsv } from './csv.ts';
import { type FileFault, valuesOf } from './file-fault.ts';
import { isPlaceKind } from './place-file.ts';
import { HOURS_STEP_MINUTES, type RestrictedHours } from './restriction.ts';

/** `zones`: the rule holds at venues of these time zones; absent: everywhere. */
export type PlaceRule = {
  name: string;
  category: string;
  near?: { kind: string; distanceM: number };
  jurisdiction?: string;
  zones?: readonly string[];
  hours?: RestrictedHours;
  source: string;
};

/** Each venue is compared with each rule. */
const RULES_MAX = 500;
/** Beyond it a rule means a country, not a distance. */
const DISTANCE_M_MAX = 50_000;
const TEXT_LENGTH_MAX = 200;
const COLUMNS = ['name', 'category', 'kind', 'distance_m', 'jurisdiction', 'from', 'to', 'days', 'source'] as const;

type Fields = Record<(typeof COLUMNS)[number], string>;
type Read = { line: number; value: PlaceRule; faults: FileFault[] };

/** The rules of a file, or what is wrong with it. */
export function parseRuleFile(text: string): PlaceRule[] | FileFault[] {
  return valuesOf(readRules(text), { field: 'name', most: RULES_MAX, noun: 'rules' });
}

function readRules(text: string): Read[] | FileFault[] {
  const csv = parseCsv(text);
  if ('detail' in csv) return [csv];
  const faults = [
    ...COLUMNS.filter(name => !csv.header.includes(name)).map(field => ({ field, detail: 'the column is missing' })),
    ...csv.header
      .filter(name => !(COLUMNS as readonly string[]).includes(name))
      .map(field => ({ field, detail: `is no column: there are ${COLUMNS.join(', ')}` })),
  ].map(fault => ({ line: 1, ...fault }));
  if (faults.length > 0) return faults;
  return csv.records.map(({ line, fields }) => ruleOf(line, fields as Fields));
}

function ruleOf(line: number, fields: Fields): Read {
  const faults: FileFault[] = [];
  const fault = (field: string, detail: string): undefined => void faults.push({ line, field, detail });
  const { name, source, jurisdiction } = fields;
  for (const field of ['name', 'source'] as const)
    if (!isPlainText(fields[field], TEXT_LENGTH_MAX))
      fault(field, `must be 1 to ${TEXT_LENGTH_MAX} characters without controls`);
  const category = parseCategory(fields.category)?.slug ?? fault('category', 'must be a category, such as alcohol');
  const near = nearOf(fields, fault);
  const zones =
    jurisdiction === ''
      ? undefined
      : (zonesOf(jurisdiction) ?? fault('jurisdiction', 'must be a country such as FR, or a time zone'));
  const hours = hoursOf(fields, fault);
  if ([fields.kind, fields.distance_m, jurisdiction, fields.from, fields.to, fields.days].every(field => field === ''))
    fault('kind', 'must be given, or a jurisdiction or hours: a rule without these would hold everywhere');
  return {
    line,
    faults,
    value: {
      name,
      category: category ?? '',
      source,
      ...(near && { near }),
      ...(zones && { zones, jurisdiction }),
      ...(hours && { hours }),
    },
  };
}

type AddFault = (field: string, detail: string) => undefined;

function nearOf({ kind, distance_m: distance }: Fields, fault: AddFault): PlaceRule['near'] {
  if (kind === '' && distance === '') return undefined;
  if (!isPlaceKind(kind)) return fault('kind', 'must be a kind of place, such as school');
  const distanceM = numberOf(distance);
  if (!Number.isInteger(distanceM) || distanceM < 1 || distanceM > DISTANCE_M_MAX)
    return fault('distance_m', `must be a whole number of metres from 1 to ${DISTANCE_M_MAX}`);
  return { kind, distanceM };
}

function hoursOf({ from, to, days }: Fields, fault: AddFault): RestrictedHours | undefined {
  if (from === '' && to === '' && days === '') return undefined;
  const mask = days === '' ? undefined : daysOf(days);
  if (days !== '' && mask === undefined) fault('days', `must be some of ${WEEKDAYS.join(' ')}`);
  const daypart: Daypart | undefined = from === '' && to === '' ? WHOLE_DAY : parseDaypart(from, to);
  if (daypart === undefined)
    return fault('from', 'and to must be two different times of two digits each, such as 06:00 and 22:00');
  for (const [field, minute] of [
    ['from', daypart.startMinute],
    ['to', daypart.endMinute],
  ] as const)
    // prettier-ignore
    if (minute % HOURS_STEP_MINUTES !== 0) fault(field, 'must be a quarter of an hour, such as 21:45');
  return { daypart, ...(mask !== undefined && { days: mask }) };
}
const WHOLE_DAY: Daypart = { startMinute: 0, endMinute: 24 * 60 };

function daysOf(text: string): number | undefined {
  const numbers = text.split(/[ ;]+/).map(day => (WEEKDAYS as readonly string[]).indexOf(day));
  return numbers.includes(-1) ? undefined : numbers.reduce((mask, number) => mask | (1 << number), 0);
}

/**
 * The time zones of a country (ISO 3166), or all names of one zone. The country comes first: GB and NZ are also old
 * names of zones, and New Zealand has two.
 */
function zonesOf(jurisdiction: string): string[] | undefined {
  const zone = parseZone(jurisdiction);
  const ofCountry = /^[A-Z]{2}$/.test(jurisdiction) ? countryZones(jurisdiction) : [];
  const wanted = new Set((ofCountry.length > 0 || zone === undefined ? ofCountry : [zone]).map(canonicalZone));
  const zones = TIME_ZONES.filter(name => wanted.has(canonicalZone(name)));
  return zones.length === 0 ? undefined : zones;
}

/** Older engines have a getter where newer ones have a function. */
function countryZones(country: string): readonly string[] {
  const locale = new Intl.Locale(`und-${country}`) as { getTimeZones?(): string[]; timeZones?: string[] };
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

/** One name for all forms of a zone. Formatters are slow to create, so each zone is resolved once. */
function canonicalZone(zone: string): string {
  const known =
    canonicalZones.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone;
  canonicalZones.set(zone, known);
  return known;
}
const canonicalZones = new Map<string, string>();
