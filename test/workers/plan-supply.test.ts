/**
 * The delivery plan of a campaign counts with the screen time that the supply model and the last hours promise. The
 * planner runs in its worker threads over made-up places; no engine is needed.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { placesOf } from '../../domain/allocation/network/network-rows.ts';
import { OVERLOAD_DEFAULT } from '../../domain/allocation/flow/overload.ts';
import { decodePlan, type PublishedPlan } from '../../domain/allocation/plan-codec.ts';
import { unknownBands } from '../../domain/forecast/band.ts';
import { encodeSupply } from '../../domain/forecast/supply-body.ts';
import { EMPTY_MODEL } from '#domain/forecast/supply/supply-model.ts';
import { venueRateMicros } from '../../domain/money/rate-card.ts';
import { openPool, type Pool } from '../../workers/pool.ts';
import { handle } from '../support/handle.ts';

const DAY_MS = 86_400_000;
const TODAY = 20_598;
const RATE = venueRateMicros('entertainment.bars');
const PLACE = {
  venue: handle('venue', 1),
  sensor: false,
  type: 'entertainment.bars',
  city: 'Berlin',
  lat: 52.5,
  lng: 13.4,
  timezone: 'UTC',
  opening_hours: null,
  daily_visitors: 1_440,
  dwell_minutes: 10,
  audience_max: null,
  screens_near: 1,
  blocked_categories: [],
  orientation: 'landscape' as const,
  sandbox: false,
  ad_share: 1,
};
const KEY = 'berlin|entertainment.bars|landscape';
/** Wants three fifths of what opening hours and ad ratio promise in its week. */
const budget = Math.round(placesOf([PLACE])[0]!.impressionsPerMinute * 7 * 1440 * 0.6 * RATE);
const CAMPAIGN = {
  handle: handle('campaign', 7),
  sandbox: false,
  category: 'technology',
  targets: {},
  starts_on: TODAY,
  ends_on: TODAY + 6,
  paced_from: new Date(TODAY * DAY_MS),
  paced_base_micros: 0,
  budget_micros: budget,
  charged_micros: 0,
  rate_micros: RATE,
  orientations: ['landscape' as const],
  frequency_per_hour_max: null as number | null,
};

let pool: Pool;
beforeAll(() => {
  pool = openPool();
});
afterAll(() => pool.close());

async function planWith(supply: string | null, frequencyPerHourMax: number | null = null): Promise<PublishedPlan> {
  const bytes = await pool.planDelivery({
    places: [{ ...PLACE, screens: 1 }],
    campaigns: [{ ...CAMPAIGN, frequency_per_hour_max: frequencyPerHourMax }],
    supply,
    atMs: TODAY * DAY_MS,
    overload: OVERLOAD_DEFAULT,
  });
  return decodePlan(bytes) as PublishedPlan;
}
const attainableWith = async (...question: Parameters<typeof planWith>): Promise<number> =>
  (await planWith(...question)).attainable[0]!;
const share = (part: number) => new Map([[KEY, new Float32Array(168).fill(part)]]);

test('without a supply model a plan uses opening hours and ad ratio', async () => {
  expect(await attainableWith(null)).toBe(1);
});

test('a plan uses the share of the promised slots that the supply model expects', async () => {
  const supply = JSON.stringify(
    encodeSupply({
      model: { ...EMPTY_MODEL, shares: share(0.3) },
      bands: unknownBands(),
      seen: {},
      usualShare: undefined,
      latelyShare: undefined,
    }),
  );
  expect(await attainableWith(supply)).toBeCloseTo(0.5, 2);
});

test('a plan uses the supply seen in the last hours', async () => {
  const supply = JSON.stringify(
    encodeSupply({
      model: { ...EMPTY_MODEL, shares: share(0.9) },
      bands: unknownBands(),
      seen: { [KEY]: 1 / 3 },
      usualShare: undefined,
      latelyShare: undefined,
    }),
  );
  expect(await attainableWith(supply)).toBeCloseTo(0.5, 2);
});

test('a plan promises a campaign no more than its frequency cap allows', async () => {
  const supply = JSON.stringify(
    encodeSupply({
      model: { ...EMPTY_MODEL, shares: share(1) },
      bands: unknownBands(),
      seen: {},
      usualShare: undefined,
      latelyShare: undefined,
    }),
  );
  expect(await attainableWith(supply, 240)).toBe(1);
  expect(await attainableWith(supply, 60)).toBeCloseTo(0.25 / 0.6, 3);
});

test('a campaign plays earlier if the network usually sells more than is booked', async () => {
  const supplyWith = (usualShare: number, latelyShare = usualShare) =>
    JSON.stringify(encodeSupply({ model: EMPTY_MODEL, bands: unknownBands(), seen: {}, usualShare, latelyShare }));
  const [calm, full] = await Promise.all([planWith(supplyWith(0.3)), planWith(supplyWith(0.9))]);
  expect(full.target[0]).toBeGreaterThan(1.2 * calm.target[0]!);
});

test('a campaign plays earlier if the last days sold less than usual, and not if they sold more', async () => {
  const targetWith = async (latelyShare: number) => {
    const supply = { model: EMPTY_MODEL, bands: unknownBands(), seen: {}, usualShare: 0.3, latelyShare };
    return (await planWith(JSON.stringify(encodeSupply(supply)))).target[0]!;
  };
  const [less, usual, more] = await Promise.all([targetWith(0), targetWith(0.3), targetWith(0.5)]);
  expect(less).toBeGreaterThan(1.2 * usual);
  expect(more).toBeLessThanOrEqual(usual);
});
