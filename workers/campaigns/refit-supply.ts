/**
 * Once an hour: records the supply of the last hour, and fits the supply model again from the recorded hours. The
 * hour's row has the promise of opening hours and ad ratios, the online part of it, and the reach of its plays; an hour
 * without running workers has no row and changes no forecast. Repeated for the same hour it changes nothing.
 */
import { setImmediate } from 'node:timers/promises';
import { repeatForecasts } from '#domain/forecast/backtest.ts';
import { calibrateBands, type PastForecast } from '#domain/forecast/band.ts';
import { encodeSupply } from '#domain/forecast/supply-body.ts';
import { fitSupply } from '#domain/forecast/supply/supply-model.ts';
import { seenRatios } from '#domain/forecast/supply/supply-seen.ts';
import { gauge } from '#runtime/metrics.ts';
import { addModel, lastFittedAt } from '#sql/plan/supply.ts';
import type { JobContext } from '../schedule.ts';
import { readAudience, readHistory, readScans, readSoldShares } from './supply-history.ts';
import { recordHour } from './supply-hour.ts';

const HOUR_MS = 3_600_000;

const fittedAt = gauge({
  name: 'workers_supply_fitted_at_seconds',
  help: 'When the supply model was fitted last, seconds since 1970',
});

/** Returns 1 if it fitted a model, 0 if the model of this hour exists. */
export async function refitSupply({ sql, clickhouse, now }: JobContext): Promise<number> {
  const hourMs = Math.floor(now().getTime() / HOUR_MS) * HOUR_MS;
  const last = await lastFittedAt(sql);
  if (last && last.getTime() >= hourMs) return 0;
  await recordHour({ sql, clickhouse }, hourMs - HOUR_MS);
  const [past, audience, scans, sold] = await Promise.all([
    readHistory(clickhouse, hourMs),
    readAudience(clickhouse, hourMs),
    readScans({ sql, clickhouse }, hourMs),
    readSoldShares(clickhouse, hourMs),
  ]);
  const repeated: PastForecast[] = [];
  for (const day of repeatForecasts({ history: past.impressions, screens: past.screens })) {
    repeated.push(...day);
    await setImmediate(); // other jobs run between two fits
  }
  const model = fitSupply({ history: past.slots, audience, scans });
  const body = encodeSupply({
    model,
    bands: calibrateBands(repeated),
    seen: seenRatios(past.slots, model),
    usualShare: sold?.usual,
    latelyShare: sold?.lately,
  });
  await addModel(sql, body, now());
  fittedAt.set(now().getTime() / 1_000);
  return 1;
}
