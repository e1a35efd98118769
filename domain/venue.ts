import { assert } from './assertion.ts';
import { SLOT_DEFAULT_MS } from './creative.ts';

/**
 * How many people a play at a venue reaches by the venue's own figures. What it costs stands on the rate card
 * (domain/rate-card), for impressions of a 15 s slot.
 */

// Two million people: more than the largest square holds, and twice it still fits the 32 bits of a play id.
const IMPRESSIONS_EST_MAX = 2_000_000_000;

/**
 * Estimated impressions of one play, in thousandths, 1 .. 2 x 10^9. Visitors x dwell / open minutes is the mean number of
 * people present while the venue is open (Little's law; the dwell form of Broadsign's audience formula), times the
 * slot's share: 1 for 15 s and more, since audiences are quoted for the 15 s slot.
 * @param options.dailyVisitors >= 0 · dwellMinutes > 0 · openMinutesPerDay 0 .. 1440 (below 1 counts as 1) · durationMs > 0
 */
export function impressionsEstThousandths(options: { dailyVisitors: number; dwellMinutes: number; openMinutesPerDay: number; durationMs: number }): number {
  const { dailyVisitors, dwellMinutes, openMinutesPerDay, durationMs } = options;
  assert(dailyVisitors >= 0 && dwellMinutes > 0 && openMinutesPerDay >= 0 && durationMs > 0, 'visitors, dwell, open minutes and duration are amounts');
  return impressionsOfPresence(dailyVisitors * dwellMinutes, openMinutesPerDay, durationMs);
}

/** The same of visitors x dwell. Positional and without checks: it runs for every decision. */
export function impressionsOfPresence(visitorMinutes: number, openMinutesPerDay: number, durationMs: number): number {
  const slotShare = Math.min(1, durationMs / SLOT_DEFAULT_MS);
  const people = (visitorMinutes * slotShare) / Math.max(1, openMinutesPerDay);
  return Math.min(IMPRESSIONS_EST_MAX, Math.max(1, Math.round(people * 1000)));
}
