/**
 * The jobs that an operator can start, by `admin job run` or in the console. A job runs here without its check whether
 * it is due.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { clusterTarget } from '#sql/clickhouse-cluster.ts';
import type { Redis } from '#sql/redis.ts';
import { LOOK_BACK, lookBackJob } from '../hindsight/look-back.ts';
import { JOBS } from '../jobs.ts';
import { takeTurn, type Job, type JobContext } from '../schedule.ts';
import { REVIEW_TRAFFIC, reviewTrafficJob } from '../traffic/review-traffic.ts';
import { FORGET_RAW, forgetRawJob } from '../upkeep/forget-raw.ts';
import { VERIFY_INVARIANTS, verifyJob } from '../upkeep/verify-invariants.ts';

/** Their description in `admin job list`. */
export const ON_REQUEST: readonly Pick<Job, 'name' | 'everyMs' | 'lock'>[] = [
  ...JOBS,
  VERIFY_INVARIANTS,
  REVIEW_TRAFFIC,
  LOOK_BACK,
  FORGET_RAW,
];

/**
 * How long to wait for the lock. A round lasts some seconds; the hourly check may take minutes, and then the answer is
 * that the job is running.
 */
export const TURN_MS_MAX = 60_000;
const TURN_POLL_MS = 100;

export type RequestEngines = { redis: Redis; clickhouseUrl: string; cluster: string | undefined };

/** `stop` abandons long work, so that a drain does not wait for it. */
export function jobsOnRequest({ redis, clickhouseUrl, cluster }: RequestEngines): { jobs: Job[]; stop(): void } {
  const verification = verifyJob({ redis, clickhouseUrl, cluster, everyMs: 0 });
  const traffic = reviewTrafficJob({ clickhouseUrl, cluster, everyMs: 0 });
  const hindsight = lookBackJob({ clickhouseUrl, cluster });
  const raw = forgetRawJob(clusterTarget(clickhouseUrl, cluster));
  return {
    jobs: [...JOBS, verification.job, traffic.job, hindsight.job, raw],
    stop: () => [verification, traffic, hindsight].forEach(job => job.stop()),
  };
}

/** One round in its turn; undefined if another process was running it all the time, or `signal` ended the wait. */
export async function runInTurn(job: Job, context: JobContext, signal?: AbortSignal): Promise<number | undefined> {
  const until = performance.now() + TURN_MS_MAX;
  for (;;) {
    const did = await takeTurn(job, context);
    if (did !== undefined || performance.now() > until || signal?.aborted === true) return did;
    await wait(TURN_POLL_MS);
  }
}
