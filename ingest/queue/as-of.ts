import { callScript, type Redis } from '#sql/redis.ts';
import type { IntakeKeys } from './intake-keys.ts';

/** The Redis time (ms) up to which every acknowledged play has its row. @throws Fault `authority_lost` */
export async function readAsOf(redis: Redis, keys: IntakeKeys): Promise<number> {
  return (await callScript(redis, 'intake-as-of', { keys: [keys.pending], args: [] })) as number;
}
