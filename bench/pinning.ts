/** Binds processes to cores, so that a server has one core and its clients the other. */
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Cores of the two sides: the server alone on one, everything else on the other. */
export const SERVER_CORE = 0;
export const CLIENT_CORE = 1;

/** Whether each side can have its own core: two cores and util-linux's taskset. */
export function canPin(): boolean {
  if (availableParallelism() < 2) return false;
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false; // not installed: the run continues unpinned and says so
  }
}

/** A thread that ends between taskset's list and its turn fails the command; hardly ever twice in a row. */
const TRIES_MAX = 5;

/** Binds all threads of the processes to one core. */
export function pinTo(core: number, pids: readonly number[]): void {
  for (const pid of pids) pinProcess(core, pid, 1);
}

function pinProcess(core: number, pid: number, attempt: number): void {
  try {
    execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' });
  } catch (error) {
    if (attempt >= TRIES_MAX) throw error;
    pinProcess(core, pid, attempt + 1);
  }
}
