/**
 * Copies of batches that Redis has stored, for a Redis that comes back without them. A copy is dropped when its batch
 * is complete and as_of has passed the time at which it was added. That a batch is complete is not enough: one that was
 * told `duplicate` for a play is complete at once, while another batch that counted the play still waits for its
 * insert, and may be lost together with the process that stored it. Then this copy is all that is left of a play that
 * was acknowledged here.
 */
import type { Batch } from '#ingest/queue/batch.ts';
import type { PlayQueue } from '#ingest/queue/play-queue.ts';

/** Copies of stored batches, in plays and releases (about 40 MB). Redis has written all of them to its own log. */
const COPIED_EVENTS_MAX = 200_000;
/** Batches of one question to ingest. */
const IDS_PER_CALL_MAX = 500;

/** A batch and the Redis time of its first add, by which as_of waits for it also when it is added again. */
export type StoredBatch = Batch & { addedAt: number };
/** Adds a batch again; resolves when Redis has it. */
export type AddAgain = (batch: StoredBatch) => Promise<void>;
export type StoredBatchCounts = { keptBatches: number; keptEvents: number; addedAgain: number; copiesDropped: number };

export class StoredBatches {
  /**
   * In the order in which ingest is asked about them; one that must stay goes to the end, so that the others have their
   * turn.
   */
  readonly #batches = new Map<string, StoredBatch>();
  /** Those known to be complete: their own rows are written. */
  readonly #complete = new Set<string>();
  readonly #counts: StoredBatchCounts;

  /** @param counts kept up to date here and read by the metrics */
  constructor(counts: StoredBatchCounts) {
    this.#counts = counts;
  }

  add(batch: StoredBatch): void {
    this.#batches.set(batch.id, batch);
    this.#counts.keptBatches = this.#batches.size;
    this.#counts.keptEvents += sizeOf(batch);
    while (this.#counts.keptEvents > COPIED_EVENTS_MAX) this.#drop();
  }

  /**
   * Asks ingest about some copies: those that are no longer needed are dropped, those that Redis does not know are
   * added again.
   */
  async confirm(playQueue: PlayQueue, again: AddAgain): Promise<void> {
    const ids = [...this.#batches.keys()].slice(0, IDS_PER_CALL_MAX);
    if (ids.length === 0) return;
    await this.#settle(ids, playQueue, again);
    for (const id of ids) this.#putLast(id);
  }

  /** Asks about all copies: afterwards Redis has every batch that is still needed. */
  async addAgain(playQueue: PlayQueue, again: AddAgain): Promise<void> {
    const ids = [...this.#batches.keys()];
    for (let at = 0; at < ids.length; at += IDS_PER_CALL_MAX)
      await this.#settle(ids.slice(at, at + IDS_PER_CALL_MAX), playQueue, again);
  }

  async #settle(ids: readonly string[], playQueue: PlayQueue, again: AddAgain): Promise<void> {
    const { done, passed, missing } = await playQueue.completed(ids);
    for (const id of done) if (this.#batches.has(id)) this.#complete.add(id);
    for (const id of passed) this.#forget(id);
    for (const id of missing) {
      const batch = this.#batches.get(id);
      if (batch === undefined) continue;
      this.#counts.addedAgain++;
      await again(batch);
    }
  }

  #putLast(id: string): void {
    const batch = this.#batches.get(id);
    if (batch === undefined) return;
    this.#batches.delete(id);
    this.#batches.set(id, batch);
  }

  /**
   * Drops one copy for want of room, that of a complete batch first: all plays that it counted have rows, and only its
   * duplicates depend on another batch. The other batches still become rows, unless Redis loses its log.
   */
  #drop(): void {
    const [first] = this.#complete.size > 0 ? this.#complete : this.#batches.keys();
    this.#forget(first!);
    this.#counts.copiesDropped++;
  }

  #forget(id: string): void {
    const batch = this.#batches.get(id);
    if (batch === undefined) return;
    this.#batches.delete(id);
    this.#complete.delete(id);
    this.#counts.keptBatches = this.#batches.size;
    this.#counts.keptEvents -= sizeOf(batch);
  }
}

function sizeOf(batch: Batch): number {
  return batch.plays.length + batch.scans.length + batch.releases.length;
}
