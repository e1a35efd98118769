/** When a mail is due: at once, at the end of quiet hours, or with the daily digest. And what counts as offline. */
import { isOpen, localTime, zoneChanges, zoneOffsetMinutes, type OpeningHours } from '../screens/schedule.ts';
import { DAYS_PER_WEEK, MINUTES_PER_DAY, parseTimeOfDay, weekdayOf } from '../time/calendar.ts';
import { isInDaypart, parseDaypart } from '../time/daypart.ts';
import type { Milliseconds } from '../unit.ts';
import type { AlertMode, AlertSettings } from './alert.ts';

const MS_PER_MINUTE = 60_000;

type Clock = Pick<AlertSettings, 'timezone' | 'quiet_hours' | 'digest_at'>;

/** When the mail about a fact found now is due. */
export function dueAt(clock: Clock, mode: Exclude<AlertMode, 'off'>, nowMs: Milliseconds): Milliseconds {
  const wantedMs =
    mode === 'at_once' ? nowMs : nextLocalTime(clock.timezone, parseTimeOfDay(clock.digest_at) ?? 0, nowMs);
  return afterQuietHours(clock, wantedMs);
}

function afterQuietHours({ timezone, quiet_hours: quiet }: Clock, atMs: Milliseconds): Milliseconds {
  const range = quiet === null ? undefined : parseDaypart(quiet.start, quiet.end);
  if (range === undefined) return atMs;
  const { minute } = localTime(zoneOffsetMinutes(timezone, atMs), atMs);
  return isInDaypart(range, minute) ? nextLocalTime(timezone, range.endMinute % MINUTES_PER_DAY, atMs) : atMs;
}

/** The next moment, `fromMs` included, at which clocks of the zone show this minute of the day. */
function nextLocalTime(zone: string, minute: number, fromMs: Milliseconds): Milliseconds {
  const offset = zoneOffsetMinutes(zone, fromMs);
  const waitMinutes = (minute - localTime(offset, fromMs).minute + MINUTES_PER_DAY) % MINUTES_PER_DAY;
  if (waitMinutes === 0) return fromMs;
  const atMs = fromMs - (fromMs % MS_PER_MINUTE) + waitMinutes * MS_PER_MINUTE;
  // The clocks may change in between. For a time that the change skips, it is the later one: after quiet hours.
  const changedMs = atMs + (offset - zoneOffsetMinutes(zone, atMs)) * MS_PER_MINUTE;
  return localTime(zoneOffsetMinutes(zone, changedMs), changedMs).minute === minute ? changedMs : atMs;
}

/** When a weekly report is sent: early enough to arrive before people start to work. */
const REPORT_FROM_MINUTE = 6 * 60;
/** Workers that were stopped until Thursday morning still send it. */
const REPORT_DAYS = 3;

/** The week before, Monday to Sunday, from Monday morning on. Days are counted since 1970-01-01, a Thursday. */
export function weekToReport(zone: string, nowMs: Milliseconds): { first: number; last: number } | undefined {
  const { day, minute } = localTime(zoneOffsetMinutes(zone, nowMs), nowMs);
  const monday = day - weekdayOf(day);
  const sinceMonday = (day - monday) * MINUTES_PER_DAY + minute - REPORT_FROM_MINUTE;
  if (sinceMonday < 0 || sinceMonday >= REPORT_DAYS * MINUTES_PER_DAY) return undefined;
  return { first: monday - DAYS_PER_WEEK, last: monday - 1 };
}

/** Earlier outages are skipped: a mail about them comes too late to help. */
export const OUTAGE_MS_MAX: Milliseconds = 14 * MINUTES_PER_DAY * MS_PER_MINUTE;

type Outage = { sinceMs: Milliseconds; nowMs: Milliseconds; minutes: number };

/**
 * Whether a venue is open now and its screen was offline for `minutes` open minutes. It steps back from now minute by
 * minute, so it visits little more than `minutes` and the closed hours in between.
 */
export function isOfflineFor(
  hours: OpeningHours | undefined,
  zone: string,
  { sinceMs, nowMs, minutes }: Outage,
): boolean {
  const fromMs = Math.max(sinceMs, nowMs - OUTAGE_MS_MAX);
  if (nowMs - fromMs < minutes * MS_PER_MINUTE) return false;
  const changes = zoneChanges(zone, fromMs, nowMs + 1);
  if (!isOpen(hours, changes.at(-1)!.offsetMinutes, nowMs)) return false;
  let open = 0;
  for (let atMs = nowMs - MS_PER_MINUTE; atMs >= fromMs && open < minutes; atMs -= MS_PER_MINUTE) {
    while (changes.length > 1 && changes.at(-1)!.fromMs > atMs) changes.pop();
    if (isOpen(hours, changes.at(-1)!.offsetMinutes, atMs)) open++;
  }
  return open >= minutes;
}
