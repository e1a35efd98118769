import { EventEmitter } from 'node:events';
import { MICROS_PER_UNIT } from '#domain/money.ts';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import { openPostgres, type Postgres } from '#sql/postgres.ts';
import { openRedis, redisReady, type Redis } from '#sql/redis.ts';
import { verifyInstance } from '../../cli/admin-verify.ts';
import type { Client } from '../../cli/demo/client.ts';
import { seededRandom } from '../../cli/demo/seeded-random.ts';
import { fundWallet } from '../../cli/operator.ts';
import { SimulatedScreen, type ScreenLog, type SwarmEvents } from '../../cli/screen-swarm.ts';
import { intakeKeys } from '../../ingest/intake-keys.ts';
import { QUEUE_NAME } from '../../ingest/intake.ts';
import { createCampaign, createReadyCreative, createSmallNetwork, eventually, pairScreen, type PairedScreen } from '../support/network.ts';
import { finalVerdict } from '../support/verdict.ts';
import { Fleet } from './fleet.ts';
import { Planner } from './planner.ts';
import { createRandom, type Random } from './search/random.ts';

/** A whole installation under load: screens play, a planner books, and whoever asks is told whether all of it adds up. */
export const SCREENS = 12;
const PAST_EVERY_MS = 250;
const CHANCES = { drop: 0.005, repeat: 0.05, cannotPlay: 0.02, scan: 0 };
/** R1 of the goals. */
export const CAUGHT_UP_MS_MAX = 60_000;
/** Plays that must be acknowledged before a strike, and again after it. */
const PROGRESS_PLAYS = 30;
/** What `caughtUp` answers of an installation that has lost and doubled nothing. */
export const WHOLE = { lost: 0, doubleCounted: 0, overspent: 0, verified: { ok: true, breaches: [] }, miscounted: [], refusals: [] };

/** Tries of one cut: plays go out between what was said and the next try. */
const CUTS_MAX = 5;

type Parts = { fleet: Fleet; brand: Client; sql: Postgres; clickhouse: Clickhouse; redis: Redis; paired: readonly PairedScreen[]; planner: Planner; campaigns: readonly string[] };

export class Load {
  readonly fleet: Fleet;
  readonly sql: Postgres;
  readonly planner: Planner;
  /** Ids of what was live from the start. */
  readonly campaigns: readonly string[];
  fills = 0;
  readonly #parts: Parts;
  readonly #logs: ScreenLog[] = [];
  #acked = 0;

  private constructor(parts: Parts) {
    this.#parts = parts;
    ({ fleet: this.fleet, sql: this.sql, planner: this.planner, campaigns: this.campaigns } = parts);
  }

  /** @param options.campaigns what is live from the start, as fields of `POST /campaigns` @param options.plansEveryMs how often the planner books another */
  static async begin({ seed, campaigns, plansEveryMs }: { seed: number; campaigns: readonly object[]; plansEveryMs: number }): Promise<Load> {
    const fleet = await Fleet.start();
    const sql = openPostgres(fleet.urls.databaseUrl, { connectionsMax: 2, applicationName: 'marquee-test' });
    const clickhouse = openClickhouse(fleet.urls.clickhouseUrl, { application: 'marquee-test', connectionsMax: 2 });
    const redis = openRedis(fleet.urls.redisUrl, { role: 'worker' });
    await redisReady(redis);
    const network = await createSmallNetwork(sql, fleet.apiUrl);
    await fundWallet(sql, new Date(), { workspace: network.brandWorkspace, amountMicros: 1_000_000 * MICROS_PER_UNIT, book: 'live' }); // for all that the planner books
    const paired = await Promise.all(Array.from({ length: SCREENS }, () => pairScreen(network, fleet.apiUrl)));
    const creative = await createReadyCreative(network.brand);
    const made: string[] = [];
    for (const fields of campaigns) made.push(await createCampaign(network.brand, { creatives: [creative], ...fields }));
    const planner = new Planner({ apiUrl: fleet.apiUrl, key: network.brandKey, creative, everyMs: plansEveryMs }, createRandom(seed));
    return new Load({ fleet, brand: network.brand, campaigns: made, sql, clickhouse, redis, paired, planner });
  }

  async end(): Promise<void> {
    this.#parts.redis.disconnect();
    await Promise.all([this.sql.end({ timeout: 5 }), this.#parts.clickhouse.close()]);
    await this.fleet.stop();
  }

  /** Every paired screen connects to a node by chance, or the first `count` of them, and plays until it is told to stop asking. */
  startScreens(random: Random, count = SCREENS): SimulatedScreen[] {
    return this.#parts.paired.slice(0, count).map(paired => this.#startScreen(paired, seededRandom(1 + random.pick(1_000_000))));
  }

  #startScreen({ token }: PairedScreen, random: () => number): SimulatedScreen {
    const events = new EventEmitter<SwarmEvents>();
    events.on('acked', () => { this.#acked += 1; });
    events.on('slot', slot => { if (!('no_fill' in slot)) this.fills += 1; });
    const screen = new SimulatedScreen({ url: () => this.fleet.deliveryUrl(random()), token, platform: 'linux', sensor: false, random, chances: CHANCES, events, pastEveryMs: PAST_EVERY_MS });
    this.#logs.push(screen.log);
    screen.start();
    return screen;
  }

  /** Lowers a budget as far as it may be: to what is spent or reserved for plays on their way. */
  async cutBudget(campaign: string): Promise<void> {
    let amount = 0.01;
    for (let tries = 0; tries < CUTS_MAX; tries += 1) {
      try {
        return void await this.#parts.brand.patch(`/v1/campaigns/${campaign}`, { budget: { amount, currency: 'EUR' } });
      } catch (error) {
        if (String(error).includes('that is finished')) return; // it has run out by itself
        const [, out] = /cannot go below ([0-9.]+) EUR/.exec(String(error)) ?? [];
        if (out === undefined) throw error;
        amount = Number(out); // by the next try more may be on its way
      }
    }
  }

  /** Resolves when some more plays were acknowledged. */
  async progress(): Promise<void> {
    const from = this.#acked;
    await eventually(async () => (this.#acked >= from + PROGRESS_PLAYS ? true : undefined), CAUGHT_UP_MS_MAX);
  }

  /** What is to be said of the installation once it has caught up. @throws when it has not within a minute */
  async caughtUp(screens: readonly SimulatedScreen[]): Promise<object> {
    const { clickhouse, redis } = this.#parts;
    const unacked = (): number => screens.reduce((sum, screen) => sum + screen.unacked, 0);
    const verdict = await finalVerdict({
      logs: this.#logs, clickhouse, sql: this.sql, msMax: CAUGHT_UP_MS_MAX,
      isUnderWay: async () => unacked() > 0 || await redis.zcard(intakeKeys(QUEUE_NAME, 0).pending) > 0,
    });
    if (verdict?.lost !== 0) throw new Error(`${unacked()} plays unacknowledged, ${JSON.stringify(verdict)}`);
    let found: unknown;
    await eventually(async () => {
      found = await verifyInstance(this.sql, this.fleet.urls);
      return (found as { unchecked?: unknown }).unchecked === undefined ? true : undefined;
    }, CAUGHT_UP_MS_MAX).catch((error: unknown) => { throw new Error(JSON.stringify(found), { cause: error }); });
    const { lost, doubleCounted, overspent } = verdict;
    return { lost, doubleCounted, overspent, verified: found, miscounted: await this.planner.miscounted(this.sql), refusals: this.planner.faults };
  }
}
