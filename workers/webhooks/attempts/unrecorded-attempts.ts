/**
 * Attempts until they are recorded: some at a time, because a statement for each would
 * be most of the sender's load on Postgres.
 */
import type { Milliseconds } from '#domain/unit.ts';
import type { Delivery } from '#sql/webhooks/sending.ts';

const RECORD_EVERY_MS: Milliseconds = 100;
const RECORD_COUNT_MAX = 200;

export class UnrecordedAttempts {
  readonly #record: (made: readonly Delivery[]) => void;
  #made: Delivery[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(record: (made: readonly Delivery[]) => void) {
    this.#record = record;
  }

  add(delivery: Delivery): void {
    this.#made.push(delivery);
    if (this.#made.length >= RECORD_COUNT_MAX) this.recordNow();
    else this.#timer ??= setTimeout(() => this.recordNow(), RECORD_EVERY_MS);
  }

  recordNow(): void {
    this.stop();
    const made = this.#made;
    if (made.length === 0) return;
    this.#made = [];
    this.#record(made);
  }

  /** Stops recording automatically. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
