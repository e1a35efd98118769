import { Fault } from '#runtime/fault-error.ts';
import { openFileStorage } from './file.ts';
import type { ObjectStorage } from './object-storage.ts';

/** Opens the storage that a STORAGE_URL names: `file:///absolute/folder`. @throws Fault for another scheme or a folder that cannot be used. */
export async function openStorage(storageUrl: string, { now }: { now: number }): Promise<ObjectStorage> {
  const url = new URL(storageUrl);
  if (url.protocol === 'file:') return openFileStorage(url, { now });
  throw new Fault('storage_unknown', `there is no storage for ${url.protocol}`, { retryable: false });
}
