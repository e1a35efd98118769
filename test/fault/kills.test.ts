/**
 * Kills of real processes: delivery is killed again and again, at moments that nobody chose, while budgets run
 * out; nothing is spent twice or too much, and what can be spent is.
 * `npm run test:kills`; FAULT_FROM=<seed> for other moments.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CAUGHT_UP_MS_MAX, Load, WHOLE } from './load/load.ts';
import { createRandom } from './search/random.ts';
import { eventually } from '../support/network.ts';

const SEED = Number(process.env['FAULT_FROM'] ?? 1);
const KILLS = 20;
/** Between two kills: enough that both processes are up at times, little enough that a start is hit at times. */
const BETWEEN_MS_MAX = 6_000;
/** Of one euro: some twenty plays at this network's rate. */
const SMALL_CAMPAIGNS = 60;
/** Before each kill so many budgets are cut to what is out: from then on every play of theirs may be the last. */
const CUTS = SMALL_CAMPAIGNS / KILLS;
const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

let load: Load;
beforeAll(async () => {
  const small = { budget: { amount: 1, currency: 'EUR' }, schedule: { starts: day(-30), ends: day(1) } };
  load = await Load.begin({
    seed: SEED,
    plansEveryMs: 5_000,
    campaigns: [
      { budget: { amount: 2_000, currency: 'EUR' } },
      ...Array.from({ length: SMALL_CAMPAIGNS }, () => small),
    ],
  });
}, 300_000);
afterAll(() => load?.end(), 60_000);

test(
  `${KILLS} random kills of delivery under load, with budgets that run out, leave nothing spent twice, too much or for ever in doubt (seed ${SEED})`,
  { timeout: 900_000 },
  async () => {
    const random = createRandom(SEED);
    const screens = load.startScreens(random);
    const small = load.campaigns.slice(1);
    load.planner.start();
    try {
      await load.progress();
      for (let kills = 0; kills < KILLS;) {
        await wait(random.pick(BETWEEN_MS_MAX));
        await Promise.all(small.splice(0, CUTS).map(campaign => load.cutBudget(campaign)));
        if (load.fleet.strike(random.one(['delivery-1', 'delivery-2'] as const))) kills += 1;
      }
      await eventually(async () => ((await runOut()) > SMALL_CAMPAIGNS / 2 ? true : undefined), CAUGHT_UP_MS_MAX);
      for (const screen of screens) screen.stopAsking();
      await load.planner.stop();
      expect(await load.caughtUp(screens)).toEqual(WHOLE);
    } finally {
      for (const screen of screens) screen.close();
    }
  },
);

/** Campaigns that cannot pay for another play of the dearest kind here. */
async function runOut(): Promise<number> {
  const [row] = await load.sql<
    { n: number }[]
  >`select count(*)::int as n from campaigns where budget_micros - charged_micros < 35000`;
  return row!.n;
}
