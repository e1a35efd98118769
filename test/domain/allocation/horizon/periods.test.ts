/** The periods of a plan: where each begins, and how long it is. Pure rules. */
import { expect, test } from 'vitest';
import { periodsOf } from '../../../../domain/allocation/horizon/periods.ts';

test('periods count their hours from now, and the last one ends with the forecast', () => {
  const forecast = {
    groups: 1,
    buckets: 30,
    bucketFrom: 6,
    bucketsPerHour: 2,
    segmentOf: new Int32Array(30),
    supply: new Float64Array(30),
    supplyPerCampaign: null,
    factor: Float64Array.of(1),
  };
  expect(periodsOf(forecast, 6)).toEqual([
    { from: 6, to: 8, startsInHours: 0, hours: 1 },
    { from: 8, to: 10, startsInHours: 1, hours: 1 },
    { from: 10, to: 14, startsInHours: 2, hours: 2 },
    { from: 14, to: 26, startsInHours: 4, hours: 6 },
    { from: 26, to: 30, startsInHours: 10, hours: 2 },
  ]);
});
