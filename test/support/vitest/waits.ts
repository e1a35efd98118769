/** A run that lasts as long as a test needs one to end: test/cli/endings-long.test.ts. */
import { expect, test } from 'vitest';
import { OwnRedis } from '../engines/own-redis.ts';

test('has an engine of its own, and waits', async () => {
  expect(await OwnRedis.start()).toBeInstanceOf(OwnRedis);
  console.info('waiting');
  await new Promise(() => undefined);
}, 600_000);
