/** The clocks that parts are handed, so that tests can hand them others. */
import type { Milliseconds } from '#domain/unit.ts';

export type Clocks = {
  /** The time of day, in ms since 1970. */
  now: () => Milliseconds;
  /** Never set back or forth, as the time of day may be. */
  monotonicMs: () => Milliseconds;
};

export const CLOCKS: Clocks = { now: Date.now, monotonicMs: () => performance.now() };
