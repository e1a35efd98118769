import { Fault } from '#runtime/fault-error.ts';
import { allShards, exact, KEPT_S, keysOf, shardOf, writeUInt64, type ShardKeys } from './authority-keys.ts';
import { createCounts, readCounted, type Counts } from './counts.ts';
import { createEpochs, type Epochs } from './epochs.ts';
import { createHeldTimes, type HeldTimes } from './held-time.ts';
import { createLife, type Life } from './life.ts';
import { callScript, queueScript, type Redis, type Pipeline } from '#sql/redis.ts';
import { createScreenTime, type ScreenTime } from './screen-time.ts';
import { inPipelines } from './shard-calls.ts';

/**
 * The authority: what may still be spent of each campaign, and which plays were counted. Each call is one script for one
 * campaign, in the shard of that campaign (authority-keys.ts); a list of calls is one round trip per shard, side by side.
 * One that fails in one shard fails as a whole when all have ended: what the others did is asked for again under its
 * number, total or job, and answered as before. All keys of a shard `n` begin with its tag `{plays:<n>}`:
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
export type Answer = 'counted' | 'duplicate' | 'late';
/**
 * A play to count. `lapsed`: its window ended before as_of. `overlaps`: another play of its screen has its time. Either is late,
 * whatever stands behind it: both have one letter, which a process of an older version reads alike.
 */
type CountedPlay = {
  epoch: number;
  issueNumber: number;
  reservationMicros: number;
  costMicros: number;
  lapsed?: boolean;
  overlaps?: boolean;
};
export type Amounts = { handed: number; free: number; open: number; inDoubt: number; spent: number; returned: number };
/** `countedPlays`: how many were ever counted, late ones excepted; undefined while it is not known (counts.ts). */
export type Standing = Amounts & { countedPlays: number | undefined };
/** What bounds the offline plans of a campaign: what was spent, and what is reserved for plans. */
export type PlanUse = { spentMicros: number; plannedMicros: number };
/** `usableMicros`: what was handed and shall not come back. */
export type Grant = { grantedMicros: number; shortMicros: number; usableMicros: number } & PlanUse;
type GrantCall = { campaign: number; number: number; wantMicros: number };
type HandCall = { campaign: number; totalMicros: number };
type GiveBackCall = { campaign: number; number: number; micros: number };
type CountCall = { campaign: number; plays: readonly CountedPlay[] };
type CountResult = { answers: Answer[]; unbacked: number };

export type Authority = {
  /** The shard that keeps a campaign's money. */
  shardOf(campaign: number): number;
  /** Tells the total ever handed to the campaign; a repeat or a smaller total adds nothing. Answers what was added. */
  hand(campaign: number, handedTotalMicros: number): Promise<number>;
  /** `hand` for many. */
  handAll(calls: readonly HandCall[]): Promise<number[]>;
  /** Leases up to `wantMicros` to a node's epoch. `number` rises per epoch and campaign; the same number repeats its answer. @throws Fault `epoch_closed` */
  grant(
    campaign: number,
    epoch: number,
    number: number,
    wantMicros: number,
  ): Promise<{ grantedMicros: number; shortMicros: number }>;
  /** `grant` for many campaigns in one round trip. @throws Fault `epoch_closed` */
  grantAll(epoch: number, calls: readonly GrantCall[]): Promise<Grant[]>;
  /** What bounds the offline plans of these campaigns. */
  planUse(campaigns: readonly number[]): Promise<PlanUse[]>;
  /** Takes back what a living node has not issued. @throws when more comes back than is open; Fault `epoch_closed` */
  giveBack(campaign: number, epoch: number, number: number, micros: number): Promise<number>;
  giveBackAll(epoch: number, calls: readonly GiveBackCall[]): Promise<void>;
  /** Counts the plays of one job and campaign: in the order given, the same answers for the same job. */
  count(job: string, campaign: number, plays: readonly CountedPlay[]): Promise<Answer[]>;
  /**
   * `count` for many campaigns of one job in one round trip. `unbacked`: plays that no lease stood behind; must be 0.
   * @param generation under which the job was put together. @throws Fault `group_gone` when the authority was rebuilt since
   */
  countAll(job: string, calls: readonly CountCall[], generation?: number): Promise<CountResult[]>;
  /** Forgets the answers of a job that is complete: at once, or when no server can have lost its completion unseen. */
  forgetAnswers(job: string, campaigns: Iterable<number>): Promise<void>;
  /** Frees the reservation of a play that will never be reported; once. */
  release(campaign: number, epoch: number, issueNumber: number, reservationMicros: number): Promise<boolean>;
  amounts(campaign: number): Promise<Amounts>;
  /** Money and counted plays of one moment. */
  standing(campaign: number): Promise<Standing>;
  /** Numbers of counted plays. */
  counts: Counts;
  /** Which time of screens is taken. */
  screenTime: ScreenTime;
  /** How much ad time screens hold of which process's fills. */
  heldTimes: HeldTimes;
  /** The lives of nodes, and what lapses. */
  epochs: Epochs;
  /** Its own life: what is lost with Redis and rebuilt. */
  life: Life;
  /** Returns free money until `targetMicros` was ever returned; the rest as it becomes free. Answers what was ever returned. Ends the hold of that name. */
  takeBack(campaign: number, targetMicros: number, hold?: string): Promise<number>;
  /** Stops grants until `takeBack` with this name, or for `ms` at most, and answers the amounts: until then `spent + open + inDoubt` does not rise. */
  hold(campaign: number, name: string, ms: number): Promise<Amounts>;
  /** Asks the workers for another tranche that holds at least `wantMicros`. */
  wantHand(campaign: number, wantMicros?: number): Promise<void>;
  wantHandAll(wants: readonly { campaign: number; wantMicros: number }[]): Promise<void>;
  /** Takes up to `count` of the campaigns that ran short off the list. */
  takeWanted(count: number): Promise<{ campaign: number; wantMicros: number }[]>;
};

const PLAY_BYTES = 28;
/** A server that is rolled back by more than a beat of `life` is found out: after some of those nobody asks for the answers again. */
const FINISHED_KEPT_S = 60;
/** What a script answers to a call of an epoch that was closed or fenced. */
const CLOSED = -1;
const LETTERS: Record<string, Answer> = { c: 'counted', d: 'duplicate', l: 'late' };

function epochClosed(epoch: number): Fault {
  return new Fault('epoch_closed', `epoch ${epoch} was closed or fenced`, { retryable: false });
}

/** The calls of the authority over one connection. */
export function createAuthority(redis: Redis): Authority {
  /** One call per campaign, each to its shard. */
  const each = <Call extends { campaign: number }, Reply>(
    calls: readonly Call[],
    send: (pipeline: Pipeline, keys: ShardKeys, call: Call) => unknown,
  ): Promise<Reply[]> => inPipelines(redis, calls, { handleOf: call => call.campaign, send });
  const countAll = async (job: string, calls: readonly CountCall[], generation = 0): Promise<CountResult[]> => {
    const replies = await each<CountCall, [string, number]>(calls, (pipeline, keys, { campaign, plays }) =>
      queueScript(pipeline, 'count', countArguments(keys, { job, campaign, plays, generation })),
    );
    return replies.map(([text, unbacked], index) => ({
      answers: readAnswers(text, calls[index]!.plays.length),
      unbacked,
    }));
  };
  const handAll = (calls: readonly HandCall[]): Promise<number[]> =>
    each(calls, (pipeline, keys, { campaign, totalMicros }) =>
      queueScript(pipeline, 'hand', { keys: [keys.amounts(campaign)], args: [exact(totalMicros)] }),
    );
  const grantAll = async (epoch: number, calls: readonly GrantCall[]): Promise<Grant[]> => {
    const replies = await each<GrantCall, [number, number, number, number, number]>(
      calls,
      (pipeline, keys, { campaign, number, wantMicros }) =>
        queueScript(pipeline, 'grant', {
          keys: [keys.amounts(campaign), keys.epoch(epoch), keys.epochCampaigns(epoch), keys.live],
          args: [epoch, exact(number), exact(wantMicros), campaign, KEPT_S],
        }),
    );
    if (replies.some(([granted]) => granted === CLOSED)) throw epochClosed(epoch);
    return replies.map(([grantedMicros, shortMicros, usableMicros, spentMicros, plannedMicros]) => ({
      grantedMicros,
      shortMicros,
      usableMicros,
      spentMicros,
      plannedMicros,
    }));
  };
  const giveBackAll = async (epoch: number, calls: readonly GiveBackCall[]): Promise<number[]> => {
    const moved = await each<GiveBackCall, number>(calls, (pipeline, keys, { campaign, number, micros }) =>
      queueScript(pipeline, 'give-back', {
        keys: [keys.amounts(campaign), keys.epoch(epoch), keys.live],
        args: [epoch, exact(number), exact(micros), KEPT_S],
      }),
    );
    if (moved.includes(CLOSED)) throw epochClosed(epoch);
    return moved;
  };
  const wantHandAll = async (wants: readonly { campaign: number; wantMicros: number }[]): Promise<void> =>
    void (await each(wants, (pipeline, keys, { campaign, wantMicros }) =>
      pipeline.zadd(keys.wanted, 'GT', exact(wantMicros), campaign),
    ));
  const fieldsOf = async (campaign: number): Promise<Record<string, string>> =>
    pairsOf(
      (await callScript(redis, 'amounts', { keys: [keysOf(campaign, redis).amounts(campaign)], args: [] })) as string[],
    );
  return {
    shardOf: campaign => shardOf(campaign, redis),
    hand: async (campaign, totalMicros) => (await handAll([{ campaign, totalMicros }]))[0]!,
    handAll,
    async grant(campaign, epoch, number, wantMicros) {
      const [{ grantedMicros, shortMicros }] = (await grantAll(epoch, [{ campaign, number, wantMicros }])) as [Grant];
      return { grantedMicros, shortMicros };
    },
    grantAll,
    async planUse(campaigns) {
      const uses = await each<{ campaign: number }, (string | null)[]>(
        campaigns.map(campaign => ({ campaign })),
        (pipeline, keys, { campaign }) => pipeline.hmget(keys.amounts(campaign), 'spent', 'planned'),
      );
      return uses.map(([spent, planned]) => ({ spentMicros: Number(spent ?? 0), plannedMicros: Number(planned ?? 0) }));
    },
    giveBack: async (campaign, epoch, number, micros) => (await giveBackAll(epoch, [{ campaign, number, micros }]))[0]!,
    giveBackAll: async (epoch, calls) => void (await giveBackAll(epoch, calls)),
    count: async (job, campaign, plays) => (await countAll(job, [{ campaign, plays }]))[0]!.answers,
    countAll,
    async forgetAnswers(job, campaigns) {
      await each(
        Array.from(campaigns, campaign => ({ campaign })),
        (pipeline, keys, { campaign }) => forgetAnswer(pipeline, keys.answers(campaign, job), redis),
      );
    },
    async release(campaign, epoch, issueNumber, reservationMicros) {
      const keys = keysOf(campaign, redis);
      const args = [epoch, exact(issueNumber), exact(reservationMicros), KEPT_S];
      return (
        (await callScript(redis, 'release', {
          keys: [keys.amounts(campaign), keys.bits(campaign, epoch), keys.names(campaign)],
          args,
        })) === 1
      );
    },
    counts: createCounts(redis),
    screenTime: createScreenTime(redis),
    heldTimes: createHeldTimes(redis),
    epochs: createEpochs(redis),
    life: createLife(redis),
    amounts: async campaign => readAmounts(await fieldsOf(campaign)),
    standing: async campaign => readStanding(await fieldsOf(campaign)),
    takeBack: async (campaign, targetMicros, hold = '') =>
      (await callScript(redis, 'take-back', {
        keys: [keysOf(campaign, redis).amounts(campaign)],
        args: [exact(targetMicros), hold],
      })) as number,
    async hold(campaign, name, ms) {
      return readAmounts(
        pairsOf(
          (await callScript(redis, 'hold', {
            keys: [keysOf(campaign, redis).amounts(campaign)],
            args: [name, exact(ms)],
          })) as string[],
        ),
      );
    },
    wantHand: (campaign, wantMicros = 0) => wantHandAll([{ campaign, wantMicros }]),
    wantHandAll,
    takeWanted: count => takeWanted(redis, count),
  };
}

/** With several shards a job may be completed in one server and its answers forgotten in another: they outlive a loss that shows. */
function forgetAnswer(pipeline: Pipeline, key: string, { shards }: Redis): unknown {
  return shards === 1 ? pipeline.unlink(key) : pipeline.expire(key, FINISHED_KEPT_S);
}

async function takeWanted(redis: Redis, count: number): Promise<{ campaign: number; wantMicros: number }[]> {
  const shards = allShards(redis);
  // An equal part of each, so that all together are no more than asked for.
  const lists = await Promise.all(shards.map(({ wanted }) => redis.zpopmax(wanted, Math.ceil(count / shards.length))));
  const wanted = lists.flatMap(flat =>
    Array.from({ length: flat.length / 2 }, (_, i) => ({
      campaign: Number(flat[2 * i]),
      wantMicros: Number(flat[2 * i + 1]),
    })),
  );
  return wanted.sort((one, other) => other.wantMicros - one.wantMicros);
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
    bytes.writeUInt32BE(index, at);
    bytes.writeUInt32BE(play.issueNumber, at + 4);
    bytes.writeUInt32BE(play.lapsed === true || play.overlaps === true ? 1 : 0, at + 8);
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

function pairsOf(flat: readonly string[]): Record<string, string> {
  return Object.fromEntries(Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i]!, flat[2 * i + 1]!]));
}

/** The fields of an amounts hash, the epochs' summed up. */
export function readAmounts(fields: Record<string, string>): Amounts {
  let open = 0;
  let inDoubt = 0;
  for (const [field, value] of Object.entries(fields)) {
    if (field.startsWith('open:')) open += Number(value);
    if (field.startsWith('doubt:')) inDoubt += Number(value);
  }
  const single = (field: string): number => Number(fields[field] ?? 0);
  return {
    handed: single('handed'),
    free: single('free'),
    open,
    inDoubt,
    spent: single('spent'),
    returned: single('returned'),
  };
}

/** The same fields with the number of counted plays. */
function readStanding(fields: Record<string, string>): Standing {
  return { ...readAmounts(fields), countedPlays: readCounted(fields) };
}
