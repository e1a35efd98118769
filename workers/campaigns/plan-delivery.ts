/**
 * Makes the delivery plan and stores it where the delivery processes read it. A plan may take a tenth of one core: the
 * next one begins when ten times as long has gone by as the last one took, at least every minute. A new or edited
 * campaign does not wait for it: until it is in a plan it is paced evenly over its flight.
 */
import { performance } from 'node:perf_hooks';
import { gauge, histogram } from '#runtime/metrics.ts';
import { selectBookedCampaigns, selectPlaces, selectSupply } from '#records/network-rows.ts';
import type { JobContext } from '../schedule.ts';

const REST_TIMES = 10;
const REST_MS_MAX = 60_000;

const seconds = histogram({
  name: 'workers_plan_seconds',
  help: 'Time to make a delivery plan, with its rows',
  buckets: [0.05, 0.2, 0.5, 1, 2, 5, 10, 30],
});
const campaignsPlanned = gauge({ name: 'workers_plan_campaigns', help: 'Campaigns in the last delivery plan' });

let restUntil = 0;

/** Answers 0: the next plan waits for its turn. */
export async function planDelivery({ sql, plans, pool, now }: JobContext): Promise<number> {
  const startedAt = performance.now();
  if (startedAt < restUntil) return 0;
  const [places, campaigns, supply, before] = await Promise.all([
    selectPlaces(sql),
    selectBookedCampaigns(sql),
    selectSupply(sql),
    plans.read(),
  ]);
  const plan = await pool.planDelivery({
    places,
    campaigns,
    supply,
    atMs: now().getTime(),
    before: before && Uint8Array.from(before),
  });
  await plans.write(plan);
  const tookMs = performance.now() - startedAt;
  restUntil = performance.now() + Math.min(REST_MS_MAX, tookMs * REST_TIMES);
  seconds.observe(tookMs / 1_000);
  campaignsPlanned.set(campaigns.length);
  return 0;
}
