import { randomBytes } from 'node:crypto';
import type { Intake, ScanEvent } from '#ingest/intake.ts';
import type { Log } from '#runtime/log.ts';
import { counter, gauge } from '#runtime/metrics.ts';
import { openKeptScans, type KeptBatch, type KeptScans } from './kept-scans.ts';

/**
 * Scans on their way to ingest. A person who scans is redirected at once; the scan joins a batch that is added after 200
 * ms under its own id, and again under the same id until Redis has it, so a repeat adds nothing. When Redis does not
 * take a batch it goes to disk, and so does every scan that comes until Redis has taken all of them; what a process
 * leaves there, the next one sends.
 */
const BATCH_MS = 200; // well inside the 3 s in which a report shows a scan
const BATCH_SCANS_MAX = 500;
/** As many files: 200 MB. A day without Redis at ten scans a second. */
const KEPT_BATCHES_MAX = 2_000;
const RETRY_MS_MIN = 200;
const RETRY_MS_MAX = 2_000;
const DRAIN_MS_MAX = 5_000; // half of the process's patience when it drains

const dropped = counter({
  name: 'api_scans_dropped_total',
  help: 'Scans that were redirected but not recorded, because the disk holds too many or takes none',
});
let waitingNow = 0;
gauge({
  name: 'api_scans_waiting',
  help: 'Scans that wait to be added to the queue, in memory and on disk',
  read: () => waitingNow,
});

export type ScanBatches = {
  /** Takes a scan; false when it had to be dropped. */
  add(scan: ScanEvent): boolean;
  /** Adds what waits, for as long as Redis takes it and at most 5 s; the rest is on disk then. */
  close(): Promise<void>;
};

/** @param options.folder where scans are kept while Redis is away; it may be shared by processes. */
export function createScanBatches({ intake, log, folder }: { intake: Intake; log: Log; folder: string }): ScanBatches {
  const batches = new Batches({ intake, log, kept: openKeptScans(folder) });
  batches.takeOver();
  return { add: scan => batches.add(scan), close: () => batches.close() };
}

class Batches {
  readonly #sender = `api-${randomBytes(8).toString('hex')}`;
  readonly #intake: Intake;
  readonly #log: Log;
  readonly #kept: KeptScans;
  #number = 0;
  /** In memory, while Redis takes batches. */
  #waiting: ScanEvent[] = [];
  /** On disk, in the order of sending; while there is one, every scan goes to disk. */
  readonly #onDisk: { id: string; scans: number }[] = [];
  /** The last of them, while scans are added to it. */
  #open: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retryMs = RETRY_MS_MIN;
  #sending: Promise<boolean> | undefined;

  constructor({ intake, log, kept }: { intake: Intake; log: Log; kept: KeptScans }) {
    this.#intake = intake;
    this.#log = log;
    this.#kept = kept;
  }

  /** What processes before this one left. */
  takeOver(): void {
    for (const id of this.#kept.ids()) this.#note(id, this.#kept.read(id).scans.length);
    if (this.#onDisk.length > 0) this.#schedule(0);
  }

  add(scan: ScanEvent): boolean {
    if (this.#onDisk.length > 0) return this.#keep(scan);
    waitingNow += 1;
    this.#waiting.push(scan);
    this.#schedule(BATCH_MS);
    return true;
  }

  async close(): Promise<void> {
    const deadline = performance.now() + DRAIN_MS_MAX;
    let isTaken = true;
    while (isTaken && this.#waiting.length + this.#onDisk.length > 0 && performance.now() < deadline)
      isTaken = await this.#send();
    this.#keepWaiting();
    clearTimeout(this.#timer);
    waitingNow -= this.#onDisk.reduce((sum, { scans }) => sum + scans, 0); // no longer this process's
  }

  #schedule(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#send();
    }, ms);
  }

  /** Adds the oldest batch; false when Redis did not take it. */
  #send(): Promise<boolean> {
    this.#sending ??= this.#sendOne().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendOne(): Promise<boolean> {
    const [oldest] = this.#onDisk;
    if (!oldest && this.#waiting.length === 0) return true;
    const batch = oldest ? this.#seal(oldest.id) : this.#takeWaiting();
    try {
      await this.#intake.add({ id: batch.id, plays: [], scans: batch.scans, releases: [] });
    } catch (error) {
      this.#log.warn({ err: error, batch: batch.id, scans: batch.scans.length }, 'scans wait for the queue');
      if (!oldest) this.#keepBatch(batch);
      this.#schedule(this.#retryMs);
      this.#retryMs = Math.min(RETRY_MS_MAX, this.#retryMs * 2);
      return false;
    }
    this.#retryMs = RETRY_MS_MIN;
    waitingNow -= oldest ? oldest.scans : batch.scans.length;
    if (oldest) {
      this.#onDisk.shift();
      this.#kept.remove(batch.id);
    }
    if (this.#onDisk.length > 0) this.#schedule(0);
    else if (this.#waiting.length > 0) this.#schedule(BATCH_MS);
    return true;
  }

  #takeWaiting(): KeptBatch {
    return { id: this.#nextId(), scans: this.#waiting.splice(0, BATCH_SCANS_MAX) };
  }

  #nextId(): string {
    return `${this.#sender}-${(this.#number += 1)}`;
  }

  /** A batch that is sent stays as it is: what comes behind goes into another. */
  #seal(id: string): KeptBatch {
    if (this.#open === id) this.#open = undefined;
    return this.#kept.read(id);
  }

  /** Puts a batch that Redis did not take on disk, and behind it what came meanwhile. */
  #keepBatch(batch: KeptBatch): void {
    waitingNow -= batch.scans.length; // it is noted again as one on disk
    try {
      this.#kept.write(batch);
      this.#note(batch.id, batch.scans.length);
    } catch (error) {
      this.#drop(batch.scans.length, error);
    }
    this.#keepWaiting();
  }

  #keepWaiting(): void {
    const scans = this.#waiting.splice(0);
    waitingNow -= scans.length;
    for (const scan of scans) this.#keep(scan);
  }

  #keep(scan: ScanEvent): boolean {
    const last = this.#onDisk.at(-1);
    const isRoom = this.#open !== undefined && last?.id === this.#open && last.scans < BATCH_SCANS_MAX;
    if (!isRoom && this.#onDisk.length >= KEPT_BATCHES_MAX) {
      dropped.inc();
      return false;
    }
    const id = isRoom ? last.id : this.#nextId();
    try {
      this.#kept.append(id, scan);
    } catch (error) {
      this.#drop(1, error);
      return false;
    }
    this.#open = id;
    if (isRoom) last.scans += 1;
    else this.#onDisk.push({ id, scans: 1 });
    waitingNow += 1;
    this.#schedule(this.#retryMs);
    return true;
  }

  #note(id: string, scans: number): void {
    this.#onDisk.push({ id, scans });
    waitingNow += scans;
  }

  #drop(scans: number, error: unknown): void {
    dropped.inc(scans);
    this.#log.error({ err: error, scans }, 'scans are lost: Redis is away and the disk takes none');
  }
}
