/**
 * A whole installation under a test's hand: engines of its own and so many of each service, each of which reaches each
 * engine through a proxy of its own. Whatever dies is started again, as a supervisor would.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startEngines, type Engines, type EngineUrls } from '#engines/run.ts';
import { migrateClickhouse, migratePostgres } from '#sql/migrate.ts';
import { makeDataDir, removeDataDir } from '../../support/engines/engines.ts';
import { freePort } from '../../../cli/instance/free-port.ts';
import { secretsOf } from '../../../cli/instance/secrets.ts';
import { Supervisor, type ServiceName } from '../../../cli/instance/supervisor.ts';
import { eventually } from '../../support/network.ts';
import { OwnRedis } from '../../support/engines/own-redis.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';

const ENGINES = ['postgres', 'redis', 'clickhouse'] as const;
export type EngineName = (typeof ENGINES)[number];
export type MemberName = ServiceName | `${ServiceName}-${number}`;
export const MEMBERS: readonly MemberName[] = ['api', 'workers', 'ingest-1', 'ingest-2', 'delivery-1', 'delivery-2'];
const serviceOf = (member: MemberName): ServiceName => member.split('-')[0] as ServiceName;

/** `root`: of the version that runs, where it is not this one. */
type Member = { supervisor: Supervisor; env: Record<string, string>; root: string | undefined };

type FleetOptions = { apiUrl: string; redis: OwnRedis; engines: Engines; folder: string };

type StartOptions = {
  members?: readonly MemberName[];
  /** The address of the APIs, if a balancer is before them. */
  publicUrl?: string;
  /** Another version, whose schemas and services these are until they are moved to this one. */
  earlier?: { root: string; migrate: (urls: EngineUrls) => Promise<void> };
};

type DieAtOptions = { point: string; nth: number; onArmed: () => void };

export class Fleet {
  /** Of the first API; a balancer may stand before all of them. */
  readonly apiUrl: string;
  readonly urls: EngineUrls;
  readonly redis: OwnRedis;
  readonly #engines: Engines;
  readonly #folder: string;
  readonly #members = new Map<MemberName, Member>();
  readonly #proxies = new Map<`${MemberName} ${EngineName}`, TcpProxy>();
  readonly #stopped = new Set<MemberName>();

  private constructor({ apiUrl, redis, engines, folder }: FleetOptions) {
    this.apiUrl = apiUrl; // links lead here
    this.redis = redis;
    this.#engines = engines;
    this.urls = engines.urls;
    this.#folder = folder;
  }

  static async start({ members = MEMBERS, publicUrl, earlier }: StartOptions = {}): Promise<Fleet> {
    const folder = makeDataDir();
    const redis = await OwnRedis.start();
    const engines = await startEngines({
      dataDir: join(folder, 'engines'),
      analystPassword: 'faults',
      clickhousePort: 0,
      external: { redisUrl: redis.url },
      supervise: true,
    });
    await (earlier?.migrate ?? migrate)(engines.urls);
    const apiPort = await freePort();
    const fleet = new Fleet({ apiUrl: publicUrl ?? `http://127.0.0.1:${apiPort}`, redis, engines, folder });
    for (const name of members) {
      const port = serviceOf(name) === 'api' && publicUrl !== undefined ? await freePort() : apiPort;
      await fleet.#prepare(name, port, earlier?.root);
    }
    await Promise.all(members.map(name => fleet.#startMember(name)));
    return fleet;
  }

  async #prepare(name: MemberName, port: number, root: string | undefined): Promise<void> {
    const secrets = secretsOf(this.#folder);
    const [databaseUrl, redisUrl, clickhouseUrl] = await Promise.all(
      ENGINES.map(engine => this.#throughProxy(name, engine)),
    );
    const env = {
      NODE_ENV: 'production',
      PORT: String(port),
      OPS_PORT: String(await freePort()),
      DATA_DIR: this.#folder,
      LOG_LEVEL: process.env['FAULT_LOG'] ?? 'silent',
      DATABASE_URL: databaseUrl!,
      REDIS_URL: redisUrl!,
      CLICKHOUSE_URL: clickhouseUrl!,
      PUBLIC_URL: this.apiUrl,
      DELIVERY_URL: 'ws://127.0.0.1:1',
      SIGNING_KEYS: secrets.signingKeys,
      ENCRYPTION_KEY: secrets.encryptionKey,
      STORAGE_URL: pathToFileURL(join(this.#folder, 'storage')).href,
      SCREEN_MESSAGES_PER_SECOND_MAX: '1000',
      SCREEN_PLAYS_OVERLAP: '1',
      ...(serviceOf(name) === 'delivery' && {
        DELIVERY_HOST: '127.0.0.1',
        DELIVERY_NODE: name,
        DELIVERY_PORT: String(await freePort()),
      }),
    };
    this.#members.set(name, { supervisor: new Supervisor({ onRestart: () => undefined }), env, root });
  }

  async #throughProxy(member: MemberName, engine: EngineName): Promise<string> {
    const url = new URL(
      { postgres: this.urls.databaseUrl, redis: this.urls.redisUrl, clickhouse: this.urls.clickhouseUrl }[engine],
    );
    const proxy = await TcpProxy.start({ host: url.hostname, port: Number(url.port) });
    this.#proxies.set(`${member} ${engine}`, proxy);
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    return url.href;
  }

  #startMember(name: MemberName, extra: Record<string, string> = {}): Promise<void> {
    const { supervisor, env, root } = this.#members.get(name)!;
    return supervisor.start({ name: serviceOf(name), env: { ...env, ...extra }, root });
  }

  pid(name: MemberName): number {
    return this.#members.get(name)!.supervisor.services(serviceOf(name)).at(-1)!.pid;
  }

  enginePid(engine: 'postgres' | 'clickhouse'): number {
    return this.#engines.pids[engine]!;
  }

  proxy(member: MemberName, engine: EngineName): TcpProxy {
    return this.#proxies.get(`${member} ${engine}`)!;
  }

  port(name: MemberName, of: 'PORT' | 'DELIVERY_PORT' | 'OPS_PORT'): number {
    return Number(this.#members.get(name)!.env[of]);
  }

  /** Drains a member and starts it again; resolves when it is ready. */
  async restart(name: MemberName, extra: Record<string, string> = {}): Promise<void> {
    const member = this.#members.get(name)!;
    await member.supervisor.stop();
    member.supervisor = new Supervisor({ onRestart: () => undefined });
    await this.#startMember(name, extra);
  }

  /** Drains a member of an earlier version and starts this one in its place; resolves when it is ready. */
  async upgrade(name: MemberName): Promise<void> {
    this.#members.get(name)!.root = undefined;
    await this.restart(name);
  }

  /** A delivery process that is not stopped, for a screen's next connection. */
  deliveryUrl(choice: number): string {
    const names = [...this.#members.keys()].filter(name => serviceOf(name) === 'delivery' && !this.#stopped.has(name));
    return `ws://127.0.0.1:${this.port(names[Math.floor(choice * names.length)]!, 'DELIVERY_PORT')}/v1/screens/socket`;
  }

  /** Ends a member without a word; resolves when its successor is ready. */
  async kill(name: MemberName): Promise<void> {
    const pid = this.pid(name);
    process.kill(pid, 'SIGKILL');
    await this.#untilReplaced(name, pid);
  }

  /**
   * Ends a member without a word, wherever in its life it is; false when it is dead and its successor not there yet.
   */
  strike(name: MemberName): boolean {
    try {
      return process.kill(this.pid(name), 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
      throw error;
    }
  }

  /**
   * Starts a member again, says so, and lets it die at the fault point's nth time; resolves when the successor of the
   * dead one is ready.
   */
  async dieAt(name: MemberName, { point, nth, onArmed }: DieAtOptions): Promise<void> {
    await this.restart(name, { FAULT: `${point}@${nth}` });
    onArmed();
    await this.#untilReplaced(name, this.pid(name));
  }

  #untilReplaced(name: MemberName, pid: number): Promise<true> {
    // A supervisor says the new pid when it has forked and the new port when it is ready; an API or a node takes
    // seconds on a busy machine.
    return eventually(async () => (this.pid(name) !== pid && (await this.#isReady(name)) ? true : undefined), 60_000);
  }

  async #isReady(name: MemberName): Promise<boolean> {
    const service = this.#members.get(name)!.supervisor.services(serviceOf(name)).at(-1)!;
    return fetch(`http://127.0.0.1:${service.opsPort}/livez`).then(
      answer => answer.ok,
      () => false,
    );
  }

  /** Stops a member in the middle of whatever it does, and lets it go on. */
  pause(name: MemberName): () => void {
    const pid = this.pid(name);
    process.kill(pid, 'SIGSTOP');
    this.#stopped.add(name);
    return () => {
      process.kill(pid, 'SIGCONT');
      this.#stopped.delete(name);
    };
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#members.values()].map(member => member.supervisor.stop()));
    await Promise.all([...this.#proxies.values()].map(proxy => proxy.close()));
    await this.#engines.stop();
    await this.redis.remove();
    await removeDataDir(this.#folder);
  }
}

/** Brings both schemas up to date with this version. */
export async function migrate({ databaseUrl, clickhouseUrl }: EngineUrls): Promise<void> {
  await Promise.all([migratePostgres(databaseUrl), migrateClickhouse(clickhouseUrl)]);
}
