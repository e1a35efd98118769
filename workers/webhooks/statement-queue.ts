/**
 * Runs the statements of a sender one after another, over its one connection. After a fault nothing follows: what the
 * statements before it did not record is sent again by the next sender.
 */
export class StatementQueue {
  readonly #onFault: () => void;
  #last: Promise<unknown> = Promise.resolve();
  #fault: Error | undefined;

  constructor(onFault: () => void) {
    this.#onFault = onFault;
  }

  /** Why nothing is run any more. */
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

  /** Runs `work` in its turn. Its fault is kept in `fault`, where the code that replaces the sender sees it. */
  async attempt(work: () => Promise<void>): Promise<void> {
    await this.add(work).catch(() => undefined);
  }

  /** When all that was added has run or was refused. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
