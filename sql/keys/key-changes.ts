/** Notifies a process that keys and workspaces have changed, so that what it keeps in memory of them can be dropped. */
import type { Postgres } from '#sql/postgres.ts';

// Notified by triggers on keys, users and workspaces.
const KEYS_CHANNEL = 'marquee_keys';
const WORKSPACES_CHANNEL = 'marquee_workspaces';

type Listeners = { onKey: (hash: string) => void; onWorkspace: () => void; onGap: () => void };

/**
 * Calls back with the hash (base64) of each key that was changed, and whenever a workspace was archived, restored,
 * approved or closed, after the commit. `onGap` is called when changes may have been missed: at the start, and after
 * every reconnection. Takes a connection beside the pool.
 */
export async function listenForKeyChanges(
  sql: Postgres,
  { onKey, onWorkspace, onGap }: Listeners,
): Promise<() => Promise<void>> {
  const subscriptions = await Promise.all([
    sql.listen(KEYS_CHANNEL, onKey, onGap),
    sql.listen(WORKSPACES_CHANNEL, onWorkspace, onGap),
  ]);
  return async () => {
    // A pool that has ended delivers nothing anyway.
    await Promise.all(subscriptions.map(subscription => subscription.unlisten().catch(() => undefined)));
  };
}
