/**
 * Reads whole tables from Postgres with COPY in its binary format, a row at a time. It takes a fifth of the CPU time of
 * an ordinary select, which parses each column from a text; with a hundred thousand screens that is most of a start.
 * Rows arrive in pieces of some hundreds, with other work in between.
 */
import type { Readable } from 'node:stream';
import type postgres from 'postgres';
import { assert } from '#domain/assertion.ts';
import { type Handle, handleOf, type Kind } from '#domain/id.ts';
import { copiedBytes, type Queryable } from '#sql/postgres.ts';

/**
 * The 11 bytes of the format's name, 4 of flags and 4 of the length of an extension, which is undefined so far.
 */
const HEADER_BYTES = 19;
/** Stands for the number of columns after the last row. */
const END = -1;
/** The length of a column that is null. */
const NULL = -1;
const COLUMNS_BYTES = 2;
const LENGTH_BYTES = 4;
/**
 * Before the elements of an array of one dimension: dimensions, flags, type, and the dimension's size and first index.
 */
const ARRAY_HEAD_BYTES = 20;
const ARRAY_SIZE_AT = 12;
/** A jsonb begins with the number of its format. */
const JSONB_VERSION_BYTES = 1;
const NO_TEXTS: readonly string[] = [];
const NO_BYTES: Buffer = Buffer.alloc(0);

/**
 * The columns of one row. Each call reads the next one; a column of another type or length is a bug. Valid during one
 * call of `read`.
 */
export class CopiedRow {
  #bytes: Buffer = NO_BYTES;
  #at = 0;

  /** Moves to the columns of another row, which start here. */
  moveTo(bytes: Buffer, at: number): void {
    this.#bytes = bytes;
    this.#at = at;
  }

  /**
   * An int8, always below 2^53. A small one becomes an integer, because a double in an object is a separate heap
   * object.
   */
  bigint(): number {
    const at = this.#fixed(8);
    const high = this.#bytes.readInt32BE(at);
    const low = this.#bytes.readInt32BE(at + 4);
    if (high === 0 && low >= 0) return low;
    const value = high * 2 ** 32 + (low >>> 0);
    assert(Number.isSafeInteger(value), 'an int8 fits a safe integer');
    return value;
  }

  bigintOrNull(): number | null {
    return this.#isNull() ? null : this.bigint();
  }

  handle<K extends Kind>(kind: K): Handle<K> {
    return handleOf(kind, this.bigint());
  }

  handleOrNull<K extends Kind>(kind: K): Handle<K> | null {
    return this.#isNull() ? null : this.handle(kind);
  }

  integer(): number {
    return this.#bytes.readInt32BE(this.#fixed(4));
  }

  integerOrNull(): number | null {
    return this.#isNull() ? null : this.integer();
  }

  double(): number {
    return this.#bytes.readDoubleBE(this.#fixed(8));
  }

  doubleOrNull(): number | null {
    return this.#isNull() ? null : this.double();
  }

  boolean(): boolean {
    return this.#bytes[this.#fixed(1)] === 1;
  }

  text(): string {
    const from = this.#next();
    return this.#bytes.toString('utf8', from, this.#at);
  }

  textOrNull(): string | null {
    return this.#isNull() ? null : this.text();
  }

  json(): unknown {
    const from = this.#next() + JSONB_VERSION_BYTES;
    return JSON.parse(this.#bytes.toString('utf8', from, this.#at));
  }

  jsonOrNull(): unknown {
    return this.#isNull() ? null : this.json();
  }

  /** A copy: the row's bytes are part of a large buffer, which a view would keep alive. */
  bytesOrNull(): Buffer | null {
    if (this.#isNull()) return null;
    const from = this.#next();
    return Buffer.from(this.#bytes.subarray(from, this.#at));
  }

  /** An array of texts without nulls. */
  texts(): readonly string[] {
    const from = this.#next();
    const end = this.#at;
    if (end - from < ARRAY_HEAD_BYTES) return NO_TEXTS;
    const size = this.#bytes.readInt32BE(from + ARRAY_SIZE_AT);
    this.#at = from + ARRAY_HEAD_BYTES;
    const texts = Array.from({ length: size }, () => this.text());
    assert(this.#at === end, 'an array has one dimension');
    return texts;
  }

  #isNull(): boolean {
    if (this.#bytes.readInt32BE(this.#at) !== NULL) return false;
    this.#at += LENGTH_BYTES;
    return true;
  }

  /** Skips the next column. @returns the start of its bytes; they end at the start of the following column */
  #next(): number {
    const length = this.#bytes.readInt32BE(this.#at);
    assert(length >= 0, 'a column is not null');
    const from = this.#at + LENGTH_BYTES;
    this.#at = from + length;
    return from;
  }

  #fixed(bytes: number): number {
    const from = this.#next();
    assert(this.#at - from === bytes, 'a column has the length of its type');
    return from;
  }
}

/** Accepts the bytes of a copy in any pieces, and passes on each complete row. */
export class CopiedRows {
  readonly #onRow: (row: CopiedRow) => void;
  readonly #row = new CopiedRow();
  /** The bytes of an incomplete row. */
  #rest: Buffer = NO_BYTES;
  #hasHeader = false;

  constructor(onRow: (row: CopiedRow) => void) {
    this.#onRow = onRow;
  }

  take(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    if (!this.#hasHeader && bytes.length >= HEADER_BYTES) {
      this.#hasHeader = true;
      at = HEADER_BYTES;
    }
    if (this.#hasHeader) {
      for (let end = endOfRow(bytes, at); end !== undefined; end = endOfRow(bytes, at)) {
        this.#row.moveTo(bytes, at + COLUMNS_BYTES);
        this.#onRow(this.#row);
        at = end;
      }
    }
    this.#rest = at === bytes.length ? NO_BYTES : bytes.subarray(at);
  }
}

/** The end of the row that starts here; undefined if it is incomplete, or is the end marker. */
function endOfRow(bytes: Buffer, from: number): number | undefined {
  if (from + COLUMNS_BYTES > bytes.length) return undefined;
  const columns = bytes.readInt16BE(from);
  if (columns === END) return undefined;
  let at = from + COLUMNS_BYTES;
  for (let column = 0; column < columns; column++) {
    if (at + LENGTH_BYTES > bytes.length) return undefined;
    const length = bytes.readInt32BE(at);
    at += LENGTH_BYTES + (length === NULL ? 0 : length);
  }
  return at <= bytes.length ? at : undefined;
}

/** All rows of a select without parameters, converted by `read`. @throws the fault of Postgres or of `read` */
export async function copyRows<Selected extends object, Row>(
  db: Queryable,
  select: postgres.PendingQuery<Selected[]>,
  read: (row: CopiedRow) => Row,
): Promise<Row[]> {
  const rows: Row[] = [];
  const copied = new CopiedRows(row => rows.push(read(row)));
  await drained(await copiedBytes(db`copy (${select}) to stdout (format binary)`), chunk => copied.take(chunk));
  return rows;
}

/** Calls back for each piece. After an error the rest is read and dropped, so that the connection stays usable. */
function drained(stream: Readable, take: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: { error: unknown } | undefined;
    stream.on('data', (chunk: Buffer) => {
      if (failure !== undefined) return;
      try {
        take(chunk);
      } catch (error) {
        failure = { error };
      }
    });
    stream.once('end', () => (failure === undefined ? resolve() : reject(failure.error)));
    stream.once('error', reject);
  });
}
