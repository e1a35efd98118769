/**
 * Columns in ClickHouse's Native format, as one block: the server copies them instead of parsing text, and a repeated
 * text is sent once with a number for each row (`LowCardinality`, which a plain String column also accepts). Numbers
 * are little endian, as on every supported machine.
 *
 * A block is: number of columns and of rows, then for each column its name, its type and its values. All columns are
 * filled row by row: twenty passes over twenty thousand plays would fetch all of them from memory each time.
 */

/** One column of a block. */
export type NativeColumn = {
  readonly name: string;
  readonly type: string;
  /** The values of all rows. */
  parts(): Uint8Array[];
};

/** LowCardinality: the block itself has the dictionary, and only this block refers to it. */
const SHARED_DICTIONARIES = 1;
const OWN_DICTIONARY = 0x600;
/** By the width of the numbers: 8, 16 or 32 bits. */
const INDEX_KINDS = [
  { most: 2 ** 8, kind: 0, numbers: Uint8Array },
  { most: 2 ** 16, kind: 1, numbers: Uint16Array },
  { most: 2 ** 32, kind: 2, numbers: Uint32Array },
] as const;
const WORD = 2 ** 32;

/** @param rows how many values each column has */
export function nativeBlock(columns: readonly NativeColumn[], rows: number): Uint8Array[] {
  return [
    varint(columns.length),
    varint(rows),
    ...columns.flatMap(column => [text(column.name), text(column.type), ...column.parts()]),
  ];
}

export class Bools implements NativeColumn {
  readonly type = 'Bool';
  readonly name: string;
  readonly #values: Uint8Array;

  constructor(name: string, rows: number) {
    this.name = name;
    this.#values = new Uint8Array(rows);
  }

  set(row: number, value: boolean): void {
    this.#values[row] = value ? 1 : 0;
  }

  parts(): Uint8Array[] {
    return [this.#values];
  }
}

export class Uint16s implements NativeColumn {
  readonly type = 'UInt16';
  readonly name: string;
  readonly #values: Uint16Array;

  constructor(name: string, rows: number) {
    this.name = name;
    this.#values = new Uint16Array(rows);
  }

  set(row: number, value: number): void {
    this.#values[row] = value;
  }

  parts(): Uint8Array[] {
    return [bytesOf(this.#values)];
  }
}

export class Uint32s implements NativeColumn {
  readonly type = 'UInt32';
  readonly name: string;
  readonly #values: Uint32Array;

  constructor(name: string, rows: number) {
    this.name = name;
    this.#values = new Uint32Array(rows);
  }

  set(row: number, value: number): void {
    this.#values[row] = value;
  }

  fill(value: number): this {
    this.#values.fill(value);
    return this;
  }

  parts(): Uint8Array[] {
    return [bytesOf(this.#values)];
  }
}

/** Integers of up to 53 bits; as times ms of the epoch, not before it. */
export class Uint64s implements NativeColumn {
  readonly name: string;
  readonly type: 'UInt64' | "DateTime64(3, 'UTC')";
  readonly #words: Uint32Array;

  constructor(name: string, type: Uint64s['type'], rows: number) {
    this.name = name;
    this.type = type;
    this.#words = new Uint32Array(rows * 2);
  }

  set(row: number, value: number): void {
    this.#words[2 * row] = value;
    this.#words[2 * row + 1] = value / WORD;
  }

  fill(value: number): this {
    for (let row = 0; 2 * row < this.#words.length; row++) this.set(row, value);
    return this;
  }

  parts(): Uint8Array[] {
    return [bytesOf(this.#words)];
  }
}

/** Null if unset. */
export class NullableUint32s implements NativeColumn {
  readonly type = 'Nullable(UInt32)';
  readonly name: string;
  readonly #absent: Uint8Array;
  readonly #values: Uint32Array;

  constructor(name: string, rows: number) {
    this.name = name;
    this.#absent = new Uint8Array(rows).fill(1);
    this.#values = new Uint32Array(rows);
  }

  set(row: number, value: number): void {
    this.#absent[row] = 0;
    this.#values[row] = value;
  }

  parts(): Uint8Array[] {
    return [this.#absent, bytesOf(this.#values)];
  }
}

/** Texts by source (a number or the text itself): each is encoded once. */
export class Texts<Key extends number | string> implements NativeColumn {
  readonly type = 'LowCardinality(String)';
  readonly name: string;
  readonly #spell: (key: Key) => string;
  readonly #known = new Map<Key, number>();
  readonly #texts: string[] = [];
  readonly #indexes: Uint32Array;
  /** The value of the previous row, which usually has the same text. */
  #key: Key | undefined;
  #index = 0;

  constructor(name: string, rows: number, spell: (key: Key) => string) {
    this.name = name;
    this.#spell = spell;
    this.#indexes = new Uint32Array(rows);
  }

  set(row: number, key: Key): void {
    if (key !== this.#key) {
      this.#key = key;
      this.#index = this.#known.get(key) ?? this.#add(key);
    }
    this.#indexes[row] = this.#index;
  }

  parts(): Uint8Array[] {
    const { kind, numbers } = INDEX_KINDS.find(({ most }) => this.#texts.length <= most)!;
    return [
      ...[SHARED_DICTIONARIES, OWN_DICTIONARY + kind, this.#texts.length].map(uint64),
      textsOf(this.#texts),
      uint64(this.#indexes.length),
      bytesOf(new numbers(this.#indexes)),
    ];
  }

  #add(key: Key): number {
    this.#known.set(key, this.#texts.length);
    return this.#texts.push(this.#spell(key)) - 1;
  }
}

const uint64 = (value: number): Uint8Array => bytesOf(Uint32Array.of(value, value / WORD));
const bytesOf = ({ buffer }: { buffer: ArrayBufferLike }): Uint8Array => new Uint8Array(buffer);
const text = (value: string): Uint8Array => textsOf([value]);

/** Each behind its length. */
function textsOf(values: readonly string[]): Uint8Array {
  const lengths = values.map(value => Buffer.byteLength(value));
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length + VARINT_BYTES_MAX, 0));
  let at = 0;
  for (let index = 0; index < values.length; index++) {
    at = writeVarint(bytes, lengths[index]!, at);
    at += bytes.write(values[index]!, at);
  }
  return bytes.subarray(0, at);
}

/** For a number below 2^32. */
const VARINT_BYTES_MAX = 5;

function varint(value: number): Uint8Array {
  const bytes = new Uint8Array(VARINT_BYTES_MAX);
  return bytes.subarray(0, writeVarint(bytes, value, 0));
}

function writeVarint(bytes: Uint8Array, value: number, from: number): number {
  let at = from;
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) bytes[at++] = rest | 0x80;
  bytes[at++] = rest;
  return at;
}
