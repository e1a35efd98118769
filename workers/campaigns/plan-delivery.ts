/**
 * Makes the delivery plan and stores it where the delivery processes read it. A plan may take a tenth of one core: the
 * next one begins after ten times the duration of the last one, at least every minute. A new or edited campaign does
 * not wait for it: until it is in a plan it is paced evenly over its flight. If not all demand can be served, the
 * operator's setting decides, and a campaign's price is the rate card less its discount.
 */
import { performance } from 'node:perf_hooks';
import { gauge, histogram } from '#runtime/metrics.ts';
import { discountRate } from '#domain/money/discount.ts';
import { readDiscountFacts } from '#sql/workspaces/discount-facts.ts';
import { readSettings } from '#sql/operator/settings.ts';
import { type BookedCampaignRow, selectBookedCampaigns, selectPlaces } from '#sql/plan/network-rows.ts';
import { readModel } from '#sql/plan/supply.ts';
import type { Queryable } from '#sql/postgres.ts';
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

/** Whether this process has rested since its last plan. */
export const isPlanDue = (): Promise<boolean> => Promise.resolve(performance.now() >= restUntil);

/** Makes and stores a plan, then pauses. Returns 0, so that the job waits for its next turn. */
export async function planDelivery({ sql, plans, pool, log, now }: JobContext): Promise<number> {
  const startedAt = performance.now();
  const number = await plans.begin();
  const [places, campaigns, supply, settings] = await Promise.all([
    selectPlaces(sql),
    selectBookedCampaigns(sql),
    readModel(sql),
    readSettings(sql),
  ]);
  const plan = await pool.planDelivery({
    places,
    campaigns: await withPrices(sql, campaigns, now()),
    supply,
    overload: { floor: settings.overload_floor, leastFloor: settings.overload_floor_least },
    atMs: now().getTime(),
  });
  if (!(await plans.write(plan, number))) log.info('a delivery plan was dropped: a newer one is stored');
  const tookMs = performance.now() - startedAt;
  restUntil = performance.now() + Math.min(REST_MS_MAX, tookMs * REST_TIMES);
  seconds.observe(tookMs / 1_000);
  campaignsPlanned.set(campaigns.length);
  return 0;
}

const MILLIONTHS = 1_000_000;

/** Adds the revenue of each unit of a budget: the rest after the workspace's discount this month. */
async function withPrices(
  sql: Queryable,
  campaigns: readonly BookedCampaignRow[],
  now: Date,
): Promise<(BookedCampaignRow & { price: number })[]> {
  const factsOf = (sandbox: boolean) =>
    readDiscountFacts(
      sql,
      [...new Set(campaigns.filter(row => row.discounted && row.sandbox === sandbox).map(row => row.workspace))],
      { sandbox, now },
    );
  const [ofBooks, ofSandboxes] = await Promise.all([factsOf(false), factsOf(true)]);
  return campaigns.map(row => {
    const facts = (row.sandbox ? ofSandboxes : ofBooks).get(row.workspace);
    return { ...row, price: facts === undefined ? 1 : 1 - discountRate(facts) / MILLIONTHS };
  });
}
