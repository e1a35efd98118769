/** The connections of an ingest process: opened, waited for, and closed together. */
import type { Log } from '#runtime/log.ts';
import { joinAuthority, openAuthorityRedis } from '#authority/connection.ts';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import { CONNECTIONS, ingestConnectionsToClickhouse, openPostgres, type Postgres } from '#sql/postgres.ts';
import { redisReady, type Redis } from '#sql/redis.ts';
import type { Configuration } from './configuration.ts';

export type Engines = {
  /** Role `commands`. */
  commands: Redis;
  /** Role `worker`: BullMQ waits on it for jobs. */
  blocking: Redis;
  clickhouse: Clickhouse;
  sql: Postgres;
};

/** Resolves when Redis answers and all processes use it as one authority. */
export async function openEngines(config: Configuration, log: Log): Promise<Engines> {
  const onError = (error: Error): void => log.warn({ err: error }, 'the connection to Redis is lost');
  const commands = openAuthorityRedis(config, { role: 'commands', onError });
  const engines = {
    commands,
    blocking: openAuthorityRedis(config, { role: 'worker', onError }),
    clickhouse: openClickhouse(config.CLICKHOUSE_URL, {
      application: 'marquee-ingest',
      connectionsMax: ingestConnectionsToClickhouse(commands),
      cluster: config.CLICKHOUSE_CLUSTER,
    }),
    sql: openPostgres(config.DATABASE_URL, {
      connectionsMax: CONNECTIONS.ingest.postgres,
      applicationName: 'marquee-ingest',
    }),
  };
  await Promise.all([redisReady(commands), joinAuthority(engines.sql, config)]);
  return engines;
}

export async function closeEngines({ commands, blocking, clickhouse, sql }: Engines): Promise<void> {
  await Promise.all([commands.quit(), blocking.quit(), clickhouse.close(), sql.end({ timeout: 1 })]);
}
