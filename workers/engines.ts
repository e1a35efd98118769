/** The connections of a workers process and its storage: opened, waited for, and closed together. */
import type { Log } from '#runtime/log.ts';
import { joinAuthority, openAuthorityRedis } from '#authority/connection.ts';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import { CONNECTIONS, openPostgres, type Postgres } from '#sql/postgres.ts';
import { redisReady, type Redis } from '#sql/redis.ts';
import type { ObjectStorage } from '#storage/object-storage.ts';
import { openStorage } from '#storage/open.ts';
import type { Configuration } from './configuration.ts';

export type Engines = {
  /** Role `commands`. */
  commands: Redis;
  /** Role `worker`: BullMQ waits on it for jobs. */
  blocking: Redis;
  clickhouse: Clickhouse;
  sql: Postgres;
  storage: ObjectStorage;
};

/** Resolves when Redis answers, all processes use it as one authority, and the storage can be used. */
export async function openEngines(config: Configuration, log: Log): Promise<Engines> {
  const onError = (error: Error): void => log.warn({ err: error }, 'the connection to Redis is lost');
  const connections = {
    commands: openAuthorityRedis(config, { role: 'commands', onError }),
    blocking: openAuthorityRedis(config, { role: 'worker', onError }),
    clickhouse: openClickhouse(config.CLICKHOUSE_URL, {
      application: 'marquee-workers',
      connectionsMax: CONNECTIONS.workers.clickhouse - 1,
      cluster: config.CLICKHOUSE_CLUSTER,
    }),
    sql: openPostgres(config.DATABASE_URL, {
      connectionsMax: CONNECTIONS.workers.postgres,
      applicationName: 'marquee-workers',
    }),
  };
  await Promise.all([redisReady(connections.commands), joinAuthority(connections.sql, config)]);
  return { ...connections, storage: await openStorage(config.STORAGE_URL, { now: Date.now() }) };
}

export async function closeEngines({ commands, blocking, clickhouse, sql }: Engines): Promise<void> {
  await Promise.all([commands.quit(), blocking.quit(), clickhouse.close(), sql.end({ timeout: 5 })]);
}
