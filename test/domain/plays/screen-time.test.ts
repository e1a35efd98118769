/**
 * The time of a screen that a play takes, so that two plays never have the same. Pure rules, by examples and random
 * plays.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  NO_PLACE,
  placeAmong,
  hoursToShow,
  playTag,
  SHIFT_TICKS_MAX,
  type Taken,
  tickOf,
  ticksOf,
} from '../../../domain/plays/screen-time.ts';
import { handle } from '../../support/handle.ts';

const taken = (...spans: [number, number][]): Taken => ({
  starts: Float64Array.from(spans, ([start]) => start),
  ends: Float64Array.from(spans, ([, end]) => end),
  count: spans.length,
});

describe('the time of a play', () => {
  test.each([
    [6_000, 22],
    [10_000, 38],
    [15_000, 58],
    [20_000, 78],
    [499, 0],
    [0, 0],
    [65_535, 255],
  ])('of %i ms is %i ticks: the minimum to count', (durationMs, ticks) => {
    expect(ticksOf(durationMs)).toBe(ticks);
  });

  test('never overlaps the next one, at any millisecond of the start', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 47 }),
        fc.integer({ min: 1_000, max: 60_000 }),
        (start, durationMs) => {
          expect(tickOf(start) + ticksOf(durationMs)).toBeLessThanOrEqual(tickOf(start + durationMs - 500));
        },
      ),
    );
  });
});

test.each([
  ['12:30:00', false, '12', '12'],
  ['12:44:44', false, '12', '12'],
  ['12:44:45', false, '12', '13'],
  ['12:00:10', false, '12', '12'],
  ['12:00:09', false, '11', '12'],
  ['12:30:00', true, '12', '60'],
])('a play of a slot at %s (of a plan: %s) may have its time from hour %s to hour %s', (time, plan, first, last) => {
  const day = Date.parse('2026-11-27T00:00:00Z');
  const { firstHour, lastHour } = hoursToShow({ startsAt: Date.parse(`2026-11-27T${time}Z`), plan });
  expect([firstHour, lastHour]).toEqual([day / 3_600_000 + Number(first), day / 3_600_000 + Number(last)]);
});

describe('a place among others', () => {
  test.each([
    ['is its own where nothing is', taken(), 100, 100],
    ['is its own between two', taken([60, 100], [138, 150]), 100, 100],
    ['is behind what reaches in by less than a clock may be wrong', taken([70, 110]), 100, 110],
    ['is before it where that is nearer', taken([118, 160]), 100, 80],
    ['is the earlier of two that are as near', taken([119, 121]), 101, 81],
    ['is none where there is room only farther away', taken([80, 121]), 100, NO_PLACE],
    ['is none where the screen was showing another one all the time', taken([100, 138]), 100, NO_PLACE],
    ['is none where the gap is too short', taken([70, 110], [140, 180]), 105, NO_PLACE],
  ])('%s', (_, others, at, place) => {
    expect(placeAmong(others, at, 38)).toBe(place);
  });

  test('overlaps nothing, and is the nearest free one', () => {
    const span = fc
      .tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 1, max: 60 }))
      .map(([start, ticks]): [number, number] => [start, start + ticks]);
    fc.assert(
      fc.property(
        fc.array(span, { maxLength: 6 }),
        fc.integer({ min: 50, max: 250 }),
        fc.integer({ min: 1, max: 80 }),
        (spans, at, ticks) => {
          const isFree = (from: number): boolean => spans.every(([start, end]) => end <= from || start >= from + ticks);
          const shifts = Array.from({ length: SHIFT_TICKS_MAX + 1 }, (_, shift) => [at - shift, at + shift]).flat();
          expect(placeAmong(taken(...spans), at, ticks)).toBe(shifts.find(isFree) ?? NO_PLACE);
        },
      ),
    );
  });
});

test('tags distinguish plays of one campaign, of several and of several processes', () => {
  const tags = new Set<number>();
  for (let campaign = 1; campaign <= 20; campaign++)
    for (let epoch = 1; epoch <= 5; epoch++)
      for (let issueNumber = 0; issueNumber < 20; issueNumber++)
        tags.add(playTag({ campaign: handle('campaign', campaign), epoch, issueNumber }));
  expect(tags.size).toBeGreaterThan(1_995); // of 2,000, by chance 0.1 pairs are alike
  expect(Math.max(...tags)).toBeLessThan(2 ** 24);
  expect(playTag({ campaign: handle('campaign', 2 ** 40 + 1), epoch: 1, issueNumber: 1 })).not.toBe(
    playTag({ campaign: handle('campaign', 1), epoch: 1, issueNumber: 1 }),
  );
});
