/**
 * What every process of a simulated world shares: its time, the line to everything outside a process, the real Redis,
 * the ClickHouse and the Postgres of plain data, the plays that were issued, and the seeded generator. Delivery,
 * ingest, the workers, the screens and the checks are given it; `World` adds them to it.
 */
import { allShards } from '#authority/authority-keys.ts';
import { createAuthority, type Authority } from '#authority/authority.ts';
import { type Redis } from '#sql/redis.ts';
import { createPlayGroups, type PlayGroups } from '../../../../ingest/queue/play-groups.ts';
import type { PlayQueue } from '../../../../ingest/queue/play-queue.ts';
import { streamsOf, type StreamKeys } from '../../../../ingest/queue/stream-keys.ts';
import { Breach } from '../breach.ts';
import type { Random } from '../random.ts';
import { HOUR, VirtualTime } from '../virtual-time.ts';
import { ClickhouseStandIn } from './clickhouse.ts';
import { Line } from './line.ts';
import { nameOf, Plays, type Life } from './plays.ts';
import { PostgresStandIn } from './postgres.ts';

export type EnvironmentOptions = {
  /** By how much the clock of every other shard is ahead, where there are two. */
  skewMs: number;
  /** Budgets of the campaigns. */
  budgets: readonly number[];
  redis: Redis;
  playQueue: PlayQueue;
  random: Random;
};

/** What is left after a fault: the batches that Redis has, and the lives of processes that are not over. */
export type Survivors = { batches?: ReadonlySet<string>; lives: ReadonlySet<Life> };

export class Environment {
  readonly time = new VirtualTime(Math.ceil(Date.now() / HOUR) * HOUR);
  readonly line = new Line();
  readonly clickhouse = new ClickhouseStandIn(this.line, () => this.time.now);
  readonly plays: Plays;
  readonly postgres: PostgresStandIn;
  readonly random: Random;
  readonly redis: Redis;
  readonly playQueue: PlayQueue;
  readonly playGroups: PlayGroups;
  readonly streams: readonly StreamKeys[];
  /** The authority, reached without the line. */
  readonly direct: Authority;
  readonly skewMs: number;
  /** The first breach that a process met; it ends the run after the move. */
  breach: Breach | undefined;

  constructor({ skewMs, budgets, redis, playQueue, random }: EnvironmentOptions) {
    this.redis = redis;
    this.playQueue = playQueue;
    this.playGroups = createPlayGroups({ redis });
    this.random = random;
    this.direct = createAuthority(redis);
    this.streams = streamsOf('plays', redis);
    this.skewMs = redis.shards > 1 ? skewMs : 0;
    this.plays = new Plays(Math.abs(this.skewMs));
    this.postgres = new PostgresStandIn(budgets);
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

  /** Whether every promised play would still be known with no more than this left. */
  survives({ batches = this.plays.batches, lives }: Survivors): boolean {
    return this.plays.survive({ batches, lives, hasRow: ({ facts }) => this.clickhouse.keeps(nameOf(facts)) });
  }

  /** Keeps a breach, or an error that only a bug makes. Other errors are what the faults of the search make. */
  noteBreach(error: unknown): void {
    if (error instanceof Breach) this.breach ??= error;
    else if (error instanceof TypeError || error instanceof RangeError)
      this.breach ??= new Breach(`a bug: ${error.stack}`);
  }
}
