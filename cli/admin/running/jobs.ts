/**
 * `admin job list` and `admin job run`. A job is run here, in this process, under the same lock as in the workers. So a
 * job that must not run twice at the same time does not, and it runs whether workers are up or not.
 */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { setTimeout as wait } from 'node:timers/promises';
import { createLog } from '#runtime/log.ts';
import { clusterTarget } from '#sql/clickhouse-cluster.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Redis } from '#sql/redis.ts';
import { LOOK_BACK, lookBackJob } from '../../../workers/hindsight/look-back.ts';
import { JOBS } from '../../../workers/jobs.ts';
import { locksHeld, takeTurn, type Job } from '../../../workers/schedule.ts';
import { REVIEW_TRAFFIC, reviewTrafficJob } from '../../../workers/traffic/review-traffic.ts';
import { FORGET_RAW, forgetRawJob } from '../../../workers/upkeep/forget-raw.ts';
import { VERIFY_INVARIANTS, verifyJob } from '../../../workers/upkeep/verify-invariants.ts';
import { UsageError } from '../../arguments.ts';
import { withJobContext, type JobEngines } from '../../job-context.ts';
import type { Runner } from '../program.ts';

/**
 * How long to wait for the lock. A round lasts some seconds; the hourly check may take minutes, and then the command
 * says that the job is running.
 */
const TURN_MS_MAX = 60_000;
const TURN_POLL_MS = 100;

/**
 * Jobs that work on what only a workers process has: its signing keys, uploads and their programs, connections to
 * endpoints, its own metrics.
 */
const INSIDE = [
  'advance-sandboxes',
  'check-uploads',
  'dispatch-outbox',
  'wake-webhooks',
  'export-audit-1',
  'export-audit-2',
  'export-audit-3',
  'measure-freshness',
  'measure-backlog',
  'measure-books',
] as const;

export function declareJobCommands(program: CommandUnknownOpts, run: Runner): void {
  const job = program.command('job').description('what workers do by themselves');
  job
    .command('list')
    .description('every job, and whether it runs now')
    .action(run(({ sql }) => listJobs(sql)));
  job
    .command('run')
    .description('run one round of a job here, in its turn')
    .argument('<name>', 'its name, as job list shows it')
    .action(run(({ databaseUrl, engines }, name) => runJob(name, { ...engines, databaseUrl })));
}

/**
 * Every scheduled job: how often it looks for work, whether only one process at a time may run it, whether it runs now,
 * and whether `job run` can run it.
 */
async function listJobs(sql: Postgres): Promise<Record<string, unknown>> {
  const held = await locksHeld(sql);
  const here = [...JOBS, VERIFY_INVARIANTS, REVIEW_TRAFFIC, LOOK_BACK, FORGET_RAW].map(({ name, everyMs, lock }) => ({
    name,
    every_ms: everyMs,
    at_once: lock === undefined ? 'every process' : 'one process',
    running: lock !== undefined && held.has(lock),
    can_run: true,
  }));
  return { jobs: [...here, ...INSIDE.map(name => ({ name, can_run: false }))] };
}

/**
 * Runs one round of a job. Answers how many items it processed.
 * @throws UsageError for an unknown name, or when the lock does not become free
 */
async function runJob(name: string, engines: JobEngines): Promise<Record<string, unknown>> {
  if (INSIDE.some(inside => inside === name))
    throw new UsageError(`${name} works on what a workers process holds, and looks for work there by itself.`);
  return withJobContext(
    engines,
    { application: 'marquee-admin', log: createLog('admin', 'warn') },
    async (context, redis) => {
      const job = findJob(name, { redis, clickhouseUrl: engines.clickhouseUrl, cluster: engines.cluster });
      const until = performance.now() + TURN_MS_MAX;
      for (;;) {
        const did = await takeTurn(job, context);
        if (did !== undefined) return { job: job.name, did };
        if (performance.now() > until)
          throw new UsageError(
            `${job.name} has been running in another process for ${TURN_MS_MAX / 1_000} s; its turn here did not come.`,
          );
        await wait(TURN_POLL_MS);
      }
    },
  );
}

function findJob(
  name: string,
  { redis, clickhouseUrl, cluster }: { redis: Redis; clickhouseUrl: string; cluster: string | undefined },
): Job {
  const jobs = [
    ...JOBS,
    verifyJob({ redis, clickhouseUrl, cluster, everyMs: 0 }).job,
    reviewTrafficJob({ clickhouseUrl, cluster, everyMs: 0 }).job,
    lookBackJob({ clickhouseUrl, cluster }).job,
    forgetRawJob(clusterTarget(clickhouseUrl, cluster)),
  ];
  const found = jobs.find(job => job.name === name);
  if (!found) throw new UsageError(`There is no job '${name}': ${jobs.map(job => job.name).join(', ')}`);
  return found;
}
