/**
 * Passes the delivery plan, through Redis, from the worker that makes it to the delivery processes: one buffer, which
 * is replaced as a whole. Beside it is how many screens each process has, so that each knows its part of the network.
 */
import type { Redis } from '#sql/redis.ts';
import type { Milliseconds } from '#domain/unit.ts';

const PLAN_KEY = 'plan:current';
const CONNECTED_KEY = 'plan:connected';
/** A plan that was not renewed is useless after two hours, for which it has targets. */
const PLAN_KEPT_S = 2 * 3_600;
/** A process says its number every two seconds; one that was silent for so long is not counted. */
const CONNECTED_KEPT_MS = 15_000;

export type PlanStore = {
  write(plan: Uint8Array): Promise<void>;
  /** The current plan, or undefined where there is none or it is the one that begins with `known`. */
  readUnless(known: Uint8Array | undefined): Promise<Buffer | undefined>;
  read(): Promise<Buffer | undefined>;
  /** Says how many screens this process has; answers how many all have. */
  connected(process: string, screens: number, nowMs: Milliseconds): Promise<number>;
};

/** Bytes that tell two plans apart: the header with its checksum and time. */
export const PLAN_HEAD_BYTES = 40;

export function createPlanStore(redis: Redis): PlanStore {
  const read = async () => (await redis.getBuffer(PLAN_KEY)) ?? undefined;
  return {
    async write(plan) {
      await redis.set(PLAN_KEY, Buffer.from(plan.buffer, plan.byteOffset, plan.byteLength), 'EX', PLAN_KEPT_S);
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
