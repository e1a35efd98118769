/**
 * What a start does for the budget authority before its services run: a new installation gets one, and an installation
 * that has played is never taken for new. Runs in this process against a Redis server of its own, which the test
 * restarts and empties.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkAuthority } from '../../cli/authority.ts';
import { createAuthority } from '#authority/authority.ts';
import { openRedis, redisReady, type Redis } from '../../sql/redis.ts';
import { openHarness, silentLog, type Harness } from '../ingest/harness.ts';
import { OwnRedis } from '../support/engines/own-redis.ts';
import { flush } from '../support/engines/redis.ts';

let own: OwnRedis;
let harness: Harness;
let redis: Redis;

beforeAll(async () => {
  own = await OwnRedis.start();
  harness = await openHarness({ redisUrl: own.url });
  redis = openRedis(own.url, { role: 'worker' });
  await redisReady(redis);
  await flush(redis);
  await harness.postgres.sql`update authority_life set generation = 0, is_whole = false, lost_at = null`;
});
afterAll(async () => {
  redis.disconnect();
  await harness.close();
  await own.remove();
});

const look = () =>
  checkAuthority(
    { databaseUrl: harness.postgres.url, redisUrl: own.url, clickhouseUrl: harness.clickhouse.url, cluster: undefined },
    { log: silentLog, environment: {} },
  );
const answers = async () => (await createAuthority(redis).life.state()).isCurrent;
const known = async () =>
  (
    await harness.postgres.sql<
      { generation: number; isLost: boolean }[]
    >`select generation, lost_at is not null as "isLost" from authority_life`
  )[0];

test('a new installation has an authority that answers', async () => {
  expect(await answers()).toBe(false);
  await look();
  expect([await answers(), await known()]).toEqual([true, { generation: 1, isLost: false }]);
});

test('a Redis that was only restarted continues in the same generation', async () => {
  await look(); // the mark that a running installation would have raised
  await own.restart();
  await redis.ping();
  expect(await answers()).toBe(false);
  await look();
  expect([await answers(), await known()]).toEqual([true, { generation: 1, isLost: false }]);
});

test('an emptied Redis is not mistaken for a new one: it answers nothing until it is rebuilt', async () => {
  await flush(redis);
  await look();
  expect([await answers(), await known()]).toEqual([false, { generation: 1, isLost: true }]);
});

test('an engine that is down does not delay a start', async () => {
  await checkAuthority(
    {
      databaseUrl: 'postgres://x:x@127.0.0.1:1/x',
      redisUrl: own.url,
      clickhouseUrl: harness.clickhouse.url,
      cluster: undefined,
    },
    { log: silentLog, environment: {} },
  );
  expect(await answers()).toBe(false);
});
