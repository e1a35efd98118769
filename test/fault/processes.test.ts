import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MICROS_PER_UNIT } from '#domain/money.ts';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import { openPostgres, type Postgres } from '#sql/postgres.ts';
import { openRedis, redisReady, type Redis } from '#sql/redis.ts';
import { verifyInstance } from '../../cli/admin-verify.ts';
import { compare } from '../../cli/demo/comparison.ts';
import { seededRandom } from '../../cli/demo/seeded-random.ts';
import { fundWallet } from '../../cli/operator.ts';
import { SimulatedScreen, type ScreenLog, type SwarmEvents } from '../../cli/screen-swarm.ts';
import { intakeKeys } from '../../ingest/intake-keys.ts';
import { QUEUE_NAME } from '../../ingest/intake.ts';
import { createCampaign, createCreative, createSmallNetwork, eventually, pairScreen, type PairedScreen } from '../support/network.ts';
import { Fleet, MEMBERS } from './fleet.ts';
import { KINDS, type Strike } from './kinds.ts';
import { Planner } from './planner.ts';
import { createRandom, type Random } from './search/random.ts';

/**
 * Faults of a whole installation under load, one after the other: screens play, a planner books, something fails, and within
 * a minute of its end every acknowledged play has one row, nothing is spent twice or too much, and every invariant of
 * `admin verify` holds. `npm run test:fault -- --seeds n` strikes n times four faults, dealt from a shuffled deck;
 * FAULT_KIND=<regular expression> deals only those whose names match.
 */
const FAULTS_PER_SEED = 4;
const SEEDS = Number(process.env['FAULT_SEEDS'] ?? 2);
const FROM = Number(process.env['FAULT_FROM'] ?? 1);
const SCREENS = 12;
const PAST_EVERY_MS = 250;
const CHANCES = { drop: 0.005, repeat: 0.05, cannotPlay: 0.02, scan: 0 };
/** R1 of the goals. */
const CAUGHT_UP_MS_MAX = 60_000;
/** Plays that must be acknowledged before a strike, and again after it. */
const PROGRESS_PLAYS = 30;

let fleet: Fleet;
let sql: Postgres;
let clickhouse: Clickhouse;
let redis: Redis;
let paired: PairedScreen[];
let planner: Planner;
const logs: ScreenLog[] = [];
let acked = 0;
let fills = 0;

beforeAll(async () => {
  fleet = await Fleet.start();
  sql = openPostgres(fleet.urls.databaseUrl, { connectionsMax: 2, applicationName: 'marquee-test' });
  clickhouse = openClickhouse(fleet.urls.clickhouseUrl, { application: 'marquee-test', connectionsMax: 2 });
  redis = openRedis(fleet.urls.redisUrl, { role: 'worker' });
  await redisReady(redis);
  const network = await createSmallNetwork(sql, fleet.apiUrl);
  await fundWallet(sql, new Date(), { workspace: network.brandWorkspace, amountMicros: 1_000_000 * MICROS_PER_UNIT, book: 'live' }); // for all that the planner books
  paired = await Promise.all(Array.from({ length: SCREENS }, () => pairScreen(network, fleet.apiUrl)));
  const creative = await createCreative(network.brand);
  await eventually(async () => ((await network.brand.get<{ status: string }>(`/v1/creatives/${creative}`)).status === 'ready' ? true : undefined), 60_000);
  const budgets = [2_000, 1_000, 100, 5]; // the last ones run dry on the way
  for (const amount of budgets) await createCampaign(network.brand, { creatives: [creative], budget: { amount, currency: 'EUR' } });
  planner = new Planner({ apiUrl: fleet.apiUrl, key: network.brandKey, creative }, createRandom(FROM));
}, 180_000);

afterAll(async () => {
  redis?.disconnect();
  await Promise.all([sql?.end({ timeout: 5 }), clickhouse?.close()]);
  await fleet?.stop();
}, 60_000);

function startScreen({ token }: PairedScreen, random: () => number): SimulatedScreen {
  const events = new EventEmitter<SwarmEvents>();
  events.on('acked', () => { acked += 1; });
  events.on('slot', slot => { if (!('no_fill' in slot)) fills += 1; });
  const screen = new SimulatedScreen({ url: () => fleet.deliveryUrl(random()), token, platform: 'linux', sensor: false, random, chances: CHANCES, events, pastEveryMs: PAST_EVERY_MS });
  logs.push(screen.log);
  screen.start();
  return screen;
}

async function progress(): Promise<void> {
  const from = acked;
  await eventually(async () => (acked >= from + PROGRESS_PLAYS ? true : undefined), CAUGHT_UP_MS_MAX);
}

/** Screens play and the planner books while the fault strikes; answers the screens, which still have plays to report. */
async function strikeUnderLoad(strike: Strike, random: Random): Promise<SimulatedScreen[]> {
  const seedOf = (): () => number => seededRandom(1 + random.pick(1_000_000));
  const screens = paired.map(token => startScreen(token, seedOf()));
  planner.start();
  await progress();
  await strike({
    fleet, random,
    moveScreens: () => { for (const screen of screens) screen.drop(); },
    doubleScreens: async forMs => {
      const doubles = paired.slice(0, 3).map(token => startScreen(token, seedOf()));
      await wait(forMs);
      for (const double of doubles) double.close(); // with what was not acknowledged to them
    },
  });
  await progress();
  for (const screen of screens) screen.stopAsking();
  return screens;
}

/** Bytes of memory that a process holds, by Linux; 0 where it cannot be told. */
function rssOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4_096;
  } catch {
    return 0;
  }
}

async function pendingBatches(): Promise<number> {
  return redis.zcard(intakeKeys(QUEUE_NAME).pending);
}

const WHOLE = { lost: 0, doubleCounted: 0, overspent: 0, verified: { ok: true, breaches: [] }, miscounted: [], refusals: [] };

/** What is to be said of the installation once it has caught up. @throws when it has not within a minute */
async function caughtUp(screens: readonly SimulatedScreen[]): Promise<object> {
  const unacked = (): number => screens.reduce((sum, screen) => sum + screen.unacked, 0);
  let verdict = { lost: -1, doubleCounted: -1, overspent: -1, playsReported: -1 };
  await eventually(async () => {
    if (unacked() > 0 || await pendingBatches() > 0) return undefined;
    verdict = await compare({ logs, clickhouse, sql });
    return verdict.lost === 0 ? true : undefined;
  }, CAUGHT_UP_MS_MAX).catch((error: unknown) => { throw new Error(`${unacked()} plays unacknowledged, ${JSON.stringify(verdict)}`, { cause: error }); });
  let found: unknown;
  await eventually(async () => {
    found = await verifyInstance(sql, fleet.urls);
    return (found as { unchecked?: unknown }).unchecked === undefined ? true : undefined;
  }, CAUGHT_UP_MS_MAX).catch((error: unknown) => { throw new Error(JSON.stringify(found), { cause: error }); });
  const { lost, doubleCounted, overspent } = verdict;
  return { lost, doubleCounted, overspent, verified: found, miscounted: await planner.miscounted(sql), refusals: planner.faults };
}

/** Faults in the order of a deck that is shuffled again when it is empty, so that many seeds meet each about as often. */
function deal(): { seed: number; kind: string }[] {
  const names = Object.keys(KINDS).filter(name => new RegExp(process.env['FAULT_KIND'] ?? '').test(name));
  const random = createRandom(FROM);
  const deck: string[] = [];
  return Array.from({ length: SEEDS * FAULTS_PER_SEED }, (_, at) => {
    if (deck.length === 0) deck.push(...names);
    return { seed: FROM + Math.floor(at / FAULTS_PER_SEED), kind: deck.splice(random.pick(deck.length), 1)[0]! };
  });
}

describe('an installation under load', () => {
  test.for(deal().map((dealt, at) => ({ ...dealt, at })))('is whole within a minute after: $kind (seed $seed, strike $at)', { timeout: 600_000 }, async ({ seed, kind, at }) => {
    const screens = await strikeUnderLoad(KINDS[kind]!, createRandom(1_000 * seed + at));
    try {
      await planner.stop();
      expect(await caughtUp(screens)).toEqual(WHOLE);
    } finally {
      for (const screen of screens) screen.close();
    }
  });
});

/** R4 of the goals: a minute in every longer run, ten in the nightly one. */
const AWAY_MS = process.env['FAULT_LONG'] === '1' ? 600_000 : 60_000;
/** What a process may grow meanwhile: the plays that it keeps are bounded far below (outbox, groups). */
const GROWTH_BYTES_MAX = 300 * 2 ** 20;

describe.runIf(SEEDS >= 20)('while an engine is away', () => {
  test.each(['postgres', 'redis', 'clickhouse'] as const)('%s: screens are answered from memory, memory is bounded, and all is whole within a minute after', async engine => {
    const silent: number[] = [];
    let grown: (readonly [string, number])[] = [];
    const screens = await strikeUnderLoad(async () => {
      const proxies = MEMBERS.map(member => fleet.proxy(member, engine));
      const rssBefore = new Map(MEMBERS.map(member => [member, rssOf(fleet.pid(member))]));
      for (const proxy of proxies) proxy.cut();
      // Leases last for 90 s of the plan, and a node that cannot renew stops after 100 s.
      for (let minute = 0; minute < AWAY_MS / 60_000; minute += 1) {
        const before = fills;
        await wait(60_000);
        if (fills <= before + SCREENS && (engine !== 'redis' || minute === 0)) silent.push(minute);
      }
      grown = MEMBERS.map(member => [member, rssOf(fleet.pid(member)) - rssBefore.get(member)!] as const).filter(([, bytes]) => bytes > GROWTH_BYTES_MAX);
      for (const proxy of proxies) proxy.mend();
    }, createRandom(FROM));
    try {
      await planner.stop();
      expect({ silent, grown, ...await caughtUp(screens) }).toEqual({ silent: [], grown: [], ...WHOLE });
    } finally {
      for (const screen of screens) screen.close();
    }
  }, 1_200_000);
});
