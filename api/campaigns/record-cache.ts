/**
 * Campaigns as Postgres stores them, kept in the memory of this process from call to call. Each call still asks
 * Postgres for the current version of the campaign (`sql/campaigns/versions.ts`), and reads the row again only if that
 * differs from the cached one. So a caller reads its own change through any process. A call that finds the campaign
 * unchanged costs a share of one small statement, because `joined-reads.ts` asks for the campaigns of all calls of a
 * moment at once.
 */
import type { Milliseconds } from '#domain/unit.ts';
import type { StoredCampaign } from '#domain/campaigns/changes/stored-campaign.ts';
import type { Handle } from '#domain/id.ts';
import { selectChanged } from '#sql/campaigns/versions.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Caller } from '../authentication/caller.ts';
import { createJoinedReads } from '../joined/joined-reads.ts';

export type CampaignRecords = {
  /** A campaign of the caller's book in its current state, even if deleted; undefined if there is none. */
  find(caller: Pick<Caller, 'workspace' | 'sandbox'>, handle: Handle<'campaign'>): Promise<StoredCampaign | undefined>;
};

/** How many are cached; beyond that the oldest is dropped. Each takes about 3 kB, and twice that with its answer. */
const CACHED_MAX = 2_000;
/** How many campaigns one statement reads: far more than a process gets calls while a statement runs. */
const HANDLES_AT_ONCE_MAX = 500;
/**
 * A cached campaign is read anew after this time, even if its version seems to be the same: after a failover that lost
 * commits, a transaction may have the number of a lost one.
 */
const KEEP_MS = 60_000;

type CacheEntry = { campaign: StoredCampaign; version: string; readAt: Milliseconds };

export function createCampaignRecords({ sql, now }: { sql: Postgres; now: () => Milliseconds }): CampaignRecords {
  const cache = new Map<Handle<'campaign'>, CacheEntry>();
  const keep = (handle: Handle<'campaign'>, entry: CacheEntry) => {
    cache.delete(handle);
    if (cache.size >= CACHED_MAX) cache.delete(cache.keys().next().value!);
    cache.set(handle, entry);
  };
  const read = async (handles: readonly Handle<'campaign'>[]): Promise<ReadonlyMap<Handle<'campaign'>, CacheEntry>> => {
    const at = now();
    const isYoung = ({ readAt }: CacheEntry) => at >= readAt && at - readAt < KEEP_MS;
    const found = new Map<Handle<'campaign'>, CacheEntry>();
    for (const handle of handles) {
      const entry = cache.get(handle);
      if (entry !== undefined && isYoung(entry)) found.set(handle, entry);
    }
    const versions = handles.map(handle => found.get(handle)?.version ?? null);
    for (const { known_handle: handle, version, bindings, ...row } of await selectChanged(sql, { handles, versions })) {
      if (version === null) {
        found.delete(handle);
        continue;
      }
      const entry = { campaign: { row, bindings }, version, readAt: at };
      found.set(handle, entry);
      keep(handle, entry);
    }
    return found;
  };
  const batches = createJoinedReads({ read, keysMax: HANDLES_AT_ONCE_MAX });
  return {
    async find({ workspace, sandbox }, handle) {
      const campaign = (await batches.get(handle))?.campaign;
      return campaign?.row.workspace_handle === workspace && campaign.row.sandbox === sandbox ? campaign : undefined;
    },
  };
}
