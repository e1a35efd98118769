import { amountsKey, bitsKey, bitsPrefix, CLOSING_EPOCHS, EPOCH_PREFIX, epochCampaignsKey, epochKey, exact, KEPT_S, LAPSE_LINE, LAPSING, LAST_WINDOW_MS, LIVE_EPOCHS, namesKey, writeUInt64 } from './authority-keys.ts';
import { CLAIMED } from './life.ts';
import { callScript, execAll, type Redis } from './redis.ts';

/**
 * The lives of nodes in the authority. An epoch is one life of a delivery process; Postgres gives it once. It lives while
 * it is renewed, and ends closed (by its node or the next process there) or fenced (by the workers, after a silence).
 * After that it can move nothing, and its money is settled: what may have been issued waits in doubt, the rest is free.
 *
 * epoch:<e>            hash: state (live, closed, fenced), grants (how many brought money)
 * epoch:<e>:campaigns  set: campaigns with money or fields of the epoch
 * epochs:live          sorted set: epochs by their last renewal
 * epochs:closing       sorted set: epochs that ended and whose money is not settled yet
 * lapse:line           time (ms) before which no play can be charged any more
 * lapse:due            sorted set: campaigns by the next moment at which something of theirs lapses
 */
/** A play that was issued: `windowEndsAt` (ms) is when it can no longer be charged. */
export type IssuedPlay = { issueNumber: number; reservationMicros: number; windowEndsAt: number; plan: boolean };

export type Epochs = {
  /**
   * Says that the epoch lives. `live` is false when it was ended; `nodes` counts the epochs that live. `grants`: how many
   * brought this node money, so that an authority that has lost one of them is found out.
   */
  renew(epoch: number, grants?: number): Promise<{ live: boolean; nodes: number }>;
  /** Ends an epoch, unless it was renewed within `quietMs`: then it stays live. `rebuilt`: a rebuild has ended it, and its money is claimed. */
  close(epoch: number, quietMs: number): Promise<'live' | 'closed' | 'rebuilt'>;
  /** What was not issued under an epoch that a rebuild ended becomes free, once. `generation`: under which the epoch began. */
  claim(epoch: number, generation: number, unissued: ReadonlyMap<number, number>): Promise<void>;
  /** Ends the epochs that were silent for so long, and answers them. */
  fence(silentMs: number): Promise<number[]>;
  /** Epochs that ended and whose money is not settled. */
  closing(): Promise<number[]>;
  /** The money of an ended epoch is settled. */
  closed(epoch: number): Promise<void>;
  /** Campaigns with money or fields of the epoch. */
  campaignsOf(epoch: number): Promise<number[]>;
  /** Settles campaigns of an ended epoch; `unknownMicros` may have been issued without a name, undefined: any of it. */
  settle(epoch: number, campaigns: readonly { campaign: number; unknownMicros: number | undefined }[]): Promise<void>;
  /** Names issued plays, in calls of bounded size. What was named, counted or released before is passed over. */
  name(epoch: number, plays: ReadonlyMap<number, readonly IssuedPlay[]>): Promise<void>;
  /** The line as Redis knows it (ms), 0 before the first. */
  lapseLine(): Promise<number>;
  /** Raises the line; it never falls. Commit it in Postgres before. */
  raiseLapseLine(line: number): Promise<void>;
  /** Campaigns of which something lapses before the line. */
  lapsing(line: number, count: number): Promise<number[]>;
  /** Lets go of what lapsed in these campaigns. Answers the micros that became free. */
  lapse(campaigns: readonly number[], line: number): Promise<number>;
};

const NAME_BYTES = 24;
/** Names of one call: about a millisecond of Redis. */
const NAMES_MAX = 500;
const LAPSED_MAX = 500;
/** Calls of one round trip. */
const CALLS_MAX = 500;
const ANY = -1;
const CLOSED = { 0: 'live', 1: 'closed', 2: 'rebuilt' } as const;

/** The calls about epochs over one connection. */
export function createEpochs(redis: Redis): Epochs {
  return {
    async renew(epoch, grants = 0) {
      const [live, nodes] = await callScript(redis, 'epoch-renew', { keys: [epochKey(epoch), LIVE_EPOCHS], args: [epoch, KEPT_S, grants] }) as [number, number];
      return { live: live === 1, nodes };
    },
    close: async (epoch, quietMs) =>
      CLOSED[await callScript(redis, 'epoch-close', { keys: [epochKey(epoch), LIVE_EPOCHS, CLOSING_EPOCHS], args: [epoch, exact(quietMs), KEPT_S] }) as 0 | 1 | 2],
    async claim(epoch, generation, unissued) {
      await inPipelines(redis, [...unissued].filter(([, micros]) => micros > 0), (pipeline, [campaign, micros]) => void callScript(pipeline, 'epoch-claim', {
        keys: [amountsKey(campaign), CLAIMED], args: [epoch, campaign, generation, exact(micros)],
      }));
    },
    async fence(silentMs) {
      const epochs = await callScript(redis, 'epoch-fence', { keys: [LIVE_EPOCHS, CLOSING_EPOCHS], args: [exact(silentMs), EPOCH_PREFIX, KEPT_S] }) as string[];
      return epochs.map(Number);
    },
    closing: async () => (await redis.zrange(CLOSING_EPOCHS, 0, -1)).map(Number),
    closed: async epoch => void await redis.zrem(CLOSING_EPOCHS, epoch),
    campaignsOf: async epoch => (await redis.smembers(epochCampaignsKey(epoch))).map(Number),
    async settle(epoch, campaigns) {
      await inPipelines(redis, campaigns, (pipeline, { campaign, unknownMicros }) => void callScript(pipeline, 'epoch-settle', {
        keys: [amountsKey(campaign), epochCampaignsKey(epoch), LAPSING],
        args: [epoch, campaign, unknownMicros === undefined ? ANY : exact(unknownMicros), LAST_WINDOW_MS],
      }));
    },
    async name(epoch, plays) {
      const calls = [...plays].flatMap(([campaign, named]) =>
        Array.from({ length: Math.ceil(named.length / NAMES_MAX) }, (_, page) => ({ campaign, bytes: nameBytes(named.slice(page * NAMES_MAX, (page + 1) * NAMES_MAX)) })));
      await inPipelines(redis, calls, (pipeline, { campaign, bytes }) => void callScript(pipeline, 'play-names', {
        keys: [amountsKey(campaign), bitsKey(campaign, epoch), namesKey(campaign), LAPSE_LINE, LAPSING], args: [epoch, campaign, bytes, KEPT_S],
      }));
    },
    lapseLine: async () => Number(await redis.get(LAPSE_LINE) ?? 0),
    async raiseLapseLine(line) {
      await callScript(redis, 'lapse-line', { keys: [LAPSE_LINE], args: [exact(line)] });
    },
    lapsing: async (line, count) => (await redis.zrangebyscore(LAPSING, '-inf', `(${line}`, 'LIMIT', 0, count)).map(Number),
    async lapse(campaigns, line) {
      const replies = await inPipelines(redis, campaigns, (pipeline, campaign) => void callScript(pipeline, 'lapse', {
        keys: [amountsKey(campaign), namesKey(campaign), LAPSE_LINE, LAPSING], args: [campaign, exact(line), LAPSED_MAX, bitsPrefix(campaign), EPOCH_PREFIX, KEPT_S],
      })) as [number, number][];
      return replies.reduce((sum, [freed]) => sum + freed, 0);
    },
  };
}

async function inPipelines<Call>(redis: Redis, calls: readonly Call[], send: (pipeline: ReturnType<Redis['pipeline']>, call: Call) => void): Promise<unknown[]> {
  const replies: unknown[] = [];
  for (let at = 0; at < calls.length; at += CALLS_MAX) {
    const pipeline = redis.pipeline();
    for (const call of calls.slice(at, at + CALLS_MAX)) send(pipeline, call);
    replies.push(...await execAll(pipeline));
  }
  return replies;
}

function nameBytes(plays: readonly IssuedPlay[]): Buffer {
  const bytes = Buffer.allocUnsafe(plays.length * NAME_BYTES);
  for (const [index, { issueNumber, reservationMicros, windowEndsAt, plan }] of plays.entries()) {
    const at = index * NAME_BYTES;
    bytes.writeUInt32BE(issueNumber, at);
    bytes.writeUInt32BE(plan ? 1 : 0, at + 4);
    writeUInt64(bytes, exact(reservationMicros), at + 8);
    writeUInt64(bytes, exact(windowEndsAt), at + 16);
  }
  return bytes;
}
