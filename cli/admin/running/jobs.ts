/**
 * `admin job list` and `admin job run`. A job is run here, in this process, under the same lock as in the workers. So a
 * job that must not run twice at the same time does not, and it runs whether workers are up or not.
 */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { createLog } from '#runtime/log.ts';
import { readJobLocks } from '#sql/advisory-locks.ts';
import type { Postgres } from '#sql/postgres.ts';
import {
  jobsOnRequest,
  ON_REQUEST,
  runInTurn,
  TURN_MS_MAX,
  type RequestEngines,
} from '../../../workers/rounds/on-request.ts';
import type { Job } from '../../../workers/schedule.ts';
import { UsageError } from '../../arguments.ts';
import { withJobContext, type JobEngines } from '../../job-context.ts';
import type { Result, Runner } from '../program.ts';

/**
 * Jobs that work on what only a workers process has: its signing keys, uploads and their programs, connections to
 * endpoints, its own metrics and rounds.
 */
const INSIDE = [
  'advance-sandboxes',
  'check-uploads',
  'dispatch-outbox',
  'wake-webhooks',
  'prove-invoices',
  'export-audit-1',
  'export-audit-2',
  'export-audit-3',
  'measure-freshness',
  'measure-backlog',
  'measure-books',
  'run-asked',
  'tell-rounds',
] as const;

export function declareJobCommands(program: CommandUnknownOpts, run: Runner): void {
  const job = program.command('job').description('scheduled jobs of the workers');
  job
    .command('list')
    .description('list the jobs and their state')
    .action(run(({ sql }) => listJobs(sql)));
  job
    .command('run')
    .description('run one round of a job now, after the current round')
    .argument('<name>', 'name in job list')
    .action(
      run(async (installation, name) =>
        runJob(name, { ...(await installation.engines()), databaseUrl: installation.databaseUrl }),
      ),
    );
}

/**
 * Every scheduled job: how often it looks for work, whether only one process at a time may run it, whether it runs now,
 * and whether `job run` can run it.
 */
async function listJobs(sql: Postgres): Promise<Result> {
  const held = await readJobLocks(sql);
  const here = ON_REQUEST.map(({ name, everyMs, lock }) => ({
    name,
    every_ms: everyMs,
    at_once: lock === undefined ? 'every process' : 'one process',
    running: lock !== undefined && held.has(lock),
    can_run: true,
  }));
  return { jobs: [...here, ...INSIDE.map(name => ({ name, can_run: false }))] };
}

/**
 * Runs one round of a job. Returns how many items it processed.
 * @throws UsageError for an unknown name, or when the lock does not become free
 */
async function runJob(name: string, engines: JobEngines): Promise<Result> {
  if (INSIDE.some(inside => inside === name))
    throw new UsageError(`${name} works on what a workers process holds, and looks for work there by itself.`);
  return withJobContext(
    engines,
    { application: 'marquee-admin', log: createLog('admin', 'warn') },
    async (context, redis) => {
      const job = findJob(name, { redis, clickhouseUrl: engines.clickhouseUrl, cluster: engines.cluster });
      const did = await runInTurn(job, context);
      if (did !== undefined) return { job: job.name, did };
      throw new UsageError(
        `${job.name} has been running in another process for ${TURN_MS_MAX / 1_000} s; its turn here did not come.`,
      );
    },
  );
}

function findJob(name: string, engines: RequestEngines): Job {
  const { jobs } = jobsOnRequest(engines);
  const found = jobs.find(job => job.name === name);
  if (!found) throw new UsageError(`There is no job '${name}': ${jobs.map(job => job.name).join(', ')}`);
  return found;
}
