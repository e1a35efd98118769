/**
 * The analysts' quota: how long the engine may work for them in each hour of the clock. `analyst-access.ts` asks it
 * before each statement.
 */
import { QueryFault } from '../statements/query-fault.ts';

const HOUR_MS = 3_600_000;

/** How long the engine may work for a user in a clock hour, all its statements together. */
export class Quota {
  readonly #secondsMax: number;
  readonly #now: () => number;
  #hour = -1;
  #spentMs = 0;

  /** @param now ms since 1970 */
  constructor(secondsMax: number, now: () => number) {
    this.#secondsMax = secondsMax;
    this.#now = now;
  }

  /** Throws ClickHouse's refusal when the hour is spent. */
  check(): void {
    this.#turn();
    if (this.#spentMs < this.#secondsMax * 1_000) return;
    const end = new Date((this.#hour + 1) * HOUR_MS).toISOString().slice(11, 16);
    throw new QueryFault(
      201,
      'QUOTA_EXCEEDED',
      `Quota for user has been exceeded: execution_time = ${Math.round(this.#spentMs / 1_000)}/${this.#secondsMax} seconds of this hour. The next one begins at ${end} UTC`,
    );
  }

  spend(ms: number): void {
    this.#turn();
    this.#spentMs += ms;
  }

  #turn(): void {
    const hour = Math.floor(this.#now() / HOUR_MS);
    if (hour === this.#hour) return;
    this.#hour = hour;
    this.#spentMs = 0;
  }
}
