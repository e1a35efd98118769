/**
 * How overload is shared, from the operator's command to the plan: the command in a process of its own, the setting in
 * Postgres, the planner in its thread, the plan in Redis.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodePlan, type PublishedPlan } from '#domain/allocation/plan-codec.ts';
import type { Handle } from '#domain/id.ts';
import { createPlanStore } from '#sql/plan/plan-store.ts';
import { planDelivery } from '../../workers/campaigns/plan-delivery.ts';
import { openPool, type Pool } from '../../workers/pool.ts';
import type { JobContext } from '../../workers/schedule.ts';
import { addCampaign, addScreen, createWorld, type World } from '../delivery/delivery-under-test.ts';
import { silentLog } from '../ingest/harness.ts';
import { standIn } from '../support/stand-in.ts';
import { programOf } from '../../runtime/programs/program.ts';

let world: World;
let pool: Pool;

beforeAll(async () => {
  world = await createWorld();
  pool = openPool();
  await addScreen(world);
});
afterAll(async () => {
  await pool.close();
  await world.close();
});

const run = promisify(execFile);

/** Sets the floors of all and of those that earn least as an operator does. */
async function shareOverloadFrom(floor: string, least = floor): Promise<void> {
  const floors = ['--overload-floor', floor, '--overload-floor-least', least];
  const { file, execArgv } = programOf('cli/admin/admin.ts');
  await run(process.execPath, [...execArgv, file, 'operator', 'update', ...floors], {
    env: { ...process.env, DATABASE_URL: world.databaseUrl },
  });
}

/** What the next plan says that each campaign can get, as a share of its budget. */
async function attainable(): Promise<Map<Handle<'campaign'>, number>> {
  const plans = createPlanStore(world.redis);
  await planDelivery(standIn<JobContext>({ sql: world.sql, plans, pool, now: () => new Date(), log: silentLog }));
  const { handles, attainable: shares } = decodePlan((await plans.read())!) as PublishedPlan;
  return new Map(Array.from(handles, (handle, at) => [handle as Handle<'campaign'>, shares[at]!]));
}

test('the floor that an operator sets decides who gets what in the next plan', async () => {
  const beyondAll = 1_000_000_000_000;
  const alone = await addCampaign(world, { budget_micros: beyondAll });
  const all = Math.floor(beyondAll * (await attainable()).get(alone.handle)!);
  expect(all).toBeLessThan(beyondAll);
  await world.sql`update campaigns set budget_micros = ${all}, handed_micros = ${all} where handle = ${alone.handle}`;
  // As much again by one that pays less: an agency with a case study has 2% off.
  const [agency] = await world.sql<{ handle: number }[]>`
    insert into workspaces (kind, name, currency, case_study, created_at)
    values ('agency', 'a', 'EUR', true, now()) returning handle`;
  const cheap = await addCampaign(world, { budget_micros: all, workspace_handle: agency!.handle });

  await shareOverloadFrom('0');
  const byPrice = await attainable();
  expect(byPrice.get(alone.handle)).toBeGreaterThan(0.95);
  expect(byPrice.get(cheap.handle)).toBeLessThan(0.05);

  await shareOverloadFrom('1');
  const byShare = await attainable();
  expect(byShare.get(alone.handle)).toBeCloseTo(0.5, 1);
  expect(byShare.get(cheap.handle)).toBeCloseTo(0.5, 1);

  // Nothing was free any more when the second was booked, and its forecast said so.
  await world.sql`update campaigns set foreseen_micros = case handle when ${alone.handle} then budget_micros else 0 end`;
  const asTold = await attainable();
  expect(asTold.get(alone.handle)).toBeGreaterThan(0.95);
  expect(asTold.get(cheap.handle)).toBeLessThan(0.05);
}, 180_000);
