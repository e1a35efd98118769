/**
 * Starts an engine's server process and waits until it takes work. Every engine is started through here, so that each
 * ends with this process and says the end of its log when it does not start.
 */
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { EngineName } from './ending.ts';
import { endOwnedProcess, spawnOwned } from './owned.ts';

const POLL_MS = 25;
const LOG_TAIL_CHARS = 2_000;

/** How to start a program and how to check that it answers. */
export type LaunchOptions = {
  engine: EngineName;
  program: string;
  args: readonly string[];
  cwd: string;
  /** The user to become, when this process is root. */
  user?: { uid: number; gid: number };
  logFile: string;
  startMsMax: number;
  /** Resolves true when the engine takes work; false or a rejection means: not yet. */
  isReady: () => Promise<boolean>;
  /** Aborted when the process is no longer needed. */
  signal?: AbortSignal | undefined;
};

/**
 * Starts an engine that ends with this process, and resolves when it takes work. Throws when the signal is aborted, and
 * with the end of its log when it exits or is not ready within `startMsMax`; then it is ended.
 */
export async function launch(options: LaunchOptions): Promise<ChildProcess> {
  const { engine, program, logFile, startMsMax, signal } = options;
  signal?.throwIfAborted();
  const log = openSync(logFile, 'a', 0o600);
  const child = await spawnOwned(program, options.args, {
    kind: engine,
    cwd: options.cwd,
    log,
    ...(options.user && { user: options.user }),
  }).finally(() => closeSync(log));
  const deadline = performance.now() + startMsMax;
  while (isWanted(child, signal) && performance.now() < deadline) {
    if (await options.isReady().catch(() => false)) return child;
    await wait(POLL_MS);
  }
  const exit = child.exitCode ?? child.signalCode;
  await endOwnedProcess(child.pid!);
  signal?.throwIfAborted();
  const tail = (await readFile(logFile, 'utf8')).slice(-LOG_TAIL_CHARS);
  throw new Error(
    `${program} ${exit === null ? `was not ready after ${startMsMax} ms` : `ended with ${exit}`}; ${logFile} ends with:\n${tail}`,
  );
}

function isWanted({ exitCode, signalCode }: ChildProcess, signal: AbortSignal | undefined): boolean {
  return exitCode === null && signalCode === null && !signal?.aborted;
}
