/** Identifies the boot of this machine: data in memory, or not yet on disk, do not survive a boot. */
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** The kernel's id of this boot, or else the minute in which the machine was started. */
export function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // No /proc (macOS): the start of the machine, rounded to the minute because uptime and the clock are read apart.
    return `started-${Math.round((Date.now() / 1000 - uptime()) / 60)}`;
  }
}
