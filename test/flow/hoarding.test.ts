/**
 * Screens that take ads and play none may hold only few of them, and screens that play are never held back. Real
 * delivery processes and ingest on real engines, and screens of the test over real sockets.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { decodePlayId, parseSigningKeys, reservationMicros } from '#domain/plays/play.ts';
import { HOUR_TICKS, tickOf } from '#domain/plays/screen-time.ts';
import { openRedis, redisReady, type Redis } from '#sql/redis.ts';
import { startStreams } from '../../ingest/streams.ts';
import {
  addCampaign,
  addScreen,
  type CampaignRow,
  createWorld,
  type DeliveryProcess,
  type ScreenRow,
  SIGNING_KEYS,
  type World,
} from '../delivery/delivery-under-test.ts';
import { silentLog } from '../ingest/harness.ts';
import { freshClickhouse } from '../support/engines/databases.ts';
import { eventually } from '../support/network.ts';
import { type Fill, ScreenClient } from '../support/screen-client.ts';

const MINUTE = 60_000;
const AD_MS = 6_000;
const BUDGET_MICROS = 1_000_000_000;
const UNPROVEN_MS = 15 * MINUTE;
/** What a process gives before it has heard what is held elsewhere. */
const UNKNOWN_MS = 7.5 * MINUTE;
/**
 * A process sends the authority what its screens hold, and gets the figures of others, once a second; a busy machine is
 * slower.
 */
const HEARD_MS_MAX = 20_000;
const keys = parseSigningKeys(SIGNING_KEYS);

let world: World;
let clickhouse: Awaited<ReturnType<typeof freshClickhouse>>;
let campaign: CampaignRow;
let screen: ScreenRow;
let delivery: DeliveryProcess;
let messageId = 0;
const connections: Redis[] = [];
let ingest: { close(): Promise<void> };

beforeAll(async () => {
  [world, clickhouse] = await Promise.all([createWorld(), freshClickhouse()]);
  const commands = openRedis(world.redisUrl, { role: 'commands' });
  const blocking = openRedis(world.redisUrl, { role: 'worker' });
  connections.push(commands, blocking);
  await redisReady(commands);
  ingest = await startStreams({
    commands,
    blocking,
    clickhouse: clickhouse.client,
    sql: world.sql,
    keys,
    log: silentLog,
  });
  campaign = await addCampaign(world, { budget_micros: BUDGET_MICROS });
  delivery = await world.start();
});
beforeEach(async () => {
  screen = await addScreen(world);
});
afterAll(async () => {
  await ingest.close();
  for (const connection of connections) connection.disconnect();
  await world.close();
  await clickhouse.drop();
});

type Slot = Fill | { no_fill: string };
const isFill = (slot: Slot): slot is Fill => !('no_fill' in slot);
const connect = async ({ url }: DeliveryProcess) => (await ScreenClient.connect(url, screen.token)).client;
const sumMs = (fills: readonly Fill[]): number => fills.reduce((sum, fill) => sum + fill.duration_ms, 0);
const isHeldBack = (slot: Slot): boolean => 'no_fill' in slot && slot.no_fill === 'paced_out';
const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

async function slots(client: ScreenClient, fields: object = {}): Promise<Slot[]> {
  const id = ++messageId;
  client.send({ t: 'slot', id, count: 20, ...fields });
  return (await client.next('fill', id))['slots'] as Slot[];
}

/** The processes whose ads this screen holds, as far as they have told the authority. */
async function processesHeld(): Promise<string[]> {
  const [key] = await world.redis.keys(`*:s${screen.handle}:held`);
  return key === undefined ? [] : world.redis.hkeys(key);
}

/** Takes what a process gives at once: all that a screen may hold as far as the process has heard. */
async function takeAtOnce(client: ScreenClient): Promise<Fill[]> {
  const fills: Fill[] = [];
  for (;;) {
    const given = await slots(client);
    fills.push(...given.filter(isFill));
    if (given.some(isHeldBack)) return fills;
  }
}

/**
 * Takes ads until they are so much time, which a process gives as soon as it has heard of the others, and what comes on
 * top.
 */
async function takeUntil(client: ScreenClient, ms: number): Promise<Fill[]> {
  const fills: Fill[] = [];
  await eventually(async () => {
    fills.push(...(await takeAtOnce(client)));
    return sumMs(fills) >= ms || undefined;
  }, HEARD_MS_MAX);
  return [...fills, ...(await takeAtOnce(client))];
}

/**
 * Takes ads before and after this process, one of so many that gave the screen some, has told the authority of them.
 */
async function takeAll(client: ScreenClient, processes: number): Promise<Fill[]> {
  const fills = await takeAtOnce(client);
  await eventually(async () => (await processesHeld()).length >= processes || undefined, HEARD_MS_MAX);
  return [...fills, ...(await takeAtOnce(client))];
}

/** As ingest does for plays that it counts: an hour of them, some hours ago. */
async function hasShownAnHour(): Promise<void> {
  const start = tickOf(Date.now()) - 5 * HOUR_TICKS;
  await world.authority.screenTime.take(
    Array.from({ length: 240 }, (_, index) => ({
      screen: screen.handle,
      start: start + index * 60,
      ticks: 60,
      tag: index,
      firstHour: Math.floor((start + index * 60) / HOUR_TICKS) - 1,
      lastHour: Math.floor((start + index * 60) / HOUR_TICKS),
    })),
  );
}

test('a screen that takes ads and plays none holds a quarter of an hour of them, also after it went to another process and the first was killed', async () => {
  const client = await connect(delivery);
  const taken = await takeUntil(client, UNPROVEN_MS);
  expect(sumMs(taken)).toBe(UNPROVEN_MS);
  expect((await slots(client)).every(isHeldBack)).toBe(true);
  const other = await world.start({ DELIVERY_NODE: 'other' });
  taken.push(...(await takeAll(await connect(other), 2)));
  await other.kill();
  const third = await world.start({ DELIVERY_NODE: 'third' });
  const last = await connect(third);
  taken.push(...(await takeAll(last, 3)));
  expect(sumMs(taken)).toBeGreaterThanOrEqual(UNPROVEN_MS);
  expect(sumMs(taken)).toBeLessThanOrEqual(UNPROVEN_MS + 2 * UNKNOWN_MS);
  const reserved = taken.reduce((sum, fill) => sum + reservationMicros(decodePlayId(fill.play_id, keys)!), 0);
  expect(reserved).toBeLessThan(BUDGET_MICROS / 100);
  last.close();
  await third.stop();
}, 60_000);

test('a screen that has shown an hour of ads may hold half an hour more', async () => {
  await hasShownAnHour();
  const client = await connect(delivery);
  expect(sumMs(await takeUntil(client, UNPROVEN_MS + 30 * MINUTE))).toBe(UNPROVEN_MS + 30 * MINUTE);
  client.close();
}, 30_000);

test('a screen at its bound gets ads again at once for those that it reports after it was offline, and for those that it gives back', async () => {
  const offline = await connect(delivery);
  const played = (await slots(offline, { at: offline.pastAt(9), count: 9 })).filter(isFill);
  expect(played).toHaveLength(9);
  await takeUntil(offline, UNPROVEN_MS - sumMs(played));
  offline.close();
  const client = await connect(delivery);
  expect((await slots(client)).every(isHeldBack)).toBe(true);
  const id = ++messageId;
  client.send({
    t: 'plays',
    id,
    plays: played.map(({ play_id, starts_at, duration_ms }) => ({
      play_id,
      started_at: starts_at,
      played_ms: duration_ms,
    })),
  });
  expect(await client.next('ack', id)).toMatchObject({ refused: [] });
  const again = await slots(client);
  expect(again.filter(isFill)).toHaveLength(9);
  expect(again.filter(isHeldBack)).toHaveLength(11);
  await eventually(
    async () =>
      (await world.authority.amounts(campaign.handle)).spent >=
        9 * reservationMicros(decodePlayId(played[0]!.play_id, keys)!) || undefined,
    20_000,
  );
  client.send({ t: 'plays', id: ++messageId, plays: [], settled_to: Date.now() + MINUTE * 10 });
  await client.next('ack', messageId);
  expect((await slots(client)).every(isFill)).toBe(true);
  client.close();
}, 30_000);

test('a screen that plays what it takes is never held back', async () => {
  const client = await connect(delivery);
  for (let round = 0; round < 30; round++) {
    const given = await slots(client, { at: Date.now() - 55_000, count: 9 });
    expect(given.filter(isHeldBack)).toEqual([]);
    const id = ++messageId;
    // Nothing of it can overlap, so all but the first round is given back.
    client.send({
      t: 'plays',
      id,
      plays: given
        .filter(isFill)
        .map(({ play_id, starts_at }) => ({ play_id, started_at: starts_at, played_ms: AD_MS })),
    });
    await client.next('ack', id);
    await sleep(100);
  }
  client.close();
}, 30_000);
