/**
 * An engine of the analysts' own over the files of the services' engine, in another process and without a way to write
 * to them. It reads what was written before a query came: its list of parts is read anew where the owner has written
 * since.
 */
import { join } from 'node:path';
import { ANALYST_CONNECTIONS } from '../capacity.ts';
import { Connection, type ConnectionOptions, type Setting } from '../connection.ts';
import { Mirror, type OwnerTable } from './mirror.ts';
import { Pool } from '../pool.ts';
import { QueryFault } from '../statements/query-fault.ts';
import { OWNER_DISK, writeReaderConfig } from './reader-config.ts';
import { isSame, type Writes, WRITES_PATH } from '../statements/writes.ts';

export type Owner = { folder: string; url: string };

// Merges of the owner, and rows that are too old, change its parts without a statement: those that they replace are
// deleted 8 minutes later.
const PARTS_MS_MAX = 60_000;
const OWNER_MS_MAX = 10_000;
// `marquee` is the default database. The embedded engine's `default` shows every file of the machine as a table.
const DATABASES = ['CREATE DATABASE marquee', 'DROP DATABASE default SYNC', 'CREATE DATABASE default ENGINE = Atomic'];

type OpenOptions = { folder: string; owner: Owner; settings: readonly Setting[]; waitingMax: number };

export class Reader {
  readonly #options: { owner: Owner; connection: ConnectionOptions };
  readonly #keeper: Connection;
  readonly #mirrors = new Map<string, Mirror>();
  /** Databases requested since the last refresh. */
  readonly #asked = new Set<string>();
  #owned: ReadonlyMap<string, OwnerTable[]> = new Map();
  readonly pool: Pool;
  readonly control: Pool;
  readonly version: string;
  readonly tableFunctions: ReadonlySet<string>;
  /** The state of writes at the last reading of the tables and the lists of parts. */
  #tables: Writes | undefined;
  #parts: Writes | undefined;
  #wholeAtMs = -Infinity;
  #current: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  private constructor(
    options: { owner: Owner; connection: ConnectionOptions },
    keeper: Connection,
    pools: { pool: Pool; control: Pool },
    facts: { version: string; tableFunctions: ReadonlySet<string> },
  ) {
    this.#options = options;
    this.#keeper = keeper;
    this.pool = pools.pool;
    this.control = pools.control;
    this.version = facts.version;
    this.tableFunctions = facts.tableFunctions;
  }

  /**
   * Opens the engine in `folder`, which is made afresh.
   * @param settings of every connection that runs analysts' statements
   */
  static async open({ folder, owner, settings, waitingMax }: OpenOptions): Promise<Reader> {
    const args = await writeReaderConfig({ folder, ownerFolder: owner.folder });
    const own = { folder: join(folder, 'engine'), args, settings: [], isReadonly: false };
    const keeper = await Connection.open(own);
    for (const sql of DATABASES) await keeper.ask(sql);
    const [version, names] = [
      await keeper.ask('SELECT version()'),
      await keeper.ask('SELECT lower(name) FROM system.table_functions'),
    ];
    const connection = { ...own, settings, isReadonly: true, isBare: true };
    const pool = await Pool.open({ ...connection, size: ANALYST_CONNECTIONS, waitingMax });
    const control = await Pool.open({ ...own, size: 1, waitingMax: waitingMax + ANALYST_CONNECTIONS });
    return new Reader(
      { owner, connection },
      keeper,
      { pool, control },
      { version, tableFunctions: new Set(names.split('\n')) },
    );
  }

  /** Lends a new connection with its own settings, instead of one of the pool. */
  runFresh<T>(settings: readonly Setting[], use: (connection: Connection) => Promise<T>): Promise<T> {
    return this.pool.runFresh({ ...this.#options.connection, settings }, use);
  }

  /**
   * Resolves when all earlier writes of the owner can be read here, in `database` and in those requested before.
   * Simultaneous callers share one refresh.
   */
  fresh(database: string): Promise<void> {
    if (!this.#mirrors.has(database)) this.#asked.add(database);
    this.#next ??= this.#current
      .catch(() => undefined)
      .then(() => {
        this.#current = this.#next!;
        this.#next = undefined;
        return this.#follow();
      });
    return this.#next;
  }

  /** Like `fresh`, and also rereads all lists of parts: a merge may have removed parts without a statement. */
  renewed(database: string): Promise<void> {
    this.#wholeAtMs = -Infinity;
    return this.fresh(database);
  }

  async #follow(): Promise<void> {
    const writes = await this.#ask<Writes>(WRITES_PATH);
    const startedMs = performance.now();
    // Once a minute everything: also tables that could not be made, and parts that changed without a statement.
    const isWhole = !isSame(this.#tables, writes, 'tables') || startedMs - this.#wholeAtMs > PARTS_MS_MAX;
    await this.#followTables(isWhole);
    if (isWhole || !isSame(this.#parts, writes, 'rows')) await this.#keeper.ask(`SYSTEM RESTART DISK ${OWNER_DISK}`);
    if (isWhole) await this.#renewEmptied();
    this.#tables = writes;
    this.#parts = writes;
    if (isWhole) this.#wholeAtMs = startedMs;
  }

  /** Follows the requested databases: all of them, or those that are not here yet. */
  async #followTables(isWhole: boolean): Promise<void> {
    if (isWhole)
      this.#owned = byDatabase(
        (await this.#ask<{ data: (OwnerTable & { database: string })[] }>(`/?${new URLSearchParams(TABLES)}`)).data,
      );
    for (const database of this.#asked) {
      this.#asked.delete(database);
      if (this.#owned.has(database)) this.#mirrors.set(database, new Mirror(database));
      if (!isWhole) await this.#mirrors.get(database)?.follow(this.#keeper, this.#owned.get(database)!);
    }
    if (!isWhole) return;
    for (const [database, mirror] of this.#mirrors) {
      const owned = this.#owned.get(database);
      await mirror.follow(this.#keeper, owned ?? []);
      if (!owned) this.#mirrors.delete(database);
    }
  }

  /** A list of parts only grows: a table whose owner has dropped parts without a replacement is recreated. */
  async #renewEmptied(): Promise<void> {
    const parts = await this.#keeper.ask('SELECT database, table, name FROM system.parts WHERE active');
    if (parts === '') return;
    const owned = new Set(
      (await this.#ask<{ data: [string, string, string][] }>(`/?${new URLSearchParams(PARTS)}`)).data.map(names =>
        names.join('\t'),
      ),
    );
    const emptied = new Set(
      parts
        .split('\n')
        .filter(part => !owned.has(part))
        .map(part => part.slice(0, part.lastIndexOf('\t'))),
    );
    for (const names of emptied) {
      const [database = '', table = ''] = names.split('\t');
      await this.#mirrors.get(database)?.renew(this.#keeper, table);
    }
  }

  async #ask<T>(path: string): Promise<T> {
    try {
      const { origin, username, password } = new URL(this.#options.owner.url);
      const reply = await fetch(origin + path, {
        headers: { 'x-clickhouse-user': username, 'x-clickhouse-key': password },
        signal: AbortSignal.timeout(OWNER_MS_MAX),
      });
      if (!reply.ok) throw new Error(`it answered ${reply.status} ${(await reply.text()).slice(0, 500)}`);
      return (await reply.json()) as T;
    } catch (error) {
      throw new QueryFault(
        210,
        'NETWORK_ERROR',
        `The engine that holds the data does not answer: ${(error as Error).message}. Try again in a moment`,
      );
    }
  }
}

const TABLES = {
  show_table_uuid_in_table_create_query_if_not_nil: '1',
  query: `SELECT database, name, engine, create_table_query AS sql FROM system.tables
    WHERE database NOT IN ('system', 'default', 'information_schema', 'INFORMATION_SCHEMA') FORMAT JSON`,
};

/** In any state: a merged part still exists for some minutes. */
const PARTS = { query: 'SELECT database, table, name FROM system.parts FORMAT JSONCompact' };

function byDatabase(tables: readonly (OwnerTable & { database: string })[]): Map<string, OwnerTable[]> {
  const databases = new Map<string, OwnerTable[]>();
  for (const { database, ...table } of tables) {
    const others = databases.get(database);
    if (others) others.push(table);
    else databases.set(database, [table]);
  }
  return databases;
}
