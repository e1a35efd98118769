/**
 * The spend of a campaign with even delivery. The curve is read in UTC, because a campaign in several time zones has no
 * single local time. Like the curve of the delivery plan, it begins when the campaign went live.
 */
import { compileCurve, curveShare, type EvenCurve } from './pacing.ts';
import { parseTargets, type TargetsJson } from './targeting.ts';
import { isRefusal } from '../refusal.ts';
import { parseDate } from '../time/calendar.ts';
import type { Micros, Milliseconds } from '../unit.ts';

/** The facts of a campaign that determine it. */
type Paced = {
  starts: string | null;
  ends: string | null;
  targets: TargetsJson;
  budget_micros: Micros | null;
  /** Null: it was never live. */
  paced_from: Date | null;
  paced_base_micros: Micros;
};

/** The days and hours in which it may play. A draft without days has no expected spend, so any day will do. */
export function evenCurveOf(row: Paced): EvenCurve {
  const targets = parseTargets(row.targets);
  const startsOn = parseDate(row.starts ?? '') ?? 0;
  const endsOn = parseDate(row.ends ?? '') ?? startsOn;
  const within = isRefusal(targets)
    ? {}
    : {
        ...(targets.daypart && { daypart: targets.daypart }),
        ...(targets.days !== undefined && { days: targets.days }),
      };
  return compileCurve({ startsOn, endsOn, ...within });
}

/** The spend of an even delivery up to a moment. */
export function expectedSpend(row: Paced, curve: EvenCurve, at: Milliseconds): Micros {
  if (row.paced_from === null || row.budget_micros === null) return 0;
  const base = Math.min(row.paced_base_micros, row.budget_micros);
  return base + Math.round((row.budget_micros - base) * curveShare(curve, row.paced_from.getTime(), at));
}
