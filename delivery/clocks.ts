/** The clocks that parts are handed, so that tests can hand them others. */
import type { Milliseconds } from '#domain/unit.ts';

export type Clocks = {
  /** The time of day, in ms since 1970. */
  now: () => Milliseconds;
  /** Never set back or forth, as the time of day may be. */
  monotonicMs: () => Milliseconds;
  /**
   * The same, as it was when `now` last answered another millisecond. A clock is read in 94 ns on the machine of the
   * benchmarks, and a play id is signed in half of that: who has asked `now` for a message need not ask again for its
   * slots.
   */
  monotonicMsOfNow: () => Milliseconds;
};

export const CLOCKS: Clocks = createClocks();

function createClocks(): Clocks {
  let seenMs = 0;
  let monotonicMs = performance.now();
  return {
    now() {
      const nowMs = Date.now();
      if (nowMs !== seenMs) {
        seenMs = nowMs;
        monotonicMs = performance.now();
      }
      return nowMs;
    },
    monotonicMs: () => performance.now(),
    monotonicMsOfNow: () => monotonicMs,
  };
}
