/** The clocks passed to the parts, so that tests can pass others. */
import type { Milliseconds } from '#domain/unit.ts';

export type Clocks = {
  /** The time of day, in ms since 1970. */
  now: () => Milliseconds;
  /** Never jumps, unlike the time of day. */
  monotonicMs: () => Milliseconds;
  /**
   * The same, as of the last change of the millisecond of `now`. Reading a clock takes 94 ns on the benchmark machine,
   * and signing a play id half of that, so a caller that has read `now` for a message need not read it again for its
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
