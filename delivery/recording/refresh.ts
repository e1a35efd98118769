/**
 * Makes the engine's lists in advance, and refreshes the short ones: for at most a millisecond at a time, and only
 * while there is work.
 */
import type { RecordedEngine } from './recorded-engine.ts';

const REFRESH_MS = 50;
const SLICE_MS_MAX = 1;
/** Candidates checked between two readings of the clock: about ten microseconds. */
const STEPS = 500;

export type Refresh = { stop(): void };

export function startRefresh(engine: RecordedEngine): Refresh {
  const timer = setInterval(() => {
    const nowMs = Date.now();
    const untilMs = performance.now() + SLICE_MS_MAX;
    while (engine.refresh(nowMs, STEPS) && performance.now() < untilMs);
  }, REFRESH_MS);
  return { stop: () => clearInterval(timer) };
}
