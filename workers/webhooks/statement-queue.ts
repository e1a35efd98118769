/**
 * Runs the statements of a sender one after another, over its one connection. After a fault nothing follows: the next
 * sender repeats everything that was not recorded.
 */
export class StatementQueue {
  readonly #onFault: () => void;
  #last: Promise<unknown> = Promise.resolve();
  #fault: Error | undefined;

  constructor(onFault: () => void) {
    this.#onFault = onFault;
  }

  /** The fault after which nothing runs. */
  get fault(): Error | undefined {
    return this.#fault;
  }

  /** Runs `work` in its turn. @throws its fault, or that of a turn before it. */
  add<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => {
      if (this.#fault) throw this.#fault;
      return work();
    });
    this.#last = turn.catch((error: unknown) => {
      this.#fault ??= error instanceof Error ? error : new Error(String(error));
      this.#onFault();
    });
    return turn;
  }

  /** Runs `work` in its turn. Its fault is stored in `fault` for the code that replaces the sender. */
  async attempt(work: () => Promise<void>): Promise<void> {
    await this.add(work).catch(() => undefined);
  }

  /** Resolves when all added work has run or was refused. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
