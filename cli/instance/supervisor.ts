/**
 * Starts the services of one instance as child processes and starts each again when it dies. A child learns over its
 * IPC channel that the parent is gone, and is killed when it does not end by itself, so nothing outlives a killed
 * supervisor.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { isEndingOwned, own } from '#engines/processes/owned.ts';
import type { ReadyMessage } from '#runtime/lifecycle.ts';
import { DELIVERY_ENV, DELIVERY_NODE_OPTIONS } from '#runtime/programs/delivery-memory.ts';
import { programOf, ROOT } from '#runtime/programs/program.ts';

export type ServiceName = 'api' | 'delivery' | 'ingest' | 'workers';
/** `root`: of the started version, if it is not this one. */
export type ServiceSpec = { name: ServiceName; env: Record<string, string>; root?: string | undefined };
export type Service = { name: ServiceName; pid: number; opsPort: number; port?: number };

/**
 * Longer than the slowest start that was seen (35 s, on a machine with nine times as much work as it had cores), yet
 * short enough for a person to wait.
 */
const READY_MS_MAX = 60_000;
/**
 * The wait before the first restart; it doubles each time, so that a service that cannot start keeps no core busy.
 */
const RESTART_MS_FIRST = 50;
const RESTART_MS_MAX = 5_000;
/** Services finish their work within 10 s; those that have not ended after this time are killed. */
const STOP_MS_MAX = 12_000;

type Hearer = {
  onRestart: (service: ServiceName, pid: number) => void;
  /** Gets what services write to standard error, line by line; without it they write to ours. */
  onLine?: ((line: string) => void) | undefined;
};

export class Supervisor {
  readonly #hearer: Hearer;
  readonly #members: Member[] = [];
  #isStopping = false;

  constructor(hearer: Hearer) {
    this.#hearer = hearer;
  }

  /**
   * Starts one service and resolves when it says that it is ready.
   * @throws when it does not, or the supervisor stops
   */
  async start(spec: ServiceSpec): Promise<void> {
    if (this.#isStopping) throw new Error(`${spec.name} is not started: its supervisor stops`);
    const member = new Member(spec, this.#hearer);
    this.#members.push(member);
    await member.start();
  }

  services(name: ServiceName): Service[] {
    return this.#members.filter(member => member.spec.name === name).map(member => member.service());
  }

  /** Stops services in the order in which data flows, so that each can pass on what it holds. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const name of ['api', 'delivery', 'ingest', 'workers'] as const) {
      await Promise.all(this.#members.filter(member => member.spec.name === name).map(member => member.stop()));
    }
  }
}

class Member {
  readonly spec: ServiceSpec;
  readonly #hearer: Hearer;
  #child: ChildProcess | undefined;
  #ready: ReadyMessage['ready'] | undefined;
  #stopping = false;
  #restartMs = RESTART_MS_FIRST;

  constructor(spec: ServiceSpec, hearer: Hearer) {
    this.spec = spec;
    this.#hearer = hearer;
  }

  service(): Service {
    const { name } = this.spec;
    return {
      name,
      pid: this.#child?.pid ?? 0,
      opsPort: this.#ready?.opsPort ?? 0,
      ...(this.#ready?.port !== undefined && { port: this.#ready.port }),
    };
  }

  async start(): Promise<void> {
    const { onLine } = this.#hearer;
    const { root = ROOT } = this.spec;
    const { file, execArgv } = programOf(`${this.spec.name}/main.ts`, root);
    const isDelivery = this.spec.name === 'delivery';
    const child = fork(file, [], {
      cwd: root,
      execArgv: [...execArgv, ...(isDelivery ? DELIVERY_NODE_OPTIONS : [])],
      env: { ...(isDelivery && DELIVERY_ENV), ...process.env, ...this.spec.env },
      stdio: ['ignore', 'inherit', onLine ? 'pipe' : 'inherit', 'ipc'],
      detached: true, // Ctrl-C reaches the supervisor only; it then drains the services in order
    });
    if (onLine) createInterface({ input: child.stderr! }).on('line', onLine);
    this.#child = child;
    [this.#ready] = await Promise.all([readyMessageOf(child, this.spec.name), own(child, 'service')]);
    this.#restartMs = RESTART_MS_FIRST;
    child.once('exit', () => this.#restart());
  }

  #restart(): void {
    if (this.#stopping || isEndingOwned()) return;
    setTimeout(() => {
      if (this.#stopping) return;
      delete this.spec.env['FAULT']; // a fault point ends a process once; the next process must be able to recover
      this.start().then(
        () => this.#hearer.onRestart(this.spec.name, this.service().pid),
        () => this.#restart(),
      );
    }, this.#restartMs);
    this.#restartMs = Math.min(this.#restartMs * 2, RESTART_MS_MAX);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
    clearTimeout(timer);
  }
}

function readyMessageOf(child: ChildProcess, name: string): Promise<ReadyMessage['ready']> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${name} was not ready within ${READY_MS_MAX} ms`));
    }, READY_MS_MAX);
    const ended = (code: number | null, signal: NodeJS.Signals | null): void => {
      clearTimeout(timer);
      reject(new Error(`${name} ended before it was ready (${signal ?? `exit code ${code}`})`));
    };
    child.once('exit', ended);
    child.once('message', message => {
      clearTimeout(timer);
      child.off('exit', ended);
      resolve((message as ReadyMessage).ready);
    });
  });
}
