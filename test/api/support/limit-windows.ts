/** The windows of limits: calls that all lie in one, and calls that none of them bounds. */
import type { Answer, TestApi } from './app-under-test.ts';
import { CLOCK } from '../../support/engines/redis.ts';

/** Puts Redis time at the start of a minute, so that the calls of a test lie in one window of the limits. */
export async function startMinute({ redis }: TestApi): Promise<void> {
  await redis.set(CLOCK, 0);
  const [seconds, micros] = await redis.time();
  const nowMs = Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
  await redis.set(CLOCK, 60_000 - (nowMs % 60_000));
}

/** Other calls may fill the windows again meanwhile. */
const TRIES_MAX = 10;

/** Makes a call again that its limit refused, with the windows forgotten: what is behind the limit is looked at. */
export async function callUnlimited(
  api: Pick<TestApi, 'call' | 'redis'>,
  ...call: Parameters<TestApi['call']>
): Promise<Answer> {
  let answered = await api.call(...call);
  for (let tries = 1; answered.status === 429 && tries < TRIES_MAX; tries++) {
    const windows = await api.redis.keys('*calls*');
    if (windows.length > 0) await api.redis.del(windows);
    answered = await api.call(...call);
  }
  return answered;
}
