import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

/**
 * Who a process id belongs to. A pid read from a file may have been reused by a stranger, so nothing is ended before its
 * command line or its start time says that it is the one meant. Linux answers from /proc (no `ps` is needed in a slim
 * image), macOS from `ps`.
 */
const run = promisify(execFile);
const POLL_MS = 20;

/** The command line of a live process, arguments joined by spaces; undefined when there is none or it is a zombie. */
export async function commandLineOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return askPs(pid, 'command=');
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim() || undefined;
  } catch {
    return undefined; // the process is gone, which is the answer
  }
}

/** A text that differs between two processes that had the same pid: when it started. Undefined when there is none. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return askPs(pid, 'lstart=');
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // proc(5): the name in field 2 may hold spaces, so count from its closing bracket; starttime is field 22.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined; // the process is gone, which is the answer
  }
}

/** True when `pid` is alive and its command line holds every one of `marks`. */
export async function isProcess(pid: number, marks: readonly string[]): Promise<boolean> {
  const line = await commandLineOf(pid);
  return line !== undefined && marks.every(mark => line.includes(mark));
}

/**
 * Ends a process by `signal`, and by SIGKILL when it still lives after `patience_ms`. Resolves when it is gone.
 * The caller has made sure whose pid it is.
 */
export async function endProcess(pid: number, options: { signal: NodeJS.Signals; patienceMs: number }): Promise<void> {
  if (!sendSignal(pid, options.signal)) return;
  if (await isGoneWithin(pid, options.patienceMs)) return;
  sendSignal(pid, 'SIGKILL');
  await isGoneWithin(pid, options.patienceMs);
}

function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // ESRCH: it has ended by itself
  }
}

async function isGoneWithin(pid: number, patienceMs: number): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    if ((await commandLineOf(pid)) === undefined) return true;
    await wait(POLL_MS);
  }
  return false;
}

async function askPs(pid: number, column: string): Promise<string | undefined> {
  try {
    const { stdout } = await run('ps', ['-p', String(pid), '-o', column]);
    return stdout.trim() || undefined;
  } catch {
    return undefined; // ps exits 1 when there is no such process
  }
}
