/**
 * Rules of the SDK's connection: how long it waits before the next attempt, and how it follows the server's clock. Pure
 * functions, on clocks that the test moves.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Attempts, backOffAfter, waitMs } from '../../sdk/typescript/src/screen/back-off.ts';
import { isFill, type Slot } from '../../sdk/typescript/src/screen/index.ts';
import { ServerClock } from '../../sdk/typescript/src/screen/server-clock.ts';

describe('the wait before the next attempt', () => {
  test('doubles up to its maximum', () => {
    expect([0, 1, 2, 6, 7, 1_000].map(attempt => waitMs(backOffAfter(4002), attempt, 0.5))).toEqual([
      5_000, 10_000, 20_000, 300_000, 300_000, 300_000,
    ]);
  });

  test('stays short for sixteen attempts after a connection was lost', () => {
    expect([0, 1, 2, 3, 4, 15, 16, 1_000].map(attempt => waitMs(backOffAfter(1006), attempt, 0.5))).toEqual([
      500, 1_000, 2_000, 2_500, 2_500, 2_500, 30_000, 30_000,
    ]);
  });

  test('is spread over half to one and a half times its length', () => {
    expect([0, 0.5, 1].map(random => waitMs({ firstMs: 1_000, longestMs: 9_000 }, 0, random))).toEqual([
      500, 1_000, 1_500,
    ]);
  });

  test.each([
    ['a server that drains is left at once', 4008, 200],
    ['a token that is not known is tried again slowly', 4002, 5_000],
    ['a screen that is open elsewhere does not throw that one out', 4004, 60_000],
    ['one that spoke too much is quiet', 4005, 15_000],
    ['any other end is tried again soon', 4000, 500],
  ])('%s', (_sentence, code, firstMs) => {
    expect(waitMs(backOffAfter(code), 0, 0.5)).toBe(firstMs);
  });
});

describe('the connections of a screen', () => {
  test.each([1006, 4008])('are 30 a minute at most, even if each is welcomed and ends at once with %i', code => {
    const attempts = new Attempts();
    const openedAt: number[] = [];
    for (let at = 0; at < 180_000; at += attempts.waitMs(code, at, 0)) {
      openedAt.push(at);
      attempts.opened(at);
      attempts.welcomed();
    }
    expect(openedAt.length).toBeGreaterThan(60);
    expect(openedAt.every((at, index) => at - (openedAt[index - 30] ?? -60_000) >= 60_000)).toBe(true);
  });

  test('are opened less often while others replace them, even after a welcome, until one has lasted', () => {
    const attempts = new Attempts();
    const waitAfter = (code: number, at: number): number => attempts.waitMs(code, at, 0.5);
    const ends = [4004, 4004, 4005, 4004].map((code, index) => {
      attempts.opened(index);
      attempts.welcomed();
      return waitAfter(code, index);
    });
    expect(ends).toEqual([60_000, 120_000, 60_000, 480_000]);
    attempts.opened(1_000_000);
    attempts.welcomed();
    expect([waitAfter(1006, 1_000_001), waitAfter(4002, 1_000_002)]).toEqual([500, 10_000]);
    attempts.opened(2_000_000);
    attempts.welcomed();
    expect(waitAfter(4004, 2_600_000)).toBe(60_000);
  });
});

describe('the clock', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());
  const passes = (ms: number) => vi.advanceTimersByTime(ms);

  test("runs on the server's time, and knows the offset of the device", () => {
    vi.setSystemTime(1_700_000_010_000);
    const clock = new ServerClock(1_700_000_000_050);
    expect(clock.now()).toBe(1_700_000_000_050);
    passes(60_000);
    expect(clock.now()).toBe(1_700_000_060_050);
    expect(clock.deviceOffsetMs).toBe(-9_950);
  });

  test.each([
    ['back', -3_600_000],
    ['from 1970 to now', 1_700_000_000_000],
  ])("does not jump when the device's own clock is set %s, and is uncertain", (_sentence, jumpMs) => {
    vi.setSystemTime(100_000);
    const clock = new ServerClock(150_000);
    passes(1_000);
    expect([clock.now(), clock.isDoubtful]).toEqual([151_000, false]);
    passes(1_000);
    vi.setSystemTime(102_000 + jumpMs);
    expect([clock.now(), clock.isDoubtful]).toEqual([152_000, true]);
  });

  test('counts the hours of a sleeping device, when the monotonic clock stops, and is uncertain', () => {
    vi.setSystemTime(1_700_000_010_000);
    const clock = new ServerClock(1_700_000_000_000);
    passes(1_000);
    vi.setSystemTime(Date.now() + 3_600_000);
    expect([clock.now(), clock.isDoubtful]).toEqual([1_700_003_601_000, true]);
    passes(1_000);
    expect(clock.now()).toBe(1_700_003_602_000);
  });
});

test('a slot without a play id is not filled', () => {
  expect([{ no_fill: 'paused' }, { url: 'x' }, 7].map(slot => isFill(slot as Slot))).toEqual([false, false, false]);
});
