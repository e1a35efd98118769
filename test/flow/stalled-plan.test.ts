/** Two workers that make delivery plans at once, of which one stalls, on real Postgres, Redis and threads. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodePlan } from '#domain/allocation/plan-codec.ts';
import { createPlanStore } from '#sql/plan/plan-store.ts';
import { planDelivery } from '../../workers/campaigns/plan-delivery.ts';
import { openPool, type Pool } from '../../workers/pool.ts';
import type { JobContext } from '../../workers/schedule.ts';
import { createWorld, type World } from '../delivery/delivery-under-test.ts';
import { silentLog } from '../ingest/harness.ts';
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

test('a plan whose worker stalled does not replace one that was begun later', async () => {
  const plans = createPlanStore(world.redis);
  const context = (nowMs: number, planner: Pick<Pool, 'planDelivery'>) =>
    standIn<JobContext>({
      sql: world.sql,
      plans,
      pool: standIn<Pool>(planner),
      now: () => new Date(nowMs),
      log: silentLog,
    });
  const plannedAt = async () => decodePlan((await plans.read())!);
  const earlier = Date.now();
  let goOn = (): void => undefined;
  let stalled: Promise<number> | undefined;
  await new Promise<void>((hasRead, failed) => {
    const stalling: Pool['planDelivery'] = async input => {
      hasRead();
      await new Promise<void>(resolve => (goOn = resolve));
      return pool.planDelivery(input);
    };
    stalled = planDelivery(context(earlier, { planDelivery: stalling }));
    stalled.catch(failed);
  });
  await planDelivery(context(earlier + 1_000, { planDelivery: input => pool.planDelivery(input) }));
  expect(await plannedAt()).toMatchObject({ plannedAtMs: earlier + 1_000 });
  goOn();
  await stalled;
  expect(await plannedAt()).toMatchObject({ plannedAtMs: earlier + 1_000 });
  const next = (await plans.read())!.subarray(1);
  expect(await plans.write(next, await plans.begin())).toBe(true);
  expect((await plans.read())!.equals(next)).toBe(true);
}, 60_000);
