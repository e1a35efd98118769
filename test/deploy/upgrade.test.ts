/**
 * Each version that was released can be upgraded to this one while screens play and a planner books: the schemas first,
 * then one process after the other, as docs/operate/upgrade.md says. Processes of two versions work side by side
 * meanwhile. Real engines; the earlier version runs from its own commit.
 */
import { readlinkSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { pendingMigrations } from '#audit/pending-migrations.ts';
import { Fleet, MEMBERS, migrate } from '../fault/load/fleet.ts';
import { Load, WHOLE } from '../fault/load/load.ts';
import { createRandom } from '../fault/search/random.ts';
import { ROOT } from '../support/architecture/source-files.ts';
import { type Checkout, checkOut, releases } from './release.ts';

/** Another installation of packages, ten starts of services under load, and the minute in which all is caught up. */
const UPGRADE_MS_MAX = 600_000;

let earlier: Checkout;
let load: Load | undefined;
afterEach(async () => {
  await load?.end();
  load = undefined;
  earlier.remove();
}, 60_000);

/** The folders whose code the processes run; Linux says where each was started. */
const rootsOf = (fleet: Fleet): string[] => [
  ...new Set(MEMBERS.map(name => readlinkSync(`/proc/${fleet.pid(name)}/cwd`))),
];

describe.runIf(process.platform === 'linux').for(releases())('$version', ({ commit }) => {
  test('is upgraded under load: nothing is lost, doubled or overspent', { timeout: UPGRADE_MS_MAX }, async () => {
    earlier = await checkOut(commit);
    const fleet = await Fleet.start({ earlier });
    load = await Load.on(fleet, {
      seed: 1,
      plansEveryMs: 400,
      campaigns: [2_000, 100].map(amount => ({ budget: { amount, currency: 'EUR' } })),
    });
    const screens = load.startScreens(createRandom(1));
    load.planner.start();
    await load.progress();
    expect(rootsOf(fleet)).toEqual([earlier.root]);
    await migrate(fleet.urls);
    expect(await pendingMigrations(load)).toEqual([]);
    for (const name of MEMBERS) {
      await load.progress();
      await fleet.upgrade(name);
    }
    expect(rootsOf(fleet)).toEqual([ROOT]);
    await load.progress();
    for (const screen of screens) screen.stopAsking();
    await load.planner.stop();
    expect(await load.caughtUp(screens)).toEqual(WHOLE);
    for (const screen of screens) screen.close();
  });
});
