/**
 * The time on screens that plays take: what the authority is asked for, and its answers applied to the plays.
 */
import type { Handle } from '#domain/id.ts';
import { playTag, tickOf, ticksOf } from '#domain/plays/screen-time.ts';
import type { VerifiedPlay } from './verify.ts';

/** A play as the authority takes its time. */
export type TimedPlay = { screen: Handle<'screen'>; start: number; ticks: number; tag: number };

/** The time that the plays take which may still count; one that has lapsed takes none. */
export function timedPlays(plays: readonly VerifiedPlay[]): TimedPlay[] {
  return plays
    .filter(({ lapsed }) => !lapsed)
    .map(({ facts, report }) => ({
      screen: facts.screen,
      start: tickOf(report.startedAt),
      ticks: ticksOf(facts.durationMs),
      tag: playTag(facts),
    }));
}

/** The plays with what the authority answered to `timedPlays`: whether each has its time. */
export function applyTimes(plays: readonly VerifiedPlay[], haveTime: readonly boolean[]): VerifiedPlay[] {
  let next = 0;
  return plays.map(play => (play.lapsed || haveTime[next++] === true ? play : { ...play, overlaps: true }));
}
