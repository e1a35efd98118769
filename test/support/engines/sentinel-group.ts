/** A master of Redis, its replica, and a Sentinel that watches both, as processes of this machine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { own } from '#engines/processes/owned.ts';
import { openRedis } from '#sql/redis.ts';
import { freePort } from '../../../cli/instance/free-port.ts';
import { eventually } from '../network.ts';

const FOUND_MS_MAX = 60_000;

type Ports = { master: number; replica: number; sentinel: number };
type GroupOptions = {
  /** Lines of the configuration of master and replica. */
  settings: readonly string[];
  password?: string;
};

export class SentinelGroup {
  readonly folder = mkdtempSync(join(tmpdir(), 'marquee-sentinel-'));
  readonly ports: Ports;
  /** By way of the Sentinel, to which the master is `main`. */
  readonly url: string;
  readonly #servers: Record<string, ChildProcess> = {};

  private constructor(ports: Ports, password: string | undefined) {
    this.ports = ports;
    this.url = `redis+sentinel://${userOf(password)}127.0.0.1:${ports.sentinel}/main`;
  }

  /** Resolves when the replica follows the master and the Sentinel knows both. */
  static async start({ settings, password }: GroupOptions): Promise<SentinelGroup> {
    const ports = { master: await freePort(), replica: await freePort(), sentinel: await freePort() };
    const group = new SentinelGroup(ports, password);
    const secured = password === undefined ? [] : [`requirepass ${password}`, `masterauth ${password}`];
    const lines = [...secured, ...settings];
    group.run('master', [`port ${ports.master}`, ...lines]);
    group.run('replica', [
      `port ${ports.replica}`,
      `replicaof 127.0.0.1 ${ports.master}`,
      'repl-diskless-sync-delay 0',
      ...lines,
    ]);
    await told(`redis://${userOf(password)}127.0.0.1:${ports.replica}`, 'replication', /master_link_status:up/);
    group.run(
      'sentinel',
      [
        `port ${ports.sentinel}`,
        `sentinel monitor main 127.0.0.1 ${ports.master} 1`,
        ...(password === undefined ? [] : [`sentinel auth-pass main ${password}`]),
        'sentinel down-after-milliseconds main 500',
        'sentinel failover-timeout main 5000',
      ],
      ['--sentinel'],
    );
    await told(`redis://127.0.0.1:${ports.sentinel}`, 'sentinel', /slaves=1/);
    return group;
  }

  /** One more server in the folder, with these lines of configuration. */
  run(name: string, lines: readonly string[], args: readonly string[] = []): void {
    mkdirSync(join(this.folder, name));
    const file = join(this.folder, name, 'redis.conf');
    writeFileSync(file, ['bind 127.0.0.1', `dir ${join(this.folder, name)}`, 'save ""', ...lines, ''].join('\n'));
    const child = spawn('redis-server', [file, ...args], { stdio: 'ignore' });
    this.#servers[name] = child;
    void own(child, 'program');
  }

  kill(name: string): void {
    this.#servers[name]!.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    await Promise.all(
      Object.values(this.#servers).map(async child => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }),
    );
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const userOf = (password: string | undefined): string =>
  password === undefined ? '' : `:${encodeURIComponent(password)}@`;

async function told(url: string, section: string, sign: RegExp): Promise<void> {
  const asked = openRedis(url, { role: 'worker' });
  await eventually(async () => (sign.test(await asked.info(section)) ? true : undefined), FOUND_MS_MAX);
  asked.disconnect();
}
