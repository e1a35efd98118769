/** Reads a block of ClickHouse's Native format, of the types that ingest writes: its rows, with times in ms. */

type Value = number | string | boolean | null;
export type NativeRow = Record<string, Value>;

export function readNativeRows(bytes: Buffer): NativeRow[] {
  const reader = new BlockReader(bytes);
  const columns = reader.varint();
  const rows: NativeRow[] = Array.from({ length: reader.varint() }, () => ({}));
  for (let column = 0; column < columns; column++) {
    const name = reader.text();
    const values = reader.column(reader.text(), rows.length);
    for (const [at, row] of rows.entries()) row[name] = values[at]!;
  }
  if (!reader.isAtEnd()) throw new Error('the block is longer than its columns');
  return rows;
}

class BlockReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#bytes.readUInt8(this.#at++);
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  text(): string {
    const length = this.varint();
    return this.#bytes.toString('utf8', this.#at, (this.#at += length));
  }

  column(type: string, rows: number): Value[] {
    const all = (read: () => Value): Value[] => Array.from({ length: rows }, read);
    switch (type) {
      case 'Bool':
        return all(() => this.#number(1) === 1);
      case 'UInt16':
        return all(() => this.#number(2));
      case 'UInt32':
        return all(() => this.#number(4));
      case 'UInt64':
      case "DateTime64(3, 'UTC')":
        return all(() => this.#double());
      case 'Nullable(UInt32)': {
        const absent = all(() => this.#number(1) === 1);
        return all(() => this.#number(4)).map((value, at) => (absent[at] === true ? null : value));
      }
      case 'LowCardinality(String)':
        return this.#dictionary(rows);
      default:
        throw new Error(`'${type}' is no type that ingest writes`);
    }
  }

  #dictionary(rows: number): Value[] {
    const version = this.#double();
    const kind = this.#double();
    if (version !== 1 || kind < 0x600 || kind > 0x602) throw new Error(`a dictionary of ${version}, ${kind}`);
    const keys = Array.from({ length: this.#double() }, () => this.text());
    if (this.#double() !== rows) throw new Error('a number for each row');
    return Array.from({ length: rows }, () => keys[this.#number(2 ** (kind - 0x600))]!);
  }

  #number(bytes: number): number {
    const value = this.#bytes.readUIntLE(this.#at, bytes);
    this.#at += bytes;
    return value;
  }

  #double(): number {
    const low = this.#number(4);
    return low + this.#number(4) * 2 ** 32;
  }
}
