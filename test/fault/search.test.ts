/**
 * The seeded search: `npm run test:search` for two thousand, fifteen in every run. `TRACE=<seed>` prints one move by
 * move. Of faults anything may strike anything, as long as somebody is left who keeps each play that a screen was told
 * is accepted.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openRedis, redisReady, type Redis } from '#sql/redis.ts';
import { createPlayQueue, type PlayQueue } from '../../ingest/queue/play-queue.ts';
import { OwnRedis } from '../support/engines/own-redis.ts';
import { Breach } from './search/breach.ts';
import { createRandom } from './search/random.ts';
import { scenarioOf, Search } from './search/moves.ts';
import { World } from './search/world/world.ts';

vi.mock('node:timers/promises', async load => ({
  ...(await load<object>()),
  setTimeout: (ms: number) =>
    new Promise(resolve => {
      setTimeout(resolve, ms);
    }),
}));

const SEEDS = Number(process.env['FAULT_SEEDS'] ?? 15);
const FROM = Number(process.env['FAULT_FROM'] ?? 1);
const TRACE = process.env['TRACE'] === undefined ? undefined : Number(process.env['TRACE']);
/** Every third seed has two shards; or all have so many. */
const SHARDS = process.env['FAULT_SHARDS'] === undefined ? undefined : Number(process.env['FAULT_SHARDS']);
let own: OwnRedis;
/** By the number of shards. */
const places = new Map<number, { redis: Redis; playQueue: PlayQueue }>();
let undo: () => void = () => undefined;

beforeAll(async () => {
  own = await OwnRedis.start({ durable: false });
  for (const shards of [1, 2]) {
    const redis = openRedis(own.socketUrl, { role: 'worker', shards });
    await redisReady(redis);
    places.set(shards, { redis, playQueue: createPlayQueue({ redis }) });
  }
});
afterEach(() => undo());
afterAll(async () => {
  for (const { redis, playQueue } of places.values()) {
    await playQueue.close();
    redis.disconnect();
  }
  await own.remove();
});

/** Clocks of two masters. */
const SKEWS_MS = [-900, 0, 900];
const shardsOf = (seed: number): number => SHARDS ?? (seed % 3 === 0 ? 2 : 1);

async function runSeed(seed: number, say?: (label: string, world: World) => void) {
  const random = createRandom(seed);
  const scenario = scenarioOf(random);
  const { redis, playQueue } = places.get(shardsOf(seed))!;
  if (redis.shards > 1) scenario.skewMs = random.one(SKEWS_MS);
  const world = new World({
    config: scenario,
    redis,
    playQueue,
    random,
    folder: mkdtempSync(join(tmpdir(), 'marquee-search-')),
  });
  const search = new Search(world, { random, scenario });
  undo = world.time.install();
  let moves = 0;
  try {
    await search.begin();
    for (; moves < scenario.steps; moves++) await search.step(say && (label => say(label, world)));
    say?.('everything is healed', world);
    await search.healing.finish();
    return { moves, counts: countsOf(world, search), breach: undefined };
  } catch (error) {
    if (!(error instanceof Breach)) throw error;
    return { moves, counts: countsOf(world, search), breach: error.message };
  } finally {
    world.end();
    undo();
  }
}

/**
 * How much happened: plays with a row, those that were found to overlap, those that came in two batches or more,
 * reports that were final, faults.
 */
function countsOf(world: World, search: Search): Record<string, number> {
  const repeated = [...world.plays.values()].filter(({ batches }) => batches.size > 1).length;
  const overlaps = world.clickhouse.rows().filter(({ decidedBy }) => decidedBy === 'overlap@1').length;
  return { plays: world.clickhouse.rowCount(), overlaps, repeated, finals: world.reports.finalCount, ...search.counts };
}

test(`the invariants hold after every move, and nothing is left over at the end: ${SEEDS} seeds from ${FROM}`, async () => {
  const breaches: string[] = [];
  const totals: Record<string, number> = { moves: 0 };
  const seeds = TRACE === undefined ? Array.from({ length: SEEDS }, (_, at) => FROM + at) : [TRACE];
  const began = Date.now();
  for (const seed of seeds) {
    const began = Date.now();
    const { moves, counts, breach } = await runSeed(
      seed,
      TRACE === undefined
        ? undefined
        : (label, world) => console.log(`${((world.time.now - began) / 1000).toFixed(2)} s  ${label}`),
    );
    totals['moves']! += moves;
    for (const [kind, count] of Object.entries(counts)) totals[kind] = (totals[kind] ?? 0) + count;
    if (breach !== undefined) breaches.push(`seed ${seed}, move ${moves}: ${breach}`);
    if (breaches.length >= 10) break;
  }
  console.log(JSON.stringify({ seeds: seeds.length, ...totals, seconds: (Date.now() - began) / 1000 }));
  expect(breaches).toEqual([]);
  // It did play: more than once a seed on average, which a few seeds alone need not reach.
  expect(totals['plays']).toBeGreaterThanOrEqual(seeds.length >= 10 ? seeds.length : 0);
}, 3_600_000);
