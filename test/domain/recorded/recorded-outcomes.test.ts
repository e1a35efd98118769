/**
 * Plans, days in hindsight and forecasts of seeded networks are what they were when they were recorded, to nine digits.
 * Other tests say what is right. This one says that nothing changed by accident. After a change of the rules that is
 * meant, look at the difference and record it: `npx vitest run test/domain/recorded -u`.
 */
import { expect, test } from 'vitest';
import { splitNetworkDay } from '#domain/allocation/hindsight/network-day.ts';
import { frequencyCapsOf } from '#domain/allocation/network/frequency-caps.ts';
import { planNetwork, worthOf } from '#domain/allocation/network/network-plan.ts';
import { BUCKET_MS, compileNetwork } from '#domain/allocation/network/network.ts';
import { availabilityOf } from '#domain/forecast/availability.ts';
import { repeatForecasts } from '#domain/forecast/backtest.ts';
import { calibrateBands, unknownBands } from '#domain/forecast/band.ts';
import { forecastPlan } from '#domain/forecast/forecast.ts';
import { type Prepared, prepareForecasts } from '#domain/forecast/preparation.ts';
import { decodeSupply, encodeSupply } from '#domain/forecast/supply-body.ts';
import { fitSupply } from '#domain/forecast/supply/supply-model.ts';
import { seenRatios } from '#domain/forecast/supply/supply-seen.ts';
import { handle } from '../../support/handle.ts';
import {
  audienceRows,
  campaignsOf,
  DAY_MS,
  Draw,
  historyOf,
  onDay,
  placesOf,
  scanRows,
  targetsOf,
  TODAY,
} from './seeded-network.ts';

const DIGITS = 9;
const DIGEST_ABOVE = 12;
const HOUR_MS = 3_600_000;
const BUCKETS = 7 * 96;

/** Places, campaigns, usual and late share of slots sold, and the hour at which it is planned. */
const PLANS = [
  { seed: 1, places: 12, campaigns: 6, hour: 0, sold: {} },
  { seed: 2, places: 20, campaigns: 14, hour: 9.25, sold: { usualShare: 0.7, latelyShare: 0.6 } },
  { seed: 3, places: 8, campaigns: 24, hour: 17, sold: { usualShare: 0.95, latelyShare: 0.97 } },
  { seed: 4, places: 30, campaigns: 30, hour: 23.75, sold: { usualShare: 0.82, latelyShare: 0.5 } },
  { seed: 5, places: 3, campaigns: 12, hour: 12, sold: { usualShare: 0.9, latelyShare: 0.9 } },
  { seed: 6, places: 2, campaigns: 3, hour: 6.5, sold: { usualShare: 0.3, latelyShare: 0.3 } },
];

test.each(PLANS)('the plan of network $seed', ({ seed, places: count, campaigns: booked, hour, sold }) => {
  const draw = new Draw(seed);
  const places = placesOf(draw, count);
  const campaigns = campaignsOf(draw, booked);
  const atMs = TODAY * DAY_MS + hour * HOUR_MS;
  const compiled = (fromMs: number) => compileNetwork({ places, campaigns, atMs: fromMs, buckets: BUCKETS, worthOf });
  const network = compiled(Math.floor(atMs / BUCKET_MS) * BUCKET_MS - 2 * BUCKET_MS);
  const caps = frequencyCapsOf({ network, places, worthOf, campaigns });
  const input = { network, past: compiled(atMs - 7 * DAY_MS), campaigns, atMs, caps, ...sold };
  expect(spelled(planNetwork(input))).toMatchSnapshot();
});

test.each([11, 12, 13, 14, 15, 16, 17, 18])('the day of network %i in hindsight', seed => {
  const draw = new Draw(seed);
  const places = placesOf(draw, 10);
  const campaigns = campaignsOf(draw, 9).map(campaign => onDay(draw, campaign));
  const most = draw.of([20_000, 80_000, 400_000]);
  const slots = (part: number) =>
    Float64Array.from({ length: places.length * 24 }, () => Math.round(draw.number(0, part * most)));
  const day = { played: slots(2), open: slots(1), capped: slots(0.5), barred: slots(0.3), once: slots(0.1) };
  expect(spelled(splitNetworkDay({ places, campaigns, slots: day, dayMs: (TODAY - 1) * DAY_MS }))).toMatchSnapshot();
});

test.each([21, 22, 23])('the forecasts of network %i', seed => {
  const draw = new Draw(seed);
  const places = placesOf(draw, 24);
  const history = historyOf(draw, places, 45);
  const model = fitSupply({ history, audience: audienceRows(draw, places), scans: scanRows(draw) });
  const screens = Int32Array.from(history.classes, () => draw.whole(1, 400));
  const bands = calibrateBands([...repeatForecasts({ history, screens })].flat());
  const seen = seenRatios(history, model);
  const kept = decodeSupply(JSON.stringify(encodeSupply({ model, bands, seen, usualShare: 0.8, latelyShare: 0.7 })));
  expect(spelled({ model, bands, seen, kept })).toMatchSnapshot('what is known');
  for (const edgesMax of [undefined, 4_000]) {
    const campaigns = campaignsOf(draw, 15).map(campaign => ({
      ...campaign,
      impressionsLeft: Math.round((campaign.budgetMicros - campaign.spentMicros) / draw.number(500, 6_000)),
    }));
    const prepared = prepareForecasts({
      places,
      campaigns,
      model: kept.model,
      bands: draw.chance(0.5) ? kept.bands : unknownBands(),
      atMs: TODAY * DAY_MS + 7.5 * HOUR_MS,
      ...(edgesMax !== undefined && { edgesMax }),
    });
    expect(spelled(asked(draw, prepared))).toMatchSnapshot(`with ${edgesMax ?? 'all'} edges`);
  }
});

/** Forecasts of ten plans, the third of which is booked already, and what three venues have. */
function asked(draw: Draw, prepared: Prepared) {
  const forecasts = Array.from({ length: 10 }, (_, number) => {
    const startsOn = TODAY + draw.whole(0, 30);
    return forecastPlan(prepared, {
      sandbox: draw.chance(0.1),
      targets: targetsOf(draw),
      startsOn,
      endsOn: startsOn + draw.whole(0, 40),
      budgetMicros: Math.round(draw.number(1, 3_000)) * 1_000_000,
      category: draw.of(['alcohol', 'travel']),
      frequencyPerHourMax: draw.of([null, 2, 6]),
      ...(draw.chance(0.4) && { orientations: [draw.of(['landscape', 'portrait'] as const)] }),
      ...(number === 2 && { replaces: handle('campaign', 3) }),
    });
  });
  const venues = new Set([1, 2, 7].map(number => handle('venue', number)));
  const available = availabilityOf(prepared, { sandbox: false, venues, startsOn: TODAY + 1, endsOn: TODAY + 35 });
  return { ...forecasts, available };
}

/** Numbers to nine digits; a line for each list of numbers and for each record within. */
function spelled(value: unknown, depth = 0): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(DIGITS));
  if (ArrayBuffer.isView(value)) return digest([...(value as Float64Array)]);
  if (value instanceof Map) return spelled(Object.fromEntries(value), depth);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value) && value.every(part => typeof part === 'number')) return digest(value);
  const parts = Object.entries(value).map(([key, part]) => [key, spelled(part, depth + 1)] as const);
  if (depth === 0) return Object.fromEntries(parts);
  return parts
    .map(([key, part]) => `${key} ${typeof part === 'object' ? JSON.stringify(part) : String(part)}`)
    .join('; ');
}

/** All values of a short list; of a long one their count, the first three, and a sum with weights. */
function digest(values: readonly number[]): string {
  const spell = (some: readonly number[]) => some.map(one => String(spelled(one))).join(' ');
  if (values.length <= DIGEST_ABOVE) return `[${spell(values)}]`;
  const weighed = values.reduce((sum, value, at) => sum + value * (1 + (at % 97)), 0);
  return `[${spell(values.slice(0, 3))} … ${values.length} values, weighed ${String(spelled(weighed))}]`;
}
