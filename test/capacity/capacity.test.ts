/**
 * The simulated queues behind the figures of docs/operate/capacity.md behave as queues do. A simulation from a seed;
 * nothing is started.
 */
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../cli/demo/seeded-random.ts';
import { simulate, type Network } from './simulation.ts';
import { SLOPES } from './slopes.ts';

const NETWORK: Network = { screens: 30_000, everyMs: 30_000, alignedShare: 0, ingestProcesses: 1, seconds: 90 };
const run = (change: Partial<Network>) => simulate({ ...NETWORK, ...change }, seededRandom(1));

test('the waits of a million screens match docs/operate/capacity.md', { timeout: 60_000 }, () => {
  const million = { screens: 1_000_000, everyMs: 30_000, alignedShare: 0.2, ingestProcesses: 4, seconds: 120 };
  const waits = simulate(million, seededRandom(1));
  expect([waits.slotP50Ms, waits.slotP99Ms, waits.slotMaxMs].map(ms => Number(ms.toPrecision(2)))).toEqual([
    0.033, 46, 48,
  ]);
  expect([waits.freshP50Ms, waits.freshP99Ms, waits.freshMaxMs].map(Math.round)).toEqual([31, 57, 58]);
  expect([waits.stormSeconds, waits.loneStormSeconds].map(seconds => seconds.toFixed(1))).toEqual(['5.0', '7.5']);
});

describe('the simulated queues', () => {
  test('are as long as the work itself while screens ask at random moments', () => {
    expect(run({}).slotP50Ms).toBeCloseTo((SLOPES.decisionUs + SLOPES.playDeliveryUs) / 1_000, 3);
  });

  test('grow with the screens that ask at the same moment, by the cost of each', () => {
    const waits = run({ alignedShare: 1 });
    // 15,000 in 50 ms at 36 us each: the last one waits for nearly all of them.
    expect(waits.slotMaxMs).toBeGreaterThan((15_000 * (SLOPES.decisionUs + SLOPES.playDeliveryUs)) / 1_000 - 60);
    expect(waits.slotMaxMs).toBeLessThan((15_000 * (SLOPES.decisionUs + SLOPES.playDeliveryUs)) / 1_000 + 1);
  });

  test('of plays never end before the insert, and fill up if ingest is too small', () => {
    expect(run({}).freshP50Ms).toBeGreaterThanOrEqual(SLOPES.insertMs);
    const tooMany = { screens: 3_000_000, seconds: 20 };
    expect(run({ ...tooMany, ingestProcesses: 1 }).freshMaxMs).toBeGreaterThan(
      5 * run({ ...tooMany, ingestProcesses: 8 }).freshMaxMs,
    );
  });

  test('need one delivery process for each 15,000 screens', () => {
    expect([run({}).deliveryProcesses, run({ screens: 30_001 }).deliveryProcesses]).toEqual([2, 3]);
  });

  test('admit the screens of a single process one after the other, and of one among many within their jitter', () => {
    const waits = run({ screens: 1_000_000, seconds: 1 });
    expect(waits.stormSeconds).toBeCloseTo(5, 0);
    expect(waits.loneStormSeconds).toBeGreaterThan(15_000 / 2_000);
    expect(waits.loneStormSeconds).toBeLessThan(15_000 / 2_000 + 5);
  });

  test('need Redis for the time of every screen and for waiting plays', () => {
    // 10,000 screens: 427 MB of their time, and 1.2 million plays of 208 bytes.
    expect(run({ screens: 10_000 }).redisGb).toBeCloseTo(0.427 + 0.25, 2);
  });
});
