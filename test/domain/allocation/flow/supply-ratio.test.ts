/** How a forecast is corrected by what was seen, and what outages change of it. Pure rules. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSupplyRatio, observeHour, supplyFactors } from '#domain/allocation/flow/supply-ratio.ts';

describe('the ratio of seen to forecast supply', () => {
  test('corrects every group, and one without history by the network', () => {
    const ratio = createSupplyRatio(3);
    for (let hour = 0; hour < 48; hour++) observeHour(ratio, Float64Array.of(50, 120, 0), Float64Array.of(100, 100, 0));
    const [half, more, unseen] = supplyFactors(ratio);
    expect(half).toBeCloseTo(0.5, 1);
    expect(more).toBeCloseTo(1.2, 1);
    expect(unseen).toBeCloseTo(0.85, 6);
  });

  test('sees no outage in a group that was never seen', () => {
    const ratio = createSupplyRatio(2);
    for (let hour = 0; hour < 6; hour++) observeHour(ratio, Float64Array.of(100, 0), Float64Array.of(100, 100));
    expect([...ratio.added]).toEqual([0, 0]);
    expect(ratio.seen[1]).toBe(0);
  });

  /** The factor of the first of two groups of 100 impressions an hour: `hours` of them, of `seen` each. */
  const factorAfter = (...spells: { hours: number; seen: number }[]) => {
    const ratio = createSupplyRatio(2);
    for (const { hours, seen } of spells)
      for (let hour = 0; hour < hours; hour++)
        observeHour(ratio, Float64Array.of(seen, 100), Float64Array.of(100, 100));
    return supplyFactors(ratio)[0]!;
  };

  test('hardly changes for the days after an outage of hours', () => {
    expect(factorAfter({ hours: 48, seen: 100 }, { hours: 6, seen: 0 })).toBeGreaterThan(0.93);
    expect(factorAfter({ hours: 48, seen: 100 }, { hours: 6, seen: 0 }, { hours: 24, seen: 100 })).toBeGreaterThan(
      0.97,
    );
  });

  test('counts little after twelve hours, and fully after thirteen', () => {
    const factors = [12, 13].map(hours => factorAfter({ hours: 48, seen: 100 }, { hours, seen: 0 }));
    expect(factors[0]).toBeGreaterThan(0.85);
    expect(factors[1]).toBeLessThan(0.75);
  });

  test('follows an hour with a fifth less supply at once', () => {
    expect(factorAfter({ hours: 48, seen: 100 }, { hours: 6, seen: 80 })).toBeLessThan(0.965);
  });

  test('counts an outage in full once it has lasted for more than half a day', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 90, max: 110 }), { maxLength: 30 }),
        fc.integer({ min: 13, max: 40 }),
        (before, hours) => {
          const ratio = createSupplyRatio(1);
          let [seen, forecast] = [0, 0];
          for (const one of [...before, ...Array.from({ length: hours }, () => 5)]) {
            observeHour(ratio, Float64Array.of(one), Float64Array.of(100));
            [seen, forecast] = [0.97 * (seen + one), 0.97 * (forecast + 100)];
          }
          expect(supplyFactors(ratio)[0]).toBeCloseTo(seen / forecast, 9);
        },
      ),
    );
  });

  test('counts an outage in full that begins within a day of the last', () => {
    const outage = { hours: 6, seen: 0 };
    expect(factorAfter({ hours: 48, seen: 100 }, outage, { hours: 23, seen: 100 }, outage)).toBeLessThan(0.85);
    expect(factorAfter({ hours: 48, seen: 100 }, outage, { hours: 24, seen: 100 }, outage)).toBeGreaterThan(0.9);
  });

  test('does not treat nights without a forecast as the end of an outage', () => {
    const ratio = createSupplyRatio(1);
    const day = (seen: number) => {
      for (let hour = 0; hour < 12; hour++) observeHour(ratio, Float64Array.of(seen), Float64Array.of(100));
      for (let hour = 0; hour < 12; hour++) observeHour(ratio, Float64Array.of(0), Float64Array.of(0));
    };
    for (const seen of [100, 100, 0, 0]) day(seen);
    expect(supplyFactors(ratio)[0]).toBeLessThan(0.5);
  });

  test('counts an outage in full that lasts for more than half a day with a night between', () => {
    const ratio = createSupplyRatio(1);
    const pass = (hours: number, seen: number, forecast: number) => {
      for (let hour = 0; hour < hours; hour++) observeHour(ratio, Float64Array.of(seen), Float64Array.of(forecast));
    };
    for (let day = 0; day < 5; day++) {
      pass(12, 100, 100);
      pass(12, 0, 0);
    }
    pass(2, 100, 100);
    pass(10, 0, 100);
    pass(12, 0, 0);
    expect(ratio.added[0]).toBeGreaterThan(0);
    expect(supplyFactors(ratio)[0]).toBeGreaterThan(0.85);
    pass(4, 0, 100);
    expect(supplyFactors(ratio)[0]).toBeLessThan(0.45);
  });

  test('is slightly above the real supply for screens that are off half of the time', () => {
    const spells = Array.from({ length: 20 }, (_, turn) => ({ hours: 10, seen: turn % 2 === 0 ? 200 : 0 }));
    expect(factorAfter(...spells)).toBeLessThan(1.1);
    expect(factorAfter(...spells, { hours: 10, seen: 200 })).toBeLessThan(1.35);
  });

  test('is 1 before the first forecast, and forgets', () => {
    const ratio = createSupplyRatio(1);
    expect([...supplyFactors(ratio)]).toEqual([1]);
    for (let hour = 0; hour < 100; hour++) observeHour(ratio, Float64Array.of(10), Float64Array.of(100));
    for (let hour = 0; hour < 200; hour++) observeHour(ratio, Float64Array.of(100), Float64Array.of(100));
    expect(supplyFactors(ratio)[0]).toBeGreaterThan(0.99);
  });
});
