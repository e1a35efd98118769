/**
 * Events that were read together, and their deliveries. They are written together: as soon as every first attempt has
 * been made, or after a maximum wait; the remaining deliveries become due rows.
 */
import type { Delivery, OutgoingEvent } from './delivery.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** A slower receiver no longer delays recording the others. */
const WAIT_MS_MAX: Milliseconds = 250;

export class Batch {
  readonly events: readonly OutgoingEvent[];
  readonly deliveries: Delivery[] = [];
  /** The first attempts that it waits for. */
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
