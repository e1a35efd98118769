/** Many calls as one round trip per shard. The calls of the authority are made with these functions. */
import type { Handle } from '#domain/id.ts';
import { allShards, shardOf, type ShardKeys } from './authority-keys.ts';
import { execAll, type Pipeline, type Redis } from '#sql/redis.ts';

type Sending<Call> = {
  /** Selects the shard: a campaign's, a screen's, or the number of a stream. */
  handleOf: (call: Call) => number;
  send: (pipeline: Pipeline, keys: ShardKeys, call: Call) => unknown;
  /** Calls per round trip. */
  pageMax?: number;
};

/**
 * Sends each call to the shard of its handle: a pipeline of a cluster has one slot. Shards work in parallel, the pages
 * of one in sequence. Returns the replies in the order of the calls. @throws the first error when all have ended.
 */
export async function inPipelines<Call, Reply>(
  redis: Redis,
  calls: readonly Call[],
  { handleOf, send, pageMax = Infinity }: Sending<Call>,
): Promise<Reply[]> {
  const callsOfShards = allShards(redis).map((): number[] => []);
  for (const [index, call] of calls.entries()) callsOfShards[shardOf(handleOf(call), redis)]!.push(index);
  const replies: Reply[] = Array.from({ length: calls.length });
  await inShards(redis, async (keys, shard) => {
    const own = callsOfShards[shard]!;
    for (let at = 0; at < own.length; at += pageMax) {
      const page = own.slice(at, at + pageMax);
      const pipeline = redis.pipeline();
      for (const index of page) void send(pipeline, keys, calls[index]!);
      for (const [position, reply] of (await execAll(pipeline)).entries()) replies[page[position]!] = reply as Reply;
    }
  });
  return replies;
}

/** `inPipelines` for calls that name a campaign. */
export function inShardsOfCampaigns<Call extends { campaign: Handle<'campaign'> }, Reply>(
  redis: Redis,
  calls: readonly Call[],
  send: Sending<Call>['send'],
  pageMax = Infinity,
): Promise<Reply[]> {
  return inPipelines(redis, calls, { handleOf: call => call.campaign, send, pageMax });
}

/** Runs a function in every shard, in parallel. @throws the first error when all have ended. */
export async function inShards<T>(redis: Redis, work: (keys: ShardKeys, shard: number) => Promise<T>): Promise<T[]> {
  const results = await Promise.allSettled(allShards(redis).map(work));
  return results.map(result => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
