/** The first JSON line of `npm start` and the demo, for programs that start them. */
import type { Instance } from './instance.ts';

/** The first JSON line of `start` and `demo`: every address, and the process ids that a test may kill. */
export function readyLine(instance: Instance, keys?: Record<string, string>): object {
  return {
    event: 'ready',
    api: instance.apiUrl,
    delivery: instance.deliveryUrl,
    clickhouse: instance.clickhouse,
    ...(keys && { keys }),
    ops: instance.ops(),
    pids: instance.pids(),
  };
}
