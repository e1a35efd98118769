/**
 * ClickHouse's native compression (`compress=1`): blocks with a checksum, a method, two sizes, and the data in LZ4. The
 * JDBC driver asks for it, and the files of tables are made of it.
 */
import { Transform, type TransformCallback } from 'node:stream';
import { compressSync } from 'lz4-napi';
import { cityHash128 } from './city-hash.ts';

/** As large as a server's own blocks. */
const BLOCK_BYTES = 2 ** 20;
const LZ4 = 0x82;
const HEAD_BYTES = 9;
/** The package writes the size in front of its blocks. */
const SIZE_BYTES = 4;

/** Packs its input. */
export class NativeBlocks extends Transform {
  #chunks: Buffer[] = [];
  #bytes = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes >= BLOCK_BYTES) this.#pack();
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.#bytes > 0) this.#pack();
    done();
  }

  #pack(): void {
    const data = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#bytes = 0;
    for (let at = 0; at < data.length; at += BLOCK_BYTES) this.push(blockOf(data.subarray(at, at + BLOCK_BYTES)));
  }
}

function blockOf(data: Buffer): Buffer {
  const packed = compressSync(data).subarray(SIZE_BYTES);
  const block = Buffer.alloc(HEAD_BYTES + packed.length);
  block.writeUInt8(LZ4, 0);
  block.writeUInt32LE(block.length, 1);
  block.writeUInt32LE(data.length, 5);
  packed.copy(block, HEAD_BYTES);
  return Buffer.concat([cityHash128(block), block]);
}
