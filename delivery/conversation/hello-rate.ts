/**
 * How often one screen may connect. Each welcome costs as much as a hundred slots, and a message to the other
 * processes, so a device that reconnects as fast as it can must not slow the others down. Stored as plain numbers by
 * the screen's integer.
 */
import type { Index } from '#domain/id.ts';
import { grownFloats } from '../decision/columns/growth.ts';
import type { Milliseconds } from '#domain/unit.ts';

const MINUTE_MS = 60_000;
const SCREENS_FIRST = 256;

export class HelloRate {
  readonly #perMinuteMax: number;
  /** The rest of the minute's hellos, and the time of that value. */
  #left = new Float64Array(SCREENS_FIRST);
  #atMs = new Float64Array(SCREENS_FIRST);

  /** @param perMinuteMax as many at once, and as many per minute from then on */
  constructor(perMinuteMax: number) {
    this.#perMinuteMax = perMinuteMax;
  }

  /** Counts a hello of a screen (its integer). @returns 0 if it may enter, else the ms until it may. */
  take(screen: Index<'screen'>, nowMs: Milliseconds): number {
    if (screen >= this.#left.length) this.#grow(screen);
    const perMs = this.#perMinuteMax / MINUTE_MS;
    const known = this.#atMs[screen]!;
    const left =
      known === 0
        ? this.#perMinuteMax
        : Math.min(this.#perMinuteMax, this.#left[screen]! + Math.max(0, nowMs - known) * perMs);
    this.#atMs[screen] = nowMs;
    this.#left[screen] = left < 1 ? left : left - 1;
    return left < 1 ? Math.ceil((1 - left) / perMs) : 0;
  }

  #grow(screen: Index<'screen'>): void {
    const length = Math.max(screen + 1, this.#left.length * 2);
    this.#left = grownFloats(this.#left, length);
    this.#atMs = grownFloats(this.#atMs, length);
  }
}
