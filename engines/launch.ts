import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 25;
const LOG_TAIL_CHARS = 2_000;

/** How to start a program and how to tell that it answers. */
export type LaunchOptions = {
  program: string;
  args: readonly string[];
  cwd: string;
  env?: NodeJS.ProcessEnv;
  /** The user to become, when this process is root. */
  user?: { uid: number; gid: number };
  logFile: string;
  startMsMax: number;
  /** Resolves true when the engine takes work; false or a rejection means: not yet. */
  isReady: () => Promise<boolean>;
};

/**
 * Starts an engine detached (a Ctrl-C in the terminal reaches us, not it: we drain first) and resolves when it takes
 * work. Throws with the end of its log when it exits or is not ready within `startMsMax`; then it is ended.
 */
export async function launch(options: LaunchOptions): Promise<ChildProcess> {
  const log = openSync(options.logFile, 'a', 0o600);
  const child = spawn(options.program, options.args, {
    cwd: options.cwd,
    detached: true,
    stdio: ['ignore', log, log],
    ...(options.env && { env: options.env }),
    ...options.user,
  });
  closeSync(log);
  await once(child, 'spawn');
  const deadline = performance.now() + options.startMsMax;
  while (child.exitCode === null && child.signalCode === null && performance.now() < deadline) {
    if (await options.isReady().catch(() => false)) return child;
    await wait(POLL_MS);
  }
  const exit = child.exitCode ?? child.signalCode;
  if (exit === null) child.kill('SIGKILL');
  const tail = (await readFile(options.logFile, 'utf8')).slice(-LOG_TAIL_CHARS);
  throw new Error(`${options.program} ${exit === null ? `was not ready after ${options.startMsMax} ms` : `ended with ${exit}`}; ${options.logFile} ends with:\n${tail}`);
}
