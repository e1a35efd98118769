/**
 * Campaigns as Postgres stores them, kept in memory of this process from call to call. Each call still asks Postgres which
 * version of the campaign there is now, and the row is read again only where it has another one. So whoever has changed a
 * campaign reads the change, through whichever process, and a call that finds it unchanged costs a share of one small
 * statement: `joined-reads.ts` asks for the campaigns of all calls of a moment at once.
 *
 * A version is made of the transactions that wrote the campaign's row, its bindings and its creatives (`xmin`): how many
 * bindings there are, and the sums over bindings and over creatives. A later transaction has a larger number, so as long as
 * there are as many bindings, a sum of them rises with every change of one; and while the bindings are the same, so are the
 * creatives that the last sum is over.
 */
import type { Milliseconds } from '#domain/unit.ts';
import type { Handle } from '#domain/id.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Caller } from '../authentication.ts';
import { createJoinedReads } from '../reads/joined-reads.ts';
import type { BindingRow, CampaignRow } from './record.ts';
import { columnsOf } from './store.ts';

/** One version of a campaign; a later one is another object. */
export type StoredCampaign = { readonly row: CampaignRow; readonly bindings: readonly BindingRow[] };

export type CampaignRecords = {
  /** A campaign of the caller's book as it is now, a deleted one too, or undefined. */
  find(caller: Pick<Caller, 'workspace' | 'sandbox'>, handle: Handle<'campaign'>): Promise<StoredCampaign | undefined>;
};

/** Some 3 kB each, with the answer that was written of it twice that. Beyond it the oldest goes. */
const CACHED_MAX = 2_000;
/** Campaigns of one statement: far more than a process answers calls in the time of a statement. */
const HANDLES_AT_ONCE_MAX = 500;
/**
 * A version is read anew after this time whether it seems the same or not: after a failover that lost commits, a transaction
 * may have the number of a lost one.
 */
const KEEP_MS = 60_000;

type CacheEntry = { campaign: StoredCampaign; version: string; readAt: Milliseconds };
type VersionRow = CampaignRow & { known_handle: Handle<'campaign'>; version: string; bindings: BindingRow[] };

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

type KnownVersions = { handles: readonly Handle<'campaign'>[]; versions: readonly (string | null)[] };

/**
 * Those of the campaigns that have another version than the known one; `version` is null where there is no campaign any more.
 * `offset 0` keeps the look-up of a creative a subquery, by index: a join was planned to read all creatives for each campaign.
 */
async function selectChanged(sql: Postgres, { handles, versions }: KnownVersions): Promise<VersionRow[]> {
  return sql<VersionRow[]>`
    select known_handle, version, ${columnsOf(sql)},
      (select coalesce(json_agg(json_build_object('creative', b.creative_handle, 'weight', b.weight, 'status', k.status) order by b.creative_handle), '[]')
        from campaign_creatives b join creatives k on k.handle = b.creative_handle where b.campaign_handle = known_handle) as bindings
    from unnest(${[...handles]}::bigint[], ${[...versions]}::text[]) as known (known_handle, known_version)
    left join campaigns on campaigns.handle = known_handle
    cross join lateral (select campaigns.xmin::text || ' ' || count(*) || ' ' || coalesce(sum(b.xmin::text::float8), 0) || ' ' || coalesce(sum(k.transaction), 0) as version
      from campaign_creatives b cross join lateral (select xmin::text::float8 as transaction from creatives where handle = b.creative_handle offset 0) k
      where b.campaign_handle = known_handle) found
    where version is distinct from known_version`;
}
