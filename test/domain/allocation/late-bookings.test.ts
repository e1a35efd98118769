/** What a network has to spare: what neither is booked nor usually comes, and how days that sold less count in it. */
import { describe, expect, test } from 'vitest';
import { spareShare } from '../../../domain/allocation/flow/late-bookings.ts';

/** One group with supply for so many hours, of a horizon of a week. */
function forecastOf(hours: number) {
  const buckets = 7 * 96;
  return {
    groups: 1,
    buckets,
    bucketFrom: 0,
    bucketsPerHour: 4,
    segmentOf: new Int32Array(buckets),
    supply: Float64Array.from({ length: buckets }, (_, bucket) => (bucket < hours * 4 ? 10 : 0)),
    supplyPerCampaign: null,
    factor: Float64Array.of(1),
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

  test('is corrected within the hours of the supply forecast', () => {
    const after = (hours: number) =>
      spareShare({ forecast: forecastOf(hours), booked: 0.5, usualShare: 0.8, latelyShare: 0.75 });
    expect(0.2 - after(84)).toBeCloseTo(2 * (0.2 - after(168)), 12);
  });

  test('loses at most two thirds of the fall if demand has fallen for good', () => {
    const fall = 0.3;
    expect(spareShare({ forecast: week, booked: 0.5, usualShare: 0.8, latelyShare: 0.8 - fall })).toBeGreaterThan(
      0.2 - (2 / 3) * fall,
    );
  });
});
