/** The days of charts: presets and chosen days, the days that they are compared with, and how wide a bucket is. */
import { describe, expect, test } from 'vitest';

type Days = { from: string; to: string };
const { daysOf, daysBefore, groupOf, besides } = (await import(
  /* @vite-ignore */ new URL('../../../../web/console/pages/brand/over-time/ranges.ts', import.meta.url).href
)) as {
  daysOf: (preset: string, known: object) => Days;
  daysBefore: (days: Days) => Days;
  groupOf: (days: Days) => string;
  besides: (now: readonly unknown[], before: readonly number[]) => (number | null)[];
};

const days = (from: string, to: string): Days => ({ from, to });
const today = '2026-03-03';
const flight = { starts: '2026-02-10T00:00:00Z', ends: '2026-03-20T23:59:59Z' };

describe('the days of', () => {
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

test('two days are shown by the hour, three by the day', () => {
  expect(groupOf(days('2026-03-01', '2026-03-02'))).toBe('hour');
  expect(groupOf(days('2026-03-01', '2026-03-03'))).toBe('day');
});

test('the time before has as many buckets as now, and none where it has no figure', () => {
  expect(besides(['a', 'b', 'c'], [1, 2])).toEqual([1, 2, null]);
  expect(besides(['a'], [1, 2])).toEqual([1]);
});
