import { parseSigningKeys, type SigningKeys } from '#domain/plays/play.ts';
import { flag, oneOf, optional, parsed, port, readConfig, text, url, withDefault } from '#runtime/config.ts';
import { configOrExit, runService, type Running } from '#runtime/lifecycle.ts';
import { createLog, LOG_LEVELS, type Log } from '#runtime/log.ts';
import { openClickhouse } from '#sql/clickhouse.ts';
import { clusterTarget, parseClusterName } from '#sql/clickhouse-cluster.ts';
import { CONNECTIONS, openPostgres } from '#sql/postgres.ts';
import { createPlanStore } from '#records/plan-store.ts';
import { joinAuthority, authorityVariables, openAuthorityRedis } from '#authority/connection.ts';
import { createAuthority } from '#authority/authority.ts';
import { redisReady } from '#sql/redis.ts';
import { createSealer, parseEncryptionKey } from '#sql/sealed.ts';
import { openStorage } from '#storage/open.ts';
import { createPlayGroups } from '#ingest/queue/play-groups.ts';
import { createPlayQueue } from '#ingest/queue/play-queue.ts';
import { createEgress } from '#runtime/egress/egress.ts';
import { JOBS } from './jobs.ts';
import { advanceSandboxesJobs } from './sandbox/advance-sandboxes.ts';
import { checkUploadsJob } from './media/check-uploads.ts';
import { exportJobs } from './exports/export-audit.ts';
import { forgetRawJob } from './upkeep/forget-raw.ts';
import { measureJobs } from './upkeep/measure.ts';
import { reviewTrafficJob } from './traffic/review-traffic.ts';
import { verifyJob } from './upkeep/verify-invariants.ts';
import { openMediaQueue, startRendering } from './media/queue.ts';
import { openPool } from './pool.ts';
import { startJobs } from './schedule.ts';
import { startTurns } from './webhooks/turns.ts';

/** The workers service: the scheduled jobs of `jobs.ts`. Run two for availability; each job keeps to one of them. */
const config = configOrExit(() =>
  readConfig(
    {
      DATABASE_URL: url('postgres:', 'postgresql:'),
      ...authorityVariables(),
      CLICKHOUSE_URL: url('http:', 'https:'),
      CLICKHOUSE_CLUSTER: optional(parsed('the name of a cluster', parseClusterName)),
      STORAGE_URL: url('file:', 's3:'),
      FFMPEG: withDefault(text(), 'ffmpeg'),
      FFPROBE: withDefault(text(), 'ffprobe'),
      SIGNING_KEYS: optional(parsed('a list of number:base64 keys of 16 bytes, the current first', parseKeys)),
      ENCRYPTION_KEY: parsed('32 bytes in base64', parseEncryptionKey),
      WEBHOOK_ALLOW_PRIVATE: withDefault(flag(), false),
      OPS_PORT: withDefault(port(), 0),
      OPS_HOST: withDefault(text(), '127.0.0.1'),
      LOG_LEVEL: withDefault(oneOf(...LOG_LEVELS), 'info'),
    },
    process.env,
  ),
);

/** Without keys the clocks of sandboxes stand still; nothing else here signs. */
function parseKeys(value: string): SigningKeys {
  const keys = parseSigningKeys(value);
  if (typeof keys === 'string') throw new Error(keys);
  return keys;
}

async function start(log: Log): Promise<Running> {
  const redis = openAuthorityRedis(config, {
    role: 'commands',
    onError: error => log.warn({ err: error }, 'the connection to Redis is lost'),
  });
  const clickhouse = openClickhouse(config.CLICKHOUSE_URL, {
    application: 'marquee-workers',
    connectionsMax: CONNECTIONS.workers.clickhouse - 1,
    cluster: config.CLICKHOUSE_CLUSTER,
  });
  const sql = openPostgres(config.DATABASE_URL, {
    connectionsMax: CONNECTIONS.workers.postgres,
    applicationName: 'marquee-workers',
  });
  await Promise.all([redisReady(redis), joinAuthority(sql, config)]);
  const intake = createPlayQueue({ redis });
  const pool = openPool();
  const allowPrivate = config.WEBHOOK_ALLOW_PRIVATE;
  const guarded = { sealer: createSealer(config.ENCRYPTION_KEY), egress: createEgress({ allowPrivate }) };
  const storage = await openStorage(config.STORAGE_URL, { now: Date.now() });
  const blocking = openAuthorityRedis(config, {
    role: 'worker',
    onError: error => log.warn({ err: error }, 'the connection to Redis is lost'),
  });
  const turns = await startTurns({ ...guarded, sql, blocking, commands: redis, log, now: () => new Date() });
  const queue = openMediaQueue({ redis });
  const rendering = startRendering(
    { sql, storage, programs: { ffmpeg: config.FFMPEG, ffprobe: config.FFPROBE }, log, now: () => new Date() },
    { connection: blocking },
  );
  const exports = exportJobs({ ...guarded, storage, allowPrivate });
  const verification = verifyJob({ redis, clickhouseUrl: config.CLICKHOUSE_URL, cluster: config.CLICKHOUSE_CLUSTER });
  const traffic = reviewTrafficJob({ clickhouseUrl: config.CLICKHOUSE_URL, cluster: config.CLICKHOUSE_CLUSTER });
  const jobs = startJobs(
    [
      ...JOBS,
      checkUploadsJob({ storage, queue }),
      turns.sweep,
      ...exports.jobs,
      ...measureJobs(redis),
      ...advanceSandboxesJobs(config.SIGNING_KEYS?.current),
      verification.job,
      traffic.job,
      forgetRawJob(clusterTarget(config.CLICKHOUSE_URL, config.CLICKHOUSE_CLUSTER)),
    ],
    {
      sql,
      clickhouse,
      authority: createAuthority(redis),
      intake,
      playGroups: createPlayGroups({ redis }),
      plans: createPlanStore(redis),
      pool,
      log,
      now: () => new Date(),
    },
  );
  return {
    async close() {
      exports.stop();
      verification.stop();
      traffic.stop();
      await Promise.all([jobs.stop(), turns.close(), rendering.close()]);
      await queue.close();
      await guarded.egress.close();
      await Promise.all([intake.close(), pool.close()]);
      await Promise.all([redis.quit(), blocking.quit(), clickhouse.close(), sql.end({ timeout: 5 })]);
    },
  };
}

const log = createLog('workers', config.LOG_LEVEL);
await runService({ name: 'workers', log, opsPort: config.OPS_PORT, opsHost: config.OPS_HOST, start: () => start(log) });
