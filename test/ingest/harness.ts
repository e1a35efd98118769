/**
 * Redis, ClickHouse and Postgres for one test file, with a queue of plays and as many ingest workers as a test starts.
 * The tests of ingest, settlement and audit begin here.
 */
import { createLog } from '../../runtime/log.ts';
import { createAuthority, type Authority } from '#authority/authority.ts';
import { openRedis, redisReady, type Redis } from '../../sql/redis.ts';
import { createPlayGroups, type PlayGroups } from '../../ingest/queue/play-groups.ts';
import { createPlayQueue, type PlayQueue } from '../../ingest/queue/play-queue.ts';
import { startStreams } from '../../ingest/streams.ts';
import { freshClickhouse, freshPostgres, freshRedisUrl } from '../support/engines/databases.ts';
import { KEYS } from './reports.ts';

export type Harness = {
  redis: Redis;
  redisUrl: string;
  playQueue: PlayQueue;
  playGroups: PlayGroups;
  authority: Authority;
  clickhouse: Awaited<ReturnType<typeof freshClickhouse>>;
  postgres: Awaited<ReturnType<typeof freshPostgres>>;
  startWorker(): Promise<{ close(): Promise<void> }>;
  /** Resolves when all batches added so far are complete. */
  drained(ids: readonly string[]): Promise<void>;
  rows<T>(query: string): Promise<T[]>;
  close(): Promise<void>;
};

export const silentLog = createLog('test', 'silent');

/** Engines of its own for one test file, and workers over them; `redisUrl` names a Redis that the test itself keeps. */
export async function openHarness({
  redisUrl: own,
  shards = 1,
}: { redisUrl?: string; shards?: number } = {}): Promise<Harness> {
  const redisUrl = own ?? (await freshRedisUrl());
  const redis = openRedis(redisUrl, { role: 'commands', shards });
  await redisReady(redis);
  const [clickhouse, postgres] = await Promise.all([freshClickhouse(), freshPostgres()]);
  const playQueue = createPlayQueue({ redis });
  const workers: { close(): Promise<void> }[] = [];
  return {
    redis,
    redisUrl,
    playQueue,
    playGroups: createPlayGroups({ redis }),
    clickhouse,
    postgres,
    authority: createAuthority(redis),
    async startWorker() {
      const commands = openRedis(redisUrl, { role: 'commands', shards });
      const blocking = openRedis(redisUrl, { role: 'worker', shards });
      await redisReady(commands);
      const ingest = await startStreams({
        commands,
        blocking,
        clickhouse: clickhouse.client,
        sql: postgres.sql,
        keys: KEYS,
        log: silentLog,
      });
      const worker = {
        async close() {
          await ingest.close();
          commands.disconnect();
          blocking.disconnect();
        },
      };
      workers.push(worker);
      return worker;
    },
    async drained(ids) {
      while ((await playQueue.completed(ids)).done.length < ids.length)
        await new Promise(resolve => {
          setTimeout(resolve, 10);
        });
    },
    rows: async <T>(query: string) => (await clickhouse.client.query({ query, format: 'JSONEachRow' })).json<T>(),
    async close() {
      await Promise.all(workers.map(worker => worker.close()));
      await playQueue.close();
      redis.disconnect();
      await Promise.all([clickhouse.drop(), postgres.drop()]);
    },
  };
}
