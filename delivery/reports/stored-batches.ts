/**
 * Copies of batches that Redis has stored, in case Redis comes back without them. A copy is dropped when its batch is
 * complete and as_of has passed the time at which it was added. Completeness is not enough: a batch with the answer
 * `duplicate` for a play is complete at once, while the batch that counted the play still waits for its insert, and may
 * be lost together with its process. Then this copy is the only trace of a play acknowledged here.
 */
import type { Batch } from '#ingest/queue/batch.ts';
import type { PlayQueue } from '#ingest/queue/play-queue.ts';

/** Copies of stored batches, in plays and releases (about 40 MB). Redis has written all of them to its own log. */
const COPIED_EVENTS_MAX = 200_000;
/** Batches per query to ingest. */
const IDS_PER_CALL_MAX = 500;

/** A batch and the Redis time of its first add, so that as_of waits for it even when it is added again. */
export type StoredBatch = Batch & { addedAt: number };
/** Adds a batch again; resolves when Redis has it. */
export type AddAgain = (batch: StoredBatch) => Promise<void>;
export type StoredBatchCounts = { keptBatches: number; keptEvents: number; addedAgain: number; copiesDropped: number };

export class StoredBatches {
  /** In the order of queries to ingest; a copy that must stay goes to the end, so that the others have their turn. */
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

  /** Asks ingest about some copies: unneeded ones are dropped, and those unknown to Redis are added again. */
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
   * Drops one copy to make room, a complete batch first: all plays that it counted have rows, and only its duplicates
   * depend on another batch. The other batches still become rows, unless Redis loses its log.
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
