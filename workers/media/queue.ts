/**
 * The queue of uploads that wait for their check. Postgres knows the waiting uploads; the queue assigns them to
 * workers: one job per upload, taken by one worker, retried after a fault, taken over when a worker dies. A job that is
 * lost with Redis is added again by the next scan.
 */
import { Queue, Worker } from 'bullmq';
import { gauge } from '#runtime/metrics.ts';
import { loadMissingScripts, type Redis } from '#sql/redis.ts';
import type { MediaDependencies } from './media-job.ts';
import { renderMedia, sweepMediaFolders, type MediaRef } from './render-media.ts';

const MEDIA_QUEUE = 'media';
/** In braces: all keys of a queue on one node of a cluster. */
const QUEUE_PREFIX = '{marquee}';
/** One job per process and one thread per program: as much of the machine as one core, at the lowest priority. */
const JOBS_AT_ONCE = 1;
/**
 * Renewed by BullMQ while the job runs; when the process is killed, another takes over after this time and one round.
 */
const LOCK_MS = 10_000;
const STALLED_ROUND_MS = 5_000;
/** An upload that kills its worker is rejected by the row's count of started checks. */
const STALLED_MAX = 100;
/** 1, 2, 4, 8 s; after that the scan adds the job again. */
const ATTEMPTS = 5;
const BACKOFF_MS = 1_000;
/** The last priority that BullMQ has; 1 is the first. */
const PRIORITY_MAX = 2 ** 21 - 1;

/** An upload and its place in the line of its own workspace, from 1. */
type WaitingUpload = MediaRef & { place: number };

export type MediaQueue = {
  /** Adds those that are not in the queue yet. First places of all workspaces are taken before second ones. */
  add(uploads: readonly WaitingUpload[]): Promise<void>;
  close(): Promise<void>;
};

/**
 * @param options.redis of role `commands`; the caller closes it.
 * @param options.queueName another queue, for tests that share one Redis.
 */
export function openMediaQueue({ redis, queueName = MEDIA_QUEUE }: { redis: Redis; queueName?: string }): MediaQueue {
  const queue = new Queue<MediaRef>(queueName, { connection: redis, prefix: QUEUE_PREFIX, skipMetasUpdate: true });
  queue.on('error', () => undefined); // the owner of the connection logs it
  return {
    async add(uploads) {
      const added = queue.addBulk(
        uploads.map(({ kind, handle, place }) => ({
          name: 'render',
          data: { kind, handle },
          opts: {
            jobId: `${kind}-${handle}`,
            priority: Math.min(place, PRIORITY_MAX),
            attempts: ATTEMPTS,
            backoff: { type: 'exponential', delay: BACKOFF_MS },
            removeOnComplete: true,
            removeOnFail: true,
          },
        })),
      );
      await added.catch(async (error: unknown) => {
        await loadMissingScripts(redis, error);
        throw error;
      });
    },
    close: () => queue.close(),
  };
}

let working = 0;
gauge({ name: 'workers_media_jobs', help: 'Uploads that are being checked and rendered', read: () => working });

/**
 * @param connection of role `worker`; BullMQ makes a second one for its blocking wait. `close` stops the current job;
 * it is done again.
 */
export function startRendering(
  dependencies: MediaDependencies,
  { connection, queueName = MEDIA_QUEUE }: { connection: Redis; queueName?: string },
): { close(): Promise<void> } {
  const { log } = dependencies;
  const stop = new AbortController();
  void sweepMediaFolders(dependencies.now()).catch((error: unknown) =>
    log.warn({ err: error }, 'old folders of uploads cannot be removed'),
  );
  const worker = new Worker<MediaRef>(
    queueName,
    async job => {
      working += 1;
      try {
        return await renderMedia(dependencies, job.data, {
          signal: stop.signal,
          onProgress: percent => {
            void job.updateProgress(percent).catch(() => undefined);
          },
        }); // the row says it as well
      } catch (error) {
        log.warn({ err: error, ...job.data }, 'an upload is checked again');
        throw error;
      } finally {
        working -= 1;
      }
    },
    {
      connection,
      prefix: QUEUE_PREFIX,
      concurrency: JOBS_AT_ONCE,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_ROUND_MS,
      maxStalledCount: STALLED_MAX,
    },
  );
  worker.on('error', error => log.warn({ err: error }, 'the queue of uploads is away'));
  return {
    async close() {
      stop.abort();
      await worker.close();
    },
  };
}
