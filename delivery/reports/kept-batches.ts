/**
 * Copies of batches that Redis has stored, for a Redis that comes back without them. A copy is let go when its batch is
 * complete and as_of has passed the time at which it was added. Complete alone is not enough: a batch that was told
 * `duplicate` for a play is complete at once, while another batch that counted the play still waits for its insert, and may
 * be lost together with the process that stored it. Then this copy is all that is left of a play that was acknowledged here.
 */
import type { Batch, Intake } from '#ingest/intake.ts';
import type { OutboxCounts } from './outbox.ts';

/** Copies of stored batches, in plays and releases (about 40 MB). Redis has written all of them to its own log. */
const KEPT_EVENTS_MAX = 200_000;
/** Batches asked about at once. */
const ASKED_MAX = 500;

/** With the Redis time of its first add, by which as_of waits for it also when it is added again. */
export type KeptBatch = Batch & { addedAt: number };
/** Adds a batch again; resolves when Redis has it. */
export type AddAgain = (batch: KeptBatch) => Promise<void>;

export class KeptBatches {
  /** In the order in which they are asked about, so that none that must wait keeps others from being asked about. */
  readonly #batches = new Map<string, KeptBatch>();
  /** Those known to be complete: their own rows are written. */
  readonly #complete = new Set<string>();
  readonly #counts: OutboxCounts;

  constructor(counts: OutboxCounts) {
    this.#counts = counts;
  }

  add(batch: KeptBatch): void {
    this.#batches.set(batch.id, batch);
    this.#counts.keptBatches = this.#batches.size;
    this.#counts.keptEvents += sizeOf(batch);
    while (this.#counts.keptEvents > KEPT_EVENTS_MAX) this.#drop();
  }

  /** Asks ingest about some copies: those that are not needed any more are let go, those that Redis does not know are added again. */
  async confirm(intake: Intake, again: AddAgain): Promise<void> {
    const asked = [...this.#batches.keys()].slice(0, ASKED_MAX);
    if (asked.length === 0) return;
    await this.#settle(asked, intake, again);
    for (const id of asked) this.#putLast(id);
  }

  /** All copies: Redis has every one of them afterwards, or it is not needed any more. */
  async addAgain(intake: Intake, again: AddAgain): Promise<void> {
    const ids = [...this.#batches.keys()];
    for (let at = 0; at < ids.length; at += ASKED_MAX) await this.#settle(ids.slice(at, at + ASKED_MAX), intake, again);
  }

  async #settle(ids: readonly string[], intake: Intake, again: AddAgain): Promise<void> {
    const { done, passed, missing } = await intake.completed(ids);
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
   * One must go for want of room, a complete one first: all plays that it counted have rows, and only what it was told is
   * `duplicate` rests on another batch. What Redis knows of the others still makes their rows, unless it loses its log.
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
