/**
 * A folder of this machine through which every upload comes in: a stream is written to a file under a random name,
 * chunk by chunk, and hashed on the way, so memory stays at one chunk whatever is sent.
 */
import { createHash, randomBytes, type Hash } from 'node:crypto';
import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Fault } from '#runtime/fault-error.ts';
import type { ReceivedObject } from './object-storage.ts';

const HEAD_BYTES_MAX = 4_096; // a WebM document type may stand some hundred bytes in; a page is plenty
/** An upload in progress is younger than its address allows; what is older was left by a killed process. */
const SPOOLED_AGE_MS_MAX = 24 * 60 * 60 * 1_000;

/** A stream that has come in. `path` is flushed and closed by `finish`, closed and deleted by `discard`. */
export type Spooled = {
  path: string;
  sha256: string;
  bytes: number;
  head: Buffer;
  finish(): Promise<void>;
  discard(): Promise<void>;
};

/** Creates the folder and removes what a killed process left in it a day ago. */
export async function openSpool(folder: string, { now }: { now: number }): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (now - mtimeMs > SPOOLED_AGE_MS_MAX) await rm(path, { force: true });
  }
}

/**
 * @throws Fault `storage_too_large` or `storage_unavailable`; an error of the source is passed on. Nothing stays behind
 *   then.
 */
export async function spool(folder: string, source: Readable, bytesMax: number): Promise<Spooled> {
  const path = join(folder, randomBytes(16).toString('hex'));
  let file: FileHandle;
  try {
    file = await open(path, 'wx', 0o600);
  } catch (cause) {
    throw new Fault('storage_unavailable', 'an upload cannot be written', { retryable: true, cause });
  }
  const hash = createHash('sha256');
  const discard = async () => {
    await file.close();
    await rm(path, { force: true });
  };
  try {
    const { bytes, head } = await copy(source, { file, hash, bytesMax });
    return {
      path,
      sha256: hash.digest('hex'),
      bytes,
      head,
      discard,
      finish: async () => {
        try {
          await file.sync();
        } finally {
          await file.close();
        }
      },
    };
  } catch (error) {
    await discard();
    throw error;
  }
}

/**
 * What has come in, for a store that can put it under an object's name or a staging key. The name is the content's
 * address.
 */
export function receivedOf(
  { sha256, bytes, head, discard }: Spooled,
  { keepAs, stageAs }: { keepAs(name: string): Promise<void>; stageAs(key: string): Promise<void> },
): ReceivedObject {
  return {
    sha256,
    bytes,
    head,
    async keep(extension) {
      const name = `${sha256}.${extension}`;
      await keepAs(name);
      return name;
    },
    stage: stageAs,
    discard,
  };
}

/** One chunk at a time: the source is read no faster than the disk writes. */
async function copy(
  source: Readable,
  { file, hash, bytesMax }: { file: FileHandle; hash: Hash; bytesMax: number },
): Promise<{ bytes: number; head: Buffer }> {
  let bytes = 0;
  let head = Buffer.alloc(0);
  for await (const chunk of source as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Fault('storage_too_large', `more than ${bytesMax} bytes`, { retryable: false });
    if (head.length < HEAD_BYTES_MAX) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES_MAX - head.length)]);
    hash.update(chunk);
    await write(file, chunk);
  }
  return { bytes, head };
}

async function write(file: FileHandle, chunk: Buffer): Promise<void> {
  try {
    await file.writeFile(chunk); // from the current position, all of it
  } catch (cause) {
    throw new Fault('storage_unavailable', 'an upload cannot be written', { retryable: true, cause });
  }
}
