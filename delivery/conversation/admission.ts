/**
 * How many screens are admitted per second. After a crash, a deploy or a power cut thousands say hello at once; each
 * costs a look-up of its token, its settings, a message to the other processes and a row of presence, while the
 * connected screens ask for slots. So hellos pass at a bounded rate, in their order, and the rest wait with their
 * sockets open. Waiting in a queue is shorter for a screen than a refusal and a back-off.
 */
import type { Milliseconds } from '#domain/unit.ts';

/** The burst as a part of a second: the longest time that slots of connected screens wait for hellos. */
const BURST_SECONDS = 0.05;
/**
 * After event-loop turns longer than a burst, as while thousands connect, this much of the rate is caught up, a burst
 * in each turn. Otherwise the rate was not reached when it was needed most.
 */
const BEHIND_SECONDS_MAX = 1;
/** A screen that would wait longer is sent elsewhere. */
const WAIT_SECONDS_MAX = 10;
/** How often the queue is checked: a few hellos at a time, so that decisions continue between them. */
const TURN_MS = 10;

export class Admission {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #monotonicMs: () => number;
  /** First come, first served; those before `next` have been called. */
  #queue: (() => void)[] = [];
  #next = 0;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  /** How many may enter by the rate, as it was at `#dueAtMs`. */
  #due: number;
  #dueAtMs: Milliseconds;

  constructor({ perSecond, monotonicMs }: { perSecond: number; monotonicMs: () => number }) {
    this.#perSecond = perSecond;
    this.#burst = Math.max(1, perSecond * BURST_SECONDS);
    this.#monotonicMs = monotonicMs;
    this.#due = this.#burst;
    this.#dueAtMs = monotonicMs();
  }

  get waiting(): number {
    return this.#queue.length - this.#next;
  }

  /** Calls `enter` at once or in its turn. @returns false if the queue is full: it is never called. */
  admit(enter: () => void): boolean {
    if (this.waiting === 0) {
      this.#raiseDue(this.#burst);
      if (this.#due >= 1) {
        this.#due--;
        enter();
        return true;
      }
    }
    if (this.waiting >= this.#perSecond * WAIT_SECONDS_MAX) return false;
    this.#queue.push(enter);
    this.#timer ??= setInterval(() => {
      if (this.#immediate === undefined) this.#turn();
    }, TURN_MS);
    return true;
  }

  /** Clears the queue. */
  close(): void {
    clearInterval(this.#timer);
    clearImmediate(this.#immediate);
    this.#timer = undefined;
    this.#immediate = undefined;
    this.#queue = [];
    this.#next = 0;
  }

  #turn(): void {
    this.#immediate = undefined;
    this.#raiseDue(Math.max(1, this.#perSecond * BEHIND_SECONDS_MAX));
    for (let left = Math.min(this.#due, this.#burst); left >= 1 && this.waiting > 0; left--) {
      this.#due--;
      this.#queue[this.#next++]!();
    }
    if (this.waiting === 0) return this.close();
    if (this.#next > this.waiting) {
      // Drops admitted entries, even if the queue never becomes empty.
      this.#queue = this.#queue.slice(this.#next);
      this.#next = 0;
    }
    if (this.#due >= 1) this.#immediate = setImmediate(() => this.#turn());
  }

  #raiseDue(most: number): void {
    const nowMs = this.#monotonicMs();
    const more = (Math.max(0, nowMs - this.#dueAtMs) / 1_000) * this.#perSecond;
    this.#due = Math.min(this.#due + more, most);
    this.#dueAtMs = nowMs;
  }
}
