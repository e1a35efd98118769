/**
 * The keys of the authority and of the streams of plays, and the format of its numbers.
 *
 * A shard is complete under one hash tag: its own record of the authority, its own view of the epochs, the campaigns
 * with handles in it, and the stream of the screens with handles in it. A script touches only the keys of one shard, so
 * a Redis cluster can keep each on another master; a single server keeps them all.
 */
import type { Handle } from '#domain/id.ts';
import { shardTag, type Sharded } from '#sql/redis-shards.ts';

/** Guards against a wrong setting that opens thousands of streams; one shard uses about one core of Redis. */
export const SHARDS_MAX = 64;

export type ShardKeys = Readonly<{
  shard: number;
  /** In braces: what a cluster hashes. */
  tag: string;
  record: string;
  claimed: string;
  waiting: string;
  live: string;
  closing: string;
  line: string;
  lapsing: string;
  wanted: string;
  epochPrefix: string;
  epoch(epoch: number): string;
  epochCampaigns(epoch: number): string;
  amounts(campaign: Handle<'campaign'>): string;
  names(campaign: Handle<'campaign'>): string;
  bitsPrefix(campaign: Handle<'campaign'>): string;
  bits(campaign: Handle<'campaign'>, epoch: number): string;
  answers(campaign: Handle<'campaign'>, job: string): string;
  /** The taken time of a screen, by hours and by days since 1970 (screen-time.ts). */
  screenHour(screen: Handle<'screen'>, hour: number): string;
  screenDay(screen: Handle<'screen'>, day: number): string;
  /** Windows of an API key (limiter.ts). */
  calls(caller: Handle<'key'> | `p${number}`): string;
  /** Windows of all keys of a workspace with one limit. */
  workspaceCalls(workspace: Handle<'workspace'>, perMinuteMax: number): string;
  /** Moves the clock of the shard's scripts; only tests set it. */
  clock: string;
}>;

function makeKeys(shard: number): ShardKeys {
  const tag = shardTag(shard);
  const epoch = (number: number): string => `${tag}:epoch:${number}`;
  const bitsPrefix = (campaign: Handle<'campaign'>): string => `${tag}:c${campaign}:bits:`;
  return {
    shard,
    tag,
    record: `${tag}:authority`,
    claimed: `${tag}:authority:claimed`,
    waiting: `${tag}:authority:waiting`,
    live: `${tag}:epochs:live`,
    closing: `${tag}:epochs:closing`,
    line: `${tag}:lapse:line`,
    lapsing: `${tag}:lapse:due`,
    wanted: `${tag}:hand:wanted`,
    epochPrefix: `${tag}:epoch:`,
    epoch,
    epochCampaigns: number => `${epoch(number)}:campaigns`,
    amounts: campaign => `${tag}:c${campaign}:amounts`,
    names: campaign => `${tag}:c${campaign}:names`,
    bitsPrefix,
    bits: (campaign, number) => bitsPrefix(campaign) + String(number),
    answers: (campaign, job) => `${tag}:c${campaign}:answers:${job}`,
    screenHour: (screen, hour) => `${tag}:s${screen}:h${hour}`,
    screenDay: (screen, day) => `${tag}:s${screen}:d${day}`,
    calls: caller => `${tag}:k${caller}:calls`,
    workspaceCalls: (workspace, perMinuteMax) => `${tag}:w${workspace}:${perMinuteMax}:calls`,
    clock: `${tag}:clock:offset_ms`,
  };
}

const ALL: readonly ShardKeys[] = Array.from({ length: SHARDS_MAX }, (_, shard) => makeKeys(shard));

export const allShards = ({ shards }: Sharded): readonly ShardKeys[] => ALL.slice(0, shards);
export const shardKeys = (shard: number): ShardKeys => ALL[shard]!;
/** The shard of a campaign, a screen or an API key, by its handle. */
export const shardOf = (handle: number, { shards }: Sharded): number => Math.abs(handle) % shards;
/** The keys of that shard. */
export const keysOf = (handle: Handle, sharded: Sharded): ShardKeys => ALL[shardOf(handle, sharded)]!;

/** Patterns of keys, over all shards. */
export const BITS_PATTERN = '{plays:*}:c*:bits:*';
/** The keys that a rebuild deletes: everything of campaigns, screens and epochs. */
export const FORGOTTEN_PATTERNS = [
  '{plays:*}:c[0-9]*:*',
  '{plays:*}:s[0-9]*:*',
  '{plays:*}:epoch:*',
  '{plays:*}:epochs:*',
] as const;

/**
 * The clocks of the masters and of delivery agree within a second. Measurements of one master with its own clock do not
 * depend on that (silence of epochs, deadlines, as_of of its stream). The overall as_of is the smallest of all streams,
 * so it promises no more than each does. A time of another clock that is compared with it is assumed to be this much
 * later.
 */
export const CLOCKS_MS = 1_000;
/** A slot may be asked for 48 hours ahead, and a play of an offline plan is charged until 7 days after its slot. */
export const LAST_WINDOW_MS = 9 * 86_400_000 + CLOCKS_MS;

/** Bits, answers and epochs outlive the 30 days for which a late play is still stored. */
export const KEPT_S = 45 * 86_400;

/** @throws RangeError for anything except an integer from 0 below 2^53. */
export function exact(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no amount`);
  return value;
}

/** Big endian, as in the scripts. */
export function writeUInt64(bytes: Buffer, value: number, at: number): void {
  const high = Math.floor(value / 2 ** 32);
  writeUInt32(bytes, high, at);
  writeUInt32(bytes, value - high * 2 ** 32, at + 4);
}

/** The same for 32 bits. Byte by byte, because the buffer's method takes several times as long for its checks. */
export function writeUInt32(bytes: Buffer, value: number, at: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}
