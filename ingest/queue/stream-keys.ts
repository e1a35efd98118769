/**
 * The keys of one stream of a queue in Redis: plays have one in each shard, for the screens whose handle falls to it,
 * so that a repeated report meets the first one in the same stream. BullMQ's own keys begin with `<tag>:<queue>:`, a
 * job's hash is under its id; ours beside them:
 *
 * pending    sorted set: jobs not complete, by the line up to which they hold as_of back
 * grouped    sorted set: those of them that belong to a group and may have been counted
 * releases   sorted set: releases of complete batches, by the time at which their batch was added
 * unsettled  sorted set: complete groups whose charges are not in Postgres yet, by the time of completion
 * group:<g>  hash: jobs, attempt and deadline of the last insert, done
 *
 * A job's hash carries three fields of ours: added, group, done.
 */
import type { Handle } from '#domain/id.ts';
import { allShards, shardKeys, shardOf } from '#authority/authority-keys.ts';
import { inPipelines } from '#authority/shard-calls.ts';
import type { Redis } from '#sql/redis.ts';
import type { Sharded } from '#sql/redis-shards.ts';

export type StreamKeys = {
  stream: number;
  /** BullMQ's name for it. */
  prefix: string;
  pending: string;
  grouped: string;
  releases: string;
  unsettled: string;
  groupPrefix: string;
  jobPrefix: string;
};

export function streamKeys(queueName: string, stream: number): StreamKeys {
  const { tag: prefix } = shardKeys(stream);
  const own = `${prefix}:intake:${queueName}`;
  return {
    stream,
    prefix,
    pending: `${own}:pending`,
    grouped: `${own}:grouped`,
    releases: `${own}:releases`,
    unsettled: `${own}:unsettled`,
    groupPrefix: `${own}:group:`,
    jobPrefix: `${prefix}:${queueName}:`,
  };
}

/** The keys of all streams of a queue. */
export const streamsOf = (queueName: string, sharded: Sharded): StreamKeys[] =>
  allShards(sharded).map(({ shard }) => streamKeys(queueName, shard));

/** The authority's record next to a stream, from which a script reads the time. */
export const recordBeside = ({ stream }: StreamKeys): string => shardKeys(stream).record;

/** The hashes of all groups of the queue, in all streams. */
export const groupPattern = (queueName: string): string => `{plays:*}:intake:${queueName}:group:*`;

/** A name of a batch or a group that contains its stream. */
export const nameInStream = (name: string, stream: number): string => `${name}.${stream}`;

/**
 * The stream of a batch or a group; a batch without one (scans, which may be in any) is in the first.
 * @throws RangeError for an unknown stream
 */
export function streamOf(name: string, { shards }: Sharded): number {
  const stream = Number(/\.(\d+)$/.exec(name)?.[1] ?? 0);
  if (stream >= shards) throw new RangeError(`'${name}' is of stream ${stream}, and there are ${shards}`);
  return stream;
}

/** The stream of a screen's plays and releases, by its handle. */
export const streamOfScreen = (screen: Handle<'screen'>, sharded: Sharded): number => shardOf(screen, sharded);

type Sending<Call> = {
  /** The batch or the group that the call is about. */
  nameOf: (call: Call) => string;
  send: (pipeline: ReturnType<Redis['pipeline']>, keys: StreamKeys, call: Call) => unknown;
  /** Calls of one round trip. */
  pageMax?: number;
};

/**
 * Sends each call to its stream, the streams in parallel. Returns the replies in the order of the calls.
 * @throws the first error when all have ended.
 */
export function inStreams<Call, Reply>(
  { redis, streams }: { redis: Redis; streams: readonly StreamKeys[] },
  calls: readonly Call[],
  { nameOf, send, pageMax = Infinity }: Sending<Call>,
): Promise<Reply[]> {
  return inPipelines<Call, Reply>(redis, calls, {
    handleOf: call => streamOf(nameOf(call), redis),
    pageMax,
    send: (pipeline, { shard }, call) => send(pipeline, streams[shard]!, call),
  });
}
