/**
 * One connection to the embedded ClickHouse (chdb): it runs a statement, or an insert with its data as bytes, and
 * answers with the bytes of the result and the engine's counts. A connection runs one statement at a time; `pool.ts`
 * lends them out.
 */
import { createRequire } from 'node:module';
import { Session } from 'chdb';
import { InsertFile } from './statements/insert-file.ts';
import { quoteName, quoteString } from './statements/parameters.ts';
import { readEngineFault } from './statements/query-fault.ts';

/** The result of a statement. Counts are the engine's; written counts include rows of materialized views. */
export type Answer = {
  bytes: Uint8Array;
  readRows: number;
  readBytes: number;
  writtenRows: number;
  writtenBytes: number;
  elapsedNs: number;
};

export type Setting = { name: string; value: string };

/**
 * One statement for a connection: text that answers rows or nothing, or an insert with its data as bytes. `stated`:
 * names of settings that its own text sets.
 */
export type Work = {
  sql: string;
  database: string;
  settings: readonly Setting[];
  stated?: ReadonlySet<string>;
  format: string;
  /** For an insert: the data after its text, or the file that its text names (`dataClause`). */
  payload?: { data: Buffer; isInFile: boolean };
};

/**
 * The part of the addon that the package does not export: an insert whose statement is ours (any table, any settings)
 * and whose data stay bytes. The package's own `insert` writes the statement itself and takes only some formats, and a
 * data set as a JavaScript string would be copied twice and ruin binary formats.
 */
type Addon = {
  InsertRawAsyncConnection(
    connection: unknown,
    statement: string,
    data: Buffer,
    countLines: boolean,
  ): Promise<{ elapsed: number; rowsWritten: number; bytesWritten: number }>;
};

const addon = loadAddon();

/**
 * Settings of every statement of the services. Taken back after each, they would cost two more statements, and most of
 * the time of a small one; so they stay until a statement comes that does not want them. None of them can keep another
 * from being set.
 */
const STAYING = new Set(['async_insert', 'date_time_output_format', 'output_format_json_quote_64bit_integers']);

/**
 * Settings that belong to the connection and come back after a statement's own; `args` of the engine, which the first
 * connection of a process decides; `isBare`: without the roles of the user that all connections are.
 */
export type ConnectionOptions = {
  folder: string;
  args?: readonly string[];
  settings: readonly Setting[];
  isReadonly: boolean;
  isBare?: boolean;
};

/**
 * One connection to the embedded engine, for one statement at a time. A statement's settings and database last for that
 * statement. When they cannot be taken back, or the statement changed the connection itself, `isSpoiled` says so and
 * the owner closes it.
 */
export class Connection {
  readonly #session: Session;
  readonly #options: ConnectionOptions;
  readonly #file: InsertFile;
  #database = '';
  /** The current values of `STAYING`. */
  readonly #stayed = new Map<string, string>();
  isSpoiled = false;

  private constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#file = new InsertFile(options.folder);
    this.#session = options.args
      ? new Session(options.folder, { connectionArgs: [...options.args] })
      : new Session(options.folder);
  }

  /** Opens one. With `isReadonly`, `readonly = 1` is its last setting: from then on the engine refuses any other. */
  static async open(options: ConnectionOptions): Promise<Connection> {
    const connection = new Connection(options);
    if (options.isBare) await connection.#run('SET ROLE NONE');
    if (options.settings.length > 0) await connection.#run(`SET ${assignments(options.settings)}`);
    if (options.isReadonly) await connection.#run('SET readonly = 1');
    return connection;
  }

  /** Runs one statement. Rejects with a QueryFault that holds the engine's code. */
  async execute(work: Work): Promise<Answer> {
    if (work.database !== this.#database) await this.#enter(work.database);
    await this.#set(work);
    try {
      return work.payload === undefined
        ? await this.#run(work.sql, work.format)
        : await this.#insert(work.sql, work.payload);
    } catch (error) {
      await this.#forget();
      throw error;
    } finally {
      await this.#reset(work.settings.filter(({ name }) => !STAYING.has(name)).map(({ name }) => name));
    }
  }

  /** The text result of one of our statements. */
  async ask(sql: string): Promise<string> {
    const { bytes } = await this.execute({ sql, database: 'system', settings: [], format: 'TabSeparatedRaw' });
    return Buffer.from(bytes).toString().trim();
  }

  /** The clause of an INSERT with data from the connection's file; it comes before SETTINGS and FORMAT. */
  get dataClause(): string {
    return this.#file.clause;
  }

  /** Closes it; nothing may be running on it. */
  close(): void {
    this.#session.close();
    this.#file.remove();
  }

  async #enter(database: string): Promise<void> {
    await this.#run(`USE ${quoteName(database)}`);
    this.#database = database;
  }

  async #set({ settings, stated }: Work): Promise<void> {
    const wanted = new Set(settings.map(({ name }) => name));
    await this.#reset([...this.#stayed.keys()].filter(name => !wanted.has(name) && !stated?.has(name)));
    const missing = settings.filter(({ name, value }) => this.#stayed.get(name) !== value);
    if (missing.length === 0) return;
    try {
      await this.#run(`SET ${assignments(missing)}`);
      for (const { name, value } of missing) if (STAYING.has(name)) this.#stayed.set(name, value);
    } catch (error) {
      this.isSpoiled = true; // some of them may have been taken
      throw error;
    }
  }

  async #reset(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    for (const name of names) this.#stayed.delete(name);
    try {
      await this.#run(`SET ${names.map(name => `${name} = ${this.#ownValue(name)}`).join(', ')}`);
    } catch {
      this.isSpoiled = true; // a setting that stays would change the next statement: this connection has none
    }
  }

  /**
   * Lets go of a statement that failed. Measured on 26.7: the engine keeps it, its place in system.processes and the
   * memory it has taken, until the connection runs the next one, and a connection may be idle for hours.
   */
  async #forget(): Promise<void> {
    try {
      await this.#run('SELECT 1');
    } catch {
      this.isSpoiled = true; // closing releases it too
    }
  }

  #ownValue(name: string): string {
    const own = this.#options.settings.find(setting => setting.name === name);
    return own ? quoteString(own.value) : 'DEFAULT';
  }

  async #run(sql: string, format = 'TabSeparated'): Promise<Answer> {
    try {
      const result = await this.#session.queryAsync(sql, { format });
      return {
        bytes: result.bytes(),
        readRows: result.rowsRead,
        readBytes: result.bytesRead,
        writtenRows: 0,
        writtenBytes: 0,
        elapsedNs: Math.round(result.elapsed * 1e9),
      };
    } catch (error) {
      throw readEngineFault(error);
    }
  }

  async #insert(statement: string, { data, isInFile }: NonNullable<Work['payload']>): Promise<Answer> {
    try {
      if (isInFile) this.#file.write(data);
      const inline = isInFile ? NO_DATA : data;
      const result = await addon.InsertRawAsyncConnection(this.#session.connection, statement, inline, false);
      return {
        bytes: new Uint8Array(),
        readRows: result.rowsWritten,
        readBytes: result.bytesWritten,
        writtenRows: result.rowsWritten,
        writtenBytes: result.bytesWritten,
        elapsedNs: Math.round(result.elapsed * 1e9),
      };
    } catch (error) {
      throw readEngineFault(error);
    } finally {
      if (isInFile) this.#file.read();
    }
  }
}

const NO_DATA = Buffer.alloc(0);

/** `a = '1', b = 'x'`: the engine takes a quoted value for a setting of any type. */
export function assignments(settings: readonly Setting[]): string {
  return settings.map(({ name, value }) => `${name} = ${quoteString(value)}`).join(', ');
}

function loadAddon(): Addon {
  const require = createRequire(import.meta.url);
  const loader = createRequire(require.resolve('chdb'))('./dist/loader.js') as { loadNative(): Addon };
  const native = loader.loadNative();
  if (typeof native.InsertRawAsyncConnection !== 'function')
    throw new Error('this version of chdb has no InsertRawAsyncConnection; the pinned one has');
  return native;
}
