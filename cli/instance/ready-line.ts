/** The first JSON line of `npm start` and the demo, for programs that start them. */
import type { Instance } from './instance.ts';

/** The keys of the demo, and a link by role that opens the console without a password. */
type DemoAccess = { keys: Record<string, string>; console: Record<string, string> };

/** The first JSON line of `start` and `demo`: every address, and the process ids that a test may kill. */
export function readyLine(instance: Instance, demo?: DemoAccess): object {
  return {
    event: 'ready',
    api: instance.apiUrl,
    delivery: instance.deliveryUrl,
    clickhouse: instance.clickhouse,
    ...demo,
    ops: instance.ops(),
    pids: instance.pids(),
  };
}
