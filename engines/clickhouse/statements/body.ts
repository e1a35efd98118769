/**
 * Collects the bodies of requests, decompressed, within a bound for each and one for all together. What is larger is
 * refused with 413 or 503 before it fills the memory.
 */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import * as zlib from 'node:zlib';
import { QueryFault, tooLarge } from './query-fault.ts';

// A group of jobs is a few MB. One insert is collected in memory and runs as one statement, so it needs a bound.
export const BODY_BYTES_MAX = 256 * 2 ** 20;
// Four of the largest inserts at once; a process with more in memory would fall to the system's killer.
const HELD_BYTES_MAX = 4 * BODY_BYTES_MAX;
// Clients read no answer before they have sent everything, so a refused body is read on and thrown away; one that goes
// on beyond four times its bound, or 64 MiB, is cut.
const DISCARDED_FACTOR = 4;
const DISCARDED_BYTES_MIN = 64 * 2 ** 20;

/** Collects request bodies, whole and decompressed, within bounds for one and for all together. */
export class BodyReader {
  #heldBytes = 0;

  /**
   * Hands the body of `request` to `use` and counts its bytes as held until that has ended.
   * Rejects with a QueryFault: 413 over `bytesMax`, as soon as the length says so; 503 when all bodies together are too
   * large; 400 when it is not in the compression that Content-Encoding says.
   */
  async read<T>(request: IncomingMessage, bytesMax: number, use: (body: Buffer) => Promise<T>): Promise<T> {
    const discardedMax = Math.max(DISCARDED_FACTOR * bytesMax, DISCARDED_BYTES_MIN);
    let own = 0;
    let discarded = 0;
    let fault = Number(request.headers['content-length'] ?? 0) > bytesMax ? bodyTooLarge(bytesMax) : undefined;
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of decoded(request) as AsyncIterable<Buffer>) {
        fault ??= this.#faultOf(chunk.length, own + chunk.length, bytesMax);
        if (fault) {
          chunks.length = 0;
          discarded += chunk.length;
          if (discarded > discardedMax) break;
          continue;
        }
        own += chunk.length;
        this.#heldBytes += chunk.length;
        chunks.push(chunk);
      }
      if (fault) throw fault;
      return await use(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    } finally {
      this.#heldBytes -= own;
    }
  }

  #faultOf(chunk: number, own: number, bytesMax: number): QueryFault | undefined {
    if (own > bytesMax) return bodyTooLarge(bytesMax);
    if (this.#heldBytes + chunk > HELD_BYTES_MAX)
      return new QueryFault(
        202,
        'TOO_MANY_SIMULTANEOUS_QUERIES',
        `Requests in memory hold over ${HELD_BYTES_MAX} bytes`,
      );
    return undefined;
  }
}

function bodyTooLarge(bytesMax: number): QueryFault {
  return tooLarge(`The request's body is over ${bytesMax} bytes`);
}

async function* decoded(request: IncomingMessage): AsyncGenerator<Buffer> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  const decoder = decoderOf(encoding);
  if (!decoder) return yield* request as AsyncIterable<Buffer>;
  request.on('error', error => decoder.destroy(error));
  try {
    yield* request.pipe(decoder) as AsyncIterable<Buffer>;
  } catch (error) {
    request.unpipe(decoder).resume();
    throw new QueryFault(
      354,
      'ZLIB_INFLATE_FAILED',
      `The request's body is not valid ${encoding}: ${(error as Error).message}`,
    );
  }
}

/** Node has Zstandard since 22.15; before, it is an unknown encoding. */
const { createZstdDecompress } = zlib as { createZstdDecompress?: () => NodeJS.ReadWriteStream & Readable };

function decoderOf(encoding: string): (NodeJS.ReadWriteStream & Readable) | undefined {
  if (encoding === 'identity' || encoding === '') return undefined;
  if (encoding === 'gzip' || encoding === 'x-gzip') return zlib.createGunzip();
  if (encoding === 'deflate') return zlib.createInflate();
  if (encoding === 'br') return zlib.createBrotliDecompress();
  if (encoding === 'zstd' && createZstdDecompress) return createZstdDecompress();
  throw new QueryFault(89, 'UNKNOWN_COMPRESSION_METHOD', `Unknown compression method: ${encoding}`);
}
