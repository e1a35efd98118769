/**
 * How many ads a screen may hold that reports none, and how one that plays earns more. The bound of one process in
 * memory, on a clock of the test, which also answers in the authority's place what other processes hold.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { TICK_MS } from '#domain/plays/screen-time.ts';
import type { HeldByScreen, ScreenStanding } from '#authority/held-time.ts';
import { HeldTime } from '../../../delivery/money/held-time.ts';
import { HeldBound } from '../../../delivery/slots/held-bound.ts';
import { silentLog } from '../../ingest/harness.ts';
import { handle } from '../../support/handle.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const AD = 15_000;
const SCREEN = 2_000;
const HANDLE = handle('screen', 77);

let now: number;
let held: HeldTime;
/** What the authority received, and what it answers; undefined: it is offline. */
let told: HeldByScreen[][];
let standing: ScreenStanding | undefined;
let bound: HeldBound;

beforeEach(() => {
  now = 1_000 * 86_400_000;
  held = new HeldTime();
  held.lapse(now);
  told = [];
  standing = { elsewhereMs: 0, shownTicks: 0 };
  bound = new HeldBound({
    held,
    handleOf: () => HANDLE,
    process: '9',
    log: silentLog,
    now: () => now,
    authority: {
      async tell(_, screens) {
        told.push([...screens]);
        if (standing === undefined) throw new Error('away');
        return screens.map(() => standing!);
      },
    },
  });
});

/** Takes ads one by one for as long as there is room, and says how many. */
function takeAll(): number {
  let taken = 0;
  for (; bound.roomFor(SCREEN, now) > 0; taken++) held.opened(SCREEN, AD, now + 48 * HOUR, now);
  return taken;
}
const giveBack = (count: number): void => {
  for (let left = count; left > 0; left--) held.ended(SCREEN, AD, now + 48 * HOUR);
};

describe('a screen that takes ads and reports none', () => {
  test('holds thirty before the first answer, sixty in all after it, and then one an hour', async () => {
    expect(takeAll()).toBe(30);
    expect(takeAll()).toBe(0);
    await bound.ask();
    expect(takeAll()).toBe(30);
    await bound.ask();
    expect(takeAll()).toBe(0);
    now += HOUR;
    await bound.ask();
    expect([takeAll(), takeAll()]).toEqual([1, 0]);
  });

  test('holds no more in total with ads from other processes', async () => {
    standing = { elsewhereMs: 14 * MINUTE, shownTicks: 0 };
    for (let ad = 0; ad < 10; ad++) held.opened(SCREEN, AD, now + 48 * HOUR, now);
    bound.roomFor(SCREEN, now);
    await bound.ask();
    expect(takeAll()).toBe(0);
    standing = { elsewhereMs: 0, shownTicks: 0 };
    now += 10_000;
    await bound.ask();
    expect(takeAll()).toBe(50);
  });

  test('holds thirty while the authority is unreachable', async () => {
    standing = undefined;
    expect(takeAll()).toBe(30);
    await bound.ask();
    expect(takeAll()).toBe(0);
  });
});

describe('a screen that plays', () => {
  test('may additionally hold half of the time that it has shown', async () => {
    standing = { elsewhereMs: 0, shownTicks: (2 * HOUR) / TICK_MS };
    takeAll();
    await bound.ask();
    expect(takeAll() + 30).toBe(60 + 240);
  });

  test('causes no request while it holds less than ten ads', async () => {
    for (let ad = 0; ad < 9; ad++) held.opened(SCREEN, AD, now + 48 * HOUR, now);
    expect(bound.roomFor(SCREEN, now)).toBeGreaterThanOrEqual(20 * AD);
    await bound.ask();
    expect(told).toEqual([]);
  });

  test('has room again as soon as it has reported, with one message to the authority', async () => {
    takeAll();
    await bound.ask();
    giveBack(30);
    expect(bound.roomFor(SCREEN, now)).toBe(30 * AD);
    now += 10_000;
    await bound.ask();
    now += 10_000;
    await bound.ask();
    expect(told).toEqual([
      [{ screen: HANDLE, heldMs: 30 * AD, endsAtMs: expect.any(Number) }],
      [{ screen: HANDLE, heldMs: 0, endsAtMs: expect.any(Number) }],
    ]);
    expect(bound.size).toBe(0);
  });

  test('causes the next request after ten seconds, not in each round', async () => {
    takeAll();
    await bound.ask();
    await bound.ask();
    expect(told).toHaveLength(1);
    now += 10_000;
    await bound.ask();
    expect(told).toHaveLength(2);
  });
});

test('of many screens those with the oldest answer go first', async () => {
  const many = 3_000;
  const handles: number[] = [];
  bound = new HeldBound({
    held,
    handleOf: screen => handle('screen', screen),
    process: '9',
    log: silentLog,
    now: () => now,
    authority: {
      tell: async (_, screens) => {
        handles.push(...screens.map(({ screen }) => screen));
        return screens.map(() => standing!);
      },
    },
  });
  for (let screen = 0; screen < many; screen++) {
    held.opened(screen, 20 * AD, now + 48 * HOUR, now);
    bound.roomFor(screen, now);
  }
  await bound.ask();
  expect(handles).toHaveLength(2_000);
  now += 60_000;
  await bound.ask();
  expect(new Set(handles).size).toBe(many);
});
