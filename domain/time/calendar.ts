/** Dates, times of day and hours of a week, as numbers and as texts. They belong to no time zone. */
import type { Milliseconds } from '../unit.ts';

export const MINUTES_PER_DAY = 1440;
export const HOURS_PER_DAY = 24;
export const HOURS_PER_WEEK = 168;
const MS_PER_DAY = 86_400_000;
export const DAYS_PER_WEEK = 7;
/** In the order of their numbers: mon is 0 and bit 1 of a mask, sun is 6 and bit 64. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

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
 * 2106, and every calculation for a day needs some days around it.
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

/** A day, or a time of it, which may name its zone. */
const MOMENT = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * The moment that `YYYY-MM-DD` begins, or one of ISO 8601, in UTC if it names no zone: `Date.parse` alone takes the
 * zone of the machine, and 30 February is 2 March for it. Years 1 .. 9999 in UTC, because Postgres has no year 0.
 */
export function parseMoment(text: string): Milliseconds | undefined {
  const [, date, zone] = MOMENT.exec(text) ?? [];
  if (date === undefined) return undefined;
  const [dayMs, ms] = [Date.parse(date), Date.parse(text === date || zone ? text : `${text}Z`)];
  if (Number.isNaN(dayMs) || Number.isNaN(ms)) return undefined;
  // Other years are written with a sign, which sorts before digits.
  return formatDate(dayMs / MS_PER_DAY) === date && new Date(ms).toISOString() >= '0001' ? ms : undefined;
}

/** The last millisecond of a range that ends so: a day counts to its end. */
export function parseRangeEnd(text: string): Milliseconds | undefined {
  const ms = parseMoment(text);
  return ms !== undefined && text.length === 'YYYY-MM-DD'.length ? ms + MS_PER_DAY - 1 : ms;
}

/** `YYYY-MM-DD` of days since 1970-01-01. */
export function formatDate(days: number): string {
  return new Date(days * MS_PER_DAY).toISOString().slice(0, 10);
}

/** The weekday of a day since 1970-01-01 (a Thursday): mon is 0. */
export function weekdayOf(days: number): number {
  return (((days + 3) % DAYS_PER_WEEK) + DAYS_PER_WEEK) % DAYS_PER_WEEK;
}

/**
 * The hour of the week of an hour counted from the beginning of a day: 0 is Monday 00:00; 1970-01-01 was a Thursday.
 */
export function hourOfWeek(firstDay: number, hour: number): number {
  return (((firstDay + 3) % DAYS_PER_WEEK) * HOURS_PER_DAY + hour) % HOURS_PER_WEEK;
}
