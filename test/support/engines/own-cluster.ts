/**
 * A cluster of three masters of one test's own, each of which it may kill, empty and start again. Configured as the
 * product's Redis: everything is on disk before it is answered. Shard 0, 1 and 2 are each on another master.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { own, removeOwnedPath } from '#engines/processes/owned.ts';
import { makeTemporaryFolder } from '#engines/temporary-folder.ts';
import { freePort } from '../../../cli/instance/free-port.ts';
import { eventually } from '../network.ts';

const MASTERS = 3;
const SLOTS = 16_384;
const START_MS_MAX = 60_000;

type Master = { port: number; busPort: number; folder: string; child: ChildProcess | undefined };

export class OwnCluster {
  readonly url: string;
  readonly #folder = makeTemporaryFolder('marquee-cluster-');
  readonly #masters: readonly Master[];

  private constructor(ports: readonly number[], busPorts: readonly number[]) {
    this.#masters = ports.map((port, at) => ({
      port,
      busPort: busPorts[at]!,
      folder: join(this.#folder, String(at)),
      child: undefined,
    }));
    this.url = `redis+cluster://${ports.map(port => `127.0.0.1:${port}`).join(',')}`;
  }

  static async start(): Promise<OwnCluster> {
    const ports: number[] = [];
    while (ports.length < 2 * MASTERS) {
      const port = await freePort();
      if (!ports.includes(port)) ports.push(port);
    }
    const cluster = new OwnCluster(ports.slice(0, MASTERS), ports.slice(MASTERS));
    for (const { folder } of cluster.#masters) mkdirSync(folder);
    await Promise.all(cluster.#masters.map(master => cluster.#run(master)));
    await cluster.#join();
    return cluster;
  }

  /** As after a crash of the process: what was answered is there. */
  async kill(at: number): Promise<void> {
    const master = this.#masters[at]!;
    if (master.child === undefined) return;
    const ended = once(master.child, 'exit');
    master.child.kill('SIGKILL');
    await ended;
    master.child = undefined;
  }

  /** The master that keeps the shard of a campaign or a screen. */
  of(handle: number): number {
    return handle % MASTERS;
  }

  /** Starts it on the log that it left; the others take it back. */
  async restart(handle: number): Promise<void> {
    await this.restartMaster(this.of(handle));
  }

  /** Where the logs end now: places to cut them at. */
  logLength(): number[] {
    return this.#masters.map(master => statSync(logOf(master)).size);
  }

  /** Starts the master of that handle again from the first bytes of its log, and no other. */
  async rollBack(lengths: readonly number[], handle: number): Promise<void> {
    const at = this.of(handle);
    await this.kill(at);
    truncateSync(logOf(this.#masters[at]!), lengths[at]);
    await this.restartMaster(at);
  }

  async restartMaster(at: number): Promise<void> {
    await this.kill(at);
    await this.#run(this.#masters[at]!);
    await this.#isWhole();
  }

  /** Starts it without anything that it kept but its place in the cluster. */
  async empty(at: number): Promise<void> {
    await this.kill(at);
    truncateSync(logOf(this.#masters[at]!), 0);
    await this.restartMaster(at);
  }

  async remove(): Promise<void> {
    await Promise.all(this.#masters.map((_, at) => this.kill(at)));
    await removeOwnedPath(this.#folder);
  }

  async #run(master: Master): Promise<void> {
    master.child = spawn(
      'redis-server',
      [
        '--port',
        String(master.port),
        '--cluster-port',
        String(master.busPort),
        '--bind',
        '127.0.0.1',
        '--dir',
        master.folder,
        '--cluster-enabled',
        'yes',
        '--cluster-node-timeout',
        '2000',
        '--appendonly',
        'yes',
        '--appendfsync',
        'always',
        '--save',
        '',
        '--aof-use-rdb-preamble',
        'no',
        '--auto-aof-rewrite-percentage',
        '0',
      ],
      { stdio: 'ignore' },
    );
    await own(master.child, 'program');
    await this.#ask(master, async redis =>
      eventually(async () => ((await redis.ping().catch(() => '')) === 'PONG' ? true : undefined), START_MS_MAX),
    );
  }

  async #join(): Promise<void> {
    for (const [at, master] of this.#masters.entries()) {
      await this.#ask(master, async redis => {
        await redis.call('CLUSTER', 'SET-CONFIG-EPOCH', at + 1);
        await redis.call(
          'CLUSTER',
          'ADDSLOTSRANGE',
          Math.ceil((at * SLOTS) / MASTERS),
          Math.ceil(((at + 1) * SLOTS) / MASTERS) - 1,
        );
        for (const { port, busPort } of this.#masters.slice(0, at))
          await redis.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort);
      });
    }
    await this.#isWhole();
  }

  async #isWhole(): Promise<void> {
    for (const master of this.#masters) {
      await this.#ask(master, redis =>
        eventually(async () => {
          const info = String(await redis.call('CLUSTER', 'INFO').catch(() => ''));
          return info.includes('cluster_state:ok') && info.includes(`cluster_size:${MASTERS}`) ? true : undefined;
        }, START_MS_MAX),
      );
    }
  }

  async #ask<T>({ port }: Master, question: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis({ host: '127.0.0.1', port, retryStrategy: () => 50 });
    redis.on('error', () => undefined); // it is just starting
    try {
      return await question(redis);
    } finally {
      redis.disconnect();
    }
  }
}

function logOf({ folder }: Master): string {
  const log = join(folder, 'appendonlydir');
  return join(
    log,
    readdirSync(log).find(name => name.endsWith('.incr.aof'))!,
  );
}
