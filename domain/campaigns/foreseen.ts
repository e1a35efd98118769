/**
 * The promise of a campaign: the part of its budget that its forecast expected to be spent when it was booked. If not
 * all demand can be served, the plan serves promises first (`../allocation/flow/overload.ts`), so that a later booking
 * takes nothing from an earlier one. The promise covers the whole campaign: spend so far, and the rest. Null: there was
 * no forecast, and the whole budget counts as promised.
 */
import { curveShare, type EvenCurve } from './pacing.ts';
import type { Micros, Milliseconds } from '../unit.ts';

type ForeseenEdit = {
  /** The budget before and after the edit. */
  fromMicros: Micros;
  toMicros: Micros;
  /** The spend that the forecast of the edit expects. */
  forecastMicros: Micros;
  /** Only the budget has changed. */
  isBudgetAlone: boolean;
};

/**
 * After an edit. A change of days or places is a new booking. The promise for more money is never below that for less:
 * a forecast cannot know which booking gets the slots of an overbooked network.
 */
export function foreseenAfterEdit(foreseenMicros: Micros | null, edit: ForeseenEdit): Micros {
  const kept = edit.isBudgetAlone ? (foreseenMicros ?? edit.fromMicros) : 0;
  return Math.min(edit.toMicros, Math.max(kept, edit.forecastMicros));
}

type ForeseenPause = {
  /** The charges so far, and when it last went live. */
  chargedMicros: Micros;
  baseMicros: Micros;
  pacedFromMs: Milliseconds;
  curve: EvenCurve;
  atMs: Milliseconds;
};

/**
 * After a pause: at most the share of the remaining days. Other campaigns need not make up for money that was not spent
 * during a pause.
 */
export function foreseenAfterPause(
  foreseenMicros: Micros | null,
  { chargedMicros, baseMicros, pacedFromMs, curve, atMs }: ForeseenPause,
): Micros | null {
  if (foreseenMicros === null) return null;
  const left = Math.max(0, foreseenMicros - baseMicros) * (1 - curveShare(curve, pacedFromMs, atMs));
  return Math.min(foreseenMicros, chargedMicros + Math.round(left));
}
