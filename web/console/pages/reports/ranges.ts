/** The days that a chart shows, and the days before them that it is compared with. Days are `YYYY-MM-DD`. */

export const PRESETS = ['week', 'month', 'flight', 'custom'] as const;
export type Preset = (typeof PRESETS)[number];
export type Days = { from: string; to: string };

const DAY_MS = 86_400_000;
const LENGTHS = { week: 7, month: 30 } as const;
/** So few days are shown hour by hour. */
const DAYS_BY_HOUR_MAX = 2;

type Known = { today: string; flight: { starts: string | null; ends: string | null }; custom: Days | undefined };

/** A flight is shown until today. Custom days that are not chosen yet are those of the last week. */
export function daysOf(preset: Preset, { today, flight, custom }: Known): Days {
  if (preset === 'custom' && custom) return custom.from <= custom.to ? custom : { from: custom.to, to: custom.from };
  if (preset === 'flight' && flight.starts !== null) {
    const [from, ends] = [flight.starts.slice(0, 10), flight.ends?.slice(0, 10) ?? today];
    return { from, to: max(from, min(ends, today)) };
  }
  return { from: shifted(today, 1 - LENGTHS[preset === 'month' ? 'month' : 'week']), to: today };
}

/** So many days of a range, the last ones. */
export function lastOf({ from, to }: Days, count: number): Days {
  return { from: max(from, shifted(to, 1 - count)), to };
}

/** As many days, directly before. */
export function daysBefore({ from, to }: Days): Days {
  const count = countOf({ from, to });
  return { from: shifted(from, -count), to: shifted(to, -count) };
}

export function groupOf(days: Days): 'hour' | 'day' {
  return countOf(days) <= DAYS_BY_HOUR_MAX ? 'hour' : 'day';
}

/** The values of the previous period aligned with the current buckets; null for missing ones. */
export function besides(now: readonly unknown[], before: readonly number[]): (number | null)[] {
  return now.map((_, at) => before[at] ?? null);
}

/** What the days before today, the last seven at most, have on average is expected of each day that is left. */
const RECENT_DAYS = 7;

type Ahead = { daysLeft: number; sumMax?: number | undefined };

/**
 * The sums that a flight is heading for, from its last complete day to its last day; null before. `daily` has the
 * figures of each day until today, which is not over. Nothing is projected on the first day.
 */
export function projectedSums(daily: readonly number[], { daysLeft, sumMax = Infinity }: Ahead): (number | null)[] {
  const complete = daily.slice(0, -1);
  if (complete.length === 0) return [];
  const recent = complete.slice(-RECENT_DAYS);
  const [done, perDay] = [sumOf(complete), sumOf(recent) / recent.length];
  return [
    ...complete.slice(1).map(() => null),
    ...Array.from({ length: daysLeft + 2 }, (_, days) => Math.min(Math.max(sumMax, done), done + days * perDay)),
  ];
}

/** Each figure with those before it. */
export function addUp(daily: readonly number[]): number[] {
  let sum = 0;
  return daily.map(figure => (sum += figure));
}

/** The days after a day until the last, which is among them. */
export function daysAfter(day: string, last: string): string[] {
  return Array.from({ length: Math.max(0, countOf({ from: day, to: last }) - 1) }, (_, at) => shifted(day, at + 1));
}

/** The day of the calendar where the person is. */
export function localDay(at = Date.now()): string {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

const sumOf = (figures: readonly number[]): number => figures.reduce((sum, figure) => sum + figure, 0);

/** How many days, with the first and the last. */
export function countOf({ from, to }: Days): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

function shifted(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

const min = (a: string, b: string): string => (a < b ? a : b);
const max = (a: string, b: string): string => (a > b ? a : b);
