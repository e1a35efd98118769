/**
 * What the history of a network says of the hours to come: shares of the promised slots, audience and scans. Pure
 * rules, on histories made here.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { audienceOf, fitSupply, scanRateOf, shareOf } from '#domain/forecast/supply/supply-model.ts';
import { decodeModel, encodeModel } from '#domain/forecast/supply-body.ts';
import { growthOf } from '#domain/forecast/supply/supply-trend.ts';
import type { SupplyClass, SupplyHistory } from '#domain/forecast/supply/supply-history.ts';
import { handle } from '../../support/handle.ts';

const bar: SupplyClass = { cityFolded: 'berlin', venueType: 'entertainment.bars', orientation: 'landscape' };
const hotel: SupplyClass = { cityFolded: 'berlin', venueType: 'entertainment.hotels', orientation: 'landscape' };
const MONDAY = 20_598;

/** A history in which each class promises 100 slots an hour, and `seen` says how many of them were there. */
function historyOf(
  classes: readonly SupplyClass[],
  days: number,
  seen: (place: number, day: number, hour: number) => number,
): SupplyHistory {
  const promised = new Float64Array(classes.length * days * 24).fill(100);
  const found = promised.map((_, cell) =>
    seen(Math.floor(cell / (days * 24)), Math.floor(cell / 24) % days, cell % 24),
  );
  return { classes, firstDay: MONDAY, days, promised, seen: found };
}

const fit = (history: SupplyHistory) => fitSupply({ history, audience: [], scans: [] });

describe('shares of the promised slots', () => {
  test('without history are assumed to be nine in ten', () => {
    expect([...new Set(shareOf(fit(historyOf([], 0, () => 0)), bar))]).toEqual([expect.closeTo(0.9, 5)]);
  });

  test('follow the hour of the week', () => {
    const model = fit(historyOf([bar], 56, (_, day, hour) => (day % 7 < 5 && hour >= 8 ? 80 : 40)));
    expect(shareOf(model, bar)[8]).toBeCloseTo(0.8, 1);
    expect(shareOf(model, bar)[7]).toBeCloseTo(0.4, 1);
    expect(shareOf(model, bar)[5 * 24 + 12]).toBeCloseTo(0.4, 1);
  });

  test('an outage of two days moves them by less than a twentieth', () => {
    const steady = shareOf(fit(historyOf([bar], 56, () => 80)), bar);
    const broken = shareOf(fit(historyOf([bar], 56, (_, day) => (day === 50 || day === 51 ? 0 : 80))), bar);
    broken.forEach((share, hour) => expect(Math.abs(share - steady[hour]!)).toBeLessThan(0.05 * steady[hour]!));
  });

  test('of a class without history follow its type, and then the network', () => {
    const model = fit(historyOf([bar, hotel], 42, place => (place === 0 ? 90 : 50)));
    expect(shareOf(model, { ...bar, cityFolded: 'potsdam' })[12]).toBeCloseTo(0.9, 1);
    const other = shareOf(model, { ...bar, venueType: 'retail.malls' })[12]!;
    expect(other).toBeGreaterThan(0.6);
    expect(other).toBeLessThan(0.8);
  });

  test('of a class with a week of history are between its own and its type', () => {
    const days = 42;
    const history = historyOf([bar, { ...bar, cityFolded: 'bonn' }], days, place => (place === 0 ? 90 : 30));
    for (let cell = 0; cell < (days - 7) * 24; cell++)
      history.promised[days * 24 + cell] = history.seen[days * 24 + cell] = 0;
    const share = shareOf(fit(history), { ...bar, cityFolded: 'bonn' })[12]!;
    expect(share).toBeGreaterThan(0.3);
    expect(share).toBeLessThan(0.75);
  });

  test('follow a fallen level within two weeks', () => {
    expect(shareOf(fit(historyOf([bar], 56, (_, day) => (day < 42 ? 80 : 60))), bar)[12]).toBeLessThan(0.66);
  });
});

test('grow if the network grows, and not if it shrinks', () => {
  const history = historyOf([bar], 56, () => 80);
  expect(growthOf(history)).toBe(0);
  const grown = {
    ...history,
    promised: history.promised.map((slots, cell) => slots * Math.exp(0.005 * Math.floor(cell / 24))),
  };
  expect(growthOf(grown)).toBeGreaterThan(0.003);
  expect(growthOf(grown)).toBeLessThanOrEqual(0.005);
  expect(
    growthOf({
      ...history,
      promised: history.promised.map((slots, cell) => slots * Math.exp(-0.005 * Math.floor(cell / 24))),
    }),
  ).toBe(0);
});

test('neither gain nor hide growth through an unrecorded or unfinished day', () => {
  const history = historyOf([bar], 56, () => 80);
  const without = (from: number, to: number, grown = 0): SupplyHistory => ({
    ...history,
    promised: history.promised.map((slots, cell) =>
      cell >= from * 24 && cell < to * 24 ? 0 : slots * Math.exp(grown * Math.floor(cell / 24)),
    ),
  });
  expect(growthOf(without(30, 31))).toBe(0);
  expect(growthOf(without(28.5, 30.25))).toBe(0);
  expect(growthOf(without(55.25, 56, 0.005))).toBeGreaterThan(0.003);
  expect(growthOf(without(50, 52, 0.005))).toBeGreaterThan(0.003);
});

describe('audience and scans', () => {
  const history = historyOf([], 0, () => 0);
  const model = fitSupply({
    history,
    audience: [
      {
        venue: handle('venue', 1),
        venueType: 'entertainment.bars',
        sensor: true,
        hour: 20,
        impressions: 150_000,
        estimated: 100_000,
      },
      {
        venue: handle('venue', 2),
        venueType: 'entertainment.bars',
        sensor: true,
        hour: 20,
        impressions: 10,
        estimated: 10,
      },
    ],
    scans: [
      { venueType: 'entertainment.bars', category: 'travel', scans: 900, impressions: 300_000 },
      { venueType: 'retail', category: 'travel', scans: 0, impressions: 500 },
    ],
  });

  test('a venue with much history has its own audience, and one with little the audience of its type and source', () => {
    expect(
      audienceOf(model, { venue: handle('venue', 1), venueType: 'entertainment.bars', sensor: true })[20],
    ).toBeCloseTo(1.49, 1);
    expect(
      audienceOf(model, { venue: handle('venue', 2), venueType: 'entertainment.bars', sensor: true })[20],
    ).toBeGreaterThan(1.4);
    expect(audienceOf(model, { venue: handle('venue', 1), venueType: 'entertainment.bars', sensor: true })[9]).toBe(1);
    expect(audienceOf(model, { venue: handle('venue', 1), venueType: 'entertainment.bars', sensor: false })[20]).toBe(
      1,
    );
  });

  test('scan rates are drawn to the overall rate if impressions are few', () => {
    expect(scanRateOf(model.scanRates, 'entertainment.bars', 'travel')).toBeCloseTo(0.0029, 3);
    expect(scanRateOf(model.scanRates, 'retail')).toBeGreaterThan(0.002);
    expect(scanRateOf(fitSupply({ history, audience: [], scans: [] }).scanRates, 'retail')).toBe(0.0005);
  });
});

test('a stored model is the same to a ten-thousandth', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 168, maxLength: 168 }), week => {
      const model = fit(historyOf([bar], 28, (_, day, hour) => week[(day % 7) * 24 + hour]!));
      const again = decodeModel(JSON.parse(JSON.stringify(encodeModel(model))) as ReturnType<typeof encodeModel>);
      shareOf(again, bar).forEach((share, hour) =>
        expect(Math.abs(share - shareOf(model, bar)[hour]!)).toBeLessThanOrEqual(0.000_051),
      );
      expect(again.growthPerDay).toBe(model.growthPerDay);
    }),
    { numRuns: 10 },
  );
});
