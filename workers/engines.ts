/** The connections of a workers process and its storage. */
import type { Log } from '#runtime/log.ts';
import { ANSWER_MS_MAX } from '#ingest/rows/insert.ts';
import { closeQueueEngines, openQueueEngines, type QueueEngines } from '#ingest/queue/engines.ts';
import { CONNECTIONS } from '#sql/postgres.ts';
import type { ObjectStorage } from '#storage/object-storage.ts';
import { openStorage } from '#storage/open.ts';
import type { Configuration } from './configuration.ts';

export type Engines = QueueEngines & { storage: ObjectStorage };

/** Resolves when Redis answers, all processes use it as one authority, and the storage can be used. */
export async function openEngines(config: Configuration, log: Log): Promise<Engines> {
  const engines = await openQueueEngines(config, {
    application: 'marquee-workers',
    postgresConnectionsMax: CONNECTIONS.workers.postgres - 1, // one more listens
    clickhouseConnectionsMax: CONNECTIONS.workers.clickhouse - 1, // the hourly check opens one of its own
    clickhouseMsMax: ANSWER_MS_MAX, // a rebuild of the authority repeats inserts
    log,
  });
  return { ...engines, storage: await openStorage(config.STORAGE_URL, { now: Date.now() }) };
}

export const closeEngines = (engines: Engines): Promise<void> => closeQueueEngines(engines, { drainSeconds: 5 });
