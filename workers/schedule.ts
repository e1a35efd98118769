/**
 * Runs the jobs of the registry, round after round. A round may be skipped or repeated: each job finds its remaining
 * work in Postgres and Redis.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '#runtime/log.ts';
import { counter, histogram } from '#runtime/metrics.ts';
import { freeJobLock, takeJobLock } from '#sql/advisory-locks.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { PlanStore } from '#sql/plan/plan-store.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Authority } from '#authority/authority.ts';
import type { PlayGroups } from '#ingest/queue/play-groups.ts';
import type { PlayQueue } from '#ingest/queue/play-queue.ts';
import type { Pool } from './pool.ts';
import { faultText, type Round } from './rounds/job-rounds.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** The inputs of every job. */
export type JobContext = {
  sql: Postgres;
  clickhouse: Clickhouse;
  authority: Authority;
  playQueue: PlayQueue;
  playGroups: PlayGroups;
  plans: PlanStore;
  pool: Pool;
  log: Log;
  now: () => Date;
};
export type Job = {
  name: string;
  everyMs: Milliseconds;
  /** Number of the advisory lock that keeps the job to one process; undefined: it may run in several at once. */
  lock: number | undefined;
  /** From a fault to the next attempt; by default a second. */
  faultPauseMs?: Milliseconds;
  /**
   * Checked before the lock, so that a round without work costs one query and no lock. Without it every round begins.
   */
  hasWork?(context: JobContext): Promise<boolean>;
  /** The pause after a round that did something; by default none. */
  restMs?(round: { tookMs: Milliseconds; did: number }): Milliseconds;
  /** Returns how many items it processed. */
  run(context: JobContext): Promise<number>;
};

const FAULT_PAUSE_MS = 1_000;

// Prometheus gives each series a label `job` of its own.
const rounds = histogram({
  name: 'workers_job_seconds',
  help: 'Time of one round of a job that did something',
  labels: ['name'],
  buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
});
const faults = counter({
  name: 'workers_job_faults_total',
  help: 'Rounds that ended on a fault and are tried again',
  labels: ['name'],
});

/** `note` is called for every round that this process ran. */
export function startJobs(
  jobs: readonly Job[],
  context: JobContext,
  note: (round: Round) => void = () => undefined,
): { stop(): Promise<void> } {
  const stop = new AbortController();
  for (const { name } of jobs) faults.inc({ name }, 0); // an alert needs the initial zero to see the first one
  setMaxListeners(jobs.length + 1, stop.signal); // every job waits on it
  const loops = jobs.map(job => runJob(job, context, { signal: stop.signal, note }));
  return {
    async stop() {
      stop.abort();
      await Promise.all(loops);
    },
  };
}

type Loop = { signal: AbortSignal; note: (round: Round) => void };

async function runJob(job: Job, context: JobContext, { signal, note }: Loop): Promise<void> {
  while (!signal.aborted) {
    let pauseMs = job.everyMs;
    let did: number | undefined = 0;
    let fault: string | null = null;
    const stopTimer = rounds.startTimer({ name: job.name });
    const from = performance.now();
    try {
      did = await takeTurn(job, context);
      if (did !== undefined && did > 0) {
        stopTimer();
        pauseMs = job.restMs?.({ tookMs: performance.now() - from, did }) ?? 0;
      }
    } catch (error) {
      faults.inc({ name: job.name });
      context.log.warn({ err: error, job: job.name }, 'a job is tried again');
      pauseMs = job.faultPauseMs ?? FAULT_PAUSE_MS;
      fault = faultText(error);
    }
    const endedAtMs = context.now().getTime();
    const tookMs = performance.now() - from;
    if (did !== undefined) note({ name: job.name, endedAtMs, tookMs, did, fault, nextAtMs: endedAtMs + pauseMs });
    await wait(pauseMs, undefined, { signal }).catch(() => undefined); // the loop's condition sees the stop
  }
}

/** One round, or 0 if another process is running it. */
export async function runOnce(job: Job, context: JobContext): Promise<number> {
  return (await takeTurn(job, context)) ?? 0;
}

/** One round, 0 if there is nothing to do; undefined if another process is running it. */
export async function takeTurn(job: Job, context: JobContext): Promise<number | undefined> {
  if (job.hasWork !== undefined && !(await job.hasWork(context))) return 0;
  if (job.lock === undefined) return job.run(context);
  const connection = await context.sql.reserve();
  try {
    if (!(await takeJobLock(connection, job.lock))) return undefined;
    try {
      return await job.run(context);
    } finally {
      await freeJobLock(connection, job.lock);
    }
  } finally {
    connection.release();
  }
}
