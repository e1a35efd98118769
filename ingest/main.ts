import { parseSigningKeys, type SigningKeys } from '#domain/play.ts';
import { oneOf, parsed, port, readConfig, url, withDefault } from '#runtime/config.ts';
import { configOrExit, runService, type Running } from '#runtime/lifecycle.ts';
import { createLog, LOG_LEVELS, type Log } from '#runtime/log.ts';
import { openClickhouse } from '#sql/clickhouse.ts';
import { openPostgres } from '#sql/postgres.ts';
import { openRedis, redisReady } from '#sql/redis.ts';
import { startIngest } from './ingest.ts';

/** The ingest service: batches from the queue become rows in ClickHouse. Run as many as there is work for. */
const config = configOrExit(() => readConfig({
  DATABASE_URL: url('postgres:', 'postgresql:'),
  REDIS_URL: url('redis:', 'rediss:'),
  CLICKHOUSE_URL: url('http:', 'https:'),
  SIGNING_KEYS: parsed<SigningKeys>('number:base64 pairs separated by commas', readKeys),
  OPS_PORT: withDefault(port(), 0),
  LOG_LEVEL: withDefault(oneOf(...LOG_LEVELS), 'info'),
}, process.env));

function readKeys(text: string): SigningKeys {
  const keys = parseSigningKeys(text);
  if (typeof keys === 'string') throw new RangeError(keys);
  return keys;
}

/** One connection per group in work and one beside them for a look. */
const CLICKHOUSE_CONNECTIONS = 4;
/** Only dead letters are written to Postgres. */
const POSTGRES_CONNECTIONS = 1;

async function start(log: Log): Promise<Running> {
  const onError = (error: Error): void => log.warn({ err: error }, 'the connection to Redis is lost');
  const commands = openRedis(config.REDIS_URL, { role: 'commands', onError });
  const blocking = openRedis(config.REDIS_URL, { role: 'worker', onError });
  const clickhouse = openClickhouse(config.CLICKHOUSE_URL, { application: 'marquee-ingest', connectionsMax: CLICKHOUSE_CONNECTIONS });
  const sql = openPostgres(config.DATABASE_URL, { connectionsMax: POSTGRES_CONNECTIONS, applicationName: 'marquee-ingest' });
  await redisReady(commands);
  const ingest = await startIngest({ commands, blocking, clickhouse, sql, keys: config.SIGNING_KEYS, log });
  return {
    async close() {
      await ingest.close();
      await Promise.all([commands.quit(), blocking.quit(), clickhouse.close(), sql.end({ timeout: 1 })]);
    },
  };
}

const log = createLog('ingest', config.LOG_LEVEL);
await runService({ name: 'ingest', log, opsPort: config.OPS_PORT, start: () => start(log) });
