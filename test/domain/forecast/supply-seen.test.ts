/** How the last hours correct the model of supply, class by class. Pure rules, on histories made here. */
import { describe, expect, test } from 'vitest';
import { decodeSupply, encodeSupply } from '#domain/forecast/supply-body.ts';
import { unknownBands } from '#domain/forecast/band.ts';
import { fitSupply } from '#domain/forecast/supply/supply-model.ts';
import type { SupplyClass, SupplyHistory } from '#domain/forecast/supply/supply-history.ts';
import { seenRatioOf, seenRatios } from '#domain/forecast/supply/supply-seen.ts';

const bar: SupplyClass = { cityFolded: 'berlin', venueType: 'entertainment.bars', orientation: 'landscape' };
const gym: SupplyClass = { ...bar, venueType: 'health_and_beauty.gyms' };
const DAYS = 42;

function historyOf(
  seen: (place: number, hour: number) => number,
  promised = (_place: number, _hour: number) => 100,
): SupplyHistory {
  const cells = (valueOf: (place: number, hour: number) => number) =>
    Float64Array.from({ length: 2 * DAYS * 24 }, (_, cell) =>
      valueOf(Math.floor(cell / (DAYS * 24)), cell % (DAYS * 24)),
    );
  return { classes: [bar, gym], firstDay: 20_598, days: DAYS, promised: cells(promised), seen: cells(seen) };
}
const ratiosOf = (history: SupplyHistory) => seenRatios(history, fitSupply({ history, audience: [], scans: [] }));
const LAST = DAYS * 24;

describe('the ratio of the last hours to the model', () => {
  test('is 1 if nothing changed, and for a new class', () => {
    const ratios = ratiosOf(historyOf(() => 80));
    expect(seenRatioOf(ratios, bar)).toBeCloseTo(1, 1);
    expect(seenRatioOf(ratios, { ...bar, cityFolded: 'bonn' })).toBe(1);
    expect(
      seenRatios(
        { classes: [], firstDay: 0, days: 0, promised: new Float64Array(0), seen: new Float64Array(0) },
        { shares: new Map() },
      ),
    ).toEqual({});
  });

  test('is 1 if no screen of the network was ever online', () => {
    const before = (hour: number) => (hour >= LAST - 2 ? 100 : 0);
    expect(
      seenRatioOf(
        ratiosOf(
          historyOf(
            () => 0,
            (_place, hour) => before(hour),
          ),
        ),
        bar,
      ),
    ).toBe(1);
  });

  test('falls at once for a class with an outage, and hardly for the other', () => {
    const ratios = ratiosOf(historyOf((place, hour) => (place === 0 && hour >= LAST - 36 ? 0 : 80)));
    expect(seenRatioOf(ratios, bar)).toBeLessThan(0.5);
    expect(seenRatioOf(ratios, gym)).toBeGreaterThan(0.95);
  });

  test('is not changed by future hours', () => {
    const past = (place: number, hour: number) => (place === 0 && hour >= LAST - 36 ? 20 : 80);
    const all = ratiosOf(historyOf(past));
    const ahead = {
      ...historyOf(
        (place, hour) => (hour >= LAST - 8 ? 0 : past(place, hour)),
        (_place, hour) => (hour >= LAST - 8 ? 0 : 100),
      ),
    };
    expect(seenRatioOf(ratiosOf(ahead), bar)).toBeGreaterThan(seenRatioOf(all, bar));
    expect(seenRatioOf(ratiosOf(ahead), bar)).toBeLessThan(0.8);
  });
});

test('a stored version has the same ratios, a version without them has none, and before the first all is unknown', () => {
  const model = fitSupply({ history: historyOf(() => 80), audience: [], scans: [] });
  const known = {
    model,
    bands: unknownBands(),
    seen: { 'berlin|entertainment.bars|landscape': 0.25 },
    usualShare: 0.8,
    latelyShare: 0.7,
  };
  const again = decodeSupply(JSON.stringify(encodeSupply(known)));
  expect(seenRatioOf(again.seen, bar)).toBe(0.25);
  expect([again.usualShare, again.latelyShare]).toEqual([0.8, 0.7]);
  expect(again.bands).toEqual(unknownBands());
  expect([...again.model.shares.keys()]).toEqual([...model.shares.keys()]);
  const { seen: _seen, usual_share: _usual, lately_share: _lately, ...before } = encodeSupply(known);
  expect(decodeSupply(JSON.stringify(before))).toMatchObject({
    seen: {},
    usualShare: undefined,
    latelyShare: undefined,
  });
  expect(decodeSupply(null)).toMatchObject({ seen: {}, bands: unknownBands() });
});
