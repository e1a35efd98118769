import { refuse, type Refusal } from '#domain/refusal.ts';
import { formatDate, isZone, localTime, parseDate, zoneOffsetMinutes } from '#domain/schedule.ts';
import type { ReportParameters } from './schema.ts';

const MS_PER_DAY = 86_400_000;
const MS_PER_MINUTE = 60_000;
const ZONE_BEHIND_MS_MAX = 12 * 3_600_000; // no place on Earth is further behind UTC
const DAYS_MAX = 1_100; // three years, the longest campaign, as days
const DAYS_BY_HOUR_MAX = 31; // 744 hours
const LAST_DAY = 47_481; // 2099-12-31: what ClickHouse's DateTime holds, with room

/** Days since 1970-01-01, both included. */
type Days = { first: number; last: number };

/** A report's question: `counted` are the days whose plays are in it, `shown` those that get a bucket even when empty. */
export type ReportRange = { tz: string; group: 'day' | 'hour'; counted: Days; shown: Days; endsAt: number };

/**
 * The range of a report. Without dates it is the whole campaign: its days are local to the venues, so in another zone its
 * first and last plays may fall on the day before and after.
 */
export function parseRange(query: ReportParameters, { campaign, now }: { campaign: { starts: string; ends: string }; now: number }): ReportRange | Refusal {
  const { tz = 'UTC', group = 'day' } = query;
  if (!isZone(tz)) return refuse('bad_query_parameter', 'tz must be an IANA time zone, such as Europe/Berlin.');
  const first = parseDate(query.from ?? campaign.starts);
  const last = parseDate(query.to ?? campaign.ends);
  if (first === undefined || last === undefined || Math.max(first, last) > LAST_DAY) return refuse('bad_query_parameter', 'from and to must be dates of the calendar, YYYY-MM-DD, before 2100.');
  if (last < first) return refuse('bad_query_parameter', 'to must not be before from.');
  const today = localTime(zoneOffsetMinutes(tz, now), now).day;
  const shown = { first, last: Math.min(last, today) };
  const daysMax = group === 'hour' ? DAYS_BY_HOUR_MAX : DAYS_MAX;
  if (shown.last - shown.first >= daysMax) return refuse('bad_query_parameter', `A report by ${group} covers at most ${daysMax} days: give from and to.`);
  const counted = { first: query.from === undefined ? first - 1 : first, last: query.to === undefined ? last + 1 : last };
  return { tz, group, counted, shown, endsAt: endOf(query, { last, tz }) };
}

function endOf(query: ReportParameters, { last, tz }: { last: number; tz: string }): number {
  const utc = (last + 1) * MS_PER_DAY;
  return query.to === undefined ? utc + ZONE_BEHIND_MS_MAX : utc - zoneOffsetMinutes(tz, utc) * MS_PER_MINUTE;
}

/** Labels of every bucket of the shown days that has begun, in order. */
export function labelsOf({ tz, group, shown }: ReportRange, now: number): string[] {
  const { day: today, minute } = localTime(zoneOffsetMinutes(tz, now), now);
  const labels: string[] = [];
  for (let day = shown.first; day <= shown.last; day += 1) {
    if (group === 'day') {
      labels.push(formatDate(day));
      continue;
    }
    const hours = day === today ? Math.floor(minute / 60) + 1 : 24;
    for (let hour = 0; hour < hours; hour += 1) labels.push(`${formatDate(day)}T${String(hour).padStart(2, '0')}:00`);
  }
  return labels;
}
