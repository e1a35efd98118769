/**
 * A creative gets another file name. A file that a client put straight into the storage under the former name, without
 * a verdict, must not be mistaken for the newly named file.
 */
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import { withClaims } from '#sql/creatives/upload-claims.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { ObjectStorage } from '#storage/object-storage.ts';
import { stagingKey } from './upload-address.ts';

type Dependencies = { sql: Postgres; storage: ObjectStorage; now: () => Milliseconds };

/** Makes the change, and drops the staged file. Meanwhile the workers take in no files. */
export async function renameUpload<T>(
  { sql, storage, now }: Dependencies,
  handle: Handle<'creative'>,
  change: () => Promise<T | Refusal>,
): Promise<T | Refusal> {
  return withClaims(sql, { kind: 'creative', handle, now: new Date(now()) }, async parts => {
    const changed = await change();
    if (isRefusal(changed)) return changed;
    for (const part of parts) await storage.dropStaged(stagingKey(formatId('creative', handle), part));
    return changed;
  });
}
