/**
 * Delivery and ingest over connections to Redis that are cut, delayed and dropped at random: whatever was acknowledged
 * has one row, and everything is acknowledged soon after the fault has ended.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openRedis, redisReady, type Redis } from '#sql/redis.ts';
import { Outbox } from '../../delivery/reports/outbox.ts';
import { startStreams } from '../../ingest/streams.ts';
import { createPlayQueue, type PlayQueue } from '../../ingest/queue/play-queue.ts';
import { openHarness, silentLog, type Harness } from '../ingest/harness.ts';
import { factsOf, KEYS, reportOf } from '../ingest/reports.ts';
import { handle } from '../support/handle.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { createRandom, type Random } from './search/random.ts';

const SEEDS = Math.min(20, Number(process.env['FAULT_SEEDS'] ?? 1));
const FROM = Number(process.env['FAULT_FROM'] ?? 1);
const PLAYS = 40;
let harness: Harness;
const proxies: TcpProxy[] = [];
const connections: Redis[] = [];
const closing: (() => Promise<void> | void)[] = [];

beforeAll(async () => {
  harness = await openHarness();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  for (const connection of connections.splice(0)) connection.disconnect();
  await Promise.all(proxies.splice(0).map(proxy => proxy.close()));
});
afterAll(() => harness.close());

async function throughProxy(): Promise<{ proxy: TcpProxy; url: string }> {
  const url = new URL(harness.redisUrl);
  const proxy = await TcpProxy.start({ host: url.hostname, port: Number(url.port) });
  proxies.push(proxy);
  url.port = String(proxy.port);
  url.hostname = '127.0.0.1';
  return { proxy, url: url.href };
}

async function open(url: string, role: 'producer' | 'commands' | 'worker'): Promise<Redis> {
  const redis = openRedis(url, { role });
  connections.push(redis);
  await redisReady(redis);
  return redis;
}

async function startParts(): Promise<{ playQueue: PlayQueue; outbox: Outbox; faulty: TcpProxy[] }> {
  const [near, far] = [await throughProxy(), await throughProxy()];
  const playQueue = createPlayQueue({ redis: await open(near.url, 'producer') });
  const outbox = new Outbox({ playQueue, epoch: Math.floor(Math.random() * 1e9), log: silentLog });
  const ingest = await startStreams({
    commands: await open(far.url, 'commands'),
    blocking: await open(far.url, 'worker'),
    clickhouse: harness.clickhouse.client,
    sql: harness.postgres.sql,
    keys: KEYS,
    log: silentLog,
  });
  closing.push(
    () => playQueue.close(),
    () => outbox.close(),
    () => ingest.close(),
  );
  return { playQueue, outbox, faulty: [near.proxy, far.proxy] };
}

async function disturb(random: Random, proxies: readonly TcpProxy[]): Promise<void> {
  const proxy = random.one(proxies);
  const kind = random.one(['cut', 'delay', 'drop'] as const);
  if (kind === 'cut') proxy.cut();
  else if (kind === 'drop') proxy.drop();
  else proxy.delayMs = 50 + random.pick(200);
  await wait(50 + random.pick(400));
  proxy.mend();
}

describe.each(Array.from({ length: SEEDS }, (_, at) => FROM + at))('seed %i', seed => {
  test('what was reported while connections were cut, delayed and dropped has one row each', async () => {
    const random = createRandom(seed);
    const campaign = handle('campaign', 1_000 + seed);
    await harness.authority.hand(campaign, 10_000_000);
    await harness.authority.grant(campaign, 1, 1, 10_000_000);
    const { outbox, faulty } = await startParts();
    let stored = 0;
    for (let issueNumber = 1; issueNumber <= PLAYS; issueNumber++) {
      const play = reportOf(factsOf({ campaign, issueNumber }));
      // Now and then a screen did not hear the acknowledgement and sends the play again.
      const times = random.pick(4) === 0 ? 2 : 1;
      for (let time = 0; time < times; time++)
        expect(
          outbox.add({
            screen: handle('screen', 1),
            plays: [play],
            releases: [],
            onStored: () => {
              stored += time === 0 ? 1 : 0;
            },
          }),
        ).toBe(true);
      if (issueNumber % 10 === 0) await disturb(random, faulty);
    }
    await vi.waitUntil(() => stored === PLAYS, { timeout: 60_000, interval: 50 });
    await vi.waitUntil(async () => (await harness.redis.zcard('{plays:0}:intake:plays:pending')) === 0, {
      timeout: 60_000,
      interval: 50,
    });
    const [rows] = await harness.rows<{ rows: number; plays: number }>(
      `select toUInt32(count()) as rows, toUInt32(uniqExact(issue_number)) as plays from plays_raw where campaign_handle = ${campaign}`,
    );
    expect(rows).toEqual({ rows: PLAYS, plays: PLAYS });
    const all = await harness.authority.amounts(campaign);
    expect(all.spent).toBe(PLAYS * 5_000);
    expect(all.handed).toBe(all.free + all.open + all.inDoubt + all.spent + all.returned);
  }, 180_000);
});
