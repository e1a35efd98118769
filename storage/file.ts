import { createHash, randomBytes, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Fault } from '#runtime/fault-error.ts';
import { isObjectName, type ObjectStorage, type ReceivedObject } from './object-storage.ts';

/**
 * Objects as files: `<folder>/<first two hex digits>/<sha256>.<ext>`. What comes in is written to `<folder>/incoming/`
 * under a random name, flushed to the disk, and renamed into place, so a name either has all of its bytes or does not
 * exist, whenever the power goes. The folder of the new name is flushed too: a rename is only durable then.
 */
const HEAD_BYTES_MAX = 4_096; // a WebM document type may stand some hundred bytes in; a page is plenty
const INCOMING = 'incoming';
/** An upload in progress is younger than its address allows; what is older was left by a killed process. */
const INCOMING_AGE_MS_MAX = 24 * 60 * 60 * 1_000;

/** Opens (and creates) a folder of objects. Uploads that a killed process left behind a day ago are removed. */
export async function openFileStorage(url: URL, { now }: { now: number }): Promise<ObjectStorage> {
  const folder = fileURLToPath(url);
  try {
    await mkdir(join(folder, INCOMING), { recursive: true });
    await removeAbandoned(join(folder, INCOMING), now);
  } catch (cause) {
    throw new Fault('storage_unavailable', `the storage folder ${folder} cannot be used`, { retryable: false, cause });
  }
  return {
    receive: (source, { bytesMax }) => receive(folder, source, bytesMax),
    find: name => findObject(folder, name),
    read: async (name, range) => createReadStream(pathOf(folder, name), range && { start: range.first, end: range.last }),
  };
}

function pathOf(folder: string, name: string): string {
  if (!isObjectName(name)) throw new Fault('storage_bad_name', 'not the name of an object', { retryable: false });
  return join(folder, name.slice(0, 2), name);
}

async function removeAbandoned(incoming: string, now: number): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    const { mtimeMs } = await stat(path);
    if (now - mtimeMs > INCOMING_AGE_MS_MAX) await rm(path, { force: true });
  }
}

async function findObject(folder: string, name: string): Promise<{ bytes: number } | undefined> {
  if (!isObjectName(name)) return undefined;
  try {
    const { size } = await stat(pathOf(folder, name));
    return { bytes: size };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Fault('storage_unavailable', 'an object cannot be read', { retryable: true, cause: error });
  }
}

async function receive(folder: string, source: Readable, bytesMax: number): Promise<ReceivedObject> {
  const path = join(folder, INCOMING, randomBytes(16).toString('hex'));
  let file: FileHandle;
  try {
    file = await open(path, 'wx', 0o644);
  } catch (cause) {
    throw new Fault('storage_unavailable', 'an upload cannot be written', { retryable: true, cause });
  }
  const hash = createHash('sha256');
  try {
    const { bytes, head } = await copy(source, { file, hash, bytesMax });
    const sha256 = hash.digest('hex');
    return {
      sha256,
      bytes,
      head,
      keep: extension => keep({ folder, path, file, name: `${sha256}.${extension}` }),
      discard: async () => {
        await file.close();
        await rm(path, { force: true });
      },
    };
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
}

/** One chunk at a time: the source is read no faster than the disk writes, so memory stays at a chunk. */
async function copy(source: Readable, { file, hash, bytesMax }: { file: FileHandle; hash: Hash; bytesMax: number }): Promise<{ bytes: number; head: Buffer }> {
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

async function keep({ folder, path, file, name }: { folder: string; path: string; file: FileHandle; name: string }): Promise<string> {
  const target = pathOf(folder, name);
  try {
    await file.sync().finally(() => file.close());
    await mkdir(join(folder, name.slice(0, 2)), { recursive: true });
    await rename(path, target);
    await syncFolder(join(folder, name.slice(0, 2)));
    await syncFolder(folder);
    return name;
  } catch (cause) {
    await rm(path, { force: true });
    throw new Fault('storage_unavailable', 'an upload cannot be kept', { retryable: true, cause });
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
