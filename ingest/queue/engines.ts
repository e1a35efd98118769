/**
 * The connections of a service that takes jobs from queues, ingest or the workers: opened, waited for, and closed
 * together.
 */
import type { Log } from '#runtime/log.ts';
import { joinAuthority, openAuthorityRedis, type AuthorityVariables } from '#authority/connection.ts';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import { type DatabaseUrls, openDatabase, type Postgres } from '#sql/postgres.ts';
import { checkEngines } from '#sql/preflight/requirements.ts';
import { redisReady, type Redis } from '#sql/redis.ts';
import type { Milliseconds } from '#domain/unit.ts';

export type QueueEngines = {
  /** Role `commands`. */
  commands: Redis;
  /** Role `worker`: BullMQ waits on it for jobs. */
  blocking: Redis;
  clickhouse: Clickhouse;
  sql: Postgres;
};

type EngineAddresses = AuthorityVariables &
  DatabaseUrls & { CLICKHOUSE_URL: string; CLICKHOUSE_CLUSTER: string | undefined };

type QueueEnginesOptions = {
  /** The name of the connections in the engines. */
  application: string;
  postgresConnectionsMax: number;
  clickhouseConnectionsMax: number;
  /** The time limit of an answer of ClickHouse, if the usual 30 s are too short. */
  clickhouseMsMax?: Milliseconds;
  log: Log;
};

/**
 * Resolves when Redis answers and all processes use it as one authority.
 * @throws Fault that says what to change
 */
export async function openQueueEngines(
  addresses: EngineAddresses,
  { application, postgresConnectionsMax, clickhouseConnectionsMax, clickhouseMsMax, log }: QueueEnginesOptions,
): Promise<QueueEngines> {
  await checkEngines(addresses, { needs: 'tables', log });
  const onError = (error: Error): void => log.warn({ err: error }, 'the connection to Redis is lost');
  const engines = {
    commands: openAuthorityRedis(addresses, { role: 'commands', onError }),
    blocking: openAuthorityRedis(addresses, { role: 'worker', onError }),
    clickhouse: openClickhouse(addresses.CLICKHOUSE_URL, {
      application,
      ...(clickhouseMsMax !== undefined && { requestTimeoutMs: clickhouseMsMax }),
      connectionsMax: clickhouseConnectionsMax,
      cluster: addresses.CLICKHOUSE_CLUSTER,
    }),
    sql: openDatabase(addresses, { connectionsMax: postgresConnectionsMax, applicationName: application }),
  };
  await Promise.all([redisReady(engines.commands), joinAuthority(engines.sql, addresses)]);
  return engines;
}

/** @param drainSeconds the time for running queries to end */
export async function closeQueueEngines(
  { commands, blocking, clickhouse, sql }: QueueEngines,
  { drainSeconds }: { drainSeconds: number },
): Promise<void> {
  await Promise.all([commands.quit(), blocking.quit(), clickhouse.close(), sql.end({ timeout: drainSeconds })]);
}
