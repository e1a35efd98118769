/**
 * How a batch becomes a job of BullMQ: packed, stamped with the Redis time of its first add, and in `pending` from the
 * same transaction on. The queues of plays and of decisions both add their batches here.
 */
import type { Milliseconds } from '#domain/unit.ts';
import { Job, Queue } from 'bullmq';
import { Fault } from '#runtime/fault-error.ts';
import { execAll, loadMissingScripts, scriptCommand, type Redis } from '#sql/redis.ts';
import { packPayload } from './batch.ts';
import type { StreamKeys } from './stream-keys.ts';

/** The data of a job: the number of its events, so that groups can be sized without unpacking, and the packed batch. */
export type JobData = { events: number; payload: string };

/** As long as BullMQ keeps the ids of complete jobs, which refer to their group. */
export const COMPLETE_KEPT_S = 86_400;
/** BullMQ forbids ':' in ids; the rest keeps ids free of anything that a text format would have to escape. */
const BATCH_ID = /^[A-Za-z0-9_.-]{1,100}$/;

/**
 * The data of the job of a batch.
 * @throws RangeError for more events than `eventsMax`, which is a bug of the caller and not load
 */
export function jobDataOf(batch: object, { events, eventsMax }: { events: number; eventsMax: number }): JobData {
  if (events > eventsMax) throw new RangeError(`a batch of ${events} events, of ${eventsMax} at most`);
  return { events, payload: packPayload(batch) };
}

export type LazyQueue = { opened(): Promise<Queue<JobData>>; close(): Promise<void> };

/**
 * BullMQ's queue, opened at the first use while Redis is there: it reads the version as it opens, and a queue whose
 * first command failed would fail forever.
 */
export function lazyQueue(redis: Redis, queueName: string, { prefix }: StreamKeys): LazyQueue {
  let opening: Promise<Queue<JobData>> | undefined;
  const open = async (): Promise<Queue<JobData>> => {
    const queue = new Queue<JobData>(queueName, { connection: redis, prefix, skipMetasUpdate: true });
    // BullMQ repeats the connection's own errors; the owner of the connection logs them.
    queue.on('error', () => undefined);
    try {
      await queue.waitUntilReady();
    } catch (error) {
      opening = undefined;
      throw error;
    }
    return queue;
  };
  return {
    opened() {
      if (redis.status !== 'ready') throw new Fault('redis_unavailable', 'Redis is down', { retryable: true });
      return (opening ??= open());
    },
    close: async () => (await opening)?.close(),
  };
}

export type AddOptions = { redis: Redis; keys: StreamKeys; firstAddedAt: Milliseconds };

/**
 * Adds a job to the queue and to `pending` in one transaction; the same id again adds nothing and returns the first
 * time.
 */
export async function addJob(
  queue: Queue<JobData>,
  { id, data }: { id: string; data: JobData },
  { redis, keys, firstAddedAt }: AddOptions,
): Promise<{ addedAt: Milliseconds }> {
  if (!BATCH_ID.test(id)) throw new RangeError(`'${id}' is no id for a batch`);
  const job = new Job<JobData>(queue, 'batch', data, { jobId: id }, id);
  const transaction = (await queue.backend.client).multi();
  void job.addJob(transaction);
  transaction.runCommand(scriptCommand('intake-stamp'), [2, keys.pending, keys.jobPrefix + id, id, firstAddedAt]);
  try {
    const [, addedAt] = (await execAll(transaction)) as [string, number];
    return { addedAt };
  } catch (error) {
    await loadMissingScripts(redis, error);
    throw error;
  }
}
