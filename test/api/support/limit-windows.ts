/**
 * Sets the time that Redis scripts see to the start of a minute. Tests of limits use it, so that all their calls fall
 * into one window.
 */
import type { TestApi } from './app-under-test.ts';
import { CLOCK } from '../../support/engines/redis.ts';

/** Puts Redis time at the start of a minute, so that the calls of a test lie in one window of the limits. */
export async function startMinute({ redis }: TestApi): Promise<void> {
  await redis.set(CLOCK, 0);
  const [seconds, micros] = await redis.time();
  const nowMs = Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
  await redis.set(CLOCK, 60_000 - (nowMs % 60_000));
}
