/** What edits and pauses leave of what the forecast of a campaign saw spent. Pure rules, by examples. */
import { describe, expect, test } from 'vitest';
import { foreseenAfterEdit, foreseenAfterPause } from '../../../domain/campaigns/foreseen.ts';
import { compileCurve } from '../../../domain/campaigns/pacing.ts';

const DAY_MS = 86_400_000;
const FIRST_DAY = 20_700;

describe('after an edit', () => {
  const raised = { fromMicros: 100, toMicros: 150, isBudgetAlone: true };

  test('of the budget, the promise stays, and added money gets the supply available now', () => {
    expect(foreseenAfterEdit(80, { ...raised, forecastMicros: 30 })).toBe(80);
    expect(foreseenAfterEdit(80, { ...raised, forecastMicros: 120 })).toBe(120);
  });

  test('of the budget, the promise never exceeds the money', () => {
    expect(foreseenAfterEdit(80, { ...raised, toMicros: 60, forecastMicros: 10 })).toBe(60);
    expect(foreseenAfterEdit(80, { ...raised, toMicros: 60, forecastMicros: 70 })).toBe(60);
  });

  test('of days or places, only the forecast of the edit counts', () => {
    expect(foreseenAfterEdit(80, { ...raised, isBudgetAlone: false, forecastMicros: 30 })).toBe(30);
    expect(foreseenAfterEdit(null, { ...raised, isBudgetAlone: false, forecastMicros: 30 })).toBe(30);
  });

  test('without a promise, the earlier budget counts as fully promised', () => {
    expect(foreseenAfterEdit(null, { ...raised, forecastMicros: 30 })).toBe(100);
    expect(foreseenAfterEdit(null, { ...raised, forecastMicros: 130 })).toBe(130);
  });
});

describe('after a pause', () => {
  const curve = compileCurve({ startsOn: FIRST_DAY, endsOn: FIRST_DAY + 9 });
  const atDay = (day: number) => (FIRST_DAY + day) * DAY_MS;
  // 1,000 in ten days, of which 300 were spent in the first three.
  const pause = { chargedMicros: 300, baseMicros: 0, pacedFromMs: atDay(0), curve };

  test('the promise covers the share of the remaining days', () => {
    expect(foreseenAfterPause(1_000, { ...pause, atMs: atDay(5) })).toBe(300 + 500);
    expect(foreseenAfterPause(1_000, { ...pause, atMs: atDay(10) })).toBe(300);
  });

  test('the promise never grows, and a momentary pause takes nothing', () => {
    expect(foreseenAfterPause(1_000, { ...pause, chargedMicros: 800, atMs: atDay(5) })).toBe(1_000);
    expect(foreseenAfterPause(1_000, { ...pause, atMs: atDay(3) })).toBe(1_000);
  });

  test('a second pause takes its days from the rest after the first', () => {
    const first = foreseenAfterPause(1_000, { ...pause, atMs: atDay(5) })!;
    const second = { chargedMicros: 400, baseMicros: 300, pacedFromMs: atDay(5), curve };
    expect(foreseenAfterPause(first, { ...second, atMs: atDay(8) })).toBe(400 + 200);
  });

  test('a campaign without a promise stays without one', () => {
    expect(foreseenAfterPause(null, { ...pause, atMs: atDay(5) })).toBeNull();
  });
});
