import { randomBytes } from 'node:crypto';
import type { Intake, ScanEvent } from '#ingest/intake.ts';
import type { Log } from '#runtime/log.ts';
import { counter, gauge } from '#runtime/metrics.ts';

/**
 * Scans on their way to ingest. A person who scans is redirected at once; the scan joins a batch that is added after 200
 * ms under its own id, and again under the same id until Redis has it, so a repeat adds nothing. While Redis is away
 * scans wait here, in memory and bounded: a process killed then loses them, which the disk of a later version mends.
 */
const BATCH_MS = 200; // well inside the 3 s in which a report shows a scan
const BATCH_SCANS_MAX = 500;
const WAITING_SCANS_MAX = 20_000; // about 10 MB
const RETRY_MS_MIN = 200;
const RETRY_MS_MAX = 2_000;
const DRAIN_MS_MAX = 5_000; // half of the process's patience when it drains

const dropped = counter({ name: 'api_scans_dropped_total', help: 'Scans that were redirected but not recorded, because too many waited for Redis' });
let waitingNow = 0;
gauge({ name: 'api_scans_waiting', help: 'Scans that wait to be added to the queue', read: () => waitingNow });

export type ScanBatches = {
  /** Takes a scan; false when it had to be dropped. */
  add(scan: ScanEvent): boolean;
  /** Adds what waits, for at most 5 s. */
  close(): Promise<void>;
};

type Batch = { id: string; scans: ScanEvent[] };

export function createScanBatches({ intake, log }: { intake: Intake; log: Log }): ScanBatches {
  const sender = `api-${randomBytes(8).toString('hex')}`;
  const state = { number: 0, waiting: [] as ScanEvent[], current: undefined as Batch | undefined, timer: undefined as NodeJS.Timeout | undefined, retryMs: RETRY_MS_MIN, sending: undefined as Promise<void> | undefined };

  const schedule = (ms: number) => {
    state.timer ??= setTimeout(() => {
      state.timer = undefined;
      void send();
    }, ms);
  };
  const send = (): Promise<void> => {
    state.sending ??= sendOne().finally(() => { state.sending = undefined; });
    return state.sending;
  };
  const sendOne = async () => {
    state.current ??= { id: `${sender}-${state.number += 1}`, scans: state.waiting.splice(0, BATCH_SCANS_MAX) };
    const batch = state.current;
    if (batch.scans.length === 0) {
      state.current = undefined;
      return;
    }
    try {
      await intake.add({ id: batch.id, plays: [], scans: batch.scans, releases: [] });
      state.current = undefined;
      state.retryMs = RETRY_MS_MIN;
      waitingNow -= batch.scans.length;
      if (state.waiting.length > 0) schedule(BATCH_MS);
    } catch (error) {
      log.warn({ err: error, batch: batch.id, scans: batch.scans.length }, 'scans wait for the queue');
      schedule(state.retryMs);
      state.retryMs = Math.min(RETRY_MS_MAX, state.retryMs * 2);
    }
  };

  return {
    add(scan) {
      if (waitingNow >= WAITING_SCANS_MAX) {
        dropped.inc();
        return false;
      }
      waitingNow += 1;
      state.waiting.push(scan);
      schedule(BATCH_MS);
      return true;
    },
    async close() {
      const deadline = performance.now() + DRAIN_MS_MAX;
      while ((state.current || state.waiting.length > 0) && performance.now() < deadline) {
        clearTimeout(state.timer);
        state.timer = undefined;
        await send();
        if (state.current) await new Promise(resolve => { setTimeout(resolve, RETRY_MS_MIN); });
      }
      clearTimeout(state.timer);
    },
  };
}
