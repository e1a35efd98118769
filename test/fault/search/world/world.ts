/**
 * One simulated world of the seeded search: the real scripts in a real Redis, the real budget code and outbox of
 * delivery, the real pipeline of ingest; ClickHouse and Postgres as plain data; and screens. Every step waits for a
 * move of the search. The authority and the plays are divided into as many shards as the connection says, each with a
 * clock of its own, as on several servers of a cluster.
 */
import { rmSync } from 'node:fs';
import { allShards } from '#authority/authority-keys.ts';
import { type Redis } from '#sql/redis.ts';
import type { PlayQueue } from '../../../../ingest/queue/play-queue.ts';
import { beginAuthority } from '../../../support/engines/databases.ts';
import { AuthorityLoss } from '../authority-loss.ts';
import { Checks } from '../checks.ts';
import type { Random } from '../random.ts';
import { Delivery } from './delivery.ts';
import { Environment } from './environment.ts';
import { Ingest } from './ingest.ts';
import { Reports } from './reports.ts';
import { Screens } from './screens.ts';
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

export type WorldOptions = { config: Config; redis: Redis; playQueue: PlayQueue; random: Random; folder: string };

export class World extends Environment {
  readonly delivery: Delivery;
  readonly screens: Screens;
  readonly ingest: Ingest;
  readonly workers: Workers;
  readonly reports: Reports;
  readonly loss: AuthorityLoss;
  readonly checks: Checks;
  readonly #folder: string;

  constructor({ config, redis, playQueue, random, folder }: WorldOptions) {
    super({ skewMs: config.skewMs, budgets: config.budgets, redis, playQueue, random });
    this.#folder = folder;
    this.delivery = new Delivery(this, { nodes: config.nodes, folder, pretend: config.pretend });
    this.screens = new Screens(this, this.delivery, config);
    this.ingest = new Ingest(this, config.workers);
    this.workers = new Workers(this, this.delivery);
    this.reports = new Reports(this);
    this.loss = new AuthorityLoss(this, { delivery: this.delivery, workers: this.workers });
    this.checks = new Checks(this, {
      screens: this.screens,
      ingest: this.ingest,
      workers: this.workers,
      reports: this.reports,
      loss: this.loss,
    });
  }

  async begin(): Promise<void> {
    await this.redis.flushdb();
    await this.tick(0);
    await beginAuthority(this.redis);
    for (const { record } of allShards(this.redis)) await this.redis.hset(record, 'first_epoch', 1);
    for (const at of this.postgres.campaigns.keys()) this.postgres.raiseHanded(at, 4);
    for (const node of this.delivery.nodes) this.delivery.start(node);
  }

  async count(set: 'pending' | 'unsettled'): Promise<number> {
    return (await Promise.all(this.streams.map(keys => this.redis.zcard(keys[set])))).reduce(
      (sum, each) => sum + each,
      0,
    );
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

  end(): void {
    for (const node of this.delivery.nodes) this.delivery.kill(node);
    for (const worker of this.ingest.workers) this.ingest.kill(worker);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
