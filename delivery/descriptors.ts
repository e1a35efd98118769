/** How many sockets the system allows this process. */
import { readFileSync } from 'node:fs';
import type { Log } from '#runtime/log.ts';

const LIMITS = '/proc/self/limits';
/** For the engines, the issue logs, the metrics, and connections that are refused with a close frame. */
const DESCRIPTORS_KEPT = 500;

/** The soft limit of open descriptors; undefined where it is not known (no /proc) or there is none. */
export function descriptorsMax(): number | undefined {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync(LIMITS, 'utf8'))?.[1];
    return found === undefined ? undefined : Number(found);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The wanted number of screens, or as many as the descriptors are enough for. */
export function screensWithin(wanted: number, descriptors: number | undefined, log: Log): number {
  if (descriptors === undefined || wanted + DESCRIPTORS_KEPT <= descriptors) return wanted;
  const possible = Math.max(1, descriptors - DESCRIPTORS_KEPT);
  log.warn({ wanted, possible, descriptors }, 'fewer screens than SCREENS_MAX are taken: raise the limit of open files (ulimit -n)');
  return possible;
}
