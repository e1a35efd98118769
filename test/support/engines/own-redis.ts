/**
 * A Redis of one test's own, which it may kill, empty, and start again from a log whose tail is cut. Configured as the
 * product's: everything is on disk before it is answered.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { own, removeOwnedPath } from '#engines/processes/owned.ts';
import { makeTemporaryFolder } from '#engines/temporary-folder.ts';
import { openRedis, redisReady } from '#sql/redis.ts';
import { freePort } from '../../../cli/instance/free-port.ts';

/**
 * `durable: false`: nothing is written, for a search that sets states aside by itself. `hidesSettings`: there is no
 * `CONFIG`, as with managed servers.
 */
type OwnRedisOptions = { durable?: boolean; hidesSettings?: boolean };

export class OwnRedis {
  readonly url: string;
  /** The same server over a socket file, where a round trip costs half. */
  readonly socketUrl: string;
  readonly #folder = makeTemporaryFolder('marquee-redis-');
  readonly #socket = join(this.#folder, 'redis.sock');
  readonly #port: number;
  #child: ChildProcess | undefined;

  readonly #isDurable: boolean;
  readonly #hidesSettings: boolean;

  private constructor(port: number, { durable = true, hidesSettings = false }: OwnRedisOptions) {
    this.#port = port;
    this.#isDurable = durable;
    this.#hidesSettings = hidesSettings;
    this.url = `redis://127.0.0.1:${port}`;
    this.socketUrl = `redis+unix://${this.#socket}`;
  }

  static async start(options: OwnRedisOptions = {}): Promise<OwnRedis> {
    const redis = new OwnRedis(await freePort(), options);
    await redis.restart();
    return redis;
  }

  /** Of the server, which runs. */
  get pid(): number {
    return this.#child!.pid!;
  }

  /** As after a crash of the process: what was answered is there. */
  async kill(): Promise<void> {
    if (this.#child === undefined) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
    this.#child = undefined;
  }

  /** Kills it if it runs, and starts it on the log that it left. */
  async restart(): Promise<void> {
    await this.kill();
    this.#child = spawn(
      'redis-server',
      [
        '--port',
        String(this.#port),
        '--bind',
        '127.0.0.1',
        '--unixsocket',
        this.#socket,
        '--dir',
        this.#folder,
        '--appendonly',
        this.#isDurable ? 'yes' : 'no',
        '--appendfsync',
        'always',
        '--save',
        '',
        '--aof-load-truncated',
        'yes',
        '--auto-aof-rewrite-percentage',
        '0',
        ...(this.#hidesSettings ? ['--rename-command', 'CONFIG', ''] : []),
      ],
      { stdio: 'ignore' },
    );
    await own(this.#child, 'program');
    const redis = openRedis(this.url, { role: 'worker' });
    await redisReady(redis);
    redis.disconnect();
  }

  /** Where the log ends now: a place to cut it at. */
  logLength(): number {
    return statSync(this.#log()).size;
  }

  /** Starts again from the first `length` bytes of the log. */
  async rollBack(length: number): Promise<void> {
    await this.kill();
    truncateSync(this.#log(), length);
    await this.restart();
  }

  async remove(): Promise<void> {
    await this.kill();
    await removeOwnedPath(this.#folder);
  }

  #log(): string {
    const folder = join(this.#folder, 'appendonlydir');
    return join(
      folder,
      readdirSync(folder).find(name => name.endsWith('.incr.aof'))!,
    );
  }
}
