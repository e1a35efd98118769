/**
 * Each process in turn gets hardly any processor time while screens play. Their reports go on being counted, and two
 * minutes after the limit is lifted nothing is lost or doubled. STARVED_S is how long it lasts: 150 by default, ten
 * minutes at night.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPlayQueue } from '#ingest/queue/play-queue.ts';
import { eventually } from '../support/network.ts';
import type { MemberName } from './load/fleet.ts';
import { Load, WHOLE } from './load/load.ts';
import { canStarve, starve } from './load/starved.ts';
import { createRandom } from './search/random.ts';

const STARVED_MS = 1_000 * Number(process.env['STARVED_S'] ?? (process.env['FAULT_LONG'] ? 600 : 150));
/** Of one core; STARVED_SHARE chooses another. */
const SHARE = Number(process.env['STARVED_SHARE'] ?? 0.05);
/** In each part of that time something is counted. An insert into a starved ClickHouse takes most of a minute. */
const PART_MS = 150_000;
const CAUGHT_UP_MS_MAX = 120_000;
/** As_of lags no further than this when nothing waits. */
const FRESH_MS = 5_000;

let load: Load;
beforeAll(async () => {
  load = await Load.begin({
    seed: 1,
    plansEveryMs: 2_000,
    campaigns: [2_000, 1_000].map(amount => ({ budget: { amount, currency: 'EUR' } })),
  });
}, 180_000);
afterAll(() => load?.end(), 60_000);

const members =
  (...names: MemberName[]) =>
  () =>
    names.map(name => load.fleet.pid(name));

describe.runIf(canStarve())(`with ${100 * SHARE}% of a core for ${STARVED_MS / 1_000} s`, () => {
  test.for<[string, () => number[]]>([
    ['ClickHouse', () => [load.fleet.enginePid('clickhouse')]],
    ['ingest', members('ingest-1', 'ingest-2')],
    ['Redis', () => [load.fleet.redis.pid]],
    ['Postgres', () => [load.fleet.enginePid('postgres')]],
    ['delivery', members('delivery-1', 'delivery-2')],
    ['workers', members('workers')],
    ['the API', members('api')],
  ])(
    '%s: plays are counted all along, none is lost or doubled, and all is caught up two minutes later',
    { timeout: STARVED_MS + 400_000 },
    async ([, pids]) => {
      const screens = load.startScreens(createRandom(1));
      load.planner.start();
      await load.progress();
      const queue = createPlayQueue({ redis: load.redis });
      const feed = starve(pids(), SHARE);
      const counted = [await queue.asOf()];
      try {
        for (let part = 0; part < Math.ceil(STARVED_MS / PART_MS); part += 1) {
          await wait(Math.min(PART_MS, STARVED_MS));
          counted.push(await queue.asOf());
        }
      } finally {
        feed();
      }
      const isBehind = async () => ((await queue.asOf()) < Date.now() - FRESH_MS ? undefined : true);
      await eventually(isBehind, CAUGHT_UP_MS_MAX);
      await load.planner.stop();
      for (const screen of screens) screen.stopAsking();
      const stood = counted.slice(1).filter((asOf, part) => asOf <= counted[part]!);
      try {
        expect({ stood, ...(await load.caughtUp(screens)) }).toEqual({ stood: [], ...WHOLE });
      } finally {
        for (const screen of screens) screen.close();
        await queue.close();
      }
    },
  );
});
