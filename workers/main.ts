import { oneOf, port, readConfig, url, withDefault } from '#runtime/config.ts';
import { configOrExit, runService, type Running } from '#runtime/lifecycle.ts';
import { createLog, LOG_LEVELS, type Log } from '#runtime/log.ts';
import { openClickhouse } from '#sql/clickhouse.ts';
import { openPostgres } from '#sql/postgres.ts';
import { createAuthority, openRedis, redisReady } from '#sql/redis.ts';
import { createIntake } from '#ingest/intake.ts';
import { JOBS } from './jobs.ts';
import { startJobs } from './schedule.ts';

/** The workers service: the scheduled jobs of `jobs.ts`. Run two for availability; each job keeps to one of them. */
const config = configOrExit(() => readConfig({
  DATABASE_URL: url('postgres:', 'postgresql:'),
  REDIS_URL: url('redis:', 'rediss:'),
  CLICKHOUSE_URL: url('http:', 'https:'),
  OPS_PORT: withDefault(port(), 0),
  LOG_LEVEL: withDefault(oneOf(...LOG_LEVELS), 'info'),
}, process.env));

/** A job holds one connection for its lock and one for its work. */
const POSTGRES_CONNECTIONS = 2 * JOBS.length;
const CLICKHOUSE_CONNECTIONS = 2;

async function start(log: Log): Promise<Running> {
  const redis = openRedis(config.REDIS_URL, { role: 'commands', onError: error => log.warn({ err: error }, 'the connection to Redis is lost') });
  const clickhouse = openClickhouse(config.CLICKHOUSE_URL, { application: 'marquee-workers', connectionsMax: CLICKHOUSE_CONNECTIONS });
  const sql = openPostgres(config.DATABASE_URL, { connectionsMax: POSTGRES_CONNECTIONS, applicationName: 'marquee-workers' });
  await redisReady(redis);
  const intake = createIntake({ redis });
  const jobs = startJobs(JOBS, { sql, clickhouse, authority: createAuthority(redis), intake, log, now: () => new Date() });
  return {
    async close() {
      await jobs.stop();
      await intake.close();
      await Promise.all([redis.quit(), clickhouse.close(), sql.end({ timeout: 5 })]);
    },
  };
}

const log = createLog('workers', config.LOG_LEVEL);
await runService({ name: 'workers', log, opsPort: config.OPS_PORT, start: () => start(log) });
