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

/** As many days, directly before. */
export function daysBefore({ from, to }: Days): Days {
  const count = countOf({ from, to });
  return { from: shifted(from, -count), to: shifted(to, -count) };
}

export function groupOf(days: Days): 'hour' | 'day' {
  return countOf(days) <= DAYS_BY_HOUR_MAX ? 'hour' : 'day';
}

/** The figures of the time before beside those of now, bucket by bucket; null where the time before has none. */
export function besides(now: readonly unknown[], before: readonly number[]): (number | null)[] {
  return now.map((_, at) => before[at] ?? null);
}

function countOf({ from, to }: Days): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

function shifted(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

const min = (a: string, b: string): string => (a < b ? a : b);
const max = (a: string, b: string): string => (a > b ? a : b);
