/**
 * A screen shows one picture at a time, so plays that count must not overlap on it. A play takes the time for which it
 * must have been visible to count, from the moment at which the screen says that it was started. Clocks of screens are
 * wrong by some seconds and are corrected while ads run. So a play may be moved, by no more than a clock may be wrong,
 * to where there is room. What is taken never overlaps: in any period the plays that count take no more time than the
 * period has, plus that tolerance at both ends.
 *
 * Time is counted in ticks of a quarter of a second. Start and length are both rounded down, so that plays that follow
 * each other directly also do so in ticks. `authority/scripts/time/screen-time.lua` decides by the same rule for all
 * processes. A play that has its time keeps it when it is reported again, whatever start is reported then.
 */
import { CLOCK_TOLERANCE_MS, expiresAt, leastShownMs, type PlayFacts } from './play.ts';
import type { Milliseconds } from '../unit.ts';

export const TICK_MS = 250;
export const HOUR_TICKS = 14_400;
/** The maximum move of a play in ticks. */
export const SHIFT_TICKS_MAX = CLOCK_TOLERANCE_MS / TICK_MS;
/** No play takes more than 63.75 s: the script keeps the ticks of a play in one byte. */
const PLAY_TICKS_MAX = 255;
/** There is no room. */
export const NO_PLACE = -1;

/** Periods that are taken, in ticks and in any order: those that reach into the time around a play. */
export type Taken = { starts: Float64Array; ends: Float64Array; count: number };

export function tickOf(ms: Milliseconds): number {
  return Math.floor(ms / TICK_MS);
}

/** How many ticks a play of this duration takes. */
export function ticksOf(durationMs: Milliseconds): number {
  return Math.min(PLAY_TICKS_MAX, tickOf(leastShownMs(durationMs)));
}

/**
 * The first and the last hour (since 1970) in which the play may have its time: when it may be started, and moved, by a
 * rebuild once more.
 */
export function hoursToShow(facts: Pick<PlayFacts, 'startsAt' | 'plan'>): { firstHour: number; lastHour: number } {
  const first = tickOf(facts.startsAt - CLOCK_TOLERANCE_MS) - SHIFT_TICKS_MAX;
  const last = tickOf(expiresAt(facts) + CLOCK_TOLERANCE_MS) + 2 * SHIFT_TICKS_MAX;
  return { firstHour: Math.floor(first / HOUR_TICKS), lastHour: Math.floor(last / HOUR_TICKS) };
}

/**
 * Distinguishes plays of one screen that may be shown in the same hours: 24 bits. If two have the same tag the second
 * takes no time, and counts: one of 5,000 plays of an offline playlist.
 */
export function playTag({
  campaign,
  epoch,
  issueNumber,
}: Pick<PlayFacts, 'campaign' | 'epoch' | 'issueNumber'>): number {
  let hash = Math.imul(campaign | 0, 0x9e3779b1) ^ Math.imul((campaign / 0x1_0000_0000) | 0, 0x27d4eb2f);
  hash = Math.imul(hash ^ (hash >>> 15) ^ epoch, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ issueNumber, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) & 0xff_ffff;
}

/** The free place for a play started at `at`: there, or as near as possible, on a tie the earlier; or `NO_PLACE`. */
export function placeAmong(taken: Taken, at: number, ticks: number): number {
  if (isFree(taken, at, ticks)) return at;
  let place = NO_PLACE;
  for (let index = 0; index < taken.count; index++) {
    place = nearer(taken, { at, ticks, place, candidate: taken.starts[index]! - ticks });
    place = nearer(taken, { at, ticks, place, candidate: taken.ends[index]! });
  }
  return place;
}

type Shift = { at: number; ticks: number; place: number; candidate: number };

function nearer(taken: Taken, { at, ticks, place, candidate }: Shift): number {
  const shift = Math.abs(candidate - at);
  if (shift > SHIFT_TICKS_MAX || !isFree(taken, candidate, ticks)) return place;
  if (place === NO_PLACE) return candidate;
  const least = Math.abs(place - at);
  return shift < least || (shift === least && candidate < place) ? candidate : place;
}

function isFree({ starts, ends, count }: Taken, from: number, ticks: number): boolean {
  for (let index = 0; index < count; index++) if (starts[index]! < from + ticks && ends[index]! > from) return false;
  return true;
}
