/**
 * Starts the recording of decisions and of refused plays: the recorder hears of every change of the snapshot, a stream
 * brings what it wrote to ingest, and its counts are published.
 */
import { createDecisionQueue } from '#ingest/queue/decision-queue.ts';
import type { Log } from '#runtime/log.ts';
import type { Redis } from '#sql/redis.ts';
import { publishRecording } from '../instruments.ts';
import type { Store } from '../snapshot/store.ts';
import type { DecisionRecorder } from './recorder.ts';
import type { RefusedPlays } from './refused-plays.ts';
import { startDecisionStream } from './stream.ts';

export type Recording = {
  /** Stores what is there; resolves when it is stored or cannot be now. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

export type RecordingOptions = {
  recorder: DecisionRecorder;
  refused: RefusedPlays;
  store: Store;
  redis: Redis;
  /** The last revision of the change log that the store has applied. */
  revision: () => number;
  /** Names the batches of this process: its first epoch. */
  node: number;
  log: Log;
  now: () => number;
};

export function startRecording(options: RecordingOptions): Recording {
  const { recorder, refused, store, redis, revision, node, log, now } = options;
  store.onApplied = (changes, effects) => {
    for (const screen of effects.changedScreens) recorder.screenChanged(screen);
    for (const handle of changes.campaigns.keys()) {
      const campaign = store.index.campaigns.campaignIndex(handle);
      if (campaign !== undefined) recorder.campaignChanged(handle, store.index.facts[campaign]);
    }
  };
  recorder.start(revision, now());
  const decisionQueue = createDecisionQueue({ redis });
  const stream = startDecisionStream({ recorder, refused, decisionQueue, node, log, now });
  publishRecording(recorder.counts);
  return {
    flush: () => stream.flush(),
    async close() {
      stream.stop();
      await decisionQueue.close();
    },
  };
}
