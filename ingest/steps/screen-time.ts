/** The time on screens that plays take: the request to the authority, and its answers applied to the plays. */
import type { Handle } from '#domain/id.ts';
import { hoursToShow, playTag, tickOf, ticksOf } from '#domain/plays/screen-time.ts';
import type { VerifiedPlay } from './verify.ts';

/** A play for the authority's request, with the first and the last hour of its possible time. */
export type TimedPlay = {
  screen: Handle<'screen'>;
  start: number;
  ticks: number;
  tag: number;
  firstHour: number;
  lastHour: number;
};

/**
 * The time of plays that may still count, by play id; a lapsed play takes none. A play reported twice asks once with
 * its first start: with its second start it could take time without counting.
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

/** The plays with the authority's answers to `timedPlays`: whether each has its time. */
export function applyTimes(
  plays: readonly VerifiedPlay[],
  timed: ReadonlyMap<string, TimedPlay>,
  haveTime: readonly boolean[],
): VerifiedPlay[] {
  const overlapping = new Set([...timed.keys()].filter((_, index) => !haveTime[index]));
  return plays.map(play => (!play.lapsed && overlapping.has(play.report.playId) ? { ...play, overlaps: true } : play));
}
