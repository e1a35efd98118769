/**
 * Objects as files: `<folder>/<first two hex digits>/<sha256>.<ext>`. What comes in is written to `<folder>/incoming/`
 * under a random name, flushed to the disk, and renamed into place, so a name either has all of its bytes or does not
 * exist, whenever the power goes. The folder of the new name is flushed too: a rename is only durable then. Uploads
 * that wait for their check lie in `<folder>/staged/`. Other users of the machine can read none of it: exports lie
 * there too.
 */
import { createReadStream } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { assertWritable, syncFolder } from '#runtime/durable-file.ts';
import { Fault } from '#runtime/fault-error.ts';
import { isObjectName, isStagingKey, STAGED_MAX, type ObjectStorage, type StagedObject } from './object-storage.ts';
import { openSpool, receivedOf, spool, type Spooled } from './spool.ts';

const INCOMING = 'incoming';
const STAGED = 'staged';
const OWN_MODE = 0o700;

/** Opens (and creates) a folder of objects. Uploads that a killed process left behind a day ago are removed. */
export async function openFileStorage(url: URL, { now }: { now: number }): Promise<ObjectStorage> {
  const folder = fileURLToPath(url);
  try {
    assertWritable(folder, 'STORAGE_URL');
    await openSpool(join(folder, INCOMING), { now });
    await mkdir(join(folder, STAGED), { recursive: true, mode: OWN_MODE });
    await closeToOthers(folder);
    await Promise.all([syncFolder(folder), syncFolder(dirname(folder))]);
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    throw new Fault('storage_unavailable', `the storage folder ${folder} cannot be used`, { retryable: false, cause });
  }
  return {
    async receive(source, { bytesMax }) {
      const spooled = await spool(join(folder, INCOMING), source, bytesMax);
      return receivedOf(spooled, {
        keepAs: name => moveTo(folder, spooled, pathOf(folder, name)),
        stageAs: key => moveTo(folder, spooled, stagedPath(folder, key)),
      });
    },
    find: name => findObject(folder, name),
    read: async (name, range) =>
      createReadStream(pathOf(folder, name), range && { start: range.first, end: range.last }),
    uploadAddress: async () => undefined,
    staged: () => listStaged(folder),
    readStaged: async key => readStaged(stagedPath(folder, key)),
    dropStaged: async key => rm(stagedPath(folder, key), { force: true }),
  };
}

/** Closes folders that earlier versions left readable for others. */
async function closeToOthers(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter(
    name => name === INCOMING || name === STAGED || /^[0-9a-f]{2}$/.test(name),
  );
  await Promise.all(names.map(name => chmod(join(folder, name), OWN_MODE)));
}

function pathOf(folder: string, name: string): string {
  if (!isObjectName(name)) throw new Fault('storage_bad_name', 'not the name of an object', { retryable: false });
  return join(folder, name.slice(0, 2), name);
}

function stagedPath(folder: string, key: string): string {
  if (!isStagingKey(key)) throw new Fault('storage_bad_name', 'not the key of an upload', { retryable: false });
  return join(folder, STAGED, key);
}

/** What the file system says, or undefined when there is no such file. */
async function unlessAbsent<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Fault('storage_unavailable', 'an object cannot be read', { retryable: true, cause: error });
  }
}

async function findObject(folder: string, name: string): Promise<{ bytes: number } | undefined> {
  if (!isObjectName(name)) return undefined;
  const found = await unlessAbsent(() => stat(pathOf(folder, name)));
  return found && { bytes: found.size };
}

async function listStaged(folder: string): Promise<StagedObject[]> {
  const names = (await readdir(join(folder, STAGED))).filter(isStagingKey).slice(0, STAGED_MAX);
  const found = await Promise.all(
    names.map(async key => {
      const status = await unlessAbsent(() => stat(join(folder, STAGED, key)));
      return status && { key, bytes: status.size, since: status.mtimeMs };
    }),
  );
  return found.filter(object => object !== undefined);
}

async function readStaged(path: string): Promise<Readable | undefined> {
  const file = await unlessAbsent(() => open(path, 'r'));
  return file?.createReadStream();
}

async function moveTo(folder: string, { path, finish }: Spooled, target: string): Promise<void> {
  const parent = join(target, '..');
  try {
    await finish();
    await mkdir(parent, { recursive: true, mode: OWN_MODE });
    await rename(path, target);
    await syncFolder(parent);
    await syncFolder(folder);
  } catch (cause) {
    await rm(path, { force: true });
    throw new Fault('storage_unavailable', 'an upload cannot be kept', { retryable: true, cause });
  }
}
