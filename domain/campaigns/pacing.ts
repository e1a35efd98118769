/**
 * The even curve of a campaign: its budget spread evenly over the time at which it may play, local to the venue. Hours
 * outside the daypart and days outside the flight add nothing, so there is nothing to catch up when they end.
 *
 * This is the whole of pacing while there is no plan: every slot goes to the campaign that is furthest behind its
 * curve, and a campaign may run ahead of it by `LEAD_MAX`.
 */
import { MINUTES_PER_DAY, weekdayOf } from '../time/calendar.ts';
import type { FlightRule } from '../screens/schedule.ts';
import type { Milliseconds } from '../unit.ts';

/**
 * How far ahead of its curve a campaign may be, as a share of its budget. 1 is the whole budget: without a forecast of
 * supply it is worse to leave a slot empty, and a campaign of a month must be shown within seconds. A plan allows less.
 */
export const LEAD_MAX = 1;

const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = MINUTES_PER_DAY * MS_PER_MINUTE;
const DAYS_PER_WEEK = 7;

/**
 * A flight as numbers: the window of each eligible day in ms from its midnight, and the number of eligible weekdays.
 */
export type EvenCurve = {
  startsOn: number;
  endsOn: number;
  windowFromMs: Milliseconds;
  windowMs: Milliseconds;
  days: number;
  daysPerWeek: number;
};

/** Compiles a flight. Dates are days since 1970-01-01, both included. */
export function compileCurve(rule: FlightRule): EvenCurve {
  const days = rule.days ?? 0x7f;
  let daysPerWeek = 0;
  for (let weekday = 0; weekday < DAYS_PER_WEEK; weekday++) if (days & (1 << weekday)) daysPerWeek++;
  const from = rule.daypart?.startMinute ?? 0;
  const to = rule.daypart?.endMinute ?? MINUTES_PER_DAY;
  const minutes = to > from ? to - from : to - from + MINUTES_PER_DAY;
  return {
    startsOn: rule.startsOn,
    endsOn: rule.endsOn,
    windowFromMs: from * MS_PER_MINUTE,
    windowMs: minutes * MS_PER_MINUTE,
    days,
    daysPerWeek,
  };
}

/** The eligible time (ms) of the flight before a local time (UTC ms plus the venue's offset). Never falls. */
export function eligibleMs(curve: EvenCurve, localMs: Milliseconds): Milliseconds {
  const today = Math.floor(localMs / MS_PER_DAY);
  // A window across midnight is still open today for the day before, so whole windows are counted until then.
  const whole = eligibleDays(curve, today - 1) * curve.windowMs;
  return whole + partOfDay(curve, today - 1, localMs) + partOfDay(curve, today, localMs);
}

/**
 * The share of the curve (0..1) after the first local time that has passed at the second; 1 if nothing is left after
 * the first.
 */
export function curveShare(curve: EvenCurve, fromLocalMs: Milliseconds, atLocalMs: Milliseconds): number {
  const before = eligibleMs(curve, fromLocalMs);
  const left = eligibleMs(curve, (curve.endsOn + 2) * MS_PER_DAY) - before;
  return left <= 0 ? 1 : Math.min(1, Math.max(0, (eligibleMs(curve, atLocalMs) - before) / left));
}

/** Eligible days of the flight before `day`. */
function eligibleDays(curve: EvenCurve, day: number): number {
  const span = Math.min(day, curve.endsOn + 1) - curve.startsOn;
  if (span <= 0) return 0;
  const rest = span % DAYS_PER_WEEK;
  let count = ((span - rest) / DAYS_PER_WEEK) * curve.daysPerWeek;
  const first = weekdayOf(curve.startsOn);
  for (let step = 0; step < rest; step++) if (curve.days & (1 << ((first + step) % DAYS_PER_WEEK))) count++;
  return count;
}

function partOfDay(curve: EvenCurve, day: number, localMs: Milliseconds): number {
  if (day < curve.startsOn || day > curve.endsOn || (curve.days & (1 << weekdayOf(day))) === 0) return 0;
  return Math.min(curve.windowMs, Math.max(0, localMs - day * MS_PER_DAY - curve.windowFromMs));
}
