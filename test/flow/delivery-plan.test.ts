/**
 * A plan on its way: rows in Postgres, a thread of the workers, a buffer in Redis, decisions of a real delivery process
 * over a real socket.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { decodePlan, type PublishedPlan } from '#domain/allocation/plan-codec.ts';
import { createPlanStore } from '#sql/plan/plan-store.ts';
import { planDelivery } from '../../workers/campaigns/plan-delivery.ts';
import { openPool, type Pool } from '../../workers/pool.ts';
import type { JobContext } from '../../workers/schedule.ts';
import { addCampaign, addScreen, createWorld, type World } from '../delivery/delivery-under-test.ts';
import { silentLog } from '../ingest/harness.ts';
import { ScreenClient } from '../support/screen-client.ts';
import { standIn } from '../support/stand-in.ts';

let world: World;
let pool: Pool;

beforeAll(async () => {
  world = await createWorld();
  pool = openPool();
});
afterAll(async () => {
  await pool.close();
  await world.close();
});

test('a plan made by the workers reaches a delivery process and paces what it decides', async () => {
  const plans = createPlanStore(world.redis);
  const screen = await addScreen(world);
  // A flight of 33 days and a small budget: after the twenty plays that are never too far ahead it waits.
  const campaign = await addCampaign(world, { budget_micros: 20_000_000 });
  const delivery = await world.start();
  const { client } = await ScreenClient.connect(delivery.url, screen.token);

  await planDelivery(standIn<JobContext>({ sql: world.sql, plans, pool, now: () => new Date(), log: silentLog }));
  const plan = decodePlan((await plans.read())!) as PublishedPlan;
  expect([...plan.handles]).toEqual([campaign.handle]);
  expect(plan.target[0]).toBeGreaterThan(0);
  expect(plan.attainable[0]).toBe(1);

  await vi.waitFor(
    async () => {
      const age = /^delivery_plan_age_seconds (\S+)/m.exec(
        await (await fetch(`${delivery.opsUrl}/metrics`)).text(),
      )?.[1];
      expect(Number(age)).toBeGreaterThanOrEqual(0);
    },
    { timeout: 15_000 },
  );
  // Money comes in grants of about twenty plays: between two of them the reason is another.
  const answers: (string | undefined)[] = [];
  let id = 0;
  await vi.waitFor(
    async () => {
      client.send({ t: 'slot', id: ++id, count: 5, at: Date.now() });
      const slots = (await client.next('fill', id))['slots'] as { no_fill?: string }[];
      answers.push(...slots.map(slot => slot.no_fill));
      expect(answers).toContain('paced_out');
    },
    { timeout: 20_000, interval: 200 },
  );
  const fills = answers.filter(reason => reason === undefined).length;
  expect(fills).toBeGreaterThanOrEqual(1);
  // Twenty plays and a hundredth of the budget, of about 950 plays in all.
  expect(fills).toBeLessThan(60);
  client.close();
}, 60_000);
