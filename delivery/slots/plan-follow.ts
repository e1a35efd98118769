/**
 * Follows the delivery plan: checks for a new one every two seconds, and reports the number of connected screens, by
 * which the processes divide the plan's targets.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { decodePlan } from '#domain/allocation/plan-codec.ts';
import type { Log } from '#runtime/log.ts';
import { counter, gauge } from '#runtime/metrics.ts';
import { PLAN_HEAD_BYTES, type PlanStore } from '#sql/plan/plan-store.ts';
import type { CandidateIndex } from '../decision/candidate-index.ts';
import type { DecisionRecorder } from '../recording/recorder.ts';

const POLL_MS = 2_000;

const refused = counter({
  name: 'delivery_plans_refused_total',
  help: 'Plans that were not taken in because their bytes are no plan of this version',
});

export type FollowedPlan = { stop(): Promise<void> };

export type FollowPlansOptions = {
  plans: PlanStore;
  index: CandidateIndex;
  recorder: DecisionRecorder;
  process: string;
  screens: () => number;
  log: Log;
  now: () => number;
};

export function followPlans({ plans, index, recorder, process, screens, log, now }: FollowPlansOptions): FollowedPlan {
  let head: Buffer | undefined;
  let plannedAtMs = 0;
  gauge({
    name: 'delivery_plan_age_seconds',
    help: 'Age of the plan that is followed; -1 without one',
    read: () => (plannedAtMs === 0 ? -1 : (now() - plannedAtMs) / 1_000),
  });
  const poll = async (): Promise<void> => {
    const here = screens();
    const everywhere = await plans.connected(process, here, now());
    const bytes = await plans.readUnless(head);
    if (bytes === undefined) return;
    head = bytes.subarray(0, PLAN_HEAD_BYTES);
    const plan = decodePlan(bytes);
    if (typeof plan === 'string') {
      refused.inc();
      log.error({ reason: plan }, 'a plan cannot be read and is left');
      return;
    }
    await nextTurn(); // slots that came meanwhile do not wait for both
    const part = everywhere === 0 ? 1 : here / everywhere;
    index.followPlan(plan, part);
    recorder.planFollowed(bytes, part);
    ({ plannedAtMs } = plan);
  };
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const round = async (): Promise<void> => {
    try {
      await poll();
    } catch (error) {
      log.warn({ err: error }, 'the plan could not be looked for; the last one is followed');
    }
    if (!isStopped)
      timer = setTimeout(() => {
        running = round();
      }, POLL_MS);
  };
  let running = round();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
