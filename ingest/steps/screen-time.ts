/**
 * The time on screens that plays take: what the authority is asked for, and its answers applied to the plays.
 */
import type { Handle } from '#domain/id.ts';
import { hoursToShow, playTag, tickOf, ticksOf } from '#domain/plays/screen-time.ts';
import type { VerifiedPlay } from './verify.ts';

/** A play as the authority takes its time, and the first and the last hour in which it may have it. */
export type TimedPlay = {
  screen: Handle<'screen'>;
  start: number;
  ticks: number;
  tag: number;
  firstHour: number;
  lastHour: number;
};

/**
 * The time that the plays take which may still count, by play id; one that has lapsed takes none. A play that is
 * reported twice asks once, as it was told first: were its second start asked for, too, it could have time and not
 * count.
 */
export function timedPlays(plays: readonly VerifiedPlay[]): Map<string, TimedPlay> {
  const timed = new Map<string, TimedPlay>();
  for (const { facts, report, lapsed } of plays) {
    if (lapsed || timed.has(report.playId)) continue;
    timed.set(report.playId, {
      screen: facts.screen,
      start: tickOf(report.startedAt),
      ticks: ticksOf(facts.durationMs),
      tag: playTag(facts),
      ...hoursToShow(facts),
    });
  }
  return timed;
}

/** The plays with what the authority answered to `timedPlays`: whether each has its time. */
export function applyTimes(
  plays: readonly VerifiedPlay[],
  timed: ReadonlyMap<string, TimedPlay>,
  haveTime: readonly boolean[],
): VerifiedPlay[] {
  const overlapping = new Set([...timed.keys()].filter((_, index) => !haveTime[index]));
  return plays.map(play => (!play.lapsed && overlapping.has(play.report.playId) ? { ...play, overlaps: true } : play));
}
