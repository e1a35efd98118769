/**
 * How long earnings are held before they can be withdrawn: whole days (UTC) after the day on which their plays were
 * settled. The operator who sets them can take back earnings of invalid plays before the money has left.
 */
import { formatDate, parseDate } from '../time/calendar.ts';
import type { Milliseconds } from '../unit.ts';

export const HOLD_DAYS_MAX = 365;

const DAY_MS = 86_400_000;

/** The first day of settlement (YYYY-MM-DD) whose earnings are still held; undefined if none are. */
export function heldFrom(nowMs: Milliseconds, holdDays: number): string | undefined {
  return holdDays === 0 ? undefined : formatDate(Math.floor(nowMs / DAY_MS) - holdDays);
}

/** When earnings that were settled on a day (YYYY-MM-DD) can be withdrawn, in ms since 1970. */
export function releasedAtMs(settledOn: string, holdDays: number): Milliseconds {
  return (parseDate(settledOn)! + holdDays + 1) * DAY_MS;
}
