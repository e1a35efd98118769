/**
 * Events that were read together, and their deliveries. They are written together: as soon as every first attempt has
 * been made, or when the batch has waited long enough; what is not made by then becomes rows that are due.
 */
import type { Delivery, OutgoingEvent } from './delivery.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** A receiver that takes longer holds the record of the others no longer. */
const WAIT_MS_MAX: Milliseconds = 250;

export class Batch {
  readonly events: readonly OutgoingEvent[];
  readonly deliveries: Delivery[] = [];
  /** First attempts for which it waits. */
  unmade = 0;
  readonly #dueAt: Milliseconds;

  constructor(events: readonly OutgoingEvent[]) {
    this.events = events;
    this.#dueAt = performance.now() + WAIT_MS_MAX;
  }

  isDue(): boolean {
    return this.unmade === 0 || this.dueInMs() <= 0;
  }

  dueInMs(): Milliseconds {
    return this.#dueAt - performance.now();
  }
}
