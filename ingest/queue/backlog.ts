/** The progress of a queue of batches: the time up to which reports are complete, and the backlog. */
import { callScript, queueScript, execAll, type Redis } from '#sql/redis.ts';
import { recordBeside, streamsOf, type StreamKeys } from './stream-keys.ts';
import type { Milliseconds } from '#domain/unit.ts';

/**
 * As_of of one stream; see `play-queue.ts`. The Redis time (ms) up to which every acknowledged play has its row.
 * @throws Fault `authority_lost`
 */
export async function readAsOf(redis: Redis, keys: StreamKeys): Promise<number> {
  return (await callScript(redis, 'intake-as-of', { keys: [keys.pending], args: [] })) as number;
}

/** Read in one round trip for each stream of the queue. Times are ages in ms, undefined if nothing waits. */
export type Backlog = {
  /** Incomplete batches, and those of them in a group. */
  pending: number;
  grouped: number;
  /** Batches among BullMQ's failed jobs, which no worker takes; must stay 0. */
  failed: number;
  /** Complete groups whose charges are not in Postgres, and how long the oldest waits. */
  unsettled: number;
  oldestUnsettledMs: Milliseconds | undefined;
  /** Returned plays that wait for as_of. */
  releases: number;
};

/** Reads only sizes: the cost does not grow with the backlog. */
export async function readBacklog(redis: Redis, queueName: string): Promise<Backlog> {
  const all = await Promise.all(streamsOf(queueName, redis).map(keys => readStream(redis, keys)));
  const sumOf = (part: 'pending' | 'grouped' | 'failed' | 'unsettled' | 'releases'): number =>
    all.reduce((sum, each) => sum + each[part], 0);
  const ages = all.map(({ oldestUnsettledMs }) => oldestUnsettledMs).filter(age => age !== undefined);
  return {
    pending: sumOf('pending'),
    grouped: sumOf('grouped'),
    failed: sumOf('failed'),
    unsettled: sumOf('unsettled'),
    releases: sumOf('releases'),
    oldestUnsettledMs: ages.length === 0 ? undefined : Math.max(...ages),
  };
}

async function readStream(redis: Redis, keys: StreamKeys): Promise<Backlog> {
  const pipeline = redis.pipeline();
  pipeline
    .zcard(keys.pending)
    .zcard(keys.grouped)
    .zcard(`${keys.jobPrefix}failed`)
    .zcard(keys.unsettled)
    .zcard(keys.releases);
  pipeline.zrange(keys.unsettled, 0, 0, 'WITHSCORES');
  queueScript(pipeline, 'now', { keys: [recordBeside(keys)], args: [] });
  const [pending, grouped, failed, unsettled, releases, oldest, now] = (await execAll(pipeline)) as [
    number,
    number,
    number,
    number,
    number,
    string[],
    number,
  ];
  return {
    pending,
    grouped,
    failed,
    unsettled,
    releases,
    oldestUnsettledMs: oldest[1] === undefined ? undefined : Math.max(0, now - Number(oldest[1])),
  };
}
