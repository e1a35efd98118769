/**
 * Time at the venue. Every rule here is local to the venue and takes the venue's offset from UTC: the zone's own rules
 * are read once per change of the clocks (`zoneChanges`), never while a slot is decided. A range of the day whose end
 * is before its start goes over midnight. All of it belongs to the day on which it began, whose date and weekday count.
 */
import { assert } from '../assertion.ts';
import { TIME_ZONES } from '../data/time-zones.ts';
import { type FieldFault, type Refusal, refuseFields } from '../refusal.ts';
import { DAYS_PER_WEEK, HOURS_PER_DAY, MINUTES_PER_DAY, WEEKDAYS, weekdayOf } from '../time/calendar.ts';
import { type Daypart, isInDaypart, parseDaypart } from '../time/daypart.ts';
import type { Milliseconds } from '../unit.ts';

const MINUTES_PER_HOUR = 60;
const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;

// ---- zones

// More than the database has names: the cache is emptied only if callers use other names.
const FORMATTERS_MAX = 1000;
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  if (formatters.size >= FORMATTERS_MAX) formatters.clear();
  const made = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  formatters.set(zone, made);
  return made;
}

const NAMES = new Map(TIME_ZONES.map(zone => [zone.toLowerCase(), zone]));

/**
 * The name of a time zone as the IANA database writes it, for a text in any case: `europe/berlin` is `Europe/Berlin`.
 * Undefined for anything else, bare offsets and the short names of other catalogs among it.
 */
export function parseZone(text: string): string | undefined {
  return NAMES.get(text.toLowerCase());
}

/** Minutes to add to UTC for local time, -720 .. 840. @throws RangeError for a name that Intl does not know. */
export function zoneOffsetMinutes(zone: string, atMs: Milliseconds): number {
  const text = formatterOf(zone).format(atMs);
  const match = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(text);
  assert(match, `no offset in ${text}`);
  const minutes = Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0);
  return match[1] === '-' ? -minutes : minutes;
}

// The shortest time that any zone kept an offset since 2010 is three weeks (Cairo, September 2010), so no change hides
// between two probes.
const PROBE_MS = 7 * MS_PER_DAY;
// Eleven years: a campaign of three with room, and at most 574 probes.
const ZONE_RANGE_MS_MAX = 11 * 366 * MS_PER_DAY;

/**
 * The offsets of a zone from `fromMs` until before `toMs`: the first entry starts at `fromMs`, each next one at the
 * millisecond at which the clocks change. At most 11 years.
 */
export function zoneChanges(
  zone: string,
  fromMs: Milliseconds,
  toMs: Milliseconds,
): { fromMs: Milliseconds; offsetMinutes: number }[] {
  assert(
    fromMs <= toMs && toMs - fromMs <= ZONE_RANGE_MS_MAX,
    `${fromMs} .. ${toMs} is not a range of at most 11 years`,
  );
  let offsetMinutes = zoneOffsetMinutes(zone, fromMs);
  const changes = [{ fromMs, offsetMinutes }];
  for (let probe = fromMs; probe < toMs; probe += PROBE_MS) {
    const next = Math.min(probe + PROBE_MS, toMs - 1);
    const nextOffset = zoneOffsetMinutes(zone, next);
    if (nextOffset === offsetMinutes) continue;
    changes.push({
      fromMs: firstMsOfOffset(zone, { before: probe, after: next, offsetMinutes: nextOffset }),
      offsetMinutes: nextOffset,
    });
    offsetMinutes = nextOffset;
  }
  return changes;
}

function firstMsOfOffset(zone: string, range: { before: number; after: number; offsetMinutes: number }): Milliseconds {
  let { before, after } = range;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (zoneOffsetMinutes(zone, middle) === range.offsetMinutes) after = middle;
    else before = middle;
  }
  return after;
}

/** The day since 1970-01-01 and the minute of the day at the venue. */
export function localTime(offsetMinutes: number, atMs: Milliseconds): { day: number; minute: number } {
  const localMs = atMs + offsetMinutes * MS_PER_MINUTE;
  const day = Math.floor(localMs / MS_PER_DAY);
  return { day, minute: Math.floor((localMs - day * MS_PER_DAY) / MS_PER_MINUTE) };
}

/** The local hour of the week, 0 .. 167; Monday 00:00 is 0. */
export function hourOfWeekAt(offsetMinutes: number, atMs: Milliseconds): number {
  const { day, minute } = localTime(offsetMinutes, atMs);
  return weekdayOf(day) * HOURS_PER_DAY + Math.floor(minute / MINUTES_PER_HOUR);
}

// ---- flights

/**
 * When a campaign may run: days since 1970-01-01 at the venue, both included; `days` is a mask of weekdays, mon = 1.
 */
export type FlightRule = { startsOn: number; endsOn: number; daypart?: Daypart; days?: number };
export type FlightCheck = 'ok' | 'outside_schedule' | 'outside_daypart';

/** Whether a campaign may run at a moment at a venue. The dates are checked first, then weekday and daypart. */
export function checkFlight(rule: FlightRule, offsetMinutes: number, atMs: Milliseconds): FlightCheck {
  const { day: today, minute } = localTime(offsetMinutes, atMs);
  const { daypart } = rule;
  const beganYesterday = daypart !== undefined && daypart.endMinute < daypart.startMinute && minute < daypart.endMinute;
  const day = beganYesterday ? today - 1 : today;
  if (day < rule.startsOn || day > rule.endsOn) return 'outside_schedule';
  if (rule.days !== undefined && (rule.days & (1 << weekdayOf(day))) === 0) return 'outside_daypart';
  return daypart === undefined || isInDaypart(daypart, minute) ? 'ok' : 'outside_daypart';
}

// ---- opening hours

/** Open ranges by weekday, mon first. A range over midnight belongs to the day on which it begins. */
export type OpeningHours = readonly (readonly Daypart[])[];

// More ranges than anyone needs on a day; bounds the work per slot.
const RANGES_PER_DAY_MAX = 8;

/**
 * Opening hours in the API's form: `{mon: [{start, end}], ...}`; a day that is absent is closed. Undefined and null
 * mean always open. Refuses unknown fields, bad times, overlaps, and hours that never open.
 */
export function parseOpeningHours(json: unknown, pointer = '/opening_hours'): OpeningHours | undefined | Refusal {
  if (json === undefined || json === null) return undefined;
  if (typeof json !== 'object' || Array.isArray(json))
    return refuseFields([{ pointer, code: 'wrong_type', detail: 'must be an object of weekdays' }]);
  const faults: FieldFault[] = [];
  const entries = json as Record<string, unknown>;
  for (const name of Object.keys(entries)) {
    if (!(WEEKDAYS as readonly string[]).includes(name))
      faults.push({
        pointer: `${pointer}/${name}`,
        code: 'unknown_field',
        detail: `must be one of ${WEEKDAYS.join(', ')}`,
      });
  }
  const hours = WEEKDAYS.map(name => parseRanges(entries[name], `${pointer}/${name}`, faults));
  if (faults.length > 0) return refuseFields(faults);
  const minutes = weekMinutes(hours);
  if (minutes.every(count => count === 0))
    faults.push({ pointer, code: 'never_open', detail: 'must open at least once a week' });
  if (minutes.some(count => count > 1)) faults.push({ pointer, code: 'overlap', detail: 'ranges must not overlap' });
  return faults.length > 0 ? refuseFields(faults) : hours;
}

function parseRanges(json: unknown, pointer: string, faults: FieldFault[]): Daypart[] {
  if (json === undefined) return [];
  if (!Array.isArray(json) || json.length > RANGES_PER_DAY_MAX) {
    faults.push({
      pointer,
      code: 'wrong_type',
      detail: `must be a list of at most ${RANGES_PER_DAY_MAX} ranges {start, end}`,
    });
    return [];
  }
  return json.flatMap((range: unknown, index) => {
    const daypart = parseRange(range);
    if (daypart) return [daypart];
    faults.push({
      pointer: `${pointer}/${index}`,
      code: 'bad_range',
      detail: 'must be {start, end} with two different times HH:MM',
    });
    return [];
  });
}

function parseRange(json: unknown): Daypart | undefined {
  if (typeof json !== 'object' || json === null || Object.keys(json).length !== 2) return undefined;
  const { start, end } = json as { start?: unknown; end?: unknown };
  return typeof start === 'string' && typeof end === 'string' ? parseDaypart(start, end) : undefined;
}

/** Whether a venue is open at a moment. Hours of undefined are always open. */
export function isOpen(hours: OpeningHours | undefined, offsetMinutes: number, atMs: Milliseconds): boolean {
  if (hours === undefined) return true;
  const { day, minute } = localTime(offsetMinutes, atMs);
  const weekday = weekdayOf(day);
  const today = hours[weekday] ?? [];
  const yesterday = hours[(weekday + DAYS_PER_WEEK - 1) % DAYS_PER_WEEK] ?? [];
  return (
    today.some(
      ({ startMinute, endMinute }) => minute >= startMinute && (endMinute < startMinute || minute < endMinute),
    ) || yesterday.some(({ startMinute, endMinute }) => endMinute < startMinute && minute < endMinute)
  );
}

/**
 * Mean open minutes of a day over the week, 0 .. 1440, a fraction where days differ. With a daypart or a mask of days
 * only the minutes that fall into them count.
 */
export function openMinutesPerDay(
  hours: OpeningHours | undefined,
  within: { daypart?: Daypart; days?: number } = {},
): number {
  const open = hours === undefined ? undefined : weekMinutes(hours);
  const wanted = weekMinutes(
    WEEKDAYS.map((_, weekday) => {
      if (within.days !== undefined && (within.days & (1 << weekday)) === 0) return [];
      return [within.daypart ?? { startMinute: 0, endMinute: MINUTES_PER_DAY }];
    }),
  );
  let minutes = 0;
  for (let index = 0; index < wanted.length; index += 1)
    if (wanted[index]! > 0 && (open === undefined || open[index]! > 0)) minutes += 1;
  return minutes / DAYS_PER_WEEK;
}

/** How many ranges cover each minute of the week, Monday 00:00 first. */
function weekMinutes(week: OpeningHours): Uint8Array {
  const total = DAYS_PER_WEEK * MINUTES_PER_DAY;
  const counts = new Uint8Array(total);
  week.forEach((ranges, weekday) => {
    for (const { startMinute, endMinute } of ranges) {
      const length = (endMinute < startMinute ? endMinute + MINUTES_PER_DAY : endMinute) - startMinute;
      const first = weekday * MINUTES_PER_DAY + startMinute;
      for (let step = 0; step < length; step += 1) counts[(first + step) % total]! += 1;
    }
  });
  return counts;
}
