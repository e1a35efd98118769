/**
 * Starts PostgreSQL, Redis and ClickHouse on one data folder, starts each again when it ends, and stops them in order.
 * `npm start`, the demo and the tests get the URLs of their engines here; an engine given by URL is used instead.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { clickHouseUrl, launchAnalysts, launchClickHouse, planClickHouse } from './clickhouse/start.ts';
import type { EngineName } from './processes/ending.ts';
import { endOwnedProcess, isEndingOwned } from './processes/owned.ts';
import { claimDataDir, endOrphan, releaseDataDir, removePidFile, writePidFile } from './processes/pid-file.ts';
import { launchPostgres, planPostgres } from './postgres.ts';
import { launchRedis, planRedis } from './redis.ts';

/** The addresses of the engines. Services know nothing else about them. */
export type EngineUrls = { databaseUrl: string; redisUrl: string; clickhouseUrl: string };

/** Engines that run; `pids` holds those that were started here and follows restarts. */
export type Engines = {
  urls: EngineUrls;
  /** How an analyst reaches ClickHouse. */
  clickhouse: { url: string; username: 'analyst'; password: string };
  pids: Partial<Record<EngineName, number>>;
  /**
   * Stops what was started here: ClickHouse, Redis, then PostgreSQL, each gracefully and by force after 10 s. Safe to
   * call twice.
   */
  stop(): Promise<void>;
};

export type EngineOptions = {
  /** Made when missing. One set of engines at a time owns it. */
  dataDir: string;
  analystPassword: string;
  /** The port that ClickHouse should have (8123); another when it is taken, any when 0. */
  clickhousePort?: number;
  /** Settings of PostgreSQL that override or extend the usual ones. */
  postgresSettings?: Readonly<Record<string, string>>;
  /** Engines that exist already; these are not started. */
  external?: Partial<EngineUrls>;
  /** Called when an engine ends without having been stopped. */
  onExit?: (engine: EngineName, pid: number) => void;
  /** Called when it runs again, on the same URL. */
  onRestart?: (engine: EngineName, pid: number) => void;
  /** Start an engine again when it ends. */
  supervise?: boolean;
  /** Aborted while they start: started engines are stopped, and `startEngines` rejects with the signal's reason. */
  signal?: AbortSignal;
};

const CLICKHOUSE_PORT = 8123;
// After a kill the old children may hold the cluster's shared memory for a moment; after 5 s a repeated failure is not
// one of speed, and trying more often would only fill the log.
const RESTART_MS_MIN = 100;
const RESTART_MS_MAX = 5_000;
// The program's name in an engine's command line, by which a later start recognises it.
const PROGRAMS: Record<EngineName, string> = {
  postgres: 'postgres',
  redis: '-server',
  clickhouse: 'clickhouse/main.',
  clickhouse_analysts: 'analyst-main.',
};
const STOP_ORDER: readonly EngineName[] = ['clickhouse_analysts', 'clickhouse', 'redis', 'postgres'];
/**
 * The analysts' process ends itself when a statement cannot be ended otherwise, so it is started again even where the
 * others are not supervised.
 */
const ALWAYS_RESTARTED: EngineName = 'clickhouse_analysts';

type Launcher = { url: string; launch: () => Promise<ChildProcess> };

/**
 * Starts PostgreSQL, Redis and ClickHouse in parallel and resolves when all take work. They end with this process, in
 * whatever way it ends (owned.ts). What a killed earlier run left on `dataDir` is ended first. Rejects, with nothing
 * left running, when one of them does not start, or when a living process owns `dataDir`.
 */
export async function startEngines(options: EngineOptions): Promise<Engines> {
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true });
  await claimDataDir(dataDir);
  const engines = new EngineSet(dataDir, options);
  const giveUp = (): void => void engines.stop();
  options.signal?.addEventListener('abort', giveUp);
  try {
    options.signal?.throwIfAborted();
    const [databaseUrl, redisUrl, { clickhouseUrl, analysts }] = await allOrFirstFault([
      options.external?.databaseUrl ??
        engines.start('postgres', async signal => {
          const plan = await planPostgres(dataDir, signal);
          const { postgresSettings: settings = {} } = options;
          return { url: plan.url, launch: () => launchPostgres({ ...plan, settings }, signal) };
        }),
      options.external?.redisUrl ??
        engines.start('redis', async signal => {
          const plan = await planRedis(dataDir, signal);
          return { url: plan.url, launch: () => launchRedis(plan, signal) };
        }),
      startClickHouse(engines, options),
    ]);
    return {
      urls: { databaseUrl, redisUrl, clickhouseUrl },
      clickhouse: { url: new URL(analysts).origin, username: 'analyst', password: options.analystPassword },
      pids: engines.pids,
      stop: () => engines.stop(),
    };
  } catch (error) {
    await engines.stop();
    options.signal?.throwIfAborted();
    throw error;
  } finally {
    // From here on its owner stops it, when all that needs it has ended.
    options.signal?.removeEventListener('abort', giveUp);
  }
}

/** The services' ClickHouse and the analysts'; both are one if it already exists. */
async function startClickHouse(
  engines: EngineSet,
  { external, clickhousePort = CLICKHOUSE_PORT, dataDir, analystPassword }: EngineOptions,
): Promise<{ clickhouseUrl: string; analysts: string }> {
  if (external?.clickhouseUrl !== undefined)
    return { clickhouseUrl: external.clickhouseUrl, analysts: external.clickhouseUrl };
  await engines.endOrphans('clickhouse', 'clickhouse_analysts'); // first, because they may hold the port that is wanted
  const plan = await planClickHouse({ dataDir: resolve(dataDir), port: clickhousePort, analystPassword });
  const [clickhouseUrl, analysts] = await allOrFirstFault([
    engines.start('clickhouse', async signal => ({
      url: clickHouseUrl(plan, 'default'),
      launch: () => launchClickHouse(plan, signal),
    })),
    engines.start('clickhouse_analysts', async signal => ({
      url: clickHouseUrl(plan, 'analyst'),
      launch: () => launchAnalysts(plan, signal),
    })),
  ]);
  return { clickhouseUrl, analysts };
}

/**
 * Ends the engines that a killed process left on `dataDir`, without starting new ones. False, and nothing is touched,
 * when a living process owns the folder.
 */
export async function endOrphans(dataDir: string): Promise<boolean> {
  const folder = resolve(dataDir);
  try {
    await claimDataDir(folder);
  } catch {
    return false; // a living process owns the folder, and its engines are in use
  }
  await Promise.all(STOP_ORDER.map(name => endOrphan(folder, name, PROGRAMS[name])));
  await releaseDataDir(folder);
  return true;
}

/** The engines of one data folder: their processes, restarts and stop. */
class EngineSet {
  readonly #dataDir: string;
  readonly #options: EngineOptions;
  readonly #stopSignal = new AbortController();
  readonly #starts: Promise<unknown>[] = [];
  readonly #restarts = new Map<EngineName, Promise<void>>();
  #stopped: Promise<void> | undefined;
  readonly pids: Partial<Record<EngineName, number>> = {};

  constructor(dataDir: string, options: EngineOptions) {
    this.#dataDir = dataDir;
    this.#options = options;
  }

  /** Stops the leftovers of a killed run. */
  async endOrphans(...names: EngineName[]): Promise<void> {
    await Promise.all(names.map(name => endOrphan(this.#dataDir, name, PROGRAMS[name])));
  }

  /** Ends an orphan, prepares the engine, starts it, and answers with its URL. */
  start(name: EngineName, plan: (signal: AbortSignal) => Promise<Launcher>): Promise<string> {
    const started = this.#start(name, plan);
    this.#starts.push(started);
    return started;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  async #start(name: EngineName, plan: (signal: AbortSignal) => Promise<Launcher>): Promise<string> {
    this.#stopSignal.signal.throwIfAborted();
    await this.endOrphans(name);
    const launcher = await plan(this.#stopSignal.signal);
    await this.#launch(name, launcher);
    return launcher.url;
  }

  async #launch(name: EngineName, launcher: Launcher): Promise<void> {
    const child = await launcher.launch();
    const pid = child.pid!;
    this.pids[name] = pid;
    await writePidFile(this.#dataDir, name, pid);
    const ended = () => this.#onEnd(name, pid, launcher);
    if (child.exitCode !== null || child.signalCode !== null) ended();
    else child.once('exit', ended);
  }

  #onEnd(name: EngineName, pid: number, launcher: Launcher): void {
    delete this.pids[name];
    if (this.#stopSignal.signal.aborted || isEndingOwned()) return;
    this.#options.onExit?.(name, pid);
    if (this.#options.supervise || name === ALWAYS_RESTARTED) this.#restarts.set(name, this.#restart(name, launcher));
  }

  async #restart(name: EngineName, launcher: Launcher): Promise<void> {
    for (let delay = RESTART_MS_MIN; !this.#stopSignal.signal.aborted; delay = Math.min(delay * 2, RESTART_MS_MAX)) {
      try {
        await wait(delay, undefined, { signal: this.#stopSignal.signal });
        await this.#launch(name, launcher);
        this.#options.onRestart?.(name, this.pids[name]!);
        return;
      } catch (error) {
        if (!this.#stopSignal.signal.aborted)
          process.stderr.write(`${name} does not start again: ${(error as Error).message}\n`);
      }
    }
  }

  async #stopAll(): Promise<void> {
    this.#stopSignal.abort();
    await Promise.allSettled([...this.#starts, ...this.#restarts.values()]);
    for (const name of STOP_ORDER) {
      const pid = this.pids[name];
      if (pid !== undefined) await endOwnedProcess(pid);
      await removePidFile(this.#dataDir, name);
    }
    await releaseDataDir(this.#dataDir);
  }
}

/** Waits for all of them, also when one fails, so that nothing is still starting when the first fault is thrown. */
async function allOrFirstFault<T extends readonly unknown[] | []>(
  starts: T,
): Promise<{ -readonly [Place in keyof T]: Awaited<T[Place]> }> {
  await Promise.allSettled(starts);
  return Promise.all(starts);
}
