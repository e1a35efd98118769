/**
 * How many connections one process of each service opens at most, by engine. Pools are made with these numbers, and
 * docs/operate/variables.md lists them. A test compares both with docker-compose.yml: all processes together, and what
 * an engine keeps for itself, must stay under the engine's limit.
 */
import type { Sharded } from './redis-shards.ts';

export const CONNECTIONS = {
  /** Postgres: a listener beside the pool. */
  api: { postgres: 10, clickhouse: 10, redis: 2 },
  /** Postgres: the change feed, look-ups of tokens and presence, and a listener beside the pool. */
  delivery: { postgres: 5, clickhouse: 0, redis: 3 },
  /**
   * Postgres: dead letters alone. ClickHouse: one per group in work, and one for other queries. Redis: each queue waits
   * on one of its own.
   */
  ingest: { postgres: 1, clickhouse: 4, redis: 4 },
  /**
   * Postgres: a job holds one for its lock and one for its work; the sender of webhooks holds one; uploads share the
   * rest; a listener is beside the pool. Room for 26 jobs. ClickHouse: the hourly check has one of its own.
   */
  workers: { postgres: 69, clickhouse: 3, redis: 6 },
} as const;

/**
 * What one process of ingest opens for each shard of Redis after the first: ClickHouse for two groups in work, Redis
 * for its queue.
 */
const CONNECTIONS_PER_SHARD = { clickhouse: 2, redis: 1 } as const;

/** How many connections ingest opens to ClickHouse, by the number of shards. */
export const ingestConnectionsToClickhouse = ({ shards }: Sharded): number =>
  CONNECTIONS.ingest.clickhouse + CONNECTIONS_PER_SHARD.clickhouse * (shards - 1);

/**
 * Connections of Postgres that no service uses: three that it reserves for its superuser, and some for `migrate`,
 * `admin` and a person.
 */
export const POSTGRES_KEPT_FREE = 10;
