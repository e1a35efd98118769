/**
 * Columns as ClickHouse's Native format has them, one block: the server copies them instead of parsing text, and a
 * text that repeats is sent once with a number for each row (`LowCardinality`; a column that is a plain String takes
 * it, too). Numbers are little endian, as those of every machine that this runs on.
 *
 * A block is: number of columns and of rows, then for each column its name, its type and its values.
 */

/** One column of a block; `parts` are the values of all rows. */
export type NativeColumn = { name: string; type: string; parts: readonly Uint8Array[] };
/** What the values of a column are made from, and how. */
type Values<T> = { name: string; of: (item: T) => number };

/** LowCardinality: the dictionary stands in the block itself, and only this block refers to it. */
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
    ...columns.flatMap(({ name, type, parts }) => [text(name), text(type), ...parts]),
  ];
}

export function bools<T>(items: readonly T[], { name, of }: { name: string; of: (item: T) => boolean }): NativeColumn {
  const values = new Uint8Array(items.length);
  for (let at = 0; at < items.length; at++) values[at] = of(items[at]!) ? 1 : 0;
  return { name, type: 'Bool', parts: [values] };
}

export function uint16s<T>(items: readonly T[], { name, of }: Values<T>): NativeColumn {
  const values = new Uint16Array(items.length);
  for (let at = 0; at < items.length; at++) values[at] = of(items[at]!);
  return { name, type: 'UInt16', parts: [bytesOf(values)] };
}

export function uint32s<T>(items: readonly T[], { name, of }: Values<T>): NativeColumn {
  const values = new Uint32Array(items.length);
  for (let at = 0; at < items.length; at++) values[at] = of(items[at]!);
  return { name, type: 'UInt32', parts: [bytesOf(values)] };
}

export function uint64s<T>(items: readonly T[], { name, of }: Values<T>): NativeColumn {
  return { name, type: 'UInt64', parts: [doubleWords(items, of)] };
}

/** Times in ms of the epoch, not before it. */
export function times<T>(items: readonly T[], { name, of }: Values<T>): NativeColumn {
  return { name, type: "DateTime64(3, 'UTC')", parts: [doubleWords(items, of)] };
}

export function nullableUint32s<T>(
  items: readonly T[],
  { name, of }: { name: string; of: (item: T) => number | undefined },
): NativeColumn {
  const absent = new Uint8Array(items.length);
  const values = new Uint32Array(items.length);
  for (let at = 0; at < items.length; at++) {
    const value = of(items[at]!);
    if (value === undefined) absent[at] = 1;
    else values[at] = value;
  }
  return { name, type: 'Nullable(UInt32)', parts: [absent, bytesOf(values)] };
}

/** Texts by what stands for them, a number or the text itself: each is spelled once. */
export function texts<T, K extends number | string>(
  items: readonly T[],
  { name, of, spell }: { name: string; of: (item: T) => K; spell: (key: K) => string },
): NativeColumn {
  const known = new Map<K, number>();
  const keys: string[] = [];
  const indexes = new Uint32Array(items.length);
  for (let at = 0; at < items.length; at++) {
    const key = of(items[at]!);
    let index = known.get(key);
    if (index === undefined) {
      known.set(key, (index = keys.length));
      keys.push(spell(key));
    }
    indexes[at] = index;
  }
  const { kind, numbers } = INDEX_KINDS.find(({ most }) => keys.length <= most)!;
  const head = [SHARED_DICTIONARIES, OWN_DICTIONARY + kind, keys.length].map(uint64);
  return {
    name,
    type: 'LowCardinality(String)',
    parts: [...head, textsOf(keys), uint64(items.length), bytesOf(new numbers(indexes))],
  };
}

function doubleWords<T>(items: readonly T[], of: (item: T) => number): Uint8Array {
  const words = new Uint32Array(items.length * 2);
  for (let at = 0; at < items.length; at++) {
    const value = of(items[at]!);
    words[2 * at] = value;
    words[2 * at + 1] = value / WORD;
  }
  return bytesOf(words);
}

const uint64 = (value: number): Uint8Array => doubleWords([value], each => each);
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

/** Of a number below 2^32. */
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
