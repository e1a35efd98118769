/**
 * A whole installation under load: screens play, a planner books, and the load says whether all of it adds up. The
 * tests of kills, processes, network and power put their faults on it.
 */
import { EventEmitter } from 'node:events';
import type { EngineUrls } from '#engines/run.ts';
import { MICROS_PER_UNIT } from '#domain/money/money.ts';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import { openPostgres, type Postgres } from '#sql/postgres.ts';
import { openRedis, redisReady, type Redis } from '#sql/redis.ts';
import { verifyInstance } from '../../../cli/admin/running/checks.ts';
import type { Client } from '../../../cli/demo/client.ts';
import { seededRandom } from '../../../cli/demo/seeded-random.ts';
import { fundWallet } from '../../../cli/operator.ts';
import { SimulatedScreen, type ScreenLog, type SwarmEvents } from '../../../cli/screen-swarm.ts';
import { streamKeys } from '../../../ingest/queue/stream-keys.ts';
import { PLAY_QUEUE_NAME } from '../../../ingest/queue/play-queue.ts';
import {
  createCampaign,
  createReadyCreative,
  createSmallNetwork,
  eventually,
  pairScreen,
  type PairedScreen,
} from '../../support/network.ts';
import { finalVerdict } from '../../support/verdict.ts';
import { Fleet } from './fleet.ts';
import { Planner } from './planner.ts';
import { createRandom, type Random } from '../search/random.ts';

export const SCREENS = 12;
const PAST_EVERY_MS = 250;
const CHANCES = { drop: 0.005, repeat: 0.05, cannotPlay: 0.02, scan: 0 };
/** Within a minute of the end of a fault everything that was acknowledged has its row. */
export const CAUGHT_UP_MS_MAX = 60_000;
/** Plays that must be acknowledged before a strike, and again after it. */
const PROGRESS_PLAYS = 30;
/** What `caughtUp` answers of an installation that has lost and doubled nothing. */
export const WHOLE = {
  lost: 0,
  doubleCounted: 0,
  overspent: 0,
  verified: { ok: true, breaches: [] },
  miscounted: [],
  refusals: [],
};

/** Tries of one cut: plays go out between what was said and the next try. */
const CUTS_MAX = 5;

/** What a load is put on. Its engines may be elsewhere after a restart: `reconnect` then. */
export type Installation = {
  readonly apiUrl: string;
  readonly urls: EngineUrls;
  deliveryUrl(choice: number): string;
  stop(): Promise<void>;
};
type Connections = { sql: Postgres; clickhouse: Clickhouse; redis: Redis };
type Parts<T> = {
  fleet: T;
  brand: Client;
  paired: readonly PairedScreen[];
  planner: Planner;
  campaigns: readonly string[];
};
type LoadOptions = {
  seed: number;
  /** What is live from the start, as fields of `POST /campaigns`. */
  campaigns: readonly object[];
  /** How often the planner books another. */
  plansEveryMs: number;
};

export class Load<T extends Installation = Fleet> {
  readonly fleet: T;
  readonly planner: Planner;
  /** Ids of what was live from the start. */
  readonly campaigns: readonly string[];
  fills = 0;
  readonly #parts: Parts<T>;
  #connections: Connections;
  readonly #logs: ScreenLog[] = [];
  #acked = 0;

  private constructor(parts: Parts<T>, connections: Connections) {
    this.#parts = parts;
    this.#connections = connections;
    ({ fleet: this.fleet, planner: this.planner, campaigns: this.campaigns } = parts);
  }

  static async begin(options: LoadOptions): Promise<Load> {
    return Load.on(await Fleet.start(), options);
  }

  static async on<T extends Installation>(fleet: T, { seed, campaigns, plansEveryMs }: LoadOptions): Promise<Load<T>> {
    const connections = await connect(fleet.urls);
    const { sql } = connections;
    const network = await createSmallNetwork(sql, fleet.apiUrl);
    await fundWallet(sql, new Date(), {
      workspace: network.brandWorkspace,
      amountMicros: 1_000_000 * MICROS_PER_UNIT,
      book: 'live',
    }); // for all that the planner books
    const paired = await Promise.all(Array.from({ length: SCREENS }, () => pairScreen(network, fleet.apiUrl)));
    const creative = await createReadyCreative(network.brand);
    const made: string[] = [];
    for (const fields of campaigns)
      made.push(await createCampaign(network.brand, { creatives: [creative], ...fields }));
    const planner = new Planner(
      { apiUrl: fleet.apiUrl, key: network.brandKey, creative, everyMs: plansEveryMs },
      createRandom(seed),
    );
    return new Load({ fleet, brand: network.brand, campaigns: made, paired, planner }, connections);
  }

  get sql(): Postgres {
    return this.#connections.sql;
  }

  get clickhouse(): Clickhouse {
    return this.#connections.clickhouse;
  }

  get redis(): Redis {
    return this.#connections.redis;
  }

  /** What screens were promised, all that have ever played. */
  get logs(): readonly ScreenLog[] {
    return this.#logs;
  }

  disconnect(): Promise<void> {
    return disconnect(this.#connections);
  }

  async reconnect(): Promise<void> {
    await this.disconnect();
    this.#connections = await connect(this.fleet.urls);
  }

  async end(): Promise<void> {
    await this.disconnect();
    await this.fleet.stop();
  }

  /**
   * Every paired screen connects to a node by chance, or the first `count` of them, and plays until the test stops the
   * asking.
   */
  startScreens(random: Random, count = SCREENS): SimulatedScreen[] {
    return this.#parts.paired
      .slice(0, count)
      .map(paired => this.#startScreen(paired, seededRandom(1 + random.pick(1_000_000))));
  }

  #startScreen({ token }: PairedScreen, random: () => number): SimulatedScreen {
    const events = new EventEmitter<SwarmEvents>();
    events.on('acked', () => {
      this.#acked += 1;
    });
    events.on('slot', slot => {
      if (!('no_fill' in slot)) this.fills += 1;
    });
    const screen = new SimulatedScreen({
      url: () => this.fleet.deliveryUrl(random()),
      token,
      platform: 'linux',
      random,
      chances: CHANCES,
      events,
      pastEveryMs: PAST_EVERY_MS,
    });
    this.#logs.push(screen.log);
    screen.start();
    return screen;
  }

  /** Lowers a budget as far as it may be: to what is spent or reserved for plays on their way. */
  async cutBudget(campaign: string): Promise<void> {
    let amount = 0.01;
    for (let tries = 0; tries < CUTS_MAX; tries += 1) {
      try {
        return void (await this.#parts.brand.patch(`/v1/campaigns/${campaign}`, {
          budget: { amount, currency: 'EUR' },
        }));
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
    const { sql, clickhouse, redis } = this.#connections;
    const unacked = (): number => screens.reduce((sum, screen) => sum + screen.unacked, 0);
    const verdict = await finalVerdict({
      logs: this.#logs,
      clickhouse,
      sql,
      msMax: CAUGHT_UP_MS_MAX,
      isUnderWay: async () => unacked() > 0 || (await redis.zcard(streamKeys(PLAY_QUEUE_NAME, 0).pending)) > 0,
    });
    if (verdict?.lost !== 0) throw new Error(`${unacked()} plays unacknowledged, ${JSON.stringify(verdict)}`);
    let found: unknown;
    await eventually(async () => {
      found = await verifyInstance(sql, this.fleet.urls);
      return (found as { unchecked?: unknown }).unchecked === undefined ? true : undefined;
    }, CAUGHT_UP_MS_MAX).catch((error: unknown) => {
      throw new Error(JSON.stringify(found), { cause: error });
    });
    const { lost, doubleCounted, overspent } = verdict;
    return {
      lost,
      doubleCounted,
      overspent,
      verified: found,
      miscounted: await this.planner.miscounted(sql),
      refusals: this.planner.faults,
    };
  }
}

async function connect(urls: EngineUrls): Promise<Connections> {
  const redis = openRedis(urls.redisUrl, { role: 'worker' });
  await redisReady(redis);
  return {
    sql: openPostgres(urls.databaseUrl, { connectionsMax: 2, applicationName: 'marquee-test' }),
    clickhouse: openClickhouse(urls.clickhouseUrl, { application: 'marquee-test', connectionsMax: 2 }),
    redis,
  };
}

async function disconnect({ sql, clickhouse, redis }: Connections): Promise<void> {
  redis.disconnect();
  await Promise.all([sql.end({ timeout: 5 }), clickhouse.close()]);
}
