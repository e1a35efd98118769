/**
 * The faults that the product must survive, each with the moment of its begin and its end: kills, cuts, full disks,
 * lost data, moved clocks. A strike resolves when the fault has ended; recovery is up to the product.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { openClickhouse } from '#sql/clickhouse.ts';
import { openRedis, redisReady, type Redis } from '#sql/redis.ts';
import { MEMBERS, type EngineName, type Fleet, type MemberName } from './fleet.ts';
import type { Random } from '../search/random.ts';
import { CLOCK } from '../../support/engines/redis.ts';

export type Strike = (on: {
  fleet: Fleet;
  random: Random;
  moveScreens: () => void;
  doubleScreens: (forMs: number) => Promise<void>;
}) => Promise<void>;

/**
 * How long cuts last; FAULT_LONG=1 adds 35 s, at which leases and locks have run out, and 5 minutes, at which nodes are
 * fenced.
 */
const CUTS_MS = process.env['FAULT_LONG'] === '1' ? [1_000, 35_000, 300_000] : [1_000, 8_000];
const HOUR_MS = 3_600_000;

const POINTS: readonly { member: (random: Random) => MemberName; point: string; among: number }[] = [
  ...[
    'delivery_before_decode',
    'delivery_after_decode',
    'delivery_before_store',
    'delivery_after_store',
    'delivery_before_ack',
  ].map(point => ({ member: (random: Random) => random.one(['delivery-1', 'delivery-2'] as const), point, among: 8 })),
  ...['ingest.after_count', 'ingest.after_insert'].map(point => ({
    member: (random: Random) => random.one(['ingest-1', 'ingest-2'] as const),
    point,
    among: 3,
  })),
  ...['workers.after_hand_commit', 'workers.after_settle_commit', 'outbox.before_commit'].map(point => ({
    member: () => 'workers' as const,
    point,
    among: 2,
  })),
  { member: () => 'api', point: 'once.committed', among: 2 },
];

const PAIRS: readonly [MemberName, EngineName][] = [
  ['delivery-1', 'redis'],
  ['delivery-2', 'postgres'],
  ['ingest-1', 'redis'],
  ['ingest-2', 'clickhouse'],
  ['ingest-1', 'postgres'],
  ['workers', 'postgres'],
  ['workers', 'redis'],
  ['workers', 'clickhouse'],
  ['api', 'postgres'],
  ['api', 'redis'],
  ['api', 'clickhouse'],
];

export const KINDS: Readonly<Record<string, Strike>> = {
  ...Object.fromEntries(
    POINTS.map(
      ({ member, point, among }) =>
        [
          `killed at ${point}`,
          ({ fleet, random, moveScreens }) =>
            fleet.dieAt(member(random), { point, nth: 1 + random.pick(among), onArmed: moveScreens }),
        ] satisfies [string, Strike],
    ),
  ),
  ...Object.fromEntries(
    MEMBERS.map(name => [`${name} killed`, ({ fleet }) => fleet.kill(name)] satisfies [string, Strike]),
  ),
  ...Object.fromEntries(
    PAIRS.flatMap(([member, engine]) =>
      (['cut', 'drop', 'delay'] as const).map(
        how =>
          [
            `${member} and ${engine}: ${how}`,
            ({ fleet, random }) =>
              disturb(fleet, { member, engine, how, forMs: random.one(CUTS_MS), delayMs: 100 + random.pick(900) }),
          ] satisfies [string, Strike],
      ),
    ),
  ),
  'delivery stopped while its screens move': async ({ fleet, random, moveScreens }) => {
    const goOn = fleet.pause(random.one(['delivery-1', 'delivery-2'] as const));
    moveScreens();
    await wait(3_000 + random.pick(17_000));
    goOn();
  },
  'ingest stopped for longer than its lock': async ({ fleet, random }) => {
    const goOn = fleet.pause(random.one(['ingest-1', 'ingest-2'] as const));
    await wait(8_000 + random.pick(4_000)); // a lock lasts 5 s and is looked for every 2 s
    goOn();
  },
  'Redis killed': async ({ fleet, random }) => {
    await fleet.redis.kill();
    await wait(random.pick(3_000));
    await fleet.redis.restart();
  },
  'Redis rolled back by what was written in the last moments': async ({ fleet, random }) => {
    const length = fleet.redis.logLength();
    await wait(100 + random.pick(900));
    await fleet.redis.rollBack(length);
  },
  'Redis lost with all that was in it': ({ fleet }) => fleet.redis.rollBack(0),
  'Redis out of memory': ({ fleet, random }) =>
    withRedis(fleet, async redis => {
      await redis.config('SET', 'maxmemory', '1mb');
      await wait(1_000 + random.pick(5_000));
      await redis.config('SET', 'maxmemory', '0');
    }),
  'the clock of Redis an hour ahead, and back': ({ fleet, random }) =>
    withRedis(fleet, async redis => {
      await redis.set(CLOCK, HOUR_MS);
      await wait(500 + random.pick(4_000));
      await redis.del(CLOCK);
    }),
  'ClickHouse killed': async ({ fleet }) => {
    process.kill(fleet.enginePid('clickhouse'), 'SIGKILL');
  },
  'ClickHouse refuses writes': ({ fleet, random }) => refuseWrites(fleet, 1_000 + random.pick(5_000)),
  'Postgres killed': async ({ fleet }) => {
    process.kill(fleet.enginePid('postgres'), 'SIGKILL');
  },
  'two connections of one screen': ({ doubleScreens }) => doubleScreens(4_000),
};

type DisturbOptions = {
  member: MemberName;
  engine: EngineName;
  how: 'cut' | 'drop' | 'delay';
  forMs: number;
  delayMs: number;
};

async function disturb(fleet: Fleet, { member, engine, how, forMs, delayMs }: DisturbOptions): Promise<void> {
  const proxy = fleet.proxy(member, engine);
  if (how === 'delay') proxy.delayMs = delayMs;
  else proxy[how]();
  await wait(forMs);
  proxy.mend();
}

async function withRedis(fleet: Fleet, act: (redis: Redis) => Promise<void>): Promise<void> {
  const redis = openRedis(fleet.redis.url, { role: 'worker' });
  await redisReady(redis);
  await act(redis).finally(() => redis.disconnect());
}

/** No table may have more parts than it has: every insert is refused, as on a server whose merges have stopped. */
async function refuseWrites(fleet: Fleet, forMs: number): Promise<void> {
  const clickhouse = openClickhouse(fleet.urls.clickhouseUrl, { application: 'marquee-test', connectionsMax: 1 });
  try {
    await clickhouse.command({ query: 'alter table plays_raw modify setting max_parts_in_total = 1' });
    await wait(forMs);
    await clickhouse.command({ query: 'alter table plays_raw reset setting max_parts_in_total' });
  } finally {
    await clickhouse.close();
  }
}
