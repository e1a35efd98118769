/**
 * How many screens are admitted per second. After a crash, a deploy or a power cut thousands say hello at once; each
 * costs a look-up of its token, its settings, a message to the other processes and a row of presence, while the
 * connected screens ask for slots. So hellos pass at a bounded rate, in their order, and the rest wait with their
 * sockets open. To wait in a queue is shorter for a screen than to be refused and to back off.
 */
import type { Milliseconds } from '#domain/unit.ts';

/** The burst is so much of a second: the longest that slots of connected screens wait for hellos. */
const BURST_SECONDS = 0.05;
/**
 * After turns of the loop that took longer than a burst, as they do while thousands connect, so much of the rate is
 * made up for, a burst in each turn. Without it the rate was not reached when it was needed most.
 */
const BEHIND_SECONDS_MAX = 1;
/** A screen that would wait longer is sent elsewhere. */
const WAIT_SECONDS_MAX = 10;
/** How often the queue is looked at: a few hellos at a time, so decisions go on between them. */
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

  /** Calls `enter` at once or when its turn has come. @returns false when the queue is full: it is never called. */
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

  /** Forgets who waits. */
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
      // Those who were admitted are forgotten, also when the queue never becomes empty.
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
