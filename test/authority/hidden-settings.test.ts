/** A Redis that hides its settings, as managed servers do: the authority then trusts no restart, and is rebuilt. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuthority } from '#authority/authority.ts';
import { openRedis, type Redis, redisReady, settingOfAll } from '#sql/redis.ts';
import { OwnRedis } from '../support/engines/own-redis.ts';

let servers: OwnRedis[];
const connections: Redis[] = [];
const connect = async (url: string): Promise<Redis> => {
  const redis = openRedis(url, { role: 'commands' });
  connections.push(redis);
  await redisReady(redis);
  return redis;
};

beforeAll(async () => {
  servers = [await OwnRedis.start({ hidesSettings: true }), await OwnRedis.start()];
});
afterAll(async () => {
  for (const redis of connections) redis.disconnect();
  for (const server of servers) await server.remove();
});

test('a server without CONFIG is treated as one that may have lost data', async () => {
  const redis = await connect(servers[0]!.url);
  expect(await settingOfAll(redis, 'appendfsync')).toEqual([undefined]);
  expect(await createAuthority(redis).life.isSynced()).toBe(false);
});

test('so is a server that denies CONFIG to its user', async () => {
  const owner = await connect(servers[1]!.url);
  expect(await createAuthority(owner).life.isSynced()).toBe(true);
  await owner.call('ACL', 'SETUSER', 'marquee', 'on', '>secret', '~*', '&*', '+@all', '-config');
  const redis = await connect(servers[1]!.url.replace('redis://', 'redis://marquee:secret@'));
  expect(await settingOfAll(redis, 'appendfsync')).toEqual([undefined]);
  expect(await createAuthority(redis).life.isSynced()).toBe(false);
});
