/**
 * Handles possible data loss in Redis. The authority belongs to one run of the Redis server. After a restart, a
 * promotion of a replica or a loss of all data, every call fails with `authority_lost`, until the workers have verified
 * that nothing is missing (`resume`), or have rebuilt it from Postgres and ClickHouse (`begin`).
 *
 * Each shard may be on another server and so has its own state; the authority works while all shards do, under one
 * generation. A rebuild ends all shards before it reads anything, and begins them when all are rebuilt. If it fails
 * midway, some shards have no generation, or a lower one than Postgres knows. Then the next check ends all shards again
 * and rebuilds them under a higher generation. Actions of a shard meanwhile are in rows or in doubt. In every shard:
 *
 * authority hash: life (the run of Redis), generation, first_epoch (epochs below it were ended by a rebuild), mark
 *                    (rises with each beat), hold_ms (what as_of does not pass while it waits for nodes), rebuild (name
 *                    of the last rebuild that began)
 * authority:claimed  set: what living nodes claimed since the last rebuild
 * authority:waiting  set: epochs of nodes that may hold copies of batches and have not added them again
 */
import type { Handle } from '#domain/id.ts';
import { exact, FORGOTTEN_PATTERNS, KEPT_S, LAST_WINDOW_MS, type ShardKeys } from './authority-keys.ts';
import { callScript, queueScript, infoOfAll, settingOfAll, unlinkAll, type Redis } from '#sql/redis.ts';
import { inShards, inShardsOfCampaigns } from './shard-calls.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

/**
 * For all shards together: `generation` is 0 if they differ, `mark` the lowest; `runs` names the life of each server.
 */
type LifeState = { isCurrent: boolean; generation: number; mark: number; runs: readonly string[] };
type ShardState = [isCurrent: number, generation: number, mark: number, run: string];
/** The data of one campaign for a rebuild. */
export type KnownAmounts = {
  campaign: Handle<'campaign'>;
  handedMicros: Micros;
  returnedMicros: Micros;
  spentMicros: Micros;
  takeBackMicros: Micros;
  countedPlays: number;
};
/** Issue numbers with a row, of one campaign and epoch. */
export type CountedNumbers = {
  campaign: Handle<'campaign'>;
  epoch: number;
  counted: readonly number[];
  late: readonly number[];
};
type Beginning = {
  /** Absent: any. */
  rebuild?: string;
  generation: number;
  firstEpoch: number;
  lapseLine: number;
  asOfMs: Milliseconds;
  mayLive: readonly number[];
  runs?: readonly string[];
};

export type Life = {
  /** Answers also while the authority does not. */
  state(): Promise<LifeState>;
  /** Raises the mark above the one that Postgres knows, and returns it. @throws Fault `authority_lost` */
  beat(markInPostgres: number): Promise<number>;
  /**
   * Whether every server certainly writes everything to its log before it answers, and was never a replica. False for a
   * server that hides its settings: then a restart leads to a rebuild from the rows.
   * @throws Fault `redis_unavailable`
   */
  isSynced(): Promise<boolean>;
  /** From here on no call is answered until a rebuild; with its name, until the rebuild of that name. */
  end(rebuild?: string): Promise<void>;
  /** Whether this is the last rebuild that began, in every shard. */
  isLastRebuild(rebuild: string): Promise<boolean>;
  /**
   * Continues after a restart that lost nothing.
   * @throws Fault `authority_lost` when a server was restarted since it lived the `runs`, or a rebuild has begun
   */
  resume(runs: readonly string[]): Promise<void>;
  /** Deletes campaigns and epochs of an ended authority. */
  forget(): Promise<void>;
  /** Writes the known data of campaigns; the rest of their handed money is in doubt. Returns the micros in doubt. */
  rebuild(campaigns: readonly KnownAmounts[]): Promise<number>;
  /** Writes which plays are counted. */
  rebuildBits(numbers: readonly CountedNumbers[]): Promise<void>;
  /**
   * From here on the authority answers, under a new generation.
   * @throws Fault `authority_lost` when a server was restarted since it lived the `runs`, or another rebuild has begun
   */
  begin(beginning: Beginning): Promise<void>;
  /**
   * The nodes of these epochs have added their copies of batches again, or have ended: as_of need not wait for them.
   * Call it after the end of the epochs is in Postgres, so that the next rebuild does not wait for them either. @throws
   * Fault `authority_lost`
   */
  present(epochs: readonly number[]): Promise<void>;
  /** The epochs that as_of waits for, of all shards. Works even while the authority does not answer. */
  waiting(): Promise<number[]>;
};

const CALLS_MAX = 500;
/** A play issued now under the last lease ends within this time after its slot; a node fills for 120 s at most. */
const DOUBT_MS = LAST_WINDOW_MS + 120_000;

/** The calls over one connection. */
export function createLife(redis: Redis): Life {
  const statesOf = (): Promise<ShardState[]> =>
    inShards(
      redis,
      async ({ record }) => (await callScript(redis, 'life-state', { keys: [record], args: [] })) as ShardState,
    );
  const begin = ({ claimed, waiting, line }: ShardKeys, args: (string | number)[]): Promise<unknown> =>
    callScript(redis, 'life-begin', { keys: [claimed, waiting, line], args });
  return {
    async state() {
      const states = await statesOf();
      const generations = new Set(states.map(([, generation]) => generation));
      return {
        isCurrent: states.every(([isCurrent]) => isCurrent === 1),
        generation: generations.size === 1 ? states[0]![1] : 0,
        mark: Math.min(...states.map(([, , mark]) => mark)),
        runs: states.map(([, , , run]) => run),
      };
    },
    async beat(markInPostgres) {
      // All to the same mark: otherwise a rollback of one beat in a lagging shard would go undetected.
      const highest = Math.max(exact(markInPostgres), ...(await statesOf()).map(([, , mark]) => mark));
      return Math.min(
        ...(await inShards(
          redis,
          async ({ record }) => (await callScript(redis, 'life-beat', { keys: [record], args: [highest] })) as number,
        )),
      );
    },
    isSynced: () => isSynced(redis),
    async end(rebuild) {
      await inShards(redis, async ({ record }) => {
        if (rebuild !== undefined) await redis.hset(record, 'rebuild', rebuild); // first: another may begin in between
        await redis.hdel(record, 'life', 'generation');
      });
    },
    isLastRebuild: async rebuild =>
      (await inShards(redis, ({ record }) => redis.hget(record, 'rebuild'))).every(name => name === rebuild),
    resume: async runs => void (await inShards(redis, (keys, shard) => begin(keys, [runs[shard]!, 'resume']))),
    forget: () => forget(redis),
    rebuild: campaigns => rebuild(redis, campaigns),
    async rebuildBits(numbers) {
      await inShardsOfCampaigns(redis, numbers, (pipeline, keys, each) =>
        pipeline.set(keys.bits(each.campaign, each.epoch), bitmapOf(each), 'EX', KEPT_S),
      );
    },
    async begin({ rebuild = '', generation, firstEpoch, lapseLine, asOfMs, mayLive, runs = [] }) {
      await inShards(redis, (keys, shard) =>
        begin(keys, [runs[shard] ?? '', rebuild, generation, firstEpoch, exact(lapseLine), exact(asOfMs), ...mayLive]),
      );
    },
    async present(epochs) {
      if (epochs.length > 0)
        await inShards(redis, ({ waiting }) =>
          callScript(redis, 'life-present', { keys: [waiting], args: [...epochs] }),
        );
    },
    waiting: async () => [
      ...new Set((await inShards(redis, ({ waiting }) => redis.smembers(waiting))).flat().map(Number)),
    ],
  };
}

async function rebuild(redis: Redis, campaigns: readonly KnownAmounts[]): Promise<number> {
  const inDoubt = await inShardsOfCampaigns<KnownAmounts, number>(
    redis,
    campaigns,
    (pipeline, keys, { campaign, handedMicros, returnedMicros, spentMicros, takeBackMicros, countedPlays }) =>
      queueScript(pipeline, 'rebuild-campaign', {
        keys: [keys.amounts(campaign), keys.lapsing],
        args: [
          campaign,
          exact(handedMicros),
          exact(returnedMicros),
          exact(spentMicros),
          exact(takeBackMicros),
          DOUBT_MS,
          exact(countedPlays),
        ],
      }),
    CALLS_MAX,
  );
  return inDoubt.reduce((sum, micros) => sum + micros, 0);
}

async function isSynced(redis: Redis): Promise<boolean> {
  const infos = await infoOfAll(redis);
  const policies = await settingOfAll(redis, 'appendfsync');
  return (
    infos.every(
      info =>
        /^aof_enabled:1\r?$/m.test(info) && /^role:master\r?$/m.test(info) && /^master_replid2:0+\r?$/m.test(info),
    ) && policies.every(policy => policy === 'always')
  );
}

async function forget(redis: Redis): Promise<void> {
  await inShards(redis, ({ lapsing, wanted }) => redis.unlink(lapsing, wanted));
  for (const pattern of FORGOTTEN_PATTERNS) await unlinkAll(redis, pattern);
}

/** Two bits per issue number, as BITFIELD's u2 #<number> and `count` have them: 1 counted, 3 late. */
function bitmapOf({ counted, late }: CountedNumbers): Buffer {
  const last = [...counted, ...late].reduce((most, number) => Math.max(most, number), 0);
  const bytes = Buffer.alloc(Math.floor(last / 4) + 1);
  const set = (number: number, bits: number): void => {
    bytes[Math.floor(number / 4)]! |= bits << (6 - 2 * (number % 4));
  };
  for (const number of counted) set(number, 1);
  for (const number of late) set(number, 3);
  return bytes;
}
