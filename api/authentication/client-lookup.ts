/**
 * Which client workspaces an agency owns, for `X-Workspace-Id`. Answers are cached as briefly as keys are, and dropped
 * when a workspace is archived or restored. A workspace that is not the agency's is answered like one that does not
 * exist, and so is a client of the sandbox for a live key.
 */
import type { Milliseconds } from '#domain/unit.ts';
import { findActed, type ActedWorkspace } from '#sql/workspaces/workspaces.ts';
import type { Postgres } from '#sql/postgres.ts';

const CACHED_MS = 900; // as keys are (key-lookup.ts)
const CLIENTS_MAX = 10_000;

type CacheEntry = { client: Promise<ActedWorkspace | undefined>; readAt: Milliseconds };

export type ClientLookup = {
  find(agency: number, client: number, sandbox: boolean): Promise<ActedWorkspace | undefined>;
  /** Empties the cache. Its entries expire within a second anyway. */
  forget(): void;
};

export function createClientLookup({ sql, now }: { sql: Postgres; now: () => Milliseconds }): ClientLookup {
  const cache = new Map<string, CacheEntry>();
  return {
    find(agency, client, sandbox) {
      const name = `${agency} ${client} ${sandbox}`;
      const at = now();
      const known = cache.get(name);
      if (known && at - known.readAt < CACHED_MS && at >= known.readAt) return known.client;
      if (cache.size >= CLIENTS_MAX) cache.clear();
      // Stored before the query, so that an invalidation meanwhile is not lost.
      const entry = { client: findActed(sql, { agency, client, sandbox }), readAt: at };
      cache.set(name, entry);
      // Failures and unknown clients are not cached, as with keys.
      entry.client.then(
        found => found ?? cache.delete(name),
        () => cache.delete(name),
      );
      return entry.client;
    },
    forget() {
      cache.clear();
    },
  };
}
