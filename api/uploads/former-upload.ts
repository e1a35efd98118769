/**
 * A creative gets another file name. What a client put straight into the storage under the former one, and what no
 * verdict has dropped, must not be taken for the file that is named now.
 */
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import { withClaims } from '#records/upload-claims.ts';
import type { RouteDependencies } from '../dependencies.ts';
import { stagingKey } from './upload-address.ts';

/** Makes the change, and drops what was staged before. Meanwhile the workers take nothing in. */
export async function renameUpload<T>(
  { sql, storage, now }: RouteDependencies,
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
