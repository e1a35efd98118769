/**
 * What processes did and what kept them from it, as the scheduler of Linux accounts it for each thread: the time for
 * which it ran, and the time for which it was ready to run and stood in line for a core.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const NS_PER_MS = 1e6;

/** Milliseconds of all threads together. */
export type Times = { ran: number; waited: number };

/** Whether this machine says for how long a thread waits in line. */
export const hasTimes = existsSync('/proc/self/schedstat');

/** Of processes with all their threads; one that is gone has none. */
export function timesOf(pids: readonly number[]): Times {
  const threads = pids.flatMap(pid => entriesOf(`/proc/${pid}/task`).map(tid => `/proc/${pid}/task/${tid}/schedstat`));
  return sumOf(threads);
}

/** Of the first thread of each process: that of a page's scripts, layout and painting in the process of a page. */
export function timesOfMain(pids: readonly number[]): Times {
  return sumOf(pids.map(pid => `/proc/${pid}/task/${pid}/schedstat`));
}

/** The processes under a process, however far, by their command line. */
export function processesUnder(root: number): { pid: number; command: string }[] {
  const children = new Map<number, number[]>();
  for (const pid of entriesOf('/proc').map(Number).filter(Number.isInteger)) {
    const parent = parentOf(pid);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found: number[] = [];
  for (const waiting = [root]; waiting.length > 0;) {
    const pid = waiting.pop()!;
    found.push(pid);
    waiting.push(...(children.get(pid) ?? []));
  }
  return found.map(pid => ({ pid, command: textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ') }));
}

function sumOf(files: readonly string[]): Times {
  const sum = { ran: 0, waited: 0 };
  for (const file of files) {
    const [ran = 0, waited = 0] = textOf(file).split(' ').map(Number);
    sum.ran += ran / NS_PER_MS;
    sum.waited += waited / NS_PER_MS;
  }
  return sum;
}

function parentOf(pid: number): number {
  const stat = textOf(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

function textOf(file: string): string {
  return ignoringGone(() => readFileSync(file, 'utf8')) ?? '';
}

function entriesOf(folder: string): string[] {
  return ignoringGone(() => readdirSync(folder)) ?? [];
}

/** Undefined where the thread or the process has ended meanwhile. */
function ignoringGone<Read>(read: () => Read): Read | undefined {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(String((error as { code?: string }).code))) return undefined;
    throw error;
  }
}
