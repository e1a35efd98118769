import { parseSigningKeys, type SigningKeys } from '#domain/plays/play.ts';
import { flag, oneOf, optional, parsed, port, readConfig, text, url, withDefault } from '#runtime/config.ts';
import { configOrExit, runService, type Running } from '#runtime/lifecycle.ts';
import { createLog, LOG_LEVELS, type Log } from '#runtime/log.ts';
import { openClickhouse } from '#sql/clickhouse.ts';
import { parseClusterName } from '#sql/clickhouse-cluster.ts';
import { CONNECTIONS, ingestConnectionsToClickhouse, openPostgres } from '#sql/postgres.ts';
import { joinAuthority, authorityVariables, openAuthorityRedis } from '#authority/connection.ts';
import { redisReady } from '#sql/redis.ts';
import { startIngest } from './ingest.ts';

/** The ingest service: batches from the queue become rows in ClickHouse. Run as many as there is work for. */
const config = configOrExit(() =>
  readConfig(
    {
      DATABASE_URL: url('postgres:', 'postgresql:'),
      ...authorityVariables(),
      CLICKHOUSE_URL: url('http:', 'https:'),
      CLICKHOUSE_CLUSTER: optional(parsed('the name of a cluster', parseClusterName)),
      SIGNING_KEYS: parsed<SigningKeys>('number:base64 pairs separated by commas', readKeys),
      /** For load tests alone, whose screens report more than they could show. */
      SCREEN_PLAYS_OVERLAP: withDefault(flag(), false),
      OPS_PORT: withDefault(port(), 0),
      OPS_HOST: withDefault(text(), '127.0.0.1'),
      LOG_LEVEL: withDefault(oneOf(...LOG_LEVELS), 'info'),
    },
    process.env,
  ),
);

function readKeys(text: string): SigningKeys {
  const keys = parseSigningKeys(text);
  if (typeof keys === 'string') throw new RangeError(keys);
  return keys;
}

async function start(log: Log): Promise<Running> {
  const onError = (error: Error): void => log.warn({ err: error }, 'the connection to Redis is lost');
  const commands = openAuthorityRedis(config, { role: 'commands', onError });
  const blocking = openAuthorityRedis(config, { role: 'worker', onError });
  const clickhouse = openClickhouse(config.CLICKHOUSE_URL, {
    application: 'marquee-ingest',
    connectionsMax: ingestConnectionsToClickhouse(commands),
    cluster: config.CLICKHOUSE_CLUSTER,
  });
  const sql = openPostgres(config.DATABASE_URL, {
    connectionsMax: CONNECTIONS.ingest.postgres,
    applicationName: 'marquee-ingest',
  });
  await Promise.all([redisReady(commands), joinAuthority(sql, config)]);
  const ingest = await startIngest({
    commands,
    blocking,
    clickhouse,
    sql,
    keys: config.SIGNING_KEYS,
    mayOverlap: config.SCREEN_PLAYS_OVERLAP,
    log,
  });
  return {
    async close() {
      await ingest.close();
      await Promise.all([commands.quit(), blocking.quit(), clickhouse.close(), sql.end({ timeout: 1 })]);
    },
  };
}

const log = createLog('ingest', config.LOG_LEVEL);
await runService({ name: 'ingest', log, opsPort: config.OPS_PORT, opsHost: config.OPS_HOST, start: () => start(log) });
