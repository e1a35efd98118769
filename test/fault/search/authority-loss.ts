/**
 * The loss of the authority in the seeded search: Redis comes back without some of what it had, and the authority is
 * resumed or rebuilt.
 */
import { playTag, tickOf, ticksOf } from '#domain/plays/screen-time.ts';
import { allShards, shardKeys } from '#authority/authority-keys.ts';
import type { Handle } from '../../../domain/id.ts';
import { handle } from '../../support/handle.ts';
import { SECOND } from './virtual-time.ts';
import type { Delivery } from './world/delivery.ts';
import type { Environment } from './world/environment.ts';
import type { Workers } from './world/workers.ts';

/** What Redis had at some moment. */
type State = { batches: Set<string>; values: { key: string; dump: Buffer; ttl: number }[] };

const INSERT_MS = 15 * SECOND;
const STATES_MAX = 3;

/**
 * Redis as it comes back from a restart: as it was (its log is written before every answer), as it was some time ago,
 * or empty. Found whole it is resumed; otherwise the authority is rebuilt by the steps of
 * `workers/budgets/rebuild-authority.ts`.
 */
export class AuthorityLoss {
  /** Since when nothing answers, and a rebuild waits for running inserts. */
  #lostAt: number | undefined;
  /** Some shards do not answer, and the workers have not looked yet. */
  isPartlyLost = false;
  /** It was restarted and lacks nothing. */
  #isWhole = false;
  readonly #states: State[] = [];
  readonly #environment: Environment;
  readonly #delivery: Delivery;
  readonly #workers: Workers;

  constructor(environment: Environment, { delivery, workers }: { delivery: Delivery; workers: Workers }) {
    this.#environment = environment;
    this.#delivery = delivery;
    this.#workers = workers;
  }

  /** Nothing can be said of the authority now. */
  get isLost(): boolean {
    return this.#lostAt !== undefined || this.isPartlyLost || this.#isWhole;
  }

  async setAside(): Promise<void> {
    const state = await this.#stateNow();
    if (this.#states.length < STATES_MAX) this.#states.push(state);
    else this.#states[this.#environment.random.pick(STATES_MAX)] = state;
  }

  /** It comes back with all that it had answered. */
  async restart(): Promise<void> {
    if (this.#lostAt !== undefined) return; // nothing answers as it is
    for (const { record } of allShards(this.#environment.redis))
      await this.#environment.redis.hset(record, 'life', 'another');
    this.#isWhole = !this.isPartlyLost;
  }

  /** It comes back without some of it, or one of its servers does; unless a promised play would be nowhere then. */
  async lose(): Promise<void> {
    const { redis, random } = this.#environment;
    const before = random.one<State>([{ batches: new Set(), values: [] }, ...this.#states]);
    const only = redis.shards > 1 && random.pick(2) === 0 ? random.pick(redis.shards) : undefined;
    const to = only === undefined ? before : replaceShard(await this.#stateNow(), before, only);
    if (!this.#mayLose(to.batches)) return;
    this.#environment.line.echoes.length = 0; // what is sent again comes before a rebuild ends, and is refused
    await redis.flushdb();
    await Promise.all(to.values.map(({ key, dump, ttl }) => redis.restore(key, ttl, dump, 'REPLACE')));
    this.#environment.plays.batches = new Set(to.batches);
    await this.#environment.tick(0);
    if (only === undefined || this.#lostAt !== undefined) return this.see();
    // The others go on until the workers look.
    await redis.hset(shardKeys(only).record, 'life', 'another');
    this.#isWhole = false;
    this.isPartlyLost = true;
  }

  /** The workers look, and end all shards. */
  async see(): Promise<void> {
    await this.#environment.direct.life.end();
    this.isPartlyLost = this.#isWhole = false;
    this.#lostAt = this.#environment.time.now;
  }

  get mayResume(): boolean {
    return this.#isWhole;
  }

  async resume(): Promise<void> {
    const { life } = this.#environment.direct;
    await life.resume((await life.state()).runs);
    this.#isWhole = false;
  }

  get mayRebuild(): boolean {
    return (
      this.#lostAt !== undefined &&
      this.#environment.clickhouse.up &&
      this.#environment.time.now > this.#lostAt + INSERT_MS
    );
  }

  /** @param options.isCut it dies before it has begun the last shard. */
  async rebuild({ isCut = false } = {}): Promise<void> {
    const {
      direct: { life, screenTime },
      postgres,
      clickhouse,
      playGroups,
      time,
      redis,
    } = this.#environment;
    postgres.generation++;
    await life.forget();
    const raw = clickhouse.rows();
    const written = [...new Set(raw.map(row => row.group))].map(group => ({
      group,
      table: 'plays_raw' as const,
      attempt: Math.max(...raw.filter(row => row.group === group).map(row => row.attempt)),
    }));
    const unsettled = written.filter(({ group }) => !postgres.settled.has(group));
    for (const { group } of unsettled) clickhouse.repeat(group);
    await playGroups.forgetAll({
      written,
      unsettled: unsettled
        .filter(({ group }) => raw.some(row => row.group === group && !row.late))
        .map(({ group }) => ({ group, lineMs: time.now })),
    });
    await life.rebuild(
      postgres.campaigns.flatMap(({ handed, returned, target }, at) => {
        const { cost, plays } = clickhouse.sums(at + 1);
        return handed > 0
          ? [
              {
                campaign: handle('campaign', at + 1),
                handedMicros: handed,
                returnedMicros: returned,
                takeBackMicros: target,
                spentMicros: cost,
                countedPlays: plays,
              },
            ]
          : [];
      }),
    );
    const places = [...new Set(raw.map(row => `${row.campaign}:${row.epoch}`))].map(
      place => place.split(':').map(Number) as [campaign: Handle<'campaign'>, epoch: number],
    );
    await life.rebuildBits(
      places.map(([campaign, epoch]) => {
        const own = raw.filter(row => row.campaign === campaign && row.epoch === epoch);
        return {
          campaign,
          epoch,
          counted: own.filter(row => !row.late).map(row => row.issueNumber),
          late: own.filter(row => row.late).map(row => row.issueNumber),
        };
      }),
    );
    const timed = raw
      .filter(row => !row.late)
      .map(row => ({
        screen: row.screen,
        start: tickOf(row.playedAt),
        ticks: ticksOf(row.durationMs),
        tag: playTag(row),
      }));
    await screenTime.rebuild(timed.sort((one, other) => one.screen - other.screen || one.start - other.start));
    await life.begin({
      generation: postgres.generation,
      firstEpoch: postgres.lastEpoch + 1,
      lapseLine: postgres.lapseLine,
      asOfMs: postgres.asOf,
      mayLive: [...postgres.open],
    });
    if (isCut) await redis.hdel(allShards(redis).at(-1)!.record, 'life', 'generation');
    this.isPartlyLost = isCut;
    this.#lostAt = undefined;
    for (const [at, { handed }] of postgres.campaigns.entries()) this.#workers.told[at] = handed;
  }

  #mayLose(batches: ReadonlySet<string>): boolean {
    return this.#environment.survives({ batches, lives: this.#delivery.lives() });
  }

  async #stateNow(): Promise<State> {
    const { redis } = this.#environment;
    const keys = await redis.keys('*');
    const values = await Promise.all(
      keys.map(async key => ({ key, dump: await redis.dumpBuffer(key), ttl: Math.max(0, await redis.pttl(key)) })),
    );
    return {
      batches: new Set(keys.flatMap(key => (/^\{plays:\d+\}:plays:(\d+-\d+\.\d+)$/.exec(key) ?? []).slice(1))),
      values,
    };
  }
}

/** One shard as it was, the others as they are. */
function replaceShard(now: State, before: State, shard: number): State {
  const isOfShard = (key: string): boolean => key.startsWith(shardKeys(shard).tag);
  const isBatchOfShard = (batch: string): boolean => batch.endsWith(`.${shard}`);
  return {
    batches: new Set([
      ...[...now.batches].filter(batch => !isBatchOfShard(batch)),
      ...[...before.batches].filter(isBatchOfShard),
    ]),
    values: [...now.values.filter(({ key }) => !isOfShard(key)), ...before.values.filter(({ key }) => isOfShard(key))],
  };
}
