/**
 * Processes that take shares of a key's calls from Redis never allow more calls than the limit, and do not waste any. A
 * property test over random traffic of four processes; a model of the windows replaces Redis, so no engine is needed.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createShares } from '../../../api/rate-limit/shares.ts';
import type { Share, ShareRequest, Take } from '../../../api/rate-limit/limiter.ts';
import { handle } from '../../support/handle.ts';

/** Windows as Redis keeps them, on the same clock. */
function createWindows(clock: () => number) {
  let [minute, second, used, burst] = [0, 0, 0, 0];
  return (call: Take, { wanted, unused, minute: minuteOfUnused }: ShareRequest): Share => {
    const now = clock();
    if (Math.floor(now / 60_000) !== minute) [minute, used] = [Math.floor(now / 60_000), 0];
    if (Math.floor(now / 1_000) !== second) [second, burst] = [Math.floor(now / 1_000), 0];
    if (minuteOfUnused === minute) used -= unused;
    const { max } = call.buckets[0]!;
    const calls = Math.max(0, Math.min(wanted, max - used, call.perSecondMax - burst));
    used += calls;
    burst += calls;
    return {
      calls,
      remaining: max - used,
      resetMs: 60_000 - (now % 60_000),
      waitMs: calls > 0 ? 0 : 1,
      sharedRemaining: 1_000_000,
      spent: undefined,
      secondMs: 1_000 - (now % 1_000),
      minute,
    };
  };
}

const step = fc.record({
  process: fc.nat(3),
  calls: fc.integer({ min: 1, max: 40 }),
  afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 300 }), fc.integer({ min: 800, max: 30_000 })),
});

test('four processes together never let a key exceed its limits in any minute or second, and lose none of its calls', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60 }),
      fc.integer({ min: 1, max: 600 }),
      fc.integer({ min: 1, max: 100 }),
      async (steps, perMinuteMax, perSecondMax) => {
        let now = 1_700_000_000_123;
        const windows = createWindows(() => now);
        const processes = Array.from({ length: 4 }, () =>
          createShares({ takeShare: async (call, request) => windows(call, request), clock: () => now }),
        );
        const call: Take = {
          key: handle('key', 1),
          perSecondMax,
          buckets: [{ name: 'requests', max: perMinuteMax }],
          shared: { workspace: handle('workspace', 1), perMinuteMax: 1_000_000, perSecondMax: 1_000_000 },
        };
        const allowed: number[] = [];
        for (const { process, calls, afterMs } of steps) {
          now += afterMs;
          const shares = processes[process]!;
          const take = async () => shares.takeLeft(call) ?? shares.take(call);
          for (const taken of await Promise.all(Array.from({ length: calls }, take)))
            if (taken.allowed) allowed.push(now);
        }
        const within = (window: number, ms: number) => allowed.filter(at => Math.floor(at / ms) === window).length;
        const most = (ms: number) => Math.max(0, ...new Set(allowed.map(at => within(Math.floor(at / ms), ms))));
        expect(most(60_000)).toBeLessThanOrEqual(perMinuteMax);
        expect(most(1_000)).toBeLessThanOrEqual(perSecondMax);
        // What one process holds it gives back when it asks again: in a minute of its own every call of the limit can
        // be made.
        now = (Math.floor(now / 60_000) + 1) * 60_000;
        let made = 0;
        for (let second = 0; second < 59; second += 1) {
          for (const one of processes) while ((await one.take(call)).allowed) made += 1;
          now += 1_000;
        }
        expect(made).toBe(Math.min(perMinuteMax, 59 * perSecondMax));
      },
    ),
    { numRuns: 200, seed: 20_261_122 },
  );
});
