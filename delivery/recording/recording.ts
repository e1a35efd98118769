/**
 * Starts the recording of decisions and of refused plays: a stream sends the records to ingest, and its counts are
 * published.
 */
import { createDecisionQueue } from '#ingest/queue/decision-queue.ts';
import type { Log } from '#runtime/log.ts';
import type { Redis } from '#sql/redis.ts';
import type { Decisions } from './decisions.ts';
import { startDecisionStream } from './stream.ts';

export type Recording = {
  /** Stores the pending records; resolves when they are stored or cannot be stored now. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

export type RecordingOptions = {
  decisions: Pick<Decisions, 'recorder' | 'refusedPlays'>;
  redis: Redis;
  /** Names the batches of this process: its first epoch. */
  node: number;
  log: Log;
  now: () => number;
};

export function startRecording(options: RecordingOptions): Recording {
  const { redis, node, log, now } = options;
  const { recorder, refusedPlays: refused } = options.decisions;
  recorder.start(now());
  const decisionQueue = createDecisionQueue({ redis });
  const stream = startDecisionStream({ recorder, refused, decisionQueue, node, log, now });
  return {
    flush: () => stream.flush(),
    async close() {
      stream.stop();
      await decisionQueue.close();
    },
  };
}
