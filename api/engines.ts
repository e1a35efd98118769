/** The connections of an API process: opened together, and closed in the order in which nothing is lost. */
import type { Log } from '#runtime/log.ts';
import { joinAuthority, openAuthorityRedis } from '#authority/connection.ts';
import { checkEngines } from '#sql/preflight/requirements.ts';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import { CONNECTIONS, openDatabase, openPostgres, type Postgres } from '#sql/postgres.ts';
import { createReads, type Reads } from '#sql/read-replica.ts';
import type { Redis } from '#sql/redis.ts';
import type { Configuration } from './configuration.ts';

export type Engines = {
  sql: Postgres;
  replica: Postgres | undefined;
  /** For reads that may be seconds old. */
  reads: Reads;
  clickhouse: Clickhouse;
  /** Role `commands`. */
  redis: Redis;
  /** Role `producer`. */
  producer: Redis;
};

const APPLICATION = 'marquee-api';

/**
 * Resolves when all processes use Redis as one authority.
 * @throws Fault that says what to change
 */
export async function openEngines(config: Configuration, log: Log): Promise<Engines> {
  const onError = (error: Error): void => log.warn({ err: error }, 'the connection to Redis was lost');
  await checkEngines(config, { needs: 'tables', log });
  const sql = openDatabase(config, { connectionsMax: CONNECTIONS.api.postgres - 1, applicationName: APPLICATION });
  const replica =
    config.DATABASE_REPLICA_URL === undefined
      ? undefined
      : openPostgres(config.DATABASE_REPLICA_URL, {
          connectionsMax: CONNECTIONS.api.postgres,
          applicationName: APPLICATION,
        });
  const engines = {
    sql,
    replica,
    reads: createReads({ primary: sql, replica }),
    clickhouse: openClickhouse(config.CLICKHOUSE_URL, {
      application: APPLICATION,
      connectionsMax: CONNECTIONS.api.clickhouse,
      cluster: config.CLICKHOUSE_CLUSTER,
    }),
    redis: openAuthorityRedis(config, { role: 'commands', onError }),
    producer: openAuthorityRedis(config, { role: 'producer', onError }),
  };
  await joinAuthority(sql, config);
  return engines;
}

export async function closeEngines({ sql, replica, reads, clickhouse, redis, producer }: Engines): Promise<void> {
  redis.disconnect();
  producer.disconnect();
  await reads.close();
  await Promise.all([sql.end({ timeout: 5 }), replica?.end({ timeout: 5 }), clickhouse.close()]);
}
