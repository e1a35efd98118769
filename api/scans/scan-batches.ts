/**
 * Scans on their way to ingest. The person who scans is redirected at once. The scan joins a batch, which is added to
 * the queue after 200 ms under its own id, and again under the same id until Redis has it, so a retry adds nothing
 * twice. When Redis does not take a batch it is written to disk (`stored-scans.ts`), and so are all scans after it
 * until Redis has taken the stored ones. What a process leaves on disk, the next one sends.
 */
import { randomBytes } from 'node:crypto';
import type { PlayQueue } from '#ingest/queue/play-queue.ts';
import type { ScanEvent } from '#ingest/queue/batch.ts';
import type { Log } from '#runtime/log.ts';
import { counter, gauge } from '#runtime/metrics.ts';
import { openStoredScans, type StoredBatch, type StoredScans } from './stored-scans.ts';
import type { Milliseconds } from '#domain/unit.ts';

const BATCH_MS = 200; // well within the 3 s after which a report shows a scan
const BATCH_SCANS_MAX = 500;
/** The maximum number of files: together 200 MB, or a day without Redis at ten scans a second. */
const STORED_BATCHES_MAX = 2_000;
const RETRY_MS_MIN = 200;
const RETRY_MS_MAX = 2_000;
const DRAIN_MS_MAX = 5_000; // half of the time that a process has to drain

const dropped = counter({
  name: 'api_scans_dropped_total',
  help: 'Scans that were redirected but not recorded, because the disk holds too many or takes none',
});
let pendingCount = 0;
gauge({
  name: 'api_scans_waiting',
  help: 'Scans that wait to be added to the queue, in memory and on disk',
  read: () => pendingCount,
});

export type ScanBatches = {
  /** Takes a scan; false when it had to be dropped. */
  add(scan: ScanEvent): boolean;
  /** Sends pending scans while Redis accepts them, for at most 5 s; the rest stays on disk. */
  close(): Promise<void>;
};

/** @param options.folder where scans are stored while Redis is down; processes may share it */
export function createScanBatches({
  playQueue,
  log,
  folder,
}: {
  playQueue: PlayQueue;
  log: Log;
  folder: string;
}): ScanBatches {
  const batches = new Batches({ playQueue, log, storedBatches: openStoredScans(folder) });
  batches.takeOver();
  return { add: scan => batches.add(scan), close: () => batches.close() };
}

type BatchesOptions = { playQueue: PlayQueue; log: Log; storedBatches: StoredScans };

class Batches {
  readonly #sender = `api-${randomBytes(8).toString('hex')}`;
  readonly #playQueue: PlayQueue;
  readonly #log: Log;
  readonly #storedBatches: StoredScans;
  #number = 0;
  /** Scans in memory, while Redis takes batches. */
  #pending: ScanEvent[] = [];
  /** Batches on disk, in the order of sending. While there is one, every new scan goes to disk. */
  readonly #onDisk: { id: string; scans: number }[] = [];
  /** Id of the last batch on disk, while scans may still be appended to it. */
  #open: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retryMs = RETRY_MS_MIN;
  #sending: Promise<boolean> | undefined;

  constructor({ playQueue, log, storedBatches }: BatchesOptions) {
    this.#playQueue = playQueue;
    this.#log = log;
    this.#storedBatches = storedBatches;
  }

  /** Takes over the batches that earlier processes left on disk. */
  takeOver(): void {
    for (const id of this.#storedBatches.ids()) {
      const batch = this.#storedBatches.read(id);
      if (batch) this.#note(id, batch.scans.length);
    }
    if (this.#onDisk.length > 0) this.#schedule(0);
  }

  add(scan: ScanEvent): boolean {
    if (this.#onDisk.length > 0) return this.#store(scan);
    pendingCount += 1;
    this.#pending.push(scan);
    this.#schedule(BATCH_MS);
    return true;
  }

  async close(): Promise<void> {
    const deadline = performance.now() + DRAIN_MS_MAX;
    let isTaken = true;
    while (isTaken && this.#pending.length + this.#onDisk.length > 0 && performance.now() < deadline)
      isTaken = await this.#send();
    this.#storePending();
    clearTimeout(this.#timer);
    pendingCount -= this.#onDisk.reduce((sum, { scans }) => sum + scans, 0); // they are the next process's now
  }

  #schedule(ms: Milliseconds): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#send();
    }, ms);
  }

  /** Sends the oldest batch; false if Redis did not accept it, or the disk could not be read. Never rejects. */
  #send(): Promise<boolean> {
    this.#sending ??= this.#sendOne()
      .catch((error: unknown) => this.#retryLater(error, 'scans wait for the disk'))
      .finally(() => {
        this.#sending = undefined;
      });
    return this.#sending;
  }

  async #sendOne(): Promise<boolean> {
    const [oldest] = this.#onDisk;
    if (!oldest && this.#pending.length === 0) return true;
    const batch = oldest ? this.#seal(oldest.id) : this.#takePending();
    try {
      if (batch) await this.#playQueue.add({ id: batch.id, plays: [], scans: batch.scans, releases: [] });
    } catch (error) {
      if (!oldest && batch) this.#storeBatch(batch);
      return this.#retryLater(error, 'scans wait for the queue');
    }
    this.#retryMs = RETRY_MS_MIN;
    pendingCount -= oldest ? oldest.scans : (batch?.scans.length ?? 0);
    if (oldest) {
      this.#onDisk.shift();
      this.#remove(oldest.id);
    }
    if (this.#onDisk.length > 0) this.#schedule(0);
    else if (this.#pending.length > 0) this.#schedule(BATCH_MS);
    return true;
  }

  #retryLater(error: unknown, message: string): false {
    this.#log.warn({ err: error, batches: this.#onDisk.length }, message);
    this.#schedule(this.#retryMs);
    this.#retryMs = Math.min(RETRY_MS_MAX, this.#retryMs * 2);
    return false;
  }

  /** A batch that was sent and stays on the disk is sent once more by the next process, under its id. */
  #remove(id: string): void {
    try {
      this.#storedBatches.remove(id);
    } catch (error) {
      this.#log.warn({ err: error, batch: id }, 'a batch of scans that was sent stays on the disk');
    }
  }

  #takePending(): StoredBatch {
    return { id: this.#nextId(), scans: this.#pending.splice(0, BATCH_SCANS_MAX) };
  }

  #nextId(): string {
    return `${this.#sender}-${(this.#number += 1)}`;
  }

  /**
   * Reads a batch to send it; undefined if another process has sent it. Later scans go into another one, so that a
   * retry sends the same batch.
   */
  #seal(id: string): StoredBatch | undefined {
    if (this.#open === id) this.#open = undefined;
    return this.#storedBatches.read(id);
  }

  /** Writes a batch that Redis did not accept to disk, and after it the scans that arrived meanwhile. */
  #storeBatch(batch: StoredBatch): void {
    pendingCount -= batch.scans.length; // counted again below, as a batch on disk
    try {
      this.#storedBatches.write(batch);
      this.#note(batch.id, batch.scans.length);
    } catch (error) {
      this.#drop(batch.scans.length, error);
    }
    this.#storePending();
  }

  #storePending(): void {
    const scans = this.#pending.splice(0);
    pendingCount -= scans.length;
    for (const scan of scans) this.#store(scan);
  }

  #store(scan: ScanEvent): boolean {
    const last = this.#onDisk.at(-1);
    const isRoom = this.#open !== undefined && last?.id === this.#open && last.scans < BATCH_SCANS_MAX;
    if (!isRoom && this.#onDisk.length >= STORED_BATCHES_MAX) {
      dropped.inc();
      return false;
    }
    const id = isRoom ? last.id : this.#nextId();
    try {
      this.#storedBatches.append(id, scan);
    } catch (error) {
      this.#drop(1, error);
      return false;
    }
    this.#open = id;
    if (isRoom) last.scans += 1;
    else this.#onDisk.push({ id, scans: 1 });
    pendingCount += 1;
    this.#schedule(this.#retryMs);
    return true;
  }

  #note(id: string, scans: number): void {
    this.#onDisk.push({ id, scans });
    pendingCount += scans;
  }

  #drop(scans: number, error: unknown): void {
    dropped.inc(scans);
    this.#log.error({ err: error, scans }, 'scans are lost: Redis is down and the disk takes none');
  }
}
