/** The days of charts: presets and chosen days, the days that they are compared with, and how wide a bucket is. */
import { describe, expect, test } from 'vitest';

type Days = { from: string; to: string };
const { addUp, daysOf, daysAfter, daysBefore, groupOf, lastOf, besides, projectedSums } = (await import(
  /* @vite-ignore */ new URL('../../../../web/console/pages/reports/ranges.ts', import.meta.url).href
)) as {
  daysOf: (preset: string, known: object) => Days;
  daysBefore: (days: Days) => Days;
  lastOf: (days: Days, count: number) => Days;
  groupOf: (days: Days) => string;
  besides: (now: readonly unknown[], before: readonly number[]) => (number | null)[];
  addUp: (daily: readonly number[]) => number[];
  daysAfter: (day: string, last: string) => string[];
  projectedSums: (daily: readonly number[], ahead: { daysLeft: number; sumMax?: number }) => (number | null)[];
};

const days = (from: string, to: string): Days => ({ from, to });
const today = '2026-03-03';
const flight = { starts: '2026-02-10T00:00:00Z', ends: '2026-03-20T23:59:59Z' };

describe('the days of a range', () => {
  test.each<[string, object, Days]>([
    ['week', {}, days('2026-02-25', today)],
    ['month', {}, days('2026-02-02', today)],
    ['flight', {}, days('2026-02-10', today)],
    ['flight', { today: '2026-04-01' }, days('2026-02-10', '2026-03-20')],
    ['flight', { today: '2026-02-01' }, days('2026-02-10', '2026-02-10')],
    ['flight', { flight: { starts: null, ends: null } }, days('2026-02-25', today)],
    ['custom', {}, days('2026-02-25', today)],
    ['custom', { custom: days('2026-02-11', '2026-02-12') }, days('2026-02-11', '2026-02-12')],
    ['custom', { custom: days('2026-02-12', '2026-02-11') }, days('2026-02-11', '2026-02-12')],
  ])('%s with %o are %o', (preset, given, expected) => {
    expect(daysOf(preset, { today, flight, custom: undefined, ...given })).toEqual(expected);
  });
});

test.each([
  [days('2026-03-01', '2026-03-07'), days('2026-02-22', '2026-02-28')],
  [days('2026-03-01', '2026-03-01'), days('2026-02-28', '2026-02-28')],
  [days('2024-03-01', '2024-03-02'), days('2024-02-28', '2024-02-29')],
])('as many days as %o directly before are %o', (now, before) => {
  expect(daysBefore(now)).toEqual(before);
});

test('the last days of a range are at most all of it', () => {
  const range = days('2024-02-28', '2024-03-02');
  expect([lastOf(range, 2), lastOf(range, 31)]).toEqual([days('2024-03-01', '2024-03-02'), range]);
});

test('two days are shown by the hour, three by the day', () => {
  expect(groupOf(days('2026-03-01', '2026-03-02'))).toBe('hour');
  expect(groupOf(days('2026-03-01', '2026-03-03'))).toBe('day');
});

test('the previous period has as many buckets as the current one, with gaps for missing values', () => {
  expect(besides(['a', 'b', 'c'], [1, 2])).toEqual([1, 2, null]);
  expect(besides(['a'], [1, 2])).toEqual([1]);
});

test('the days after a day end with the last day of the flight', () => {
  expect(daysAfter('2026-02-27', '2026-03-02')).toEqual(['2026-02-28', '2026-03-01', '2026-03-02']);
  expect(daysAfter('2026-03-02', '2026-03-02')).toEqual([]);
  expect(daysAfter('2026-03-03', '2026-03-02')).toEqual([]);
});

describe('a flight', () => {
  test('is added up day by day', () => {
    expect(addUp([5, 0, 7])).toEqual([5, 5, 12]);
    expect(addUp([])).toEqual([]);
  });

  test.each<[string, number[], number, number | undefined, (number | null)[]]>([
    ['has no projection on its first day', [3], 5, undefined, []],
    [
      'goes on as on average of its complete days; today, which is not over, counts for nothing',
      [10, 20, 1],
      2,
      undefined,
      [null, 30, 45, 60, 75],
    ],
    [
      'goes on as in the last seven days',
      [100, 1, 1, 1, 1, 1, 1, 1, 0],
      1,
      undefined,
      [...Array<null>(7).fill(null), 107, 108, 109],
    ],
    ['never spends more than its budget', [10, 20, 0], 2, 50, [null, 30, 45, 50, 50]],
    ['keeps what was spent before its budget was cut', [10, 20, 0], 1, 25, [null, 30, 30, 30]],
    ['ends today', [10, 20], 0, undefined, [10, 20]],
  ])('%s', (_, daily, daysLeft, sumMax, expected) => {
    expect(projectedSums(daily, { daysLeft, ...(sumMax !== undefined && { sumMax }) })).toEqual(expected);
  });
});
