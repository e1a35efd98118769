/** The hours of a day in which a campaign was live, from its current state and the moves recorded since. */
import type { Milliseconds } from '../../unit.ts';
import { HOURS } from './day-graph.ts';

const HOUR_MS = 3_600_000;

/** A move into `live` or out of it. `isFirst`: it was approved, so it was not booked before. */
export type LiveMove = { atMs: Milliseconds; isLive: boolean; isFirst: boolean };

/**
 * Hours as bits, the first of the day lowest: hours in which it was live for any time, and the whole hours before its
 * booking.
 * @param moves since the beginning of the day, oldest first, including later days
 */
export function liveHours(
  { isLiveNow, moves }: { isLiveNow: boolean; moves: readonly LiveMove[] },
  dayMs: Milliseconds,
): { live: number; unbooked: number } {
  let isLive = moves.length > 0 ? !moves[0]!.isLive : isLiveNow;
  let live = 0;
  let unbooked = 0;
  let next = 0;
  for (let hour = 0; hour < HOURS; hour++) {
    const endMs = dayMs + (hour + 1) * HOUR_MS;
    let wasLive = isLive;
    for (; next < moves.length && moves[next]!.atMs < endMs; next++) {
      const move = moves[next]!;
      isLive = move.isLive;
      wasLive ||= isLive;
      if (move.isFirst) unbooked |= (1 << hour) - 1;
    }
    if (wasLive) live |= 1 << hour;
  }
  return { live, unbooked: unbooked & ~live };
}
