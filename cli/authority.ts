/**
 * Lets the workers' job that begins, resumes or rebuilds the budget authority run once while an instance starts, before
 * any service asks the authority.
 */
import { readConfig } from '#runtime/config.ts';
import type { Log } from '#runtime/log.ts';
import { joinAuthority, authorityVariables, openAuthorityRedis } from '#authority/connection.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Redis } from '#sql/redis.ts';
import { JOBS } from '../workers/jobs.ts';
import { takeTurn } from '../workers/schedule.ts';
import { withJobContext, type JobEngines } from './job-context.ts';

/**
 * How long to wait for an engine that does not answer. After that the services start, and wait for it by themselves.
 */
const LOOK_MS_MAX = 15_000;

/**
 * Runs the job `rebuild-authority` once before any service starts. In a new installation it begins the authority; where
 * Redis was only restarted, it resumes it. The job decides by the same rules as in the workers what Redis has lost. The
 * workers do the rest later, and services wait until then.
 */
export async function checkAuthority(
  engines: JobEngines,
  { log, environment }: { log: Log; environment: NodeJS.ProcessEnv },
): Promise<void> {
  const job = JOBS.find(({ name }) => name === 'rebuild-authority')!;
  const config = readConfig(authorityVariables(), { ...environment, REDIS_URL: engines.redisUrl });
  const openRedis = async (sql: Postgres): Promise<Redis> => {
    await joinAuthority(sql, config);
    return openAuthorityRedis(config, { role: 'worker' });
  };
  try {
    await withJobContext(
      engines,
      { application: 'marquee-start', log, signal: AbortSignal.timeout(LOOK_MS_MAX), openRedis },
      context => takeTurn(job, context),
    );
  } catch (error) {
    log.warn({ err: error }, 'the authority is looked after by the workers');
  }
}
