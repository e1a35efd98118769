/**
 * The part of a campaign's budget that its forecast saw spent when it was booked. If not all demand can be served, the
 * plan serves that first (`../allocation/flow/overload.ts`), so that a later booking does not take what an earlier one
 * was promised. It is of the whole campaign: what is spent already, and what the rest buys. Null: there was no
 * forecast, and it counts as if all of it had been free.
 */
import { curveShare, type EvenCurve } from './pacing.ts';
import type { Micros, Milliseconds } from '../unit.ts';

type ForeseenEdit = {
  /** The budget of before and of now. */
  fromMicros: Micros;
  toMicros: Micros;
  /** What the forecast of the edit sees spent. */
  forecastMicros: Micros;
  /** Nothing but the budget has changed. */
  isBudgetAlone: boolean;
};

/**
 * After an edit. A plan for other days or places is a new booking. The promise for more money is never less than that
 * for less: a forecast cannot know which booking gets the slots if more is booked than there is.
 */
export function foreseenAfterEdit(foreseenMicros: Micros | null, edit: ForeseenEdit): Micros {
  const kept = edit.isBudgetAlone ? (foreseenMicros ?? edit.fromMicros) : 0;
  return Math.min(edit.toMicros, Math.max(kept, edit.forecastMicros));
}

type ForeseenPause = {
  /** What was charged by now, and when it last went live. */
  chargedMicros: Micros;
  baseMicros: Micros;
  pacedFromMs: Milliseconds;
  curve: EvenCurve;
  atMs: Milliseconds;
};

/**
 * After a pause: no more than what the days that are left have of it. What was not spent while a campaign was paused is
 * no other campaign's loss.
 */
export function foreseenAfterPause(
  foreseenMicros: Micros | null,
  { chargedMicros, baseMicros, pacedFromMs, curve, atMs }: ForeseenPause,
): Micros | null {
  if (foreseenMicros === null) return null;
  const left = Math.max(0, foreseenMicros - baseMicros) * (1 - curveShare(curve, pacedFromMs, atMs));
  return Math.min(foreseenMicros, chargedMicros + Math.round(left));
}
