import { setTimeout as wait } from 'node:timers/promises';
import { createLog } from '#runtime/log.ts';
import { openClickhouse } from '#sql/clickhouse.ts';
import { clusterTarget } from '#sql/clickhouse-cluster.ts';
import { createPlanStore } from '#sql/plan-store.ts';
import { openPostgres, type Postgres } from '#sql/postgres.ts';
import { createAuthority, openRedis, redisReady, shardsNoted, type Redis } from '#sql/redis.ts';
import { createIntake } from '../ingest/intake.ts';
import { JOBS } from '../workers/jobs.ts';
import { FORGET_RAW, forgetRawJob } from '../workers/jobs/forget-raw.ts';
import { REVIEW_TRAFFIC, reviewTrafficJob } from '../workers/jobs/review-traffic.ts';
import { VERIFY_INVARIANTS, verifyJob } from '../workers/jobs/verify-invariants.ts';
import { openPool } from '../workers/pool.ts';
import { locksHeld, takeTurn, type Job } from '../workers/schedule.ts';
import { UsageError } from './arguments.ts';

/**
 * `admin job list` and `admin job run`. A job is run here, in this process, in its turn: under the same lock as in the
 * workers, so that it never runs beside itself where it may not, and whether workers run or not.
 */
export type JobPlaces = { databaseUrl: string; redisUrl: string; clickhouseUrl: string; cluster: string | undefined };

/** A round of a job lasts some seconds; the hourly check may take minutes, and then says so. */
const TURN_MS_MAX = 60_000;
const TURN_LOOK_MS = 100;
/** The job's lock, its work, and two that it may do side by side. */
const CONNECTIONS_MAX = 4;

/** Jobs that work on what a workers process holds (uploads and their programs, lanes to endpoints, its own metrics): they run there alone. */
const INSIDE = ['check-uploads', 'wake-webhooks', 'export-audit-1', 'export-audit-2', 'export-audit-3', 'measure-freshness', 'measure-backlog', 'measure-books'] as const;

/** Every scheduled job: how often it looks for work, whether one process at a time does it, whether it is at it now, and whether `job run` can. */
export async function listJobs(sql: Postgres): Promise<Record<string, unknown>> {
  const held = await locksHeld(sql);
  const here = [...JOBS, VERIFY_INVARIANTS, REVIEW_TRAFFIC, FORGET_RAW].map(({ name, everyMs, lock }) => ({
    name, every_ms: everyMs, at_once: lock === undefined ? 'every process' : 'one process', running: lock !== undefined && held.has(lock), can_run: true,
  }));
  return { jobs: [...here, ...INSIDE.map(name => ({ name, can_run: false }))] };
}

/** Runs one round. Answers how many things it did. @throws UsageError for a name that is none, or a turn that does not come */
export async function runJob(name: string | undefined, places: JobPlaces): Promise<Record<string, unknown>> {
  if (INSIDE.some(inside => inside === name)) throw new UsageError(`${name} works on what a workers process holds, and looks for work there by itself.`);
  const { databaseUrl, redisUrl, clickhouseUrl, cluster } = places;
  const sql = openPostgres(databaseUrl, { connectionsMax: CONNECTIONS_MAX, applicationName: 'marquee-admin' });
  const redis = openRedis(redisUrl, { role: 'worker', shards: await shardsNoted(sql) });
  const clickhouse = openClickhouse(clickhouseUrl, { application: 'marquee-admin', connectionsMax: 2, cluster });
  const intake = createIntake({ redis });
  const pool = openPool();
  try {
    const job = findJob(name, { redis, clickhouseUrl, cluster });
    await redisReady(redis);
    const context = { sql, clickhouse, authority: createAuthority(redis), intake, plans: createPlanStore(redis), pool, log: createLog('admin', 'warn'), now: () => new Date() };
    const until = performance.now() + TURN_MS_MAX;
    for (;;) {
      const did = await takeTurn(job, context);
      if (did !== undefined) return { job: job.name, did };
      if (performance.now() > until) throw new UsageError(`${job.name} has been running in another process for ${TURN_MS_MAX / 1_000} s; its turn here did not come.`);
      await wait(TURN_LOOK_MS);
    }
  } finally {
    await Promise.all([intake.close(), pool.close()]);
    redis.disconnect();
    await Promise.all([clickhouse.close(), sql.end({ timeout: 5 })]);
  }
}

function findJob(name: string | undefined, { redis, clickhouseUrl, cluster }: { redis: Redis; clickhouseUrl: string; cluster: string | undefined }): Job {
  const jobs = [...JOBS, verifyJob({ redis, clickhouseUrl, cluster, everyMs: 0 }).job, reviewTrafficJob({ clickhouseUrl, cluster, everyMs: 0 }).job, forgetRawJob(clusterTarget(clickhouseUrl, cluster))];
  const found = jobs.find(job => job.name === name);
  if (!found) throw new UsageError(`${name === undefined ? 'Name a job' : `There is no job '${name}'`}: ${jobs.map(job => job.name).join(', ')}`);
  return found;
}
