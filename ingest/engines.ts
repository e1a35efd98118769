/** The connections of an ingest process. */
import type { Log } from '#runtime/log.ts';
import { CONNECTIONS, ingestConnectionsToClickhouse } from '#sql/postgres.ts';
import type { Configuration } from './configuration.ts';
import { ANSWER_MS_MAX } from './rows/insert.ts';
import { closeQueueEngines, openQueueEngines, type QueueEngines } from './queue/engines.ts';

/** Resolves when Redis answers and all processes use it as one authority. */
export function openEngines(config: Configuration, log: Log): Promise<QueueEngines> {
  return openQueueEngines(config, {
    application: 'marquee-ingest',
    postgresConnectionsMax: CONNECTIONS.ingest.postgres,
    clickhouseConnectionsMax: ingestConnectionsToClickhouse({ shards: config.REDIS_SHARDS }),
    clickhouseMsMax: ANSWER_MS_MAX,
    log,
  });
}

export const closeEngines = (engines: QueueEngines): Promise<void> => closeQueueEngines(engines, { drainSeconds: 1 });
