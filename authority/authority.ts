/**
 * The authority: the money that each campaign may still spend, and the counted plays. Each call is one script for one
 * campaign, in the shard of that campaign (authority-keys.ts); a list of calls is one round trip per shard, in
 * parallel. If one shard fails, the whole list fails after all shards have ended. The caller repeats it under the same
 * numbers, totals or job, and shards that had succeeded repeat their answers. All keys of a shard `n` begin with its
 * tag `{plays:<n>}`:
 *
 * c<handle>:amounts            hash: handed, free, spent, returned, open:<epoch>, doubt:<epoch>,
 *                              counted (number of counted plays; where it is not known, counted_at: when the last was),
 *                              target (what shall ever be returned), hold and hold_until (names and end of holds),
 *                              grant:<epoch> (number:granted:short of the last), give:<epoch> (number of the last),
 *                              named:<epoch> (reserved for plays with a name), planned (of
 *                              those: for offline plans), until:<epoch> (when the rest lapses). doubt:0 and until:0 are
 *                              what a rebuild could not account for
 * c<handle>:bits:<epoch>       bitmap, two bits per issue number: counted, released
 * c<handle>:answers:<job>      what `count` answered for the job's plays, one letter each
 * hand:wanted                  sorted set: campaigns that ran short, by the micros that one play needs
 *
 * c<handle>:names              sorted set: issued plays that nobody reported yet, by the end of their window
 *
 * The epochs of nodes have keys of their own in every shard (epochs.ts), so that a script may look at both; and so have
 * screens (screen-time.ts, held-time.ts).
 *
 * Always: handed = free + open + in doubt + spent + returned, and none of them is below zero. The amounts of a campaign
 * never expire: a campaign whose amounts were forgotten could be spent twice.
 */
import type { Handle } from '#domain/id.ts';
import { createBudget, type Budget } from './budget.ts';
import { exact, KEPT_S, keysOf, writeUInt32, writeUInt64, type ShardKeys } from './authority-keys.ts';
import { createCounts, type Counts } from './counts.ts';
import { createEpochs, type Epochs } from './epochs.ts';
import { createHeldTimes, type HeldTimes } from './held-time.ts';
import { createLife, type Life } from './life.ts';
import { callScript, queueScript, type Pipeline, type Redis } from '#sql/redis.ts';
import { createScreenTime, type ScreenTime } from './screen-time.ts';
import { inShardsOfCampaigns } from './shard-calls.ts';
import type { Micros } from '#domain/unit.ts';

export { CLOCKS_MS } from './authority-keys.ts';

export type Answer = 'counted' | 'duplicate' | 'late';
/**
 * A play to count. `lapsed`: its window ended before as_of. `overlaps`: another play of its screen has its time. In
 * both cases the answer is `late`, with one letter for both, as in older versions.
 */
type CountedPlay = {
  epoch: number;
  issueNumber: number;
  reservationMicros: Micros;
  costMicros: Micros;
  lapsed?: boolean;
  overlaps?: boolean;
};
type CountCall = { campaign: Handle<'campaign'>; plays: readonly CountedPlay[] };
type CountResult = { answers: Answer[]; unbacked: number };

export type Authority = Budget & {
  /** Counts the plays of one job and campaign, in the given order, with the same answers for the same job. */
  count(job: string, campaign: Handle<'campaign'>, plays: readonly CountedPlay[]): Promise<Answer[]>;
  /**
   * `count` for many campaigns of one job in one round trip. `unbacked`: plays without a lease behind them; must be 0.
   * @param generation under which the job was put together. @throws Fault `group_gone` when the authority was rebuilt
   *   since
   */
  countAll(job: string, calls: readonly CountCall[], generation?: number): Promise<CountResult[]>;
  /** Forgets the answers of a complete job: at once, or with several shards after some time (`forgetAnswer`). */
  forgetAnswers(job: string, campaigns: Iterable<Handle<'campaign'>>): Promise<void>;
  /** Frees the reservation of a play that will never be reported; once. */
  release(
    campaign: Handle<'campaign'>,
    epoch: number,
    issueNumber: number,
    reservationMicros: Micros,
  ): Promise<boolean>;
  /** Numbers of counted plays. */
  counts: Counts;
  /** The taken time of screens. */
  screenTime: ScreenTime;
  /** The ad time that screens hold, by process. */
  heldTimes: HeldTimes;
  /** The lives of nodes, and lapses. */
  epochs: Epochs;
  /** Its own life: losses of Redis and rebuilds. */
  life: Life;
};

const PLAY_BYTES = 28;
/**
 * A server that lost more than one beat of `life` is detected. After several beats no caller repeats the job, so its
 * answers can be deleted.
 */
const FINISHED_KEPT_S = 60;
const LETTERS: Record<string, Answer> = { c: 'counted', d: 'duplicate', l: 'late' };

/** The calls of the authority over one connection. */
export function createAuthority(redis: Redis): Authority {
  return {
    ...createBudget(redis),
    count: async (job, campaign, plays) => (await countAll(redis, { job }, [{ campaign, plays }]))[0]!.answers,
    countAll: (job, calls, generation) => countAll(redis, { job, generation }, calls),
    async forgetAnswers(job, campaigns) {
      await inShardsOfCampaigns(
        redis,
        Array.from(campaigns, campaign => ({ campaign })),
        (pipeline, keys, { campaign }) => forgetAnswer(pipeline, keys.answers(campaign, job), redis),
      );
    },
    async release(campaign, epoch, issueNumber, reservationMicros) {
      const keys = keysOf(campaign, redis);
      const released = await callScript(redis, 'release', {
        keys: [keys.amounts(campaign), keys.bits(campaign, epoch), keys.names(campaign)],
        args: [epoch, exact(issueNumber), exact(reservationMicros), KEPT_S],
      });
      return released === 1;
    },
    counts: createCounts(redis),
    screenTime: createScreenTime(redis),
    heldTimes: createHeldTimes(redis),
    epochs: createEpochs(redis),
    life: createLife(redis),
  };
}

/** @param group.generation 0: of whatever generation the authority is */
async function countAll(
  redis: Redis,
  { job, generation = 0 }: { job: string; generation?: number | undefined },
  calls: readonly CountCall[],
): Promise<CountResult[]> {
  const replies = await inShardsOfCampaigns<CountCall, [string, number]>(
    redis,
    calls,
    (pipeline, keys, { campaign, plays }) =>
      queueScript(pipeline, 'count', countArguments(keys, { job, campaign, plays, generation })),
  );
  return replies.map(([text, unbacked], index) => ({
    answers: readAnswers(text, calls[index]!.plays.length),
    unbacked,
  }));
}

/**
 * With several shards the completion of a job and its answers may be on different servers. The answers stay long enough
 * to exist when a loss of the completion is detected.
 */
function forgetAnswer(pipeline: Pipeline, key: string, { shards }: Redis): unknown {
  return shards === 1 ? pipeline.unlink(key) : pipeline.expire(key, FINISHED_KEPT_S);
}

type CountArguments = CountCall & { job: string; generation: number };

function countArguments(
  keys: ShardKeys,
  { job, campaign, plays, generation }: CountArguments,
): { keys: string[]; args: (string | number | Buffer)[] } {
  const epochs = new Map<number, number>();
  const bytes = Buffer.allocUnsafe(plays.length * PLAY_BYTES);
  for (let i = 0, at = 0; i < plays.length; i += 1, at += PLAY_BYTES) {
    const play = plays[i]!;
    if (exact(play.costMicros) > exact(play.reservationMicros))
      throw new RangeError('a play costs more than was reserved for it');
    let index = epochs.get(play.epoch);
    if (index === undefined) epochs.set(play.epoch, (index = epochs.size + 1));
    writeUInt32(bytes, index, at);
    writeUInt32(bytes, play.issueNumber, at + 4);
    writeUInt32(bytes, play.lapsed === true || play.overlaps === true ? 1 : 0, at + 8);
    writeUInt64(bytes, play.reservationMicros, at + 12);
    writeUInt64(bytes, play.costMicros, at + 20);
  }
  const order = [...epochs.keys()];
  return {
    keys: [
      keys.amounts(campaign),
      keys.answers(campaign, job),
      ...order.map(epoch => keys.bits(campaign, epoch)),
      keys.names(campaign),
    ],
    args: [bytes, KEPT_S, generation, ...order],
  };
}

function readAnswers(text: string, length: number): Answer[] {
  if (text.length !== length)
    throw new Error(`the job was counted with ${text.length} plays before and has ${length} now`);
  return Array.from(text, letter => LETTERS[letter]!);
}
