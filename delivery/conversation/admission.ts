/**
 * How many screens are admitted per second. After a crash, a deploy or a power cut thousands say hello at once; each
 * costs a look-up of its token, its settings, a message to the other processes and a row of presence, while the
 * connected screens ask for slots. So hellos pass at a bounded rate, in their order, and the rest wait with their
 * sockets open. To wait in a queue is shorter for a screen than to be refused and to back off.
 */
import { TokenBucket } from './token-bucket.ts';

/** The burst is so much of a second: the longest that slots of connected screens wait for hellos. */
const BURST_SECONDS = 0.05;
/** A screen that would wait longer is sent elsewhere. */
const WAIT_SECONDS_MAX = 10;
/** How often the queue is looked at: a few hellos at a time, so decisions go on between them. */
const TURN_MS = 10;

export class Admission {
  readonly #bucket: TokenBucket;
  readonly #waitingMax: number;
  readonly #monotonicMs: () => number;
  /** First come, first served; those before `next` have been called. */
  #queue: (() => void)[] = [];
  #next = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ perSecond, monotonicMs }: { perSecond: number; monotonicMs: () => number }) {
    this.#bucket = new TokenBucket({ perSecond, burst: Math.max(1, perSecond * BURST_SECONDS), nowMs: monotonicMs() });
    this.#waitingMax = perSecond * WAIT_SECONDS_MAX;
    this.#monotonicMs = monotonicMs;
  }

  get waiting(): number {
    return this.#queue.length - this.#next;
  }

  /** Calls `enter` at once or when its turn has come. @returns false when the queue is full: it is never called. */
  admit(enter: () => void): boolean {
    if (this.waiting === 0 && this.#bucket.take(this.#monotonicMs())) {
      enter();
      return true;
    }
    if (this.waiting >= this.#waitingMax) return false;
    this.#queue.push(enter);
    this.#timer ??= setInterval(() => this.#turn(), TURN_MS);
    return true;
  }

  /** Forgets who waits. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#queue = [];
    this.#next = 0;
  }

  #turn(): void {
    while (this.waiting > 0 && this.#bucket.take(this.#monotonicMs())) this.#queue[this.#next++]!();
    if (this.waiting === 0) this.close();
    else if (this.#next > this.waiting) {
      // Those who were admitted are forgotten, also when the queue never becomes empty.
      this.#queue = this.#queue.slice(this.#next);
      this.#next = 0;
    }
  }
}
