/**
 * The whole product over a cluster of three masters with a shard each. Masters are killed, and one comes back with
 * nothing.
 */
import { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MICROS_PER_UNIT } from '#domain/money/money.ts';
import { shardKeys } from '#authority/authority-keys.ts';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import { joinAuthority } from '#authority/connection.ts';
import { openRedis, redisReady } from '#sql/redis.ts';
import { verifyInstance } from '../../cli/admin/running/checks.ts';
import { seededRandom } from '../../cli/demo/seeded-random.ts';
import { fundWallet } from '../../cli/operator.ts';
import { SimulatedScreen, type SwarmEvents } from '../../cli/screen-swarm.ts';
import { startTestInstance, type TestInstance } from '../support/engines/instance.ts';
import {
  createCampaign,
  createReadyCreative,
  createSmallNetwork,
  eventually,
  pairScreen,
  type Network,
} from '../support/network.ts';
import { OwnCluster } from '../support/engines/own-cluster.ts';
import { finalVerdict } from '../support/verdict.ts';

const SHARDS = 3;
const SCREENS = 9;
const CHANCES = { drop: 0.01, repeat: 0.05, cannotPlay: 0.02, scan: 0.05 };

let cluster: OwnCluster;
let instance: TestInstance;
let sql: Postgres;
let clickhouse: Clickhouse;
let network: Network;
const screens: SimulatedScreen[] = [];
const events = new EventEmitter<SwarmEvents>();
let acked = 0;
const slots: Record<string, number> = {};

beforeAll(async () => {
  cluster = await OwnCluster.start();
  process.env['REDIS_URL'] = cluster.url;
  instance = await startTestInstance({
    deliveryProcesses: 2,
    ingestProcesses: 2,
    logLevel: process.env['FAULT_LOG'] ?? 'silent',
    env: { REDIS_SHARDS: String(SHARDS), SCREEN_MESSAGES_PER_SECOND_MAX: '1000', SCREEN_PLAYS_OVERLAP: '1' },
  });
  ({ sql } = instance);
  clickhouse = openClickhouse(instance.urls.clickhouseUrl, { application: 'marquee-test', connectionsMax: 2 });
  network = await createSmallNetwork(sql, instance.apiUrl);
  await fundWallet(sql, new Date(), {
    workspace: network.brandWorkspace,
    amountMicros: 100_000 * MICROS_PER_UNIT,
    book: 'live',
  });
  const creative = await createReadyCreative(network.brand);
  // One in each shard, and one that ends.
  for (const amount of [20_000, 20_000, 20_000, 5])
    await createCampaign(network.brand, { creatives: [creative], budget: { amount, currency: 'EUR' } });
  events.on('acked', () => {
    acked += 1;
  });
  events.on('slot', slot => {
    const outcome = 'no_fill' in slot ? slot.no_fill : 'filled';
    slots[outcome] = (slots[outcome] ?? 0) + 1;
  });
  for (let at = 0; at < SCREENS; at += 1) {
    const { token } = await pairScreen(network, instance.apiUrl);
    screens.push(
      new SimulatedScreen({
        url: () => instance.deliveryUrl,
        token,
        platform: 'linux',
        random: seededRandom(at + 1),
        chances: CHANCES,
        events,
        pastEveryMs: 250,
      }),
    );
  }
  for (const screen of screens) screen.start();
}, 240_000);

afterAll(async () => {
  for (const screen of screens) screen.close();
  await clickhouse?.close();
  await instance?.remove();
  await cluster?.remove();
  delete process.env['REDIS_URL'];
}, 60_000);

const untilAcked = (more: number) => {
  const from = acked;
  return eventually(async () => (acked >= from + more ? true : undefined), 120_000).catch((error: unknown) => {
    throw new Error(`${acked - from} plays acknowledged, slots so far: ${JSON.stringify(slots)}`, { cause: error });
  });
};
const generation = async () =>
  (await sql<{ generation: number }[]>`select generation from authority_life`)[0]!.generation;

test('plays go through every stream, and each master has a shard', async () => {
  await untilAcked(60);
  const redis = openRedis(cluster.url, { role: 'worker', shards: SHARDS });
  await redisReady(redis);
  for (let shard = 0; shard < SHARDS; shard += 1) {
    const { tag, record } = shardKeys(shard);
    expect(await redis.hget(record, 'life')).toMatch(/^[0-9a-f]{40}$/);
    await eventually(async () => ((await redis.zcard(`${tag}:plays:completed`)) > 0 ? true : undefined), 60_000);
  }
  const lives = await Promise.all(
    Array.from({ length: SHARDS }, (_, shard) => redis.hget(shardKeys(shard).record, 'life')),
  );
  expect(new Set(lives).size).toBe(SHARDS);
  redis.disconnect();
}, 180_000);

test('a process with another number of shards is refused', async () => {
  await expect(joinAuthority(sql, { REDIS_SHARDS: 2 })).rejects.toMatchObject({
    code: 'other_shards',
    message: 'REDIS_SHARDS is 2, and Redis is divided into 3',
  });
});

test('a killed master comes back with its log: nothing is lost or counted twice, and the authority keeps working', async () => {
  const before = await generation();
  for (const master of [1, 0]) {
    await cluster.kill(master);
    await wait(1_500);
    await cluster.restartMaster(master);
    await untilAcked(60);
  }
  expect(await generation()).toBe(before);
}, 300_000);

test('a master that comes back empty is recovered: the authority is rebuilt', async () => {
  const before = await generation();
  await cluster.empty(2);
  await eventually(async () => ((await generation()) > before ? true : undefined), 120_000);
  await untilAcked(60);
  for (const screen of screens) screen.stopAsking();
  const verdict = await finalVerdict({
    logs: screens.map(screen => screen.log),
    clickhouse,
    sql,
    isUnderWay: () => screens.some(screen => screen.unacked > 0),
    msMax: 150_000,
  }); // as_of waits for nodes for two minutes at most
  expect(verdict).toMatchObject({ lost: 0, doubleCounted: 0, overspent: 0 });
  expect(await verifyInstance(sql, instance.urls)).toEqual({ ok: true, breaches: [] });
}, 400_000);
