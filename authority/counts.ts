/**
 * How many plays of each campaign were counted, late ones excepted. The number rises in the step that counts them
 * (`count.lua`), is rebuilt from charges and rows, and never expires. Campaigns from an older version have no number
 * yet; it is then set from the charged plays.
 */
import type { Handle } from '#domain/id.ts';
import { CLOCKS_MS, exact, keysOf } from './authority-keys.ts';
import { queueScript, type Redis } from '#sql/redis.ts';
import { inPipelines } from './shard-calls.ts';
import type { Micros } from '#domain/unit.ts';

export type Counts = {
  /** The counts of these campaigns. `plays` is undefined if unknown. */
  ofAll(campaigns: readonly Handle<'campaign'>[]): Promise<{ spentMicros: Micros; plays: number | undefined }[]>;
  /**
   * Sets numbers that are unknown or too low, unless a play of the campaign was counted since `chargedBefore`: the
   * Redis time (ms) before which every counted play is charged. Returns how many were set now, and how many are still
   * unknown.
   */
  takeUp(
    calls: readonly { campaign: Handle<'campaign'>; chargedPlays: number }[],
    chargedBefore: number,
  ): Promise<{ takenUp: number; unknown: number }>;
};

const CALLS_MAX = 500;

/** The calls over one connection. */
export function createCounts(redis: Redis): Counts {
  return {
    async ofAll(campaigns) {
      const counts = await inPipelines<Handle<'campaign'>, (string | null)[]>(redis, campaigns, {
        handleOf: campaign => campaign,
        pageMax: CALLS_MAX,
        send: (pipeline, keys, campaign) => pipeline.hmget(keys.amounts(campaign), 'handed', 'spent', 'counted'),
      });
      return counts.map(([handed, spent, counted]) => ({
        spentMicros: Number(spent ?? 0),
        plays: readCounted({ handed, counted }),
      }));
    },
    async takeUp(calls, chargedBefore) {
      const replies = await inPipelines<(typeof calls)[number], [number, number]>(redis, calls, {
        handleOf: ({ campaign }) => campaign,
        pageMax: CALLS_MAX,
        send: (pipeline, keys, { campaign, chargedPlays }) =>
          queueScript(pipeline, 'take-up-count', {
            keys: [keys.amounts(campaign)],
            args: [exact(chargedPlays), chargedBefore - CLOCKS_MS],
          }),
      });
      return {
        takenUp: replies.filter(([, isNew]) => isNew === 1).length,
        unknown: replies.filter(([plays]) => plays < 0).length,
      };
    },
  };
}

type CountFields = { handed?: string | null | undefined; counted?: string | null | undefined };

/** From a campaign's fields. A campaign without handed money has counted nothing. */
export function readCounted({ handed, counted }: CountFields): number | undefined {
  if (counted !== undefined && counted !== null) return Number(counted);
  return Number(handed ?? 0) === 0 ? 0 : undefined;
}

/** The two bits of an issued play: 1 counted, 2 returned. A play that was recorded but not charged has both. */
export type PlayBits = { counted: boolean; released: boolean };

export async function readPlayBits(
  redis: Redis,
  { campaign, epoch, issueNumber }: { campaign: Handle<'campaign'>; epoch: number; issueNumber: number },
): Promise<PlayBits> {
  const key = keysOf(campaign, redis).bits(campaign, epoch);
  const [bits] = (await redis.bitfield(key, 'GET', 'u2', `#${issueNumber}`)) as [number];
  return { counted: (bits & 1) !== 0, released: (bits & 2) !== 0 };
}
