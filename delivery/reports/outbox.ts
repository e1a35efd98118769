/**
 * Reported plays on their way to ingest. Reports of many screens are joined into batches, one per stream; a screen's
 * acknowledgement waits until Redis holds the batch with its plays. A batch is retried under its id until it is stored:
 * the same id twice adds nothing. A copy of each stored batch is kept for a while (`stored-batches.ts`), and is added
 * again if Redis comes back without it.
 */
import type { Handle } from '#domain/id.ts';
import { faultPoint } from '#runtime/fault.ts';
import type { Log } from '#runtime/log.ts';
import type { Batch, PlayReport, Release } from '#ingest/queue/batch.ts';
import type { PlayQueue } from '#ingest/queue/play-queue.ts';
import { type AddAgain, StoredBatches, type StoredBatchCounts } from './stored-batches.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** A batch is full at either bound. 1 MiB keeps a job's write in Redis well under a millisecond. */
const BATCH_EVENTS_MAX = 5_000;
const BATCH_BYTES_MAX = 1024 * 1024;
/**
 * How long a batch collects reports while another one is being stored, and otherwise. Batches of all streams close
 * together.
 */
const GATHER_MS = 250;
const GATHER_IDLE_MS = 20;
const RETRY_FIRST_MS = 50;
const RETRY_MS_MAX = 2_000;
/** Unstored plays of all streams: beyond this screens keep theirs (about 50 MB). */
const WAITING_EVENTS_MAX = 100_000;
/** Above half of that, screens are asked to keep their next plays for a while. */
const HOLD_EVENTS = WAITING_EVENTS_MAX / 2;
const HOLD_MS = 2_000;
const CONFIRM_MS = 1_000;
/** A play id, a few integers and their names. */
const EVENT_BYTES = 180;

/** The report of one screen (its handle). `onStored` is called with the Redis time at which the batch was added. */
export type Report = {
  screen: Handle<'screen'>;
  plays: PlayReport[];
  releases: Release[];
  onStored: (addedAt: number) => void;
};
export type OutboxCounts = StoredBatchCounts & {
  waitingEvents: number;
  batchesStored: number;
  eventsStored: number;
  retries: number;
};
export type OutboxDependencies = {
  playQueue: PlayQueue;
  /** Names the batches of this process: its first epoch, which no other process has. */
  epoch: number;
  log: Log;
};

/** A batch that collects reports or is being stored. */
type PendingBatch = Batch & { events: number; onStored: ((addedAt: number) => void)[] };

export class Outbox {
  readonly counts: OutboxCounts = {
    waitingEvents: 0,
    keptBatches: 0,
    keptEvents: 0,
    batchesStored: 0,
    eventsStored: 0,
    retries: 0,
    addedAgain: 0,
    copiesDropped: 0,
  };
  readonly #playQueue: PlayQueue;
  readonly #epoch: number;
  readonly #log: Log;
  readonly #stored = new StoredBatches(this.counts);
  readonly #inFlight = new Set<Promise<void>>();
  readonly #confirmation: NodeJS.Timeout;
  /** Batches that collect reports, by stream. */
  readonly #current: (PendingBatch | undefined)[] = [];
  #number = 0;
  #timer: NodeJS.Timeout | undefined;
  #healthy = true;
  #closed = false;
  #confirming: Promise<void> | undefined;

  constructor({ playQueue, epoch, log }: OutboxDependencies) {
    this.#playQueue = playQueue;
    this.#epoch = epoch;
    this.#log = log;
    this.#confirmation = setInterval(() => void this.confirm(), CONFIRM_MS);
  }

  /**
   * Accepts a report; false if there is no more room, and nothing was accepted. `onStored` is called once Redis has it.
   */
  add({ screen, plays, releases, onStored }: Report): boolean {
    const events = plays.length + releases.length;
    if (this.#closed || this.counts.waitingEvents + events > WAITING_EVENTS_MAX) return false;
    const stream = this.#playQueue.streamOf(screen);
    if (!this.#isGathering()) this.#schedule(this.#inFlight.size === 0 ? GATHER_IDLE_MS : GATHER_MS);
    const batch = (this.#current[stream] ??= {
      id: this.#playQueue.batchId(`${this.#epoch}-${++this.#number}`, stream),
      plays: [],
      scans: [],
      releases: [],
      events: 0,
      onStored: [],
    });
    batch.plays.push(...plays);
    batch.releases.push(...releases);
    batch.onStored.push(onStored);
    batch.events += events;
    this.counts.waitingEvents += events;
    if (batch.events >= BATCH_EVENTS_MAX || batch.events * EVENT_BYTES >= BATCH_BYTES_MAX) this.#closeBatch(stream);
    return true;
  }

  /** Drops unneeded copies and adds lost batches again. One round at a time; the next round repeats a failed one. */
  confirm(): Promise<void> {
    this.#confirming ??= this.#stored
      .confirm(this.#playQueue, this.#again)
      .catch((error: unknown) => {
        this.#log.debug({ err: error }, 'the state of stored batches cannot be read; asked again later');
      })
      .finally(() => {
        this.#confirming = undefined;
      });
    return this.#confirming;
  }

  /**
   * Adds again every stored batch that Redis has lost and that may still be needed.
   * @throws if Redis does not list them
   */
  async addAgain(): Promise<void> {
    // The lost Redis may have stored these; their copies exist once its answer was read.
    await Promise.all(this.#inFlight);
    await this.#stored.addAgain(this.#playQueue, this.#again);
  }

  /** Whether the last batch was stored at its first attempt, and there is room. */
  isHealthy(): boolean {
    return this.#healthy && this.counts.waitingEvents < WAITING_EVENTS_MAX;
  }

  /** How long screens should keep their next plays (ms), normally 0. */
  holdMs(): number {
    return this.counts.waitingEvents > HOLD_EVENTS ? HOLD_MS : 0;
  }

  /** Stores all accepted reports; resolves when they are stored. */
  async flush(): Promise<void> {
    this.#closeBatches();
    await Promise.all(this.#inFlight);
  }

  /** Stops the timers. Unstored reports are lost here; their screens got no acknowledgement and report again. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#confirmation);
  }

  readonly #again: AddAgain = async ({ addedAt, ...batch }) => void (await this.#store(batch, addedAt));

  #schedule(waitMs: Milliseconds): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#closeBatches(), waitMs);
  }

  #isGathering(): boolean {
    return this.#current.some(batch => batch !== undefined);
  }

  #closeBatches(): void {
    for (const stream of this.#current.keys()) this.#closeBatch(stream);
  }

  #closeBatch(stream: number): void {
    const batch = this.#current[stream];
    if (batch === undefined) return;
    this.#current[stream] = undefined;
    if (!this.#isGathering()) clearTimeout(this.#timer);
    // Rejects only after close(), when no caller waits.
    const sending = this.#send(batch)
      .catch(() => undefined)
      .finally(() => {
        this.#inFlight.delete(sending);
        if (this.#inFlight.size === 0 && this.#isGathering()) this.#schedule(GATHER_IDLE_MS);
      });
    this.#inFlight.add(sending);
  }

  async #send({ onStored, events, ...batch }: PendingBatch): Promise<void> {
    const addedAt = await this.#store(batch);
    this.counts.waitingEvents -= events;
    this.counts.eventsStored += events;
    this.counts.batchesStored++;
    this.#stored.add({ ...batch, addedAt });
    faultPoint('delivery_before_ack');
    for (const call of onStored) call(addedAt);
  }

  async #store(batch: Batch, firstAddedAt?: number): Promise<number> {
    let waitMs = RETRY_FIRST_MS;
    while (!this.#closed) {
      try {
        faultPoint('delivery_before_store');
        const { addedAt } = await this.#playQueue.add(batch, firstAddedAt);
        faultPoint('delivery_after_store');
        this.#healthy = true;
        return addedAt;
      } catch (error) {
        this.#healthy = false;
        this.counts.retries++;
        this.#log.warn({ err: error, batch: batch.id, retryMs: waitMs }, 'a batch cannot be stored yet');
        await new Promise(resolve => setTimeout(resolve, waitMs));
        waitMs = Math.min(RETRY_MS_MAX, waitMs * 2);
      }
    }
    throw new Error('the outbox was closed');
  }
}
