/** Wakes waiting code when its condition may have become true; each waiter checks its own condition. */
export class Changes {
  readonly #waiting = new Set<() => void>();

  /** Resolves at the next `tell`. */
  next(): Promise<void> {
    return new Promise(resolve => this.#waiting.add(resolve));
  }

  tell(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }
}
