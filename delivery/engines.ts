/** The connections of delivery to Postgres and Redis: opened before anything else, closed after everything else. */
import type { Log } from '#runtime/log.ts';
import { joinAuthority, openAuthorityRedis } from '#authority/connection.ts';
import { CONNECTIONS, openDatabase, type Postgres } from '#sql/postgres.ts';
import { checkEngines } from '#sql/preflight/requirements.ts';
import { type Redis, redisReady } from '#sql/redis.ts';
import type { Configuration } from './configuration.ts';

/** A listener takes one connection beside the pool. */
const POSTGRES_CONNECTIONS_MAX = CONNECTIONS.delivery.postgres - 1;

export type Engines = {
  sql: Postgres;
  /** For batches of reports: one of a megabyte must not delay a grant, so it has a separate connection. */
  producer: Redis;
  /** For the authority and other short commands. */
  commands: Redis;
  subscriber: Redis;
};

/** Opens the connections; resolves when the engines answer. @throws Fault that says what to change */
export async function openEngines(config: Configuration, log: Log): Promise<Engines> {
  await checkEngines(config, { needs: 'tables', log });
  const onError = (error: Error): void => log.warn({ err: error }, 'Redis');
  const engines = {
    sql: openDatabase(config, { connectionsMax: POSTGRES_CONNECTIONS_MAX, applicationName: 'delivery' }),
    producer: openAuthorityRedis(config, { role: 'producer', onError }),
    commands: openAuthorityRedis(config, { role: 'commands', onError }),
    subscriber: openAuthorityRedis(config, { role: 'worker', onError }),
  };
  await Promise.all([redisReady(engines.producer), redisReady(engines.commands), joinAuthority(engines.sql, config)]);
  return engines;
}

export async function closeEngines({ sql, producer, commands, subscriber }: Engines): Promise<void> {
  for (const redis of [producer, commands, subscriber]) redis.disconnect();
  await sql.end({ timeout: 1 });
}
