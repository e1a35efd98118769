/** A delivery process follows the plan that is in a real Redis, and keeps the last one if a new one cannot be read. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { encodePlan, type PublishedPlan } from '#domain/allocation/plan-codec.ts';
import { createPlanStore } from '#sql/plan/plan-store.ts';
import type { Redis } from '#sql/redis.ts';
import type { CandidateIndex } from '../../../delivery/decision/candidate-index.ts';
import type { DecisionRecorder } from '../../../delivery/recording/recorder.ts';
import { followPlans } from '../../../delivery/slots/plan-follow.ts';
import { silentLog } from '../../ingest/harness.ts';
import { openFreshRedis } from '../../support/engines/redis.ts';
import { standIn } from '../../support/stand-in.ts';

const NOW_MS = 1_800_000_000_000;
const NUMBERS = new Float64Array(0);
const EMPTY: PublishedPlan = {
  plannedAtMs: NOW_MS,
  handles: NUMBERS,
  target: NUMBERS,
  ahead: NUMBERS,
  lead: NUMBERS,
  left: NUMBERS,
  attainable: NUMBERS,
  segmentKeys: NUMBERS,
  shortlistStart: Int32Array.of(0),
  shortlistCampaign: new Int32Array(0),
};

let redis: Redis;
beforeAll(async () => {
  redis = await openFreshRedis();
});
afterAll(() => redis.disconnect());

test('a new plan is followed for its part of the screens, and bytes that are no plan are left', async () => {
  const plans = createPlanStore(redis);
  const [followPlan, planFollowed] = [vi.fn<CandidateIndex['followPlan']>(), vi.fn<DecisionRecorder['planFollowed']>()];
  await plans.connected('another', 30, NOW_MS);
  const bytes = encodePlan(EMPTY);
  await plans.write(bytes, await plans.begin());
  const followed = followPlans({
    plans,
    index: standIn<CandidateIndex>({ followPlan }),
    recorder: standIn<DecisionRecorder>({ planFollowed }),
    process: 'this',
    screens: () => 10,
    log: silentLog,
    now: () => NOW_MS,
  });
  await vi.waitUntil(() => planFollowed.mock.calls.length === 1);
  expect(followPlan.mock.calls).toEqual([[expect.objectContaining({ plannedAtMs: NOW_MS }), 0.25]]);
  expect(planFollowed).toHaveBeenCalledWith(Buffer.from(bytes), 0.25);

  await plans.write(new TextEncoder().encode('not a plan'), await plans.begin());
  const later = encodePlan({ ...EMPTY, plannedAtMs: NOW_MS + 1 });
  const looks = vi.spyOn(plans, 'readUnless');
  await vi.waitUntil(() => looks.mock.calls.length === 2, { timeout: 10_000 }); // the first look has ended
  await plans.write(later, await plans.begin());
  await vi.waitUntil(() => followPlan.mock.calls.length === 2, { timeout: 10_000 });
  expect(followPlan.mock.lastCall).toEqual([expect.objectContaining({ plannedAtMs: NOW_MS + 1 }), 0.25]);
  await followed.stop();
});
