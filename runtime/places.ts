/**
 * Limits how much of one kind of work runs at once. Work beyond the limit waits; the caller bounds how much.
 */

/** Hands out places in the order of requests. */
export class Places {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /** The number of tasks waiting for a place. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Does the work as soon as there is a place for it. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>(resolve => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
