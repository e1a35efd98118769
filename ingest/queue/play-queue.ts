/**
 * The queue of batches of reports (plays, scans, releases), from delivery and the api to ingest. A batch is durable
 * when `add` resolves (Redis writes its log before it answers), so only then may a screen forget its plays.
 *
 * How as_of is kept. Each incomplete job is in the sorted set `pending` with its line, at first the Redis time at which
 * it was added; as_of is the smallest line, or now if there is none. The job enters the set in the same transaction as
 * the queue, and leaves it in the same script that marks its group complete, after the rows are in ClickHouse: a play
 * that was acknowledged before as_of has its row. A job that got `duplicate` for a play may be complete before the job
 * that counted that play, whose line must not be forgotten. So a process that finishes a group with duplicates gives
 * the smallest line of those jobs to every job that was put into a group (thus may have counted) and is not complete.
 * That holds back a little more than necessary, for the one insert that those jobs wait for, and needs no list of
 * counting jobs.
 *
 * Plays go through one stream per shard, chosen by their screen, and all reports of a play come from one screen. So the
 * job that counted a play and each job that gets `duplicate` for it are in one stream. Each stream is kept by its own
 * master and clock, and the overall as_of is the smallest of theirs: every play acknowledged before it has its row, in
 * any stream.
 */
import type { Milliseconds } from '#domain/unit.ts';
import type { Redis } from '#sql/redis.ts';
import type { Handle } from '#domain/id.ts';
import { readAsOf } from './backlog.ts';
import type { Batch } from './batch.ts';
import { addJob, lazyQueue, jobDataOf } from './batch-jobs.ts';
import { inStreams, nameInStream, streamOf, streamOfScreen, streamsOf, type StreamKeys } from './stream-keys.ts';

export type PlayQueue = {
  /** The stream of a screen's plays and releases, by its handle. */
  streamOf(screen: Handle<'screen'>): number;
  /** A batch's id with its stream in it. */
  batchId(name: string, stream: number): string;
  /**
   * Stores the batch; the same id again adds nothing and returns the first time. A batch lost by Redis since then is
   * added again with the time of its first add, so that as_of stays back for it.
   * @throws when Redis is down or refuses; the batch may or may not be stored then, so add it again under its id.
   */
  add(batch: Batch, firstAddedAt?: Milliseconds): Promise<{ addedAt: Milliseconds }>;
  /**
   * Which of these batches are complete (`done`); which of those as_of of their stream has passed, so that every play
   * that they acknowledged has its row, whichever batch counted it, and their copies may be forgotten (`passed`); and
   * which Redis does not know (`missing`: add them again). @throws Fault `authority_lost`
   */
  completed(ids: readonly string[]): Promise<CompletedBatches>;
  /**
   * Redis time (ms) up to which every acknowledged play is in the reports. Read it before the query.
   * @throws Fault `authority_lost`
   */
  asOf(): Promise<number>;
  close(): Promise<void>;
};
/** Ids of batches by state. */
type CompletedBatches = { done: string[]; passed: string[]; missing: string[] };

export const PLAY_QUEUE_NAME = 'plays';
/** A job's events and one release message are well below this. */
const BATCH_EVENTS_MAX = 20_000;

/**
 * @param options.redis a connection of role `producer` (or `commands`); the caller closes it.
 * @param options.queueName another queue, for tests that share one Redis.
 */
export function createPlayQueue({
  redis,
  queueName = PLAY_QUEUE_NAME,
}: {
  redis: Redis;
  queueName?: string;
}): PlayQueue {
  const streams = streamsOf(queueName, redis);
  const queues = streams.map(keys => lazyQueue(redis, queueName, keys));
  return {
    streamOf: screen => streamOfScreen(screen, redis),
    batchId: nameInStream,
    async add({ id, plays, scans, releases }, firstAddedAt = 0) {
      const stream = streamOf(id, redis);
      const events = plays.length + scans.length + releases.length;
      const data = jobDataOf({ plays, scans, releases }, { events, eventsMax: BATCH_EVENTS_MAX });
      return addJob(await queues[stream]!.opened(), { id, data }, { redis, keys: streams[stream]!, firstAddedAt });
    },
    completed: ids => readCompleted(redis, streams, ids),
    asOf: async () => Math.min(...(await Promise.all(streams.map(keys => readAsOf(redis, keys))))),
    close: async () => void (await Promise.all(queues.map(queue => queue.close()))),
  };
}

async function readCompleted(
  redis: Redis,
  streams: readonly StreamKeys[],
  ids: readonly string[],
): Promise<CompletedBatches> {
  // `as_of` first: it never falls below a passed time, while a complete batch may be lost in between.
  const asOf = new Map(
    await Promise.all(
      Array.from(
        new Set(ids.map(id => streamOf(id, redis))),
        async stream => [stream, await readAsOf(redis, streams[stream]!)] as const,
      ),
    ),
  );
  const states = await inStreams<string, [string | null, string | null]>({ redis, streams }, ids, {
    nameOf: id => id,
    send: (pipeline, keys, id) => pipeline.hmget(keys.jobPrefix + id, 'added', 'done'),
  });
  const done = ids
    .map((id, index) => ({ id, addedAt: Number(states[index]![0]) }))
    .filter((_, index) => states[index]![1] !== null);
  return {
    done: done.map(({ id }) => id),
    passed: done.filter(({ id, addedAt }) => addedAt < asOf.get(streamOf(id, redis))!).map(({ id }) => id),
    missing: ids.filter((_, index) => states[index]![0] === null),
  };
}
