/** The clocks of a delivery process, with those of the machine, and with a time of day that is set back. */
import { afterEach, expect, test, vi } from 'vitest';
import { CLOCKS } from '../../delivery/clocks.ts';

const { now, monotonicMs, monotonicMsOfNow } = CLOCKS;

afterEach(() => vi.useRealTimers());

test('the monotonic time advances as often as the time of day', () => {
  const fromMs = now();
  const from = monotonicMsOfNow();
  expect(from).toBeLessThanOrEqual(monotonicMs());
  while (now() === fromMs);
  expect(monotonicMsOfNow()).toBeGreaterThan(from);
  expect(monotonicMsOfNow()).toBeLessThanOrEqual(monotonicMs());
});

test('it is not set back with the time of day', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const before = [now(), monotonicMsOfNow()] as const;
  vi.setSystemTime(before[0] - 3_600_000);
  expect(now()).toBe(before[0] - 3_600_000);
  expect(monotonicMsOfNow()).toBeGreaterThan(before[1]);
});
