/**
 * A user's connections. The engine runs one statement at a time per connection, so a statement takes a connection for
 * itself, in the order of arrival. More than `waitingMax` waiting statements are refused with 503: each holds its
 * request's body in memory, and a client that waits longer than its own time limit has gone anyway.
 */
import { Connection, type ConnectionOptions } from './connection.ts';
import { QueryFault } from './statements/query-fault.ts';

export class Pool {
  readonly #options: ConnectionOptions;
  readonly #waitingMax: number;
  readonly #idle: Connection[] = [];
  readonly #waiting: ((connection: Connection) => void)[] = [];

  private constructor(options: ConnectionOptions, waitingMax: number) {
    this.#options = options;
    this.#waitingMax = waitingMax;
  }

  /** Opens `size` connections. */
  static async open(options: ConnectionOptions & { size: number; waitingMax: number }): Promise<Pool> {
    const pool = new Pool(options, options.waitingMax);
    for (let opened = 0; opened < options.size; opened++) pool.#idle.push(await Connection.open(options));
    return pool;
  }

  /** Lends a connection to `use`; it is replaced afterwards when it is spoiled. */
  async run<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#acquire();
    try {
      return await use(connection);
    } finally {
      await this.#release(connection);
    }
  }

  /** Lends a fresh connection with more settings than the pool's, in the place of one of the pool's. */
  runFresh<T>(options: ConnectionOptions, use: (connection: Connection) => Promise<T>): Promise<T> {
    return this.run(async () => {
      const fresh = await Connection.open(options);
      try {
        return await use(fresh);
      } finally {
        fresh.close();
      }
    });
  }

  #acquire(): Promise<Connection> | Connection {
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#waiting.length >= this.#waitingMax)
      throw new QueryFault(
        202,
        'TOO_MANY_SIMULTANEOUS_QUERIES',
        `Too many simultaneous queries: ${this.#waiting.length} are waiting`,
      );
    return new Promise(resolve => this.#waiting.push(resolve));
  }

  async #release(connection: Connection): Promise<void> {
    const usable = connection.isSpoiled ? await this.#replace(connection) : connection;
    const next = this.#waiting.shift();
    if (next) next(usable);
    else this.#idle.push(usable);
  }

  async #replace(connection: Connection): Promise<Connection> {
    connection.close();
    return Connection.open(this.#options);
  }
}
