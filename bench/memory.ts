/** The memory that a process holds, as Linux and, after a collection of garbage, its own heap report it. */
import { readFileSync } from 'node:fs';
import { inspect, type InspectedProcess } from './profile.ts';

const KIB = 1024;

/** Bytes of memory that a process holds (RSS), by Linux. @throws when it has ended */
export function rssBytesOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * KIB;
}

export type Memory = { rssBytes: number; heapBytes: number };

/** Two, because objects with finalizers are found in one collection and freed in the next. */
const COLLECTIONS = 2;

/**
 * Collects the garbage of a process and then reads its memory. Otherwise a heap that grows by garbage, or that fills
 * existing pages, would hide the cost of a connection.
 */
export async function memoryWithoutGarbage(inspected: InspectedProcess): Promise<Memory> {
  return inspect(inspected, async call => {
    for (let collection = 0; collection < COLLECTIONS; collection += 1) await call('HeapProfiler.collectGarbage');
    const reply = (await call('Runtime.evaluate', { expression: 'process.memoryUsage().heapUsed' })) as {
      result: { value: number };
    };
    return { rssBytes: rollupRssBytesOf(inspected.pid), heapBytes: reply.result.value };
  });
}

/** RSS summed over the mappings: exact, where the counter of /proc/<pid>/status may lag by some pages per thread. */
function rollupRssBytesOf(pid: number): number {
  return Number(/^Rss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))![1]) * KIB;
}

/**
 * The slope of the line through the points with the least squares, in y per x.
 * @throws for fewer than two different x
 */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  if (!(spread > 0)) throw new RangeError('one point has no slope');
  return points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
}
