/**
 * How many inserts a process has under way: each stream has groups of its own, and a server that is given many inserts at
 * once makes all of them slow.
 */

/** Hands out places in the order in which they were asked for. */
export class InsertPlaces {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
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
