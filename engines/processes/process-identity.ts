/**
 * Who a process id belongs to. A pid read from a file may have been reused by a stranger, so nothing is ended before
 * its command line or its start time says that it is the one meant. Linux answers from /proc (no `ps` is needed in a
 * slim image), macOS from `ps`.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const POLL_MS = 20;

/** The command line of a live process, arguments joined by spaces; undefined if there is none or it is a zombie. */
export async function commandLineOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return askPs(pid, 'command=');
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim() || undefined;
  } catch {
    return undefined; // the process is gone, which is the answer
  }
}

/**
 * A text that differs between two processes that had the same pid: when it started. A program that takes the place of
 * another by exec keeps it. Undefined when there is none, or it is a zombie.
 */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return startTimeFrom(await askPs(pid, 'stat=,lstart='));
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // proc(5): the name in field 2 may hold spaces, so count from its closing bracket; state is field 3, starttime
    // field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined; // the process is gone, which is the answer
  }
}

function startTimeFrom(line: string | undefined): string | undefined {
  const [state = 'Z', ...started] = line?.split(/\s+/) ?? [];
  return state.startsWith('Z') ? undefined : started.join(' ');
}

/** True when `pid` is alive and its command line holds every one of `marks`. */
export async function isProcess(pid: number, marks: readonly string[]): Promise<boolean> {
  const line = await commandLineOf(pid);
  return line !== undefined && marks.every(mark => line.includes(mark));
}

/** Names one process and no later one: its pid, and when it started. */
export type Identity = { pid: number; startTime: string };

/** The process that has this pid now; undefined if there is none. */
export async function identify(pid: number): Promise<Identity | undefined> {
  const startTime = await startTimeOf(pid);
  return startTime === undefined ? undefined : { pid, startTime };
}

/**
 * Ends a process by `signal`, and by SIGKILL when it still lives after `patienceMs`. Resolves when it is gone, at once
 * when it has been. A stranger who has its pid by then is not touched.
 */
export async function endProcess(
  identity: Identity,
  options: { signal: NodeJS.Signals; patienceMs: number },
): Promise<void> {
  for (const signal of [options.signal, 'SIGKILL'] as const) {
    if (!(await isAlive(identity)) || !sendSignal(identity.pid, signal)) return;
    if (await isGoneWithin(identity, options.patienceMs)) return;
  }
}

/** True while it lives; a zombie does not. */
export async function isAlive({ pid, startTime }: Identity): Promise<boolean> {
  return (await startTimeOf(pid)) === startTime;
}

function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // ESRCH: it has already ended
  }
}

/** Resolves true when it is gone, and false after `patienceMs` when it is not. */
export async function isGoneWithin(identity: Identity, patienceMs: number): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    if (!(await isAlive(identity))) return true;
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
