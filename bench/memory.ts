/** The memory that a process holds, as Linux reports it. */
import { readFileSync } from 'node:fs';

const KIB = 1024;

/** Bytes of memory that a process holds (RSS), by Linux. @throws when it has ended */
export function rssBytesOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * KIB;
}
