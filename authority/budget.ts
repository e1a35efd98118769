/**
 * The money of campaigns in Redis: money handed to the authority, leases of processes, and returns. `createAuthority`
 * combines these calls with those that count plays; `scripts/money/` has the scripts.
 */
import { readHandle, type Handle } from '#domain/id.ts';
import { Fault } from '#runtime/fault-error.ts';
import { allShards, exact, KEPT_S, keysOf, shardOf } from './authority-keys.ts';
import { readCounted } from './counts.ts';
import { callScript, queueScript, type Redis } from '#sql/redis.ts';
import { inShardsOfCampaigns } from './shard-calls.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

export type Amounts = { handed: number; free: number; open: number; inDoubt: number; spent: number; returned: number };
/** `countedPlays`: how many were ever counted, late ones excepted; undefined while unknown (counts.ts). */
export type Standing = Amounts & { countedPlays: number | undefined };
/** The inputs for the limit of a campaign's offline playlists: its spend, and the amount reserved for playlists. */
export type PlanUse = { spentMicros: Micros; plannedMicros: Micros };
/** `usableMicros`: handed money that stays. */
export type Grant = { grantedMicros: Micros; shortMicros: Micros; usableMicros: Micros } & PlanUse;
type GrantCall = { campaign: Handle<'campaign'>; number: number; wantMicros: Micros };
type HandCall = { campaign: Handle<'campaign'>; totalMicros: Micros };
type GiveBackCall = { campaign: Handle<'campaign'>; number: number; micros: Micros };
type WantCall = { campaign: Handle<'campaign'>; wantMicros: Micros };

/** How many grants came from each shard. A shard that knows of fewer has lost some. */
export type GrantCounts = number[];

export type Budget = {
  /** Counts a grant of the campaign's money. */
  noteGrant(received: GrantCounts, campaign: Handle<'campaign'>): void;
  /** Sets the total ever handed to the campaign; a repeat or a smaller total adds nothing. Returns the added amount. */
  hand(campaign: Handle<'campaign'>, handedTotalMicros: Micros): Promise<number>;
  /** `hand` for many. */
  handAll(calls: readonly HandCall[]): Promise<number[]>;
  /**
   * Leases up to `wantMicros` to a node's epoch. `number` rises per epoch and campaign; the same number repeats its
   * answer.
   * @throws Fault `epoch_closed`
   */
  grant(
    campaign: Handle<'campaign'>,
    epoch: number,
    number: number,
    wantMicros: Micros,
  ): Promise<{ grantedMicros: Micros; shortMicros: Micros }>;
  /** `grant` for many campaigns in one round trip. @throws Fault `epoch_closed` */
  grantAll(epoch: number, calls: readonly GrantCall[]): Promise<Grant[]>;
  /** The inputs for the limits of these campaigns' offline playlists. */
  planUse(campaigns: readonly Handle<'campaign'>[]): Promise<PlanUse[]>;
  /** Takes back unissued money of a living node. @throws if it exceeds the open amount; Fault `epoch_closed` */
  giveBack(campaign: Handle<'campaign'>, epoch: number, number: number, micros: Micros): Promise<number>;
  giveBackAll(epoch: number, calls: readonly GiveBackCall[]): Promise<void>;
  amounts(campaign: Handle<'campaign'>): Promise<Amounts>;
  /** Money and counted plays at one moment. */
  standing(campaign: Handle<'campaign'>): Promise<Standing>;
  /**
   * Returns free money up to a total of `targetMicros`; the rest as it becomes free. Returns the total so far. Ends the
   * hold of that name.
   */
  takeBack(campaign: Handle<'campaign'>, targetMicros: Micros, hold?: string): Promise<number>;
  /**
   * Stops grants until `takeBack` with this name, or for `ms` at most, and answers the amounts: until then `spent +
   * open + inDoubt` does not rise.
   */
  hold(campaign: Handle<'campaign'>, name: string, ms: Milliseconds): Promise<Amounts>;
  /** Asks the workers for another tranche that holds at least `wantMicros`. */
  wantHand(campaign: Handle<'campaign'>, wantMicros?: Micros): Promise<void>;
  wantHandAll(wants: readonly WantCall[]): Promise<void>;
  /** Removes up to `count` of the campaigns that ran short from the list. */
  takeWanted(count: number): Promise<WantCall[]>;
};

/** The answer of a script to a call of a closed or fenced epoch. */
const CLOSED = -1;

export function createBudget(redis: Redis): Budget {
  return {
    noteGrant(received, campaign) {
      const shard = shardOf(campaign, redis);
      received[shard] = (received[shard] ?? 0) + 1;
    },
    hand: async (campaign, totalMicros) => (await handAll(redis, [{ campaign, totalMicros }]))[0]!,
    handAll: calls => handAll(redis, calls),
    async grant(campaign, epoch, number, wantMicros) {
      const [{ grantedMicros, shortMicros }] = (await grantAll(redis, epoch, [{ campaign, number, wantMicros }])) as [
        Grant,
      ];
      return { grantedMicros, shortMicros };
    },
    grantAll: (epoch, calls) => grantAll(redis, epoch, calls),
    planUse: campaigns => readPlanUse(redis, campaigns),
    giveBack: async (campaign, epoch, number, micros) =>
      (await giveBackAll(redis, epoch, [{ campaign, number, micros }]))[0]!,
    giveBackAll: async (epoch, calls) => void (await giveBackAll(redis, epoch, calls)),
    amounts: async campaign => readAmounts(await readFields(redis, campaign)),
    standing: async campaign => {
      const fields = await readFields(redis, campaign);
      return { ...readAmounts(fields), countedPlays: readCounted(fields) };
    },
    takeBack: async (campaign, targetMicros, hold = '') =>
      (await callScript(redis, 'take-back', {
        keys: [keysOf(campaign, redis).amounts(campaign)],
        args: [exact(targetMicros), hold],
      })) as number,
    async hold(campaign, name, ms) {
      const keys = [keysOf(campaign, redis).amounts(campaign)];
      return readAmounts(pairsOf((await callScript(redis, 'hold', { keys, args: [name, exact(ms)] })) as string[]));
    },
    wantHand: (campaign, wantMicros = 0) => wantHandAll(redis, [{ campaign, wantMicros }]),
    wantHandAll: wants => wantHandAll(redis, wants),
    takeWanted: count => takeWanted(redis, count),
  };
}

function handAll(redis: Redis, calls: readonly HandCall[]): Promise<number[]> {
  return inShardsOfCampaigns(redis, calls, (pipeline, keys, { campaign, totalMicros }) =>
    queueScript(pipeline, 'hand', { keys: [keys.amounts(campaign)], args: [exact(totalMicros)] }),
  );
}

type GrantReply = [granted: number, short: number, usable: number, spent: number, planned: number];

/** @throws Fault `epoch_closed` */
async function grantAll(redis: Redis, epoch: number, calls: readonly GrantCall[]): Promise<Grant[]> {
  const replies = await inShardsOfCampaigns<GrantCall, GrantReply>(
    redis,
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
}

/** @throws Fault `epoch_closed` */
async function giveBackAll(redis: Redis, epoch: number, calls: readonly GiveBackCall[]): Promise<number[]> {
  const moved = await inShardsOfCampaigns<GiveBackCall, number>(
    redis,
    calls,
    (pipeline, keys, { campaign, number, micros }) =>
      queueScript(pipeline, 'give-back', {
        keys: [keys.amounts(campaign), keys.epoch(epoch), keys.live],
        args: [epoch, exact(number), exact(micros), KEPT_S],
      }),
  );
  if (moved.includes(CLOSED)) throw epochClosed(epoch);
  return moved;
}

function epochClosed(epoch: number): Fault {
  return new Fault('epoch_closed', `epoch ${epoch} was closed or fenced`, { retryable: false });
}

async function readPlanUse(redis: Redis, campaigns: readonly Handle<'campaign'>[]): Promise<PlanUse[]> {
  const uses = await inShardsOfCampaigns<{ campaign: Handle<'campaign'> }, (string | null)[]>(
    redis,
    campaigns.map(campaign => ({ campaign })),
    (pipeline, keys, { campaign }) => pipeline.hmget(keys.amounts(campaign), 'spent', 'planned'),
  );
  return uses.map(([spent, planned]) => ({ spentMicros: Number(spent ?? 0), plannedMicros: Number(planned ?? 0) }));
}

async function wantHandAll(redis: Redis, wants: readonly WantCall[]): Promise<void> {
  await inShardsOfCampaigns(redis, wants, (pipeline, keys, { campaign, wantMicros }) =>
    pipeline.zadd(keys.wanted, 'GT', exact(wantMicros), campaign),
  );
}

async function takeWanted(redis: Redis, count: number): Promise<WantCall[]> {
  const shards = allShards(redis);
  // An equal part from each shard.
  const lists = await Promise.all(shards.map(({ wanted }) => redis.zpopmax(wanted, Math.ceil(count / shards.length))));
  const wanted = lists.flatMap(flat =>
    Array.from({ length: flat.length / 2 }, (_, i) => ({
      campaign: readHandle('campaign', flat[2 * i]!),
      wantMicros: Number(flat[2 * i + 1]),
    })),
  );
  return wanted.sort((one, other) => other.wantMicros - one.wantMicros);
}

async function readFields(redis: Redis, campaign: Handle<'campaign'>): Promise<Record<string, string>> {
  const keys = [keysOf(campaign, redis).amounts(campaign)];
  return pairsOf((await callScript(redis, 'amounts', { keys, args: [] })) as string[]);
}

function pairsOf(flat: readonly string[]): Record<string, string> {
  return Object.fromEntries(Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i]!, flat[2 * i + 1]!]));
}

/** The amounts in the fields of a campaign's hash; those of its epochs are summed. */
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
