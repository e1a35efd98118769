/**
 * Passes the delivery plan, through Redis, from the worker that makes it to the delivery processes: one buffer, which
 * is replaced as a whole. Beside it is how many screens each process has, so that each knows its part of the network.
 */
import type { Redis } from '#sql/redis.ts';
import type { Milliseconds } from '#domain/unit.ts';

const PLAN_KEY = 'plan:current';
/** The number of started plans, and the number of the stored one; the tag keeps them with the plan in a cluster. */
const BEGUN_KEY = `{${PLAN_KEY}}:begun`;
const STORED_KEY = `{${PLAN_KEY}}:stored`;
const CONNECTED_KEY = 'plan:connected';
/** A plan that was not renewed is useless after two hours, for which it has targets. */
const PLAN_KEPT_S = 2 * 3_600;
/** A process reports its number every two seconds; one that was silent for this time is not counted. */
const CONNECTED_KEPT_MS = 15_000;

/** Stores a plan and its number, unless a plan that was begun later is stored. Responds with whether it was stored. */
const STORE = `
if tonumber(redis.call('GET', KEYS[2]) or 0) > tonumber(ARGV[2]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[3])
redis.call('SET', KEYS[2], ARGV[2], 'EX', ARGV[3])
return 1`;

export type PlanStore = {
  /** Numbers a plan, before its rows are read. */
  begin(): Promise<number>;
  /** Stores the plan unless one with a higher number is stored; returns whether it was. */
  write(plan: Uint8Array, number: number): Promise<boolean>;
  /** The current plan, or undefined if there is none or it begins with `known`. */
  readUnless(known: Uint8Array | undefined): Promise<Buffer | undefined>;
  read(): Promise<Buffer | undefined>;
  /** Reports the number of this process's screens; returns the total. */
  connected(process: string, screens: number, nowMs: Milliseconds): Promise<number>;
};

/** Bytes that tell two plans apart: the header with its checksum and time. */
export const PLAN_HEAD_BYTES = 40;

export function createPlanStore(redis: Redis): PlanStore {
  const read = async () => (await redis.getBuffer(PLAN_KEY)) ?? undefined;
  return {
    begin: () => redis.incr(BEGUN_KEY),
    async write(plan, number) {
      const bytes = Buffer.from(plan.buffer, plan.byteOffset, plan.byteLength);
      return (await redis.eval(STORE, 2, PLAN_KEY, STORED_KEY, bytes, number, PLAN_KEPT_S)) === 1;
    },
    read,
    async readUnless(known) {
      const head = await redis.getrangeBuffer(PLAN_KEY, 0, PLAN_HEAD_BYTES - 1);
      return head.length === 0 || (known !== undefined && head.equals(known)) ? undefined : read();
    },
    async connected(process, screens, nowMs) {
      await redis.hset(CONNECTED_KEY, process, `${screens} ${nowMs}`);
      const all = await redis.hgetall(CONNECTED_KEY);
      let total = 0;
      for (const [name, text] of Object.entries(all)) {
        const [count, atMs] = text.split(' ').map(Number) as [number, number];
        if (nowMs - atMs <= CONNECTED_KEPT_MS) total += count;
        else await redis.hdel(CONNECTED_KEY, name);
      }
      return total;
    },
  };
}
