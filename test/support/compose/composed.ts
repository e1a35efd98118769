/**
 * The services of docker-compose.yml as processes of this machine, or as containers if there are images of them: their
 * commands, their environment (and nothing of this process's but PATH and HOME) and their health checks. Ports differ,
 * and for processes also the paths of secrets and volumes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { own } from '#engines/processes/owned.ts';
import { freePort } from '../../../cli/instance/free-port.ts';
import { writeBalancerConfig } from '../engines/balancer.ts';
import { makeSecrets, readCompose, ROOT, type Compose } from './compose.ts';
import { type Container, containerArguments, killContainer, place, removeContainers } from './containers.ts';

type Ports = Record<'9100' | '8080' | '8081', number>;
/** Five processes start at once, on two cores that others use, too. */
const HEALTHY_MS_MAX = 100_000;

type PrepareOptions = {
  folder: string;
  addresses: Record<string, string>;
  secrets: (made: (name: string) => string) => Record<string, string>;
};

export class Composed {
  readonly folder: string;
  readonly compose: Compose;
  readonly #ports = new Map<string, Ports>();
  readonly #children = new Map<string, ChildProcess>();
  readonly #tag = `marquee-test-${randomBytes(4).toString('hex')}`;

  private constructor(folder: string, compose: Compose) {
    this.folder = folder;
    this.compose = compose;
  }

  /** @param secrets contents of secret files that are other than make-secrets.sh made them, by name. */
  static async prepare({ folder, addresses, secrets }: PrepareOptions): Promise<Composed> {
    const composed = new Composed(folder, readCompose(addresses));
    makeSecrets(composed.#secrets);
    const made = (name: string): string => readFileSync(composed.#secret(name), 'utf8').trim();
    for (const [name, content] of Object.entries(secrets(made))) writeFileSync(composed.#secret(name), content);
    for (const name of Object.keys(composed.compose.services))
      composed.#ports.set(name, { 9100: await freePort(), 8080: await freePort(), 8081: await freePort() });
    return composed;
  }

  port(service: string, port: keyof Ports): number {
    return this.#ports.get(service)![port];
  }

  /** A process that runs a program of this machine for a service. */
  async run(service: string, program: string, args: string[]): Promise<ChildProcess> {
    const child = spawn(program, args, {
      cwd: ROOT,
      env: this.environmentOf(service),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.#children.set(service, child);
    await once(child, 'spawn');
    await own(child, 'program');
    return child;
  }

  /** Starts PostgreSQL as a container, which the tests of processes do without. */
  startPostgres(port: number): Promise<ChildProcess> {
    const settings = ['-p', String(port), '-c', 'listen_addresses=127.0.0.1'];
    return this.run('postgres', 'podman', this.#containerOf('postgres', { settings }));
  }

  /** Starts a program that is not ours, with a configuration in place of the one that the compose file names. */
  startEngine(service: string, { program, file }: { program: string; file: string }): Promise<ChildProcess> {
    const command = this.compose.services[service]!.command!;
    const path = command.find(arg => basename(arg) === basename(file))!;
    if (place.images) return this.run(service, 'podman', this.#containerOf(service, { files: { [path]: file } }));
    return this.run(
      service,
      program,
      command.slice(1).map(arg => (arg === path ? file : arg)),
    );
  }

  /** Kills a service without a warning and starts it again, as `restart: unless-stopped` has it. */
  async killAndRestart(service: string): Promise<void> {
    const child = this.#children.get(service)!;
    const exited = once(child, 'exit');
    if (place.images) killContainer(this.#tag, service);
    else child.kill('SIGKILL');
    await exited;
    await this.run(service, child.spawnfile, child.spawnargs.slice(1));
  }

  /** Starts a service with its command. */
  start(service: string): Promise<ChildProcess> {
    if (place.images) return this.run(service, 'podman', this.#containerOf(service));
    const [program, ...args] = this.compose.services[service]!.command!;
    return this.run(service, program === 'node' ? process.execPath : program!, args);
  }

  /** Runs another command with all that a service has: its image, environment, secrets and volumes. */
  async command(service: string, command: readonly string[]): Promise<{ code: number | null; output: string }> {
    const [program, args] = place.images
      ? ['podman', this.#containerOf(service, { command })]
      : [process.execPath, command.slice(1).map(arg => this.#onThisMachine(service, arg))];
    const child = spawn(program, args, {
      cwd: ROOT,
      env: this.environmentOf(service),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const output = text(child.stdout);
    const [code] = (await once(child, 'exit')) as [number | null];
    return { code, output: await output };
  }

  /** Runs a service that ends by itself; answers its exit code. */
  async complete(service: string): Promise<number | null> {
    const [code] = (await once(await this.start(service), 'exit')) as [number | null];
    return code;
  }

  /**
   * Answers true when the health check of the file succeeds. @throws an Error when the process ends, or is not healthy
   * in time.
   */
  async healthy(service: string): Promise<true> {
    const [, program, ...args] = this.compose.services[service]!.healthcheck!.test!;
    const until = Date.now() + HEALTHY_MS_MAX;
    for (;;) {
      const check = spawn(program === 'node' ? process.execPath : program!, args, {
        env: this.environmentOf(service),
        stdio: 'ignore',
      });
      const [code] = (await once(check, 'exit')) as [number | null];
      if (code === 0) return true;
      if (this.#children.get(service)!.exitCode !== null)
        throw new Error(`${service} ended with ${this.#children.get(service)!.exitCode}`);
      if (Date.now() > until) throw new Error(`${service} is not healthy`);
      await wait(200);
    }
  }

  /** SIGTERM, as the container's engine sends it; answers the exit code. */
  async stop(service: string): Promise<number | null> {
    const child = this.#children.get(service);
    if (!child) return null;
    this.#children.delete(service);
    if (child.exitCode !== null) return child.exitCode;
    const exited = once(child, 'exit') as Promise<[number | null]>;
    child.kill('SIGTERM');
    const [code] = await exited;
    return code;
  }

  async stopAll(): Promise<void> {
    for (const service of [...this.#children.keys()].reverse()) await this.stop(service);
    if (place.images) removeContainers(this.#tag);
  }

  #containerOf(service: string, container: Pick<Container, 'command' | 'settings' | 'files'> = {}): string[] {
    const { compose } = this;
    const environment = Object.fromEntries(
      Object.entries(compose.services[service]!.environment ?? {}).map(([name, given]) => [
        name,
        /(^|_)PORT$/.test(name) ? String(this.port(service, given as keyof Ports)) : given,
      ]),
    );
    return containerArguments({ compose, service, tag: this.#tag, secrets: this.#secrets, environment, ...container });
  }

  environmentOf(service: string): NodeJS.ProcessEnv {
    const { environment = {} } = this.compose.services[service]!;
    const values = Object.entries(environment).map(([name, given]) => {
      const value = this.#onThisMachine(service, given);
      return [name, /(^|_)PORT$/.test(name) ? String(this.port(service, value as keyof Ports)) : value];
    });
    return {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ...(Object.fromEntries(values) as Record<string, string>),
    };
  }

  /** A text with the paths of secrets and volumes as they are on this machine. */
  #onThisMachine(service: string, given: string): string {
    const { volumes = [] } = this.compose.services[service]!;
    const folders = volumes.filter(volume => !volume.startsWith('.')).map(volume => volume.split(':'));
    return folders.reduce(
      (value, [volume, path]) => value.replaceAll(path!, this.#volume(volume!)),
      given.replaceAll('/run/secrets', this.#secrets),
    );
  }

  get #secrets(): string {
    return join(this.folder, 'secrets');
  }

  #secret(name: string): string {
    return join(this.#secrets, name);
  }

  #volume(name: string): string {
    const folder = join(this.folder, 'volumes', name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }
}

/** deploy/haproxy.cfg for the services of this machine. */
export function balancerOf(composed: Composed, { api, sockets }: { api: number; sockets: number }): string {
  const backend = (name: string, service: string, port: keyof Ports) => ({
    name,
    port: composed.port(service, port),
    opsPort: composed.port(service, '9100'),
  });
  return writeBalancerConfig(composed.folder, {
    api: [backend('api-1', 'api', '8080')],
    delivery: ['delivery-1', 'delivery-2'].map(name => backend(name, name, '8081')),
    ports: { api, sockets, numbers: composed.port('haproxy', '8080') },
  });
}

/** deploy/redis/redis.conf for a port of this machine; for a process also with folders of it. */
export function redisConfigOf(composed: Composed, port: number): string {
  const data = join(composed.folder, 'redis');
  mkdirSync(data);
  const config = readFileSync(join(ROOT, 'deploy/redis/redis.conf'), 'utf8');
  const bound = config.replace('bind * -::*', `bind 127.0.0.1\nport ${port}`);
  const text = place.images
    ? bound
    : bound.replace('/run/secrets/', `${composed.folder}/secrets/`).replace('dir /data', `dir ${data}`);
  const path = join(composed.folder, 'redis.conf');
  writeFileSync(path, text);
  return path;
}
