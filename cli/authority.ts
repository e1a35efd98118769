/**
 * Lets the workers' job that begins, resumes or rebuilds the budget authority run once while an instance starts, before any
 * service asks the authority.
 */
import { readConfig } from '#runtime/config.ts';
import type { Log } from '#runtime/log.ts';
import { joinAuthority, authorityVariables, openAuthorityRedis } from '#authority/connection.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Redis } from '#sql/redis.ts';
import { JOBS } from '../workers/jobs.ts';
import { takeTurn } from '../workers/schedule.ts';
import { withJobContext, type JobPlaces } from './job-context.ts';

/** An engine that does not answer for so long is away: the services wait for it by themselves. */
const LOOK_MS_MAX = 15_000;

/**
 * Lets the job that looks after the authority have its turn before any service asks. A new installation has its authority
 * begun, one whose Redis was only restarted goes on. The job alone judges what Redis has lost, by the same rules as in the
 * workers; what it has to wait for, or could not do here, it does there, and services wait until then.
 */
export async function lookAfterAuthority(
  places: JobPlaces,
  { log, environment }: { log: Log; environment: NodeJS.ProcessEnv },
): Promise<void> {
  const job = JOBS.find(({ name }) => name === 'rebuild-authority')!;
  const config = readConfig(authorityVariables(), { ...environment, REDIS_URL: places.redisUrl });
  const openRedis = async (sql: Postgres): Promise<Redis> => {
    await joinAuthority(sql, config);
    return openAuthorityRedis(config, { role: 'worker' });
  };
  try {
    await withJobContext(
      places,
      { application: 'marquee-start', log, signal: AbortSignal.timeout(LOOK_MS_MAX), openRedis },
      context => takeTurn(job, context),
    );
  } catch (error) {
    log.warn({ err: error }, 'the authority is looked after by the workers');
  }
}
