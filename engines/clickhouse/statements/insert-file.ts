/**
 * The data of an insert that cannot follow its statement. There the engine takes an empty line for the end of the data,
 * and what follows for the next statement; in a binary format any two bytes may be one. Such data go through a file of
 * the connection that is written over and over, which costs the disk nothing: a new file would need an inode for each
 * insert. Other data follow the statement: what a file leaves out has no defaults that refer to ephemeral columns.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quoteString } from './parameters.ts';

/** The size that a file keeps between two inserts; a group of plays is 2 MB. */
const KEPT_BYTES_MAX = 4 * 2 ** 20;
/** The engine reads these in a path as patterns. */
const PATTERN = /[*?{}]/;

const EMPTY_LINE = Buffer.from('\n\n');

/** Whether the engine would see the end of the data within them. */
export const endsAsText = (data: Buffer): boolean => data.includes(EMPTY_LINE);

/** Files of inserts are next to the data. @throws for a path that the engine would read as a pattern */
function folderOf(dataFolder: string): string {
  const folder = join(dirname(dataFolder), 'inserts');
  if (PATTERN.test(folder))
    throw new Error(`the data of ClickHouse cannot lie in ${folder}: no *, ?, { or } may be in it`);
  return folder;
}

/** Removes the files of a killed process, before the first connection is opened. */
export function clearInsertFiles(dataFolder: string): void {
  rmSync(folderOf(dataFolder), { recursive: true, force: true });
}

/** The file of one connection, made by its first insert. */
export class InsertFile {
  readonly #path: string;
  #descriptor: number | undefined;
  #bytes = 0;

  constructor(dataFolder: string) {
    this.#path = join(folderOf(dataFolder), randomUUID());
  }

  /** The clause of an INSERT that reads the file; it comes before SETTINGS and FORMAT. */
  get clause(): string {
    return ` FROM INFILE ${quoteString(this.#path)} `;
  }

  /** Makes these bytes the file's own. */
  write(data: Buffer): void {
    const descriptor = this.#opened();
    for (let at = 0; at < data.length;) at += writeSync(descriptor, data, at, data.length - at, at);
    this.#cut(data.length);
  }

  /** Gives the room of a large insert back. */
  read(): void {
    if (this.#bytes > KEPT_BYTES_MAX) this.#cut(0);
  }

  remove(): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    rmSync(this.#path, { force: true });
    this.#descriptor = undefined;
  }

  #opened(): number {
    if (this.#descriptor !== undefined) return this.#descriptor;
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    return (this.#descriptor = openSync(this.#path, 'w', 0o600));
  }

  #cut(bytes: number): void {
    if (bytes < this.#bytes) ftruncateSync(this.#descriptor!, bytes);
    this.#bytes = bytes;
  }
}
