import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** What tells one boot of this machine from another. Where the kernel has no id of it, the minute of the start. */
export function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // No /proc (macOS): the start of the machine, rounded to the minute because uptime and the clock are read apart.
    return `started-${Math.round((Date.now() / 1000 - uptime()) / 60)}`;
  }
}
