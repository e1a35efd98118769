/** What a network has to spare: what neither is booked nor usually comes, and how days that sold less count in it. */
import { describe, expect, test } from 'vitest';
import { spareShare } from '../../../domain/allocation/flow/late-bookings.ts';

/** A group for each number of hours that it has supply for, of a horizon of a week. */
function forecastOf(...hours: readonly number[]) {
  const buckets = 7 * 96;
  return {
    groups: hours.length,
    buckets,
    bucketFrom: 0,
    bucketsPerHour: 4,
    segmentOf: new Int32Array(hours.length * buckets),
    supply: Float64Array.from(
      hours.flatMap(each => Array.from({ length: buckets }, (_, bucket) => (bucket < each * 4 ? 10 : 0))),
    ),
    supplyPerCampaign: null,
    factor: new Float64Array(hours.length).fill(1),
  };
}

describe('the spare supply of a network', () => {
  const week = forecastOf(168);

  test('is the part that it does not usually sell, whatever part of that is booked', () => {
    for (const booked of [0, 0.4, 0.8])
      expect(spareShare({ forecast: week, booked, usualShare: 0.8, latelyShare: 0.8 })).toBeCloseTo(0.2, 12);
    expect(spareShare({ forecast: week, booked: 0.9, usualShare: 0.8, latelyShare: 0.8 })).toBeCloseTo(0.1, 12);
  });

  test('is less after days with fewer sales, more after days with more, and never above the unbooked part', () => {
    const after = (latelyShare: number, booked = 0.5) =>
      spareShare({ forecast: week, booked, usualShare: 0.8, latelyShare });
    expect(after(0.7)).toBeCloseTo(0.2 - (0.1 * 72) / Math.LN2 / 168, 12);
    expect(after(0.9)).toBeCloseTo(0.2 + (0.1 * 72) / Math.LN2 / 168, 12);
    expect(after(1, 0.95)).toBeCloseTo(0.05, 12);
  });

  test('is corrected within the hours of the supply forecast, up to the last of any group', () => {
    const after = (...hours: number[]) =>
      spareShare({ forecast: forecastOf(...hours), booked: 0.5, usualShare: 0.8, latelyShare: 0.75 });
    expect(0.2 - after(84)).toBeCloseTo(2 * (0.2 - after(168)), 12);
    for (const hours of [
      [84, 42],
      [42, 84],
    ])
      expect(after(...hours)).toBe(after(84));
  });

  test('loses at most two thirds of the fall if demand has fallen for good', () => {
    const fall = 0.3;
    expect(spareShare({ forecast: week, booked: 0.5, usualShare: 0.8, latelyShare: 0.8 - fall })).toBeGreaterThan(
      0.2 - (2 / 3) * fall,
    );
  });
});
