/** Ranges of the hours of a day: named ones, and those that callers give. */
import { MINUTES_PER_DAY, parseTimeOfDay } from './calendar.ts';

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

/** The daypart of two times in the API's form; the end may be `24:00`. Undefined for other texts or no length. */
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
