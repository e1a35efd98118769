/**
 * Time at the venue. Every rule here is local to the venue and takes the venue's offset from UTC: the zone's own rules
 * are read once per change of the clocks (`zoneChanges`), never while a slot is decided. A range of the day whose end
 * is before its start goes over midnight. All of it belongs to the day on which it began, whose date and weekday count.
 */
import { assert } from '../assertion.ts';
import { TIME_ZONES } from '../data/time-zones.ts';
import { type FieldFault, type Refusal, refuseFields } from '../refusal.ts';
import type { Milliseconds } from '../unit.ts';

export const MINUTES_PER_DAY = 1440;
const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;
const DAYS_PER_WEEK = 7;
/** In the order of their numbers: mon is 0 and bit 1 of a mask, sun is 6 and bit 64. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

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
 * The name of a time zone in the spelling of the IANA database, for a text in any case: `europe/berlin` is
 * `Europe/Berlin`. Undefined for anything else, bare offsets and the short names of other catalogues among it.
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

// ---- dates and times as texts

/** Minutes since midnight of `HH:MM`, 0 .. 1439, or undefined. */
export function parseTimeOfDay(text: string): number | undefined {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  return match ? Number(match[1]) * 60 + Number(match[2]) : undefined;
}

/** `HH:MM` of minutes since midnight, 0 .. 1440. */
export function formatTimeOfDay(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

/**
 * 2099-12-31, the last day of a schedule and of a report: ClickHouse's DateTime, in which plays are counted, ends in
 * 2106, and whatever is asked of a day needs some days around it.
 */
export const LAST_DAY = 47_481;

/**
 * Days since 1970-01-01 of `YYYY-MM-DD`, or undefined for a text that is not a date of the calendar. Years 1970 ..
 * 9999.
 */
export function parseDate(text: string): number | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!match || Number(match[1]) < 1970) return undefined;
  const days = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])) / MS_PER_DAY;
  return formatDate(days) === text ? days : undefined;
}

/** `YYYY-MM-DD` of days since 1970-01-01. */
export function formatDate(days: number): string {
  return new Date(days * MS_PER_DAY).toISOString().slice(0, 10);
}

/** The weekday of a day since 1970-01-01 (a Thursday): mon is 0. */
export function weekdayOf(days: number): number {
  return (((days + 3) % DAYS_PER_WEEK) + DAYS_PER_WEEK) % DAYS_PER_WEEK;
}

/** The day since 1970-01-01 and the minute of the day at the venue. */
export function localTime(offsetMinutes: number, atMs: Milliseconds): { day: number; minute: number } {
  const localMs = atMs + offsetMinutes * MS_PER_MINUTE;
  const day = Math.floor(localMs / MS_PER_DAY);
  return { day, minute: Math.floor((localMs - day * MS_PER_DAY) / MS_PER_MINUTE) };
}

// ---- dayparts

/**
 * A range of local time: start 0 .. 1439 included, end 0 .. 1440 not included; an end before the start is on the next
 * day.
 */
export type Daypart = { startMinute: number; endMinute: number };

/** The names that report filters and the scan log use. They cover the day without overlap. */
export const namedDayparts = {
  morning: { startMinute: 360, endMinute: 600 },
  midday: { startMinute: 600, endMinute: 840 },
  afternoon: { startMinute: 840, endMinute: 1080 },
  evening: { startMinute: 1080, endMinute: 1320 },
  night: { startMinute: 1320, endMinute: 360 },
} as const satisfies Record<string, Daypart>;
export type DaypartName = keyof typeof namedDayparts;

/** The named daypart of a minute of the day, 0 .. 1439. */
export function daypartName(minuteOfDay: number): DaypartName {
  const names = Object.keys(namedDayparts) as DaypartName[];
  return names.find(name => isInDaypart(namedDayparts[name], minuteOfDay)) ?? 'night';
}

export function isInDaypart(daypart: Daypart, minuteOfDay: number): boolean {
  const { startMinute, endMinute } = daypart;
  if (startMinute < endMinute) return minuteOfDay >= startMinute && minuteOfDay < endMinute;
  return minuteOfDay >= startMinute || minuteOfDay < endMinute;
}

/** The daypart of two times as the API spells them; the end may be `24:00`. Undefined for other texts or no length. */
export function parseDaypart(start: string, end: string): Daypart | undefined {
  const startMinute = parseTimeOfDay(start);
  const endMinute = end === '24:00' ? MINUTES_PER_DAY : parseTimeOfDay(end);
  if (startMinute === undefined || endMinute === undefined || startMinute === endMinute) return undefined;
  return { startMinute, endMinute };
}

// Reports are kept in rows of 15 minutes.
const FILTER_STEP_MINUTES = 15;

/** The daypart of a report filter: a name, or `HH:MM-HH:MM` in steps of 15 minutes. Undefined for anything else. */
export function parseDaypartFilter(text: string): Daypart | undefined {
  if (Object.hasOwn(namedDayparts, text)) return namedDayparts[text as DaypartName];
  const [start, end, ...rest] = text.split('-');
  if (start === undefined || end === undefined || rest.length > 0) return undefined;
  const daypart = parseDaypart(start, end);
  if (!daypart || daypart.startMinute % FILTER_STEP_MINUTES !== 0 || daypart.endMinute % FILTER_STEP_MINUTES !== 0)
    return undefined;
  return daypart;
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

/** Open ranges by weekday, mon first. A range over midnight stands on the day on which it begins. */
export type OpeningHours = readonly (readonly Daypart[])[];

// More ranges than anyone needs on a day; bounds the work per slot.
const RANGES_PER_DAY_MAX = 8;

/**
 * Opening hours as the API spells them: `{mon: [{start, end}], ...}`; a day that is absent is closed. Undefined and
 * null mean always open. Refuses unknown fields, bad times, overlaps, and hours that never open.
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
