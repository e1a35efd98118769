/**
 * The epochs of delivery processes in the authority. An epoch is the time from one start of a process to its end;
 * Postgres assigns each number once. It lives while it is renewed. It ends closed (by its node or the next process
 * there) or fenced (by the workers, after a silence). An ended epoch can move no money, and its money is settled:
 * possibly issued money is held in doubt, and the rest becomes free.
 *
 * Every shard has its own record of every epoch, by its own clock. An epoch lives only while it lives in all shards. A
 * node whose epoch was ended in one shard takes a new one. The other shards end it too, through the node or the next
 * `fence`, before its money is settled anywhere. So a process may die between two shards: its epoch then ends a little
 * later. In every shard:
 *
 * epoch:<e>            hash: state (live, closed, fenced), grants (how many brought money)
 * epoch:<e>:campaigns  set: campaigns with money or fields of the epoch
 * epochs:live          sorted set: epochs by their last renewal
 * epochs:closing       sorted set: epochs that ended and whose money is not settled yet
 * lapse:line           time (ms) before which no play can be charged any more
 * lapse:due            sorted set: campaigns by the next moment at which something of theirs lapses
 */
import { readHandle, type Handle } from '#domain/id.ts';
import {
  allShards,
  exact,
  KEPT_S,
  LAST_WINDOW_MS,
  writeUInt32,
  writeUInt64,
  type ShardKeys,
} from './authority-keys.ts';
import { callScript, queueScript, type Redis } from '#sql/redis.ts';
import { inShards, inShardsOfCampaigns } from './shard-calls.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

/** A play that was issued: `windowEndsAt` (ms) is when it can no longer be charged. */
export type IssuedPlay = { issueNumber: number; reservationMicros: Micros; windowEndsAt: Milliseconds; plan: boolean };

type UnsettledCampaign = { campaign: Handle<'campaign'>; unknownMicros: Micros | undefined };

export type Epochs = {
  /**
   * Renews the epoch. `live` is false if it was ended in some shard; `nodes` counts the living epochs, in the shard
   * that knows most. `grants`: the number of this node's grants with money by shard, so that a shard that lost some is
   * detected.
   */
  renew(epoch: number, grants?: readonly number[]): Promise<{ live: boolean; nodes: number }>;
  /**
   * Ends an epoch unless it was renewed within `quietMs`: then it stays live. `rebuilt`: a rebuild has ended it, and
   * its money is claimed. The shards are called one after the other, and the first answer `live` ends the call.
   */
  close(epoch: number, quietMs: Milliseconds): Promise<'live' | 'closed' | 'rebuilt'>;
  /** Unissued money of an epoch ended by a rebuild becomes free, once. `generation`: under which the epoch began. */
  claim(epoch: number, generation: number, unissued: ReadonlyMap<Handle<'campaign'>, number>): Promise<void>;
  /** The living epochs by their last renewal (Redis ms), each by the shard with the latest renewal. */
  renewals(): Promise<Map<number, number>>;
  /** Ends and returns the epochs silent for this long; and ends in all shards the epochs that ended in one. */
  fence(silentMs: Milliseconds): Promise<number[]>;
  /** Epochs that ended in all shards and whose money is not settled. */
  closing(): Promise<number[]>;
  /** The money of an ended epoch is settled. */
  closed(epoch: number): Promise<void>;
  /** Campaigns with money or fields of the epoch. */
  campaignsOf(epoch: number): Promise<Handle<'campaign'>[]>;
  /**
   * Settles campaigns of an ended epoch; `unknownMicros` may have been issued without a name, undefined: any amount.
   */
  settle(epoch: number, campaigns: readonly UnsettledCampaign[]): Promise<void>;
  /** Names issued plays, in calls of bounded size. Plays named, counted or released before are skipped. */
  name(epoch: number, plays: ReadonlyMap<Handle<'campaign'>, readonly IssuedPlay[]>): Promise<void>;
  /**
   * The line (ms) before which plays have lapsed: the highest of all shards, 0 before the first. It is never in the
   * future of a stream, because it is only raised up to as_of, which is the smallest of all streams.
   */
  lapseLine(): Promise<number>;
  /** Raises the line; it never falls. Commit it in Postgres first. */
  raiseLapseLine(line: number): Promise<void>;
  /** Campaigns with lapses before the line, up to `count` per shard. */
  lapsing(line: number, count: number): Promise<Handle<'campaign'>[]>;
  /** Frees lapsed money of these campaigns. Returns the freed micros. */
  lapse(campaigns: readonly Handle<'campaign'>[], line: number): Promise<number>;
};

const NAME_BYTES = 24;
/** Names per call: about a millisecond of Redis. */
const NAMES_MAX = 500;
const LAPSED_MAX = 500;
/** Calls per round trip: writing this many delays the slots of delivery by about two milliseconds. */
const CALLS_MAX = 100;
const ANY = -1;
const ENDINGS = { 0: 'live', 1: 'closed', 2: 'rebuilt' } as const;
type Ending = (typeof ENDINGS)[keyof typeof ENDINGS];

/** The calls about epochs over one connection. */
export function createEpochs(redis: Redis): Epochs {
  return {
    renew: (epoch, grants = []) => renew(redis, epoch, grants),
    close: (epoch, quietMs) => close(redis, epoch, quietMs),
    claim: (epoch, generation, unissued) => claim(redis, { epoch, generation }, unissued),
    renewals: () => readRenewals(redis),
    fence: silentMs => fence(redis, silentMs),
    async closing() {
      const [first, ...others] = await closingOfShards(redis);
      return first!.filter(epoch => others.every(epochs => epochs.includes(epoch)));
    },
    closed: async epoch => void (await inShards(redis, ({ closing }) => redis.zrem(closing, epoch))),
    campaignsOf: async epoch =>
      (await inShards(redis, ({ epochCampaigns }) => redis.smembers(epochCampaigns(epoch)))).flat().map(readCampaign),
    settle: (epoch, campaigns) => settle(redis, epoch, campaigns),
    name: (epoch, plays) => namePlays(redis, epoch, plays),
    lapseLine: async () =>
      Math.max(...(await inShards(redis, ({ line }) => redis.get(line))).map(line => Number(line ?? 0))),
    async raiseLapseLine(line) {
      await inShards(redis, keys => callScript(redis, 'lapse-line', { keys: [keys.line], args: [exact(line)] }));
    },
    lapsing: async (line, count) =>
      (await inShards(redis, ({ lapsing }) => redis.zrangebyscore(lapsing, '-inf', `(${line}`, 'LIMIT', 0, count)))
        .flat()
        .map(readCampaign),
    lapse: (campaigns, line) => lapse(redis, campaigns, line),
  };
}

async function renew(
  redis: Redis,
  epoch: number,
  grants: readonly number[],
): Promise<{ live: boolean; nodes: number }> {
  const replies = await inShards(
    redis,
    async ({ epoch: keyOf, live }, shard) =>
      (await callScript(redis, 'epoch-renew', {
        keys: [keyOf(epoch), live],
        args: [epoch, KEPT_S, grants[shard] ?? 0],
      })) as [number, number],
  );
  return { live: replies.every(([live]) => live === 1), nodes: Math.max(...replies.map(([, nodes]) => nodes)) };
}

async function close(redis: Redis, epoch: number, quietMs: Milliseconds): Promise<Ending> {
  const endings: Ending[] = [];
  for (const keys of allShards(redis)) {
    endings.push(await closeInShard(redis, keys, { epoch, quietMs }));
    if (endings.includes('live')) return 'live';
  }
  return endings.includes('rebuilt') ? 'rebuilt' : 'closed';
}

async function closeInShard(
  redis: Redis,
  { epoch: keyOf, live, closing }: ShardKeys,
  { epoch, quietMs }: { epoch: number; quietMs: Milliseconds },
): Promise<Ending> {
  const reply = await callScript(redis, 'epoch-close', {
    keys: [keyOf(epoch), live, closing],
    args: [epoch, exact(quietMs), KEPT_S],
  });
  return ENDINGS[reply as 0 | 1 | 2];
}

function closingOfShards(redis: Redis): Promise<number[][]> {
  return inShards(redis, async ({ closing }) => (await redis.zrange(closing, 0, -1)).map(Number));
}

const readCampaign = (stored: string): Handle<'campaign'> => readHandle('campaign', stored);

async function claim(
  redis: Redis,
  { epoch, generation }: { epoch: number; generation: number },
  unissued: ReadonlyMap<Handle<'campaign'>, number>,
): Promise<void> {
  const calls = Array.from(unissued, ([campaign, micros]) => ({ campaign, micros })).filter(({ micros }) => micros > 0);
  await inShardsOfCampaigns(
    redis,
    calls,
    (pipeline, keys, { campaign, micros }) =>
      queueScript(pipeline, 'epoch-claim', {
        keys: [keys.amounts(campaign), keys.claimed],
        args: [epoch, campaign, generation, exact(micros)],
      }),
    CALLS_MAX,
  );
}

async function fence(redis: Redis, silentMs: Milliseconds): Promise<number[]> {
  const fenced = await inShards(redis, async ({ live, closing, epochPrefix }) => {
    const epochs = await callScript(redis, 'epoch-fence', {
      keys: [live, closing],
      args: [exact(silentMs), epochPrefix, KEPT_S],
    });
    return (epochs as string[]).map(Number);
  });
  const ended = await closingOfShards(redis);
  const all = new Set(ended.flat());
  await inShards(redis, async (keys, shard) => {
    for (const epoch of all) if (!ended[shard]!.includes(epoch)) await closeInShard(redis, keys, { epoch, quietMs: 0 });
  });
  return [...new Set(fenced.flat())];
}

async function settle(redis: Redis, epoch: number, campaigns: readonly UnsettledCampaign[]): Promise<void> {
  await inShardsOfCampaigns(
    redis,
    campaigns,
    (pipeline, keys, { campaign, unknownMicros }) =>
      queueScript(pipeline, 'epoch-settle', {
        keys: [keys.amounts(campaign), keys.epochCampaigns(epoch), keys.lapsing],
        args: [epoch, campaign, unknownMicros === undefined ? ANY : exact(unknownMicros), LAST_WINDOW_MS],
      }),
    CALLS_MAX,
  );
}

async function namePlays(
  redis: Redis,
  epoch: number,
  plays: ReadonlyMap<Handle<'campaign'>, readonly IssuedPlay[]>,
): Promise<void> {
  const calls = [...plays].flatMap(([campaign, named]) =>
    Array.from({ length: Math.ceil(named.length / NAMES_MAX) }, (_, page) => ({
      campaign,
      page: named.slice(page * NAMES_MAX, (page + 1) * NAMES_MAX),
    })),
  );
  await inShardsOfCampaigns(
    redis,
    calls,
    (pipeline, keys, { campaign, page }) =>
      queueScript(pipeline, 'play-names', {
        keys: [keys.amounts(campaign), keys.bits(campaign, epoch), keys.names(campaign), keys.line, keys.lapsing],
        args: [epoch, campaign, nameBytes(page), KEPT_S],
      }),
    CALLS_MAX,
  );
}

async function lapse(redis: Redis, campaigns: readonly Handle<'campaign'>[], line: number): Promise<number> {
  const replies = await inShardsOfCampaigns<{ campaign: Handle<'campaign'> }, [freed: number, hasMore: number]>(
    redis,
    campaigns.map(campaign => ({ campaign })),
    (pipeline, keys, { campaign }) =>
      queueScript(pipeline, 'lapse', {
        keys: [keys.amounts(campaign), keys.names(campaign), keys.line, keys.lapsing],
        args: [campaign, exact(line), LAPSED_MAX, keys.bitsPrefix(campaign), keys.epochPrefix, KEPT_S],
      }),
    CALLS_MAX,
  );
  return replies.reduce((sum, [freed]) => sum + freed, 0);
}

async function readRenewals(redis: Redis): Promise<Map<number, number>> {
  const last = new Map<number, number>();
  for (const flat of await inShards(redis, ({ live }) => redis.zrange(live, 0, -1, 'WITHSCORES'))) {
    for (let at = 0; at < flat.length; at += 2)
      last.set(Number(flat[at]), Math.max(Number(flat[at + 1]), last.get(Number(flat[at])) ?? 0));
  }
  return last;
}

function nameBytes(plays: readonly IssuedPlay[]): Buffer {
  const bytes = Buffer.allocUnsafe(plays.length * NAME_BYTES);
  let at = 0;
  for (const { issueNumber, reservationMicros, windowEndsAt, plan } of plays) {
    writeUInt32(bytes, issueNumber, at);
    writeUInt32(bytes, plan ? 1 : 0, at + 4);
    writeUInt64(bytes, exact(reservationMicros), at + 8);
    writeUInt64(bytes, exact(windowEndsAt), at + 16);
    at += NAME_BYTES;
  }
  return bytes;
}
