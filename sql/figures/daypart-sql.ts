/**
 * A daypart as conditions of ClickHouse, the same in reports and in the log of scans. Times of day are local to the
 * venue; days are those of the time zone that was asked for (the parameter `tz`).
 */
import { formatTimeOfDay } from '#domain/time/calendar.ts';
import type { Daypart } from '#domain/time/daypart.ts';

/** `hours`: a condition on the time of day. `day`: the day that a moment of these hours belongs to. */
export type DaypartSql = { hours: string; day: string };

/**
 * For a column of moments, at venues of one time zone, which is given as an expression. A daypart over midnight belongs
 * to the day on which it began. For a moment after midnight that is the day before at the venue, converted to the date
 * that the zone of the question had when it began.
 */
export function daypartSql(
  { startMinute, endMinute }: Daypart,
  { at, zone }: { at: string; zone: string },
): DaypartSql {
  const minute = `(toHour(${at}, ${zone}) * 60 + toMinute(${at}, ${zone}))`;
  if (startMinute < endMinute)
    return { hours: `${minute} >= ${startMinute} and ${minute} < ${endMinute}`, day: `toDate(${at}, {tz:String})` };
  const began = `concat(toString(toDate(${at}, ${zone}) - (${minute} < ${endMinute})), ' ${formatTimeOfDay(startMinute)}:00')`;
  return {
    hours: `(${minute} >= ${startMinute} or ${minute} < ${endMinute})`,
    day: `toDate(toDateTime(${began}, ${zone}), {tz:String})`,
  };
}
