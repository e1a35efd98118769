/**
 * When statements that many callers share begin: at the end of a turn of the event loop, so that all callers of the
 * turn share one, and no more of them at a time than a bound. What is in a statement, and for whom, is known to those
 * who run it.
 */
import type { Milliseconds } from '#domain/unit.ts';

type Options = {
  /** Concurrent statements. */
  runningMax: number;
  /** Whether anything waits for a statement. */
  isWaiting: () => boolean;
  /** Takes the content of the next statement, and runs it; undefined if nothing may be taken now. Never rejects. */
  run: () => Promise<void> | undefined;
  /**
   * While others run: how long the next one is held back, when the last of them began at that time. At once unless
   * given.
   */
  delayMs?: (lastBeganAt: Milliseconds) => Milliseconds;
};

/** `start` is called whenever something waits; it does nothing if no statement may begin. */
export type StatementStarter = { start(): void };

export function createStatementStarter({ runningMax, isWaiting, run, delayMs = () => 0 }: Options): StatementStarter {
  let timer: NodeJS.Timeout | undefined;
  const state = { running: 0, isStarting: false, beganAt: 0 };
  const begin = () => {
    state.isStarting = false;
    state.running += 1; // before it runs: later callers must find it counted
    state.beganAt = performance.now();
    const statement = run();
    if (!statement) {
      state.running -= 1;
      return;
    }
    void statement.finally(() => {
      state.running -= 1;
      start();
    });
    start();
  };
  const start = () => {
    if (state.isStarting || !isWaiting() || state.running >= runningMax) return;
    clearTimeout(timer);
    const heldBackMs = state.running > 0 ? delayMs(state.beganAt) : 0;
    if (heldBackMs > 0) {
      timer = setTimeout(start, heldBackMs);
      return;
    }
    state.isStarting = true;
    setImmediate(begin);
  };
  return { start };
}
