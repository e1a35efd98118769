/**
 * A database of its own for one test file on the engines of the run, with the schema: of Postgres, of ClickHouse and of
 * Redis. The schema is made once, in a template (`templates.ts`), and copied for each file.
 */
import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import { openPostgres, type Postgres } from '#sql/postgres.ts';
import { createAuthority } from '#authority/authority.ts';
import { openRedis, redisReady, type Redis } from '#sql/redis.ts';
import { copyClickhouseTemplate, TEMPLATE } from '../vitest/templates.ts';

const freshName = () => `test_${randomBytes(6).toString('hex')}`;

export async function freshPostgres(): Promise<{ url: string; sql: Postgres; drop(): Promise<void> }> {
  const name = freshName();
  const server = openPostgres(inject('databaseUrl'), { connectionsMax: 1, applicationName: 'marquee-test' });
  await server`create database ${server(name)} template ${server(TEMPLATE)}`;
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  const sql = openPostgres(url.href, { connectionsMax: 4, applicationName: 'marquee-test' });
  return {
    url: url.href,
    sql,
    drop: async () => {
      await sql.end({ timeout: 5 });
      await server`drop database ${server(name)} with (force)`;
      await server.end({ timeout: 5 });
    },
  };
}

/**
 * The URL of an empty Redis database that nobody else of this run has, with an authority that answers: database 0
 * counts those that were given out.
 */
export async function freshRedisUrl(): Promise<string> {
  const counter = openRedis(inject('redisUrl'), { role: 'commands' });
  await redisReady(counter);
  const number = await counter.incr('test:databases');
  await counter.select(number);
  await beginAuthority(counter);
  counter.disconnect();
  return `${inject('redisUrl')}/${number}`;
}

/** What the workers do once for a Redis that nothing was ever handed to; after a FLUSHDB a test does so again. */
export async function beginAuthority(redis: Redis): Promise<void> {
  await createAuthority(redis).life.begin({ generation: 1, firstEpoch: 0, lapseLine: 0, asOfMs: 0, mayLive: [] });
}

export async function freshClickhouse(): Promise<{ url: string; client: Clickhouse; drop(): Promise<void> }> {
  const name = freshName();
  const url = new URL(inject('clickhouseUrl'));
  url.pathname = `/${name}`;
  await copyClickhouseTemplate(inject('clickhouseUrl'), name);
  const client = openClickhouse(url.href, { application: 'marquee-test', connectionsMax: 4 });
  return {
    url: url.href,
    client,
    drop: async () => {
      await client.command({ query: `drop database ${name}` });
      await client.close();
    },
  };
}
