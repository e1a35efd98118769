/** The parent's side of `direct-insert.ts`, the reference of the ingest benchmark. */
import type { ChildProcess } from 'node:child_process';
import { endChild, messageOf, startChild } from '../child.ts';

export type InsertCommand = {
  /** Names the database that receives the rows. */
  url: string;
  /** `database.table` that they are read from, before the clock starts. */
  fromTable: string;
  columns: readonly string[];
  /** Rows received at or after this time (ms). */
  fromMs: number;
  rowsMax: number;
  batchRows: number;
};

type Reply = { loaded?: number; inserted?: number; error?: string };

export class InsertProcess {
  readonly #child: ChildProcess;
  readonly rows: number;

  private constructor(child: ChildProcess, rows: number) {
    this.#child = child;
    this.rows = rows;
  }

  /** Starts the process and lets it read the rows. */
  static async load(command: InsertCommand): Promise<InsertProcess> {
    const child = startChild('ingest/direct-insert.ts');
    child.send(command);
    const reply = await messageOf<Reply>(child);
    if (reply.loaded === undefined) throw new Error(`the rows cannot be read: ${reply.error}`);
    return new InsertProcess(child, reply.loaded);
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Inserts all rows; resolves when ClickHouse has answered the last batch. */
  async insert(): Promise<void> {
    this.#child.send('go');
    const reply = await messageOf<Reply>(this.#child);
    if (reply.inserted === undefined) throw new Error(`the rows cannot be inserted: ${reply.error}`);
  }

  close(): Promise<void> {
    return endChild(this.#child);
  }
}
