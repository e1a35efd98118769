/** Processes that share a small quota of processor time, by a cgroup of version 1 (Linux, as root). */
import { accessSync, constants, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CPU = '/sys/fs/cgroup/cpu';
/** The kernel accepts no quota below 1 ms, which is a hundredth of this. */
const PERIOD_MICROS = 100_000;

export function canStarve(): boolean {
  try {
    accessSync(join(CPU, 'cgroup.procs'), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Limits these processes and their descendants to `share` of one core together.
 * @returns lifts the limit
 */
export function starve(pids: readonly number[], share: number): () => void {
  const folder = join(CPU, `marquee-starved-${process.pid}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'cpu.cfs_period_us'), String(PERIOD_MICROS));
  writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(Math.round(share * PERIOD_MICROS)));
  for (const pid of withDescendants(pids)) move(pid, folder);
  return () => {
    for (const pid of readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)) move(pid, CPU);
    rmdirSync(folder);
  };
}

/** One that ended meanwhile needs nothing. */
function move(pid: number | string, folder: string): void {
  try {
    writeFileSync(join(folder, 'cgroup.procs'), String(pid));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function withDescendants(pids: readonly number[]): number[] {
  return pids.flatMap(pid => {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return [pid, ...withDescendants(children.map(Number))];
  });
}
