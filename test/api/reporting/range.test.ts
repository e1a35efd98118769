/**
 * Days and hours of reports on days on which clocks change: which moments they are, and which buckets they have. Pure
 * rules of the zones that Intl knows; no engine is started.
 */
import { describe, expect, test } from 'vitest';
import { labelsOf, startOfDay } from '#domain/reporting/report-range.ts';
import { parseDate } from '../../../domain/time/calendar.ts';

const LATER = Date.UTC(2030, 0);
const rangeOf = (date: string, tz: string) => {
  const day = parseDate(date)!;
  const days = { first: day, last: day };
  return { tz, group: 'hour' as const, counted: days, shown: days, endsAt: LATER };
};
const hoursOf = (date: string, tz: string, now = LATER) =>
  labelsOf(rangeOf(date, tz), now).map(label => Number(label.slice(11, 13)));
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

describe('hours of a report', () => {
  test.each([
    ['2026-03-29', 'Europe/Berlin', 2],
    ['2026-03-08', 'America/New_York', 2],
    ['2026-09-06', 'America/Santiago', 0],
    ['2026-04-24', 'Africa/Cairo', 0],
  ])('of %s in %s have no bucket of the hour that the clocks skip', (date, tz, skipped) => {
    expect(hoursOf(date, tz)).toEqual(HOURS.filter(hour => hour !== skipped));
  });

  test.each([
    ['2026-10-25', 'Europe/Berlin'],
    ['2026-11-01', 'America/New_York'],
    ['2026-10-04', 'Australia/Lord_Howe'],
    ['2026-04-05', 'Australia/Lord_Howe'],
    ['2026-04-05', 'America/Santiago'],
    ['2026-06-15', 'Asia/Kathmandu'],
    ['2026-06-15', 'UTC'],
  ])('of %s in %s have each bucket once', (date, tz) => {
    expect(hoursOf(date, tz)).toEqual(HOURS);
  });

  test('of today end with the current hour, even after a skipped one', () => {
    expect(hoursOf('2026-03-29', 'Europe/Berlin', Date.UTC(2026, 2, 29, 1, 10))).toEqual([0, 1, 3]);
    expect(hoursOf('2026-03-29', 'Europe/Berlin', Date.UTC(2026, 2, 29, 0, 59))).toEqual([0, 1]);
    expect(hoursOf('2026-03-30', 'Europe/Berlin', Date.UTC(2026, 2, 29, 1, 10))).toEqual([]);
  });
});

describe('a day begins', () => {
  test.each([
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00Z'],
    ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00Z'],
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00Z'], // at 01:00: there is no midnight
    ['2026-04-05', 'America/Santiago', '2026-04-05T04:00Z'], // at the second 00:00: after the first it is 23:00
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00Z'],
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00Z'], // at the first of two midnights
    ['2026-06-15', 'Asia/Kathmandu', '2026-06-14T18:15Z'],
    ['2026-06-15', 'Pacific/Kiritimati', '2026-06-14T10:00Z'],
    ['2026-06-15', 'Pacific/Pago_Pago', '2026-06-15T11:00Z'],
  ])('%s in %s at %s', (date, tz, moment) => {
    expect(new Date(startOfDay(parseDate(date)!, tz)).toISOString()).toBe(new Date(moment).toISOString());
  });
});
