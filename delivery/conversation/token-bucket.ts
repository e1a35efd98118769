/**
 * A rate with a burst: tokens arrive evenly and are taken one by one. Time is passed in, in ms, and may not advance.
 */
import type { Milliseconds } from '#domain/unit.ts';

export type TokenBucketOptions = { perSecond: number; burst: number; nowMs: Milliseconds };

export class TokenBucket {
  readonly #perMs: Milliseconds;
  readonly #burst: number;
  #tokens: number;
  #filledAtMs: Milliseconds;

  /** Starts full. */
  constructor({ perSecond, burst, nowMs }: TokenBucketOptions) {
    this.#perMs = perSecond / 1000;
    this.#burst = burst;
    this.#tokens = burst;
    this.#filledAtMs = nowMs;
  }

  /** Takes a token; false when there is none. */
  take(nowMs: Milliseconds): boolean {
    this.#tokens = Math.min(this.#burst, this.#tokens + Math.max(0, nowMs - this.#filledAtMs) * this.#perMs);
    this.#filledAtMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
