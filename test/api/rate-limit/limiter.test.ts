/**
 * The limiter of API calls, in Redis and in memory, against its rule in the plainest words: a call is allowed when
 * fewer than the limit of allowed calls lie in its clock second, and in its clock minute for each of its buckets.
 * Random sequences of calls, on a real Redis and without one.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLocalWindows } from '../../../api/rate-limit/local-windows.ts';
import { takeCall, type MinuteBucket, type Taken } from '../../../api/rate-limit/limiter.ts';
import { keysOf } from '#authority/authority-keys.ts';
import { scanKeys, type Redis } from '../../../sql/redis.ts';
import { emptyRedis, moveClock, openFreshRedis } from '../../support/engines/redis.ts';
import { handle } from '../../support/handle.ts';

type Call = { key: number; bucket: 'forecasts' | undefined; afterMs: number };
/** A workspace that is never at its end. */
const UNSHARED = { workspace: handle('workspace', 1), perMinuteMax: 1_000_000, perSecondMax: 1_000_000 };
type Plan = { perMinuteMax: number; perSecondMax: number; forecastsMax: number; calls: Call[] };

function createReference({ perMinuteMax, perSecondMax, forecastsMax }: Plan) {
  const allowed: { key: number; bucket: string | undefined; at: number }[] = [];
  return ({ key, bucket }: Call, at: number): Omit<Taken, 'sharedRemaining' | 'spent'> => {
    const minute = allowed.filter(call => call.key === key && Math.floor(call.at / 60_000) === Math.floor(at / 60_000));
    const second = minute.filter(call => Math.floor(call.at / 1_000) === Math.floor(at / 1_000));
    const used = bucket === undefined ? minute.length : minute.filter(call => call.bucket === bucket).length;
    const max = bucket === undefined ? perMinuteMax : forecastsMax;
    const isSpent = minute.length >= perMinuteMax || used >= max;
    const isAllowed = !isSpent && second.length < perSecondMax;
    if (isAllowed) allowed.push({ key, bucket, at });
    const resetMs = 60_000 - (at % 60_000);
    return {
      allowed: isAllowed,
      remaining: Math.max(0, max - used) - (isAllowed ? 1 : 0),
      resetMs,
      waitMs: isAllowed ? 0 : isSpent ? resetMs : 1_000 - (at % 1_000),
    };
  };
}

const bucketsOf = ({ perMinuteMax, forecastsMax }: Plan, call: Call): MinuteBucket[] => [
  { name: 'requests', max: perMinuteMax },
  ...(call.bucket ? [{ name: call.bucket, max: forecastsMax }] : []),
];

const plans: fc.Arbitrary<Plan> = fc.record({
  perMinuteMax: fc.integer({ min: 1, max: 12 }),
  perSecondMax: fc.integer({ min: 1, max: 6 }),
  forecastsMax: fc.integer({ min: 1, max: 6 }),
  calls: fc.array(
    fc.record({
      key: fc.integer({ min: 1, max: 2 }),
      bucket: fc.constantFrom(undefined, 'forecasts' as const),
      afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 400 }), fc.integer({ min: 900, max: 30_000 })),
    }),
    { maxLength: 40 },
  ),
});

/** Redis says two texts, which its client takes for numbers. */
async function timeOf(redis: Redis): Promise<[seconds: number, micros: number]> {
  const [seconds, micros] = await redis.time();
  return [Number(seconds), Number(micros)];
}

describe('the limiter', () => {
  let redis: Redis;
  beforeAll(async () => {
    redis = await openFreshRedis();
  });
  afterAll(() => redis.disconnect());

  test('in memory matches the rule for any sequence of calls', () => {
    fc.assert(
      fc.property(plans, fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 }), (plan, start) => {
        const reference = createReference(plan);
        const local = createLocalWindows();
        let at = start;
        for (const call of plan.calls) {
          at += call.afterMs;
          expect(
            local.take(
              {
                key: handle('key', call.key),
                perSecondMax: plan.perSecondMax,
                buckets: bucketsOf(plan, call),
                shared: UNSHARED,
              },
              at,
            ),
          ).toMatchObject(reference(call, at));
        }
      }),
      { numRuns: 500 },
    );
  });

  test('in Redis matches the rule on Redis time for any sequence of calls', async () => {
    let round = handle('workspace', 0);
    await fc.assert(
      fc.asyncProperty(plans, async plan => {
        round = handle('workspace', round + 1);
        const reference = createReference(plan);
        let offsetMs = 0;
        for (const call of plan.calls) {
          offsetMs += call.afterMs;
          await moveClock(redis, offsetMs);
          const taken = await takeCall(redis, {
            key: handle('key', round * 10 + call.key),
            perSecondMax: plan.perSecondMax,
            buckets: bucketsOf(plan, call),
            shared: { ...UNSHARED, workspace: round },
          });
          const [seconds, micros] = await timeOf(redis);
          const after = seconds * 1_000 + Math.floor(micros / 1_000) + offsetMs;
          // The moment of the call, by its own answer: so long before the end of the minute.
          const at = Math.ceil(after / 60_000) * 60_000 - taken.resetMs;
          const exact = at > after ? at - 60_000 : at;
          expect(after - exact).toBeLessThan(1_000);
          expect(taken).toMatchObject(reference(call, exact));
        }
      }),
      { numRuns: 60 },
    );
  });

  test('counts a thousand calls at once exactly', async () => {
    await moveClock(redis, 0);
    const [seconds] = await timeOf(redis);
    const toEndMs = 60_000 - ((seconds * 1_000) % 60_000);
    await moveClock(redis, toEndMs + 100); // the start of a minute, so that the calls share it
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, () =>
        takeCall(redis, {
          key: handle('key', 99),
          perSecondMax: 10_000,
          buckets: [{ name: 'requests', max: 600 }],
          shared: UNSHARED,
        }),
      ),
    );
    expect(answers.filter(answer => answer.allowed)).toHaveLength(600);
    expect(new Set(answers.filter(answer => answer.allowed).map(answer => answer.remaining)).size).toBe(600);
  });

  test.each([
    ['in Redis', true],
    ['in memory', false],
  ])('lets the keys of a workspace call no more together than their share, %s', async (_where, inRedis) => {
    await moveClock(redis, 0);
    const [seconds] = await timeOf(redis);
    await moveClock(redis, 60_000 - ((seconds * 1_000) % 60_000) + 100);
    const local = createLocalWindows();
    const shared = {
      workspace: inRedis ? handle('workspace', 501) : handle('workspace', 502),
      perMinuteMax: 25,
      perSecondMax: 1_000,
    };
    const take = (key: number, of = shared) => {
      const call = { key: handle('key', key), perSecondMax: 100, buckets: [{ name: 'requests', max: 10 }], shared: of };
      return inRedis ? takeCall(redis, call) : Promise.resolve(local.take(call, 1_800_000_000_000));
    };
    const answers: Taken[] = [];
    for (let call = 0; call < 32; call += 1) answers.push(await take(call % 4));
    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(25);
    expect(answers[24]).toMatchObject({ sharedRemaining: 0 });
    expect(answers[25]).toMatchObject({ allowed: false, spent: { of: 'workspace' }, remaining: 4 });
    // one whose limit was raised
    expect(await take(9, { ...shared, perMinuteMax: 5_000 })).toMatchObject({ allowed: true });
    expect(await take(9, { ...shared, workspace: handle('workspace', 503) })).toMatchObject({ allowed: true });
  });

  test('keeps one Redis key per API key, which expires', async () => {
    await emptyRedis(redis);
    await takeCall(redis, {
      key: handle('key', 7),
      perSecondMax: 1,
      buckets: [{ name: 'requests', max: 5 }],
      shared: UNSHARED,
    });
    const found: string[] = [];
    for await (const keys of scanKeys(redis, '*:k*')) found.push(...keys);
    expect(found).toEqual([keysOf(UNSHARED.workspace, redis).calls(handle('key', 7))]);
    expect(await redis.pttl(found[0]!)).toBeGreaterThan(60_000);
  });
});
