import { rmSync } from 'node:fs';
import { allShards } from '#authority/authority-keys.ts';
import { createAuthority, type Authority } from '#authority/authority.ts';
import { type Redis } from '#sql/redis.ts';
import type { Intake } from '../../../../ingest/intake.ts';
import { streamsOf, type IntakeKeys } from '../../../../ingest/queue/intake-keys.ts';
import { beginAuthority } from '../../../support/engines/databases.ts';
import { AuthorityLoss } from '../authority-loss.ts';
import { Breach } from '../breach.ts';
import { Checks } from '../checks.ts';
import { ClickhouseStandIn } from './clickhouse.ts';
import { Delivery } from './delivery.ts';
import { Ingest } from './ingest.ts';
import { Line } from './line.ts';
import { nameOf, Plays, type Life } from './plays.ts';
import { PostgresStandIn } from './postgres.ts';
import type { Random } from '../random.ts';
import { Reports } from './reports.ts';
import { Screens } from './screens.ts';
import { HOUR, VirtualTime } from '../virtual-time.ts';
import { Workers } from './workers.ts';

export type Config = {
  skewMs: number;
  budgets: number[];
  nodes: number;
  screens: number;
  workers: number;
  slots: number;
  pretend: boolean;
};

/**
 * One world: the real scripts in a real Redis, the real budget code and outbox of delivery, the real pipeline of ingest; a
 * ClickHouse and a Postgres as plain data, and screens. Everything waits for a move. The authority and the plays are divided
 * into as many shards as the connection says, each with a clock of its own, which a cluster would keep on several servers.
 */
export class World {
  readonly time = new VirtualTime(Math.ceil(Date.now() / HOUR) * HOUR);
  readonly line = new Line();
  readonly clickhouse = new ClickhouseStandIn(this.line, () => this.time.now);
  readonly plays: Plays;
  readonly postgres: PostgresStandIn;
  readonly delivery: Delivery;
  readonly screens: Screens;
  readonly ingest: Ingest;
  readonly workers: Workers;
  readonly reports: Reports;
  readonly loss: AuthorityLoss;
  readonly checks: Checks;
  readonly random: Random;
  readonly redis: Redis;
  readonly intake: Intake;
  readonly streams: readonly IntakeKeys[];
  /** The authority past the line. */
  readonly direct: Authority;
  /** By how much the clock of every other shard is ahead. */
  readonly skewMs: number;
  readonly #folder: string;

  constructor({
    config,
    redis,
    intake,
    random,
    folder,
  }: {
    config: Config;
    redis: Redis;
    intake: Intake;
    random: Random;
    folder: string;
  }) {
    this.redis = redis;
    this.intake = intake;
    this.random = random;
    this.#folder = folder;
    this.direct = createAuthority(redis);
    this.streams = streamsOf('plays', redis);
    this.skewMs = redis.shards > 1 ? config.skewMs : 0;
    this.plays = new Plays(Math.abs(this.skewMs));
    this.postgres = new PostgresStandIn(config.budgets);
    this.delivery = new Delivery(this, { nodes: config.nodes, folder, pretend: config.pretend });
    this.screens = new Screens(this, config);
    this.ingest = new Ingest(this, config.workers);
    this.workers = new Workers(this);
    this.reports = new Reports(this);
    this.loss = new AuthorityLoss(this);
    this.checks = new Checks(this);
  }

  async begin(): Promise<void> {
    await this.redis.flushdb();
    await this.tick(0);
    await beginAuthority(this.redis);
    for (const { record } of allShards(this.redis)) await this.redis.hset(record, 'first_epoch', 1);
    for (const at of this.postgres.campaigns.keys()) this.postgres.raiseHanded(at, 4);
    for (const node of this.delivery.nodes) this.delivery.start(node);
  }

  /** Time passes. */
  async tick(ms: number): Promise<void> {
    this.time.now += ms;
    await Promise.all(
      allShards(this.redis).map(({ shard, clock }) =>
        this.redis.set(clock, `=${this.time.now + (shard % 2) * this.skewMs}`),
      ),
    );
  }

  async count(set: 'pending' | 'unsettled'): Promise<number> {
    return (await Promise.all(this.streams.map(keys => this.redis.zcard(keys[set])))).reduce(
      (sum, each) => sum + each,
      0,
    );
  }

  /** Whether every promised play would be known with so much left: of the batches of Redis, and of the processes. */
  survives({
    batches = this.plays.batches,
    lives,
  }: {
    batches?: ReadonlySet<string>;
    lives: ReadonlySet<Life>;
  }): boolean {
    return this.plays.survive({ batches, lives, hasRow: ({ facts }) => this.clickhouse.keeps(nameOf(facts)) });
  }

  /** All machines lose their power at once, and come back with what was on their disks. */
  async losePower(): Promise<void> {
    for (const node of this.delivery.nodes) this.delivery.losePower(node);
    for (const worker of this.ingest.workers) this.ingest.kill(worker);
    this.workers.kill();
    this.line.echoes.length = 0;
    this.clickhouse.losePower(this.random);
    await this.loss.restart();
  }

  /** Errors are what faults make; a bug is none. */
  noteBreach(error: unknown): void {
    if (error instanceof Breach) this.checks.breach ??= error;
    else if (error instanceof TypeError || error instanceof RangeError)
      this.checks.breach ??= new Breach(`a bug: ${error.stack}`);
  }

  end(): void {
    for (const node of this.delivery.nodes) this.delivery.kill(node);
    for (const worker of this.ingest.workers) this.ingest.kill(worker);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
