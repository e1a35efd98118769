/** Runs a job of the workers from a command: opens the engines that the job needs, and closes them afterwards. */
import { unlessAborted } from '#engines/processes/unless-aborted.ts';
import type { Log } from '#runtime/log.ts';
import { openClickhouse } from '#sql/clickhouse.ts';
import { createPlanStore } from '#sql/plan/plan-store.ts';
import { openPostgres, type Postgres } from '#sql/postgres.ts';
import { createAuthority } from '#authority/authority.ts';
import { redisReady, type Redis } from '#sql/redis.ts';
import { openRunningRedis } from '#authority/connection.ts';
import { createPlayGroups } from '../ingest/queue/play-groups.ts';
import { createPlayQueue } from '../ingest/queue/play-queue.ts';
import { openPool } from '../workers/pool.ts';
import type { JobContext } from '../workers/schedule.ts';

/** The URLs of the engines, for a job that a command runs instead of the workers. */
export type JobEngines = { databaseUrl: string; redisUrl: string; clickhouseUrl: string; cluster: string | undefined };
type Options = {
  /** Names the connections. */
  application: string;
  log: Log;
  /** Aborted to give up waiting for an engine that is not up. */
  signal?: AbortSignal;
  /** Opens Redis; by default with the shards that the services use. */
  openRedis?: (sql: Postgres) => Promise<Redis>;
};

/** One for the job's lock, one for its work, and two for what it does in parallel. */
const CONNECTIONS_MAX = 4;

/** Opens all that a job works on, and closes it again when `act` is done. @throws the signal's reason */
export async function withJobContext<T>(
  engines: JobEngines,
  { application, log, signal, openRedis = sql => openRunningRedis(sql, engines.redisUrl, { role: 'worker' }) }: Options,
  act: (context: JobContext, redis: Redis) => Promise<T>,
): Promise<T> {
  const sql = openPostgres(engines.databaseUrl, { connectionsMax: CONNECTIONS_MAX, applicationName: application });
  const redis = await openRedis(sql).catch(async (error: unknown) => {
    await sql.end({ timeout: 5 });
    throw error;
  });
  const clickhouse = openClickhouse(engines.clickhouseUrl, {
    application,
    connectionsMax: 2,
    cluster: engines.cluster,
  });
  const playQueue = createPlayQueue({ redis });
  const pool = openPool();
  try {
    await unlessAborted(redisReady(redis), signal);
    return await unlessAborted(
      act(
        {
          sql,
          clickhouse,
          authority: createAuthority(redis),
          playQueue,
          playGroups: createPlayGroups({ redis }),
          plans: createPlanStore(redis),
          pool,
          log,
          now: () => new Date(),
        },
        redis,
      ),
      signal,
    );
  } finally {
    await Promise.all([playQueue.close(), pool.close()]);
    redis.disconnect();
    await Promise.all([clickhouse.close(), sql.end({ timeout: 5 })]);
  }
}
