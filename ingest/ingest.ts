/** Assembles the ingest service: the engines, the streams of both queues, and their shutdown in reverse order. */
import type { Running } from '#runtime/lifecycle.ts';
import type { Log } from '#runtime/log.ts';
import type { Configuration } from './configuration.ts';
import { closeEngines, openEngines } from './engines.ts';
import { startStreams } from './streams.ts';

/** Starts ingest; resolves when it takes batches. @throws the fault that prevents the start. */
export async function startIngest(config: Configuration, log: Log): Promise<Running> {
  const engines = await openEngines(config, log);
  const streams = await startStreams({
    ...engines,
    keys: config.SIGNING_KEYS,
    mayOverlap: config.SCREEN_PLAYS_OVERLAP,
    log,
  });
  return {
    async close() {
      await streams.close();
      await closeEngines(engines);
    },
  };
}
