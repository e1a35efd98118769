/** A play counts when it was shown for its duration less this; the server judges by the same figure. */
const CUT_TOLERANCE_MS = 500;

/** As `TimeRanges` of a media element: the stretches of the film that were really shown, in seconds. */
export type Ranges = { length: number; start(index: number): number; end(index: number): number };

/** Milliseconds of the film that were shown. */
export function playedMs(ranges: Ranges): number {
  let seconds = 0;
  for (let index = 0; index < ranges.length; index++) seconds += ranges.end(index) - ranges.start(index);
  return Math.round(seconds * 1000);
}

export function isComplete(played: number, durationMs: number): boolean {
  return played >= durationMs - CUT_TOLERANCE_MS;
}

/**
 * Time in which something was in sight: a still has no media element, and a hidden page shows nothing. Times are steady
 * ms.
 */
export class VisibleTime {
  #totalMs = 0;
  #since: number | undefined;

  /** Notes at `at` whether the still is in sight from then on. */
  note(at: number, isVisible: boolean): void {
    if (this.#since !== undefined) this.#totalMs += at - this.#since;
    this.#since = isVisible ? at : undefined;
  }

  at(at: number): number {
    return Math.round(this.#totalMs + (this.#since === undefined ? 0 : at - this.#since));
  }
}
