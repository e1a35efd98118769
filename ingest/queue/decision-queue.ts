/**
 * The queue of decisions, from delivery to ingest. It is built like the queue of plays, and separate so that no report
 * waits for decisions; unlike reports, decisions may be dropped if too many wait.
 */
import { RECORD_BYTES } from '#domain/plays/decision-record.ts';
import type { Redis } from '#sql/redis.ts';
import { addJob, lazyQueue, jobDataOf } from './batch-jobs.ts';
import type { DecisionBatch } from './decision-batch.ts';
import { streamKeys } from './stream-keys.ts';

export type DecisionQueue = {
  /**
   * Stores the batch; the same id again adds nothing. False: too many wait already, and it was not stored.
   * @throws when Redis is down
   */
  add(batch: DecisionBatch & { id: string }): Promise<boolean>;
  close(): Promise<void>;
};

export const DECISION_QUEUE_NAME = 'decisions';
/** One stream is enough for them: a process sends two batches a second, at 2,000 slots. */
export const DECISION_STREAM = 0;
/** Waiting batches: ten minutes of a process. More are not worth the memory of Redis. */
const BATCHES_MAX = 1_200;
const BATCH_EVENTS_MAX = 4_096;

/**
 * @param options.redis a connection of role `producer` (or `commands`); the caller closes it.
 * @param options.queueName another queue, for tests that share one Redis.
 */
export function createDecisionQueue({
  redis,
  queueName = DECISION_QUEUE_NAME,
}: {
  redis: Redis;
  queueName?: string;
}): DecisionQueue {
  const keys = streamKeys(queueName, DECISION_STREAM);
  const queue = lazyQueue(redis, queueName, keys);
  return {
    async add({ id, ...batch }) {
      const opened = await queue.opened();
      if ((await redis.zcard(keys.pending)) >= BATCHES_MAX) return false;
      const events = Math.max(1, batch.records.length / RECORD_BYTES);
      const data = jobDataOf(batch, { events, eventsMax: BATCH_EVENTS_MAX });
      await addJob(opened, { id, data }, { redis, keys, firstAddedAt: 0 });
      return true;
    },
    close: () => queue.close(),
  };
}
