/** CPU time of processes and their children, as Linux accounts it in /proc. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const NS_PER_SECOND = 1e9;

/** The fields of /proc/<pid>/stat after the command's name, which may itself hold spaces and parentheses. */
function statFields(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** Whether a process has ended between two reads. Its time has then moved to its parent's `cutime`. */
function isGone(error: unknown): boolean {
  const code = (error as { code?: string }).code;
  return code === 'ENOENT' || code === 'ESRCH';
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap(task =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
        .split(' ')
        .filter(text => text !== '')
        .map(Number),
    );
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

/**
 * CPU seconds (user and system) that these processes and all their children have used: of living children their own
 * time, of ended ones what their parents waited for. A process that is named twice is counted once.
 */
export function cpuSecondsOf(pids: readonly number[]): number {
  const seen = new Set<number>();
  let ticks = 0;
  const waiting = [...pids];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    if (seen.has(pid)) continue;
    seen.add(pid);
    waiting.push(...childrenOf(pid));
    // utime, stime, cutime, cstime are fields 14 to 17 of the line; the first of these fields is the third.
    for (const text of statFields(pid)?.slice(11, 15) ?? []) ticks += Number(text);
  }
  return ticks / TICKS_PER_SECOND;
}

/**
 * Seconds in which the process's main thread ran or stood in line for a core. A server whose share of this is 1 always
 * had work waiting, also on a machine whose cores it must share with its client.
 */
export function busySecondsOf(pid: number): number {
  const [running, waiting] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return (Number(running) + Number(waiting)) / NS_PER_SECOND;
}
