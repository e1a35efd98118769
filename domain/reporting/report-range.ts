/**
 * The range of days that a report covers, in its time zone: parsed from the query, bounded, and formatted as the labels
 * of its buckets. Days are counted since 1970-01-01.
 */
import type { Milliseconds } from '../unit.ts';
import { refuse, type Refusal } from '../refusal.ts';
import { LAST_DAY, formatDate, parseDate } from '../time/calendar.ts';
import { localTime, parseZone, zoneOffsetMinutes } from '../screens/schedule.ts';

export const MS_PER_DAY = 86_400_000;
const MS_PER_MINUTE = 60_000;
/** Zones change their clocks at most once in some weeks, so the offsets on both sides of a midnight are so far off. */
const OFFSET_PROBE_MS = 6 * 3_600_000;
const QUARTER_MS = 900_000; // every offset is whole quarters
const ZONE_BEHIND_MS_MAX = 12 * 3_600_000; // no place on Earth is further behind UTC
const DAYS_MAX = 1_100; // three years, the longest campaign, as days
const DAYS_BY_HOUR_MAX = 31; // 744 hours

/** Days since 1970-01-01, both included. */
type Days = { first: number; last: number };
type DatesAndZone = { from?: string | undefined; to?: string | undefined; tz?: string | undefined };
export type RangeQuery = DatesAndZone & { group?: 'day' | 'hour' };

/**
 * The parsed range. Plays of the `counted` days are in the figures; `shown` days get a bucket even when it is empty;
 * `endsAt` (ms) is the end.
 */
export type ReportRange = { tz: string; group: 'day' | 'hour'; counted: Days; shown: Days; endsAt: Milliseconds };

/**
 * Parses the range of a report. Without dates it is the whole campaign, or today for a draft without days. Its days are
 * local to the venues, so in another time zone its first and last plays may fall on the day before or after: those two
 * days are counted too.
 */
export function parseRange(
  query: RangeQuery,
  { campaign, now }: { campaign: { starts: string | null; ends: string | null }; now: Milliseconds },
): ReportRange | Refusal {
  const { group = 'day' } = query;
  const days = parseDays(query);
  if ('refused' in days) return days;
  const { tz } = days;
  const today = localTime(zoneOffsetMinutes(tz, now), now).day;
  const planned = { first: dayOf(campaign.starts) ?? today, last: dayOf(campaign.ends) ?? today };
  const { first, last } = endsOf(days, planned);
  const shown = { first, last: Math.min(last, today) };
  const daysMax = group === 'hour' ? DAYS_BY_HOUR_MAX : DAYS_MAX;
  if (shown.last - shown.first >= daysMax)
    return refuse('bad_query_parameter', `A report by ${group} covers at most ${daysMax} days: give from and to.`);
  const counted = {
    first: query.from === undefined && first === planned.first ? first - 1 : first,
    last: query.to === undefined && last === planned.last ? last + 1 : last,
  };
  return {
    tz,
    group,
    counted,
    shown,
    endsAt: query.to === undefined ? (last + 1) * MS_PER_DAY + ZONE_BEHIND_MS_MAX : startOfDay(last + 1, tz),
  };
}

/**
 * Both ends of a range of which one may be missing. A missing end is its default, or the other end where that lies
 * beyond: a caller with one end does not get the fault `reversed`.
 */
export function endsOf({ first, last }: Partial<Days>, defaults: Days): Days {
  return {
    first: first ?? Math.min(defaults.first, last ?? defaults.first),
    last: last ?? Math.max(defaults.last, first ?? defaults.last),
  };
}

/** The day of a campaign's date, but at most the last day that reports can show: early campaigns may end after it. */
function dayOf(date: string | null): number | undefined {
  return date === null ? undefined : Math.min(parseDate(date) ?? LAST_DAY, LAST_DAY);
}

/** The days of `from` and `to`, where they are given, and the canonical name of the time zone. */
export function parseDays({ from, to, tz: name = 'UTC' }: DatesAndZone): (Partial<Days> & { tz: string }) | Refusal {
  const tz = parseZone(name);
  if (tz === undefined) return refuse('bad_query_parameter', 'tz must be an IANA time zone, such as Europe/Berlin.');
  const first = from === undefined ? undefined : parseDate(from);
  const last = to === undefined ? undefined : parseDate(to);
  const isDate = (text: string | undefined, day: number | undefined) =>
    text === undefined || (day !== undefined && day <= LAST_DAY);
  if (!isDate(from, first) || !isDate(to, last))
    return refuse('bad_query_parameter', 'from and to must be dates of the calendar, YYYY-MM-DD, before 2100.');
  if (first !== undefined && last !== undefined && last < first)
    return refuse('bad_query_parameter', 'to must not be before from.');
  return { tz, ...(first !== undefined && { first }), ...(last !== undefined && { last }) };
}

/** The same range by hour, cut to the last `days` days that have begun: only these can hold plays. */
export function lastHoursOf(range: ReportRange, { days, now }: { days: number; now: Milliseconds }): ReportRange {
  const today = localTime(zoneOffsetMinutes(range.tz, now), now).day;
  const last = Math.min(range.counted.last, today);
  return { ...range, group: 'hour', counted: { first: Math.max(range.counted.first, last - days + 1), last } };
}

/**
 * The moment (ms) at which a day begins in a time zone: the first at which it is that day there. If the clocks change
 * at midnight, they need not show 00:00 then.
 */
export function startOfDay(day: number, tz: string): number {
  const utc = day * MS_PER_DAY;
  const near = utc - zoneOffsetMinutes(tz, utc) * MS_PER_MINUTE;
  const offsets = [near - OFFSET_PROBE_MS, near, near + OFFSET_PROBE_MS].map(at => zoneOffsetMinutes(tz, at));
  const begins = offsets.map(offset => utc - offset * MS_PER_MINUTE).sort((a, b) => a - b);
  return begins.find(at => localTime(zoneOffsetMinutes(tz, at), at).day >= day) ?? begins.at(-1)!;
}

/** Labels of every bucket of the shown days that has begun, in order. */
export function labelsOf({ tz, group, shown }: ReportRange, now: Milliseconds): string[] {
  const labels: string[] = [];
  for (let day = shown.first; day <= shown.last; day += 1) {
    const date = formatDate(day);
    if (group === 'day') labels.push(date);
    else for (const hour of hoursOf(day, tz, now)) labels.push(`${date}T${String(hour).padStart(2, '0')}:00`);
  }
  return labels;
}

/** The hours of a day in a time zone that have begun. An hour that the clocks skip is none; one they repeat is one. */
function hoursOf(day: number, tz: string, now: Milliseconds): Iterable<number> {
  const [startsAt, endsAt] = [startOfDay(day, tz), startOfDay(day + 1, tz)];
  const hours = new Set<number>();
  for (let at = startsAt; at < endsAt && at <= now; at += QUARTER_MS)
    hours.add(Math.floor(localTime(zoneOffsetMinutes(tz, at), at).minute / 60));
  return hours;
}
