import { callScript, type Redis } from '#sql/redis.ts';
import type { IntakeKeys } from './intake-keys.ts';

/** A node that renewed its epoch before a rebuild and says nothing for so long after it is dead, as for the fence. */
const NODES_MS_MAX = 120_000;

/** The Redis time (ms) up to which every acknowledged play has its row. @throws Fault `authority_lost` */
export async function readAsOf(redis: Redis, keys: IntakeKeys): Promise<number> {
  return await callScript(redis, 'intake-as-of', { keys: [keys.pending], args: [NODES_MS_MAX] }) as number;
}
