/** How many sockets the system allows this process. */
import { readFileSync } from 'node:fs';
import type { Log } from '#runtime/log.ts';

const LIMITS = '/proc/self/limits';
/** For the engines, the issue logs, the metrics, and connections that are refused with a close frame. */
const DESCRIPTORS_KEPT = 500;
/** At least this many of the rest are kept for sockets before their hello: without one no screen can connect. */
const PENDING_MIN = 100;

/** The soft limit of open descriptors; undefined if it is unknown (no /proc) or there is none. */
export function descriptorsMax(): number | undefined {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync(LIMITS, 'utf8'))?.[1];
    return found === undefined ? undefined : Number(found);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The numbers of sockets of known screens, and of pending ones before their hello. */
type Sockets = { screens: number; pending: number };

/** The wanted numbers of screens and of sockets before their hello, or as many as the descriptors allow. */
export function socketsWithin(wanted: Sockets, descriptors: number | undefined, log: Log): Sockets {
  if (descriptors === undefined) return wanted;
  const room = descriptors - DESCRIPTORS_KEPT;
  const screens = Math.max(1, Math.min(wanted.screens, room));
  // Screens come first; in a full process, pending sockets are refused at their hello, from the reserved descriptors.
  const pending = Math.max(Math.min(wanted.pending, PENDING_MIN), Math.min(wanted.pending, room - screens));
  if (screens < wanted.screens)
    log.warn(
      { wanted: wanted.screens, possible: screens, descriptors },
      'fewer screens than SCREENS_MAX are taken: raise the limit of open files (ulimit -n)',
    );
  return { screens, pending };
}
