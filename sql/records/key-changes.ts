/** Notifies a process which keys have changed, so that what it keeps in memory of them can be dropped. */
import type { Postgres } from '#sql/postgres.ts';

const KEYS_CHANNEL = 'marquee_keys'; // notified by triggers on keys, users and workspaces

/**
 * Calls back with the hash (base64) of each key that was changed, after the commit. `onGap` is called when changes may
 * have been missed: at the start, and after every reconnection. Takes a connection beside the pool.
 */
export async function listenForKeyChanges(
  sql: Postgres,
  { onKey, onGap }: { onKey: (hash: string) => void; onGap: () => void },
): Promise<() => Promise<void>> {
  const subscription = await sql.listen(KEYS_CHANNEL, onKey, onGap);
  return async () => {
    await subscription.unlisten().catch(() => undefined); // of a pool that has ended nothing is heard anyway
  };
}
