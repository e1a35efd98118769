/**
 * Keeps the reader's tables in step with the owner's: it makes, over the same files, the tables that the owner has, and
 * drops those that the owner has no more. `reader.ts` calls it where the owner has written since.
 */
import type { Connection } from '../connection.ts';
import { readTokens } from '../statements/lexer.ts';
import { quoteName } from '../statements/parameters.ts';
import { OWNER_DISK } from './reader-config.ts';

/** A table of the owner as it would be made again, its UUID included: that names its folder. */
export type OwnerTable = { name: string; engine: string; sql: string };

/** Tables with people's addresses in them say so in their names. They are not here at all. */
const PRIVATE_PREFIX = 'private_';

/**
 * The tables of one of the owner's databases in the reader's engine: the same definitions over the same files, by a
 * disk that cannot be written to. A table of an engine without files there is left out.
 */
export class Mirror {
  readonly #database: string;
  /** The tables of this folder, as the owner writes them. Views last. */
  readonly #made = new Map<string, OwnerTable>();

  constructor(database: string) {
    this.#database = database;
  }

  /**
   * Creates the owner's objects here, and removes those that it no longer has. @param keeper a connection that may do
   * so
   */
  async follow(keeper: Connection, owned: readonly OwnerTable[]): Promise<void> {
    const wanted = owned.filter(isReadable).sort((one, other) => Number(isView(one)) - Number(isView(other)));
    const gone = [...this.#made.values()].filter(
      table => !wanted.some(({ name, sql }) => name === table.name && sql === table.sql),
    );
    for (const table of gone.reverse()) await this.#drop(keeper, table);
    if (wanted.length > 0) await keeper.ask(`CREATE DATABASE IF NOT EXISTS ${quoteName(this.#database)}`);
    for (const table of wanted) if (!this.#made.has(table.name)) await this.#make(keeper, table);
  }

  /** Recreates a table with its current parts. */
  async renew(keeper: Connection, name: string): Promise<void> {
    const table = this.#made.get(name);
    if (!table) return;
    await this.#drop(keeper, table);
    await this.#make(keeper, table);
  }

  async #make(keeper: Connection, table: OwnerTable): Promise<void> {
    try {
      await keeper.ask(isView(table) ? table.sql : onOwnerDisk(table.sql));
      this.#made.set(table.name, table);
    } catch (error) {
      // Analysts do without it until the reader looks at everything again, within a minute; the others are not held up.
      process.stderr.write(`analysts cannot read ${this.#database}.${table.name}: ${(error as Error).message}\n`);
    }
  }

  /** Nothing of the owner goes with it: the disk takes no writes. */
  async #drop(keeper: Connection, { name }: OwnerTable): Promise<void> {
    await keeper.ask(`DROP TABLE IF EXISTS ${quoteName(this.#database)}.${quoteName(name)} SYNC`);
    this.#made.delete(name);
  }
}

const isView = ({ engine }: OwnerTable) => engine === 'View';
const isReadable = (table: OwnerTable) =>
  !table.name.startsWith(PRIVATE_PREFIX) && (isView(table) || table.engine.endsWith('MergeTree'));

/**
 * The statement with the owner's files for the table's own. ClickHouse writes every setting of such a table, at least
 * one.
 */
function onOwnerDisk(sql: string): string {
  let depth = 0;
  for (const token of readTokens(sql)) {
    if (token.kind === 'mark' && '([{'.includes(token.text)) depth += 1;
    if (token.kind === 'mark' && ')]}'.includes(token.text)) depth -= 1;
    if (depth === 0 && token.kind === 'word' && token.text === 'SETTINGS')
      return `${sql.slice(0, token.end)} disk = '${OWNER_DISK}',${sql.slice(token.end)}`;
  }
  throw new Error('its statement has no SETTINGS');
}
