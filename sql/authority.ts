import { callScript, execAll, type Redis } from './redis.ts';

/**
 * The authority: what may still be spent of each campaign, and which plays were counted. Each call is one script for one
 * campaign; all keys of a campaign carry its hash tag.
 *
 * {c<handle>}:amounts          hash: handed, free, spent, returned, open:<epoch>, doubt:<epoch>,
 *                              grant:<epoch> (number:granted:short of the last), give:<epoch> (number of the last)
 * {c<handle>}:bits:<epoch>     bitmap, two bits per issue number: counted, released
 * {c<handle>}:answers:<job>    what `count` answered for the job's plays, one letter each
 * hand:wanted                  sorted set: campaigns that ran short, by the micros that one play needs
 *
 * Always: handed = free + open + in doubt + spent + returned, and none of them is below zero. The amounts of a campaign
 * never expire: a campaign whose amounts were forgotten could be spent twice.
 */
export type Answer = 'counted' | 'duplicate' | 'late';
/** A play to count. `lapsed`: its window ended before as_of, so it is late whatever stands behind it. */
type CountedPlay = { epoch: number; issueNumber: number; reservationMicros: number; costMicros: number; lapsed?: boolean };
export type Amounts = { handed: number; free: number; open: number; inDoubt: number; spent: number; returned: number };
type CountCall = { campaign: number; plays: readonly CountedPlay[] };
type CountResult = { answers: Answer[]; unbacked: number };

export type Authority = {
  /** Tells the total ever handed to the campaign; a repeat or a smaller total adds nothing. Answers what was added. */
  hand(campaign: number, handedTotalMicros: number): Promise<number>;
  /** Leases up to `wantMicros` to a node's epoch. `number` rises per epoch and campaign; the same number repeats its answer. */
  grant(campaign: number, epoch: number, number: number, wantMicros: number): Promise<{ grantedMicros: number; shortMicros: number }>;
  /** Takes back what a living node has not issued. @throws when more comes back than is open. */
  giveBack(campaign: number, epoch: number, number: number, micros: number): Promise<number>;
  /** Counts the plays of one job and campaign: in the order given, the same answers for the same job. */
  count(job: string, campaign: number, plays: readonly CountedPlay[]): Promise<Answer[]>;
  /** `count` for many campaigns of one job in one round trip. `unbacked`: plays that no lease stood behind; must be 0. */
  countAll(job: string, calls: readonly CountCall[]): Promise<CountResult[]>;
  /** Forgets the answers of a job that is complete. */
  forgetAnswers(job: string, campaigns: Iterable<number>): Promise<void>;
  /** Frees the reservation of a play that will never be reported; once. */
  release(campaign: number, epoch: number, issueNumber: number, reservationMicros: number): Promise<boolean>;
  amounts(campaign: number): Promise<Amounts>;
  /** Asks the workers for another tranche that holds at least `wantMicros`. */
  wantHand(campaign: number, wantMicros?: number): Promise<void>;
  /** Takes up to `count` of the campaigns that ran short off the list. */
  takeWanted(count: number): Promise<{ campaign: number; wantMicros: number }[]>;
};

/** Bits and answers outlive the 30 days for which a late play is still stored. */
const KEPT_S = 45 * 86_400;
const WANTED = 'hand:wanted';
const PLAY_BYTES = 28;
const LETTERS: Record<string, Answer> = { c: 'counted', d: 'duplicate', l: 'late' };

const amountsKey = (campaign: number): string => `{c${campaign}}:amounts`;
const bitsKey = (campaign: number, epoch: number): string => `{c${campaign}}:bits:${epoch}`;
const answersKey = (campaign: number, job: string): string => `{c${campaign}}:answers:${job}`;

/** The calls of the authority over one connection. */
export function createAuthority(redis: Redis): Authority {
  const countAll = async (job: string, calls: readonly CountCall[]): Promise<CountResult[]> => {
    const pipeline = redis.pipeline();
    for (const { campaign, plays } of calls) void callScript(pipeline, 'count', countArguments(job, campaign, plays));
    const replies = await execAll(pipeline) as [string, number][];
    return replies.map(([text, unbacked], index) => ({ answers: readAnswers(text, calls[index]!.plays.length), unbacked }));
  };
  return {
    hand: async (campaign, total) => await callScript(redis, 'hand', { keys: [amountsKey(campaign)], args: [exact(total)] }) as number,
    async grant(campaign, epoch, number, wantMicros) {
      const reply = await callScript(redis, 'grant', { keys: [amountsKey(campaign)], args: [epoch, exact(number), exact(wantMicros)] });
      const [grantedMicros, shortMicros] = reply as [number, number];
      return { grantedMicros, shortMicros };
    },
    giveBack: async (campaign, epoch, number, micros) =>
      await callScript(redis, 'give-back', { keys: [amountsKey(campaign)], args: [epoch, exact(number), exact(micros)] }) as number,
    count: async (job, campaign, plays) => (await countAll(job, [{ campaign, plays }]))[0]!.answers,
    countAll,
    async forgetAnswers(job, campaigns) {
      const pipeline = redis.pipeline();
      for (const campaign of campaigns) pipeline.unlink(answersKey(campaign, job));
      await execAll(pipeline);
    },
    async release(campaign, epoch, issueNumber, reservationMicros) {
      const args = [epoch, exact(issueNumber), exact(reservationMicros), KEPT_S];
      return await callScript(redis, 'release', { keys: [amountsKey(campaign), bitsKey(campaign, epoch)], args }) === 1;
    },
    amounts: async campaign => readAmounts(await redis.hgetall(amountsKey(campaign))),
    async wantHand(campaign, wantMicros = 0) {
      await redis.zadd(WANTED, 'GT', exact(wantMicros), campaign);
    },
    async takeWanted(count) {
      const flat = await redis.zpopmax(WANTED, count);
      return Array.from({ length: flat.length / 2 }, (_, i) => ({ campaign: Number(flat[2 * i]), wantMicros: Number(flat[2 * i + 1]) }));
    },
  };
}

function exact(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no amount`);
  return value;
}

function countArguments(job: string, campaign: number, plays: readonly CountedPlay[]): { keys: string[]; args: (string | number | Buffer)[] } {
  const epochs = new Map<number, number>();
  const bytes = Buffer.allocUnsafe(plays.length * PLAY_BYTES);
  for (let i = 0, at = 0; i < plays.length; i += 1, at += PLAY_BYTES) {
    const play = plays[i]!;
    if (exact(play.costMicros) > exact(play.reservationMicros)) throw new RangeError('a play costs more than was reserved for it');
    let index = epochs.get(play.epoch);
    if (index === undefined) epochs.set(play.epoch, index = epochs.size + 1);
    bytes.writeUInt32BE(index, at);
    bytes.writeUInt32BE(play.issueNumber, at + 4);
    bytes.writeUInt32BE(play.lapsed === true ? 1 : 0, at + 8);
    writeUInt64(bytes, play.reservationMicros, at + 12);
    writeUInt64(bytes, play.costMicros, at + 20);
  }
  const order = [...epochs.keys()];
  return {
    keys: [amountsKey(campaign), answersKey(campaign, job), ...order.map(epoch => bitsKey(campaign, epoch))],
    args: [bytes, KEPT_S, ...order],
  };
}

function writeUInt64(bytes: Buffer, value: number, at: number): void {
  const high = Math.floor(value / 2 ** 32);
  bytes.writeUInt32BE(high, at);
  bytes.writeUInt32BE(value - high * 2 ** 32, at + 4);
}

function readAnswers(text: string, length: number): Answer[] {
  if (text.length !== length) throw new Error(`the job was counted with ${text.length} plays before and has ${length} now`);
  return Array.from(text, letter => LETTERS[letter]!);
}

function readAmounts(fields: Record<string, string>): Amounts {
  let open = 0;
  let inDoubt = 0;
  for (const [field, value] of Object.entries(fields)) {
    if (field.startsWith('open:')) open += Number(value);
    if (field.startsWith('doubt:')) inDoubt += Number(value);
  }
  const single = (field: string): number => Number(fields[field] ?? 0);
  return { handed: single('handed'), free: single('free'), open, inDoubt, spent: single('spent'), returned: single('returned') };
}
