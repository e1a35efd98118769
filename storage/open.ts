/** Chooses the kind of storage by its address. */
import { Fault } from '#runtime/fault-error.ts';
import { openFileStorage } from './file.ts';
import type { ObjectStorage } from './object-storage.ts';

/**
 * Opens the storage that a STORAGE_URL names: `file:///absolute/folder`, or `s3://bucket/prefix?...` (`s3.ts`).
 * @throws Fault for another scheme, a folder that cannot be used or an address that is none.
 */
export async function openStorage(storageUrl: string, { now }: { now: number }): Promise<ObjectStorage> {
  const url = new URL(storageUrl);
  if (url.protocol === 'file:') return openFileStorage(url, { now });
  if (url.protocol === 's3:') {
    const { openS3Storage } = await import('./s3.ts'); // the SDK takes a quarter of a second that others need not spend
    return openS3Storage(url, { now });
  }
  throw new Fault('storage_unknown', `there is no storage for ${url.protocol}`, { retryable: false });
}
