/**
 * Which of some campaigns have changed. A version is made of the numbers of the transactions (`xmin`) that last wrote
 * the campaign's row, its bindings and its creatives: that of the row, the count of the bindings, and one sum each over
 * the bindings and over the creatives. A later transaction has a larger number. So while the count of the bindings
 * stays the same, every change of a binding raises their sum; and while the bindings stay the same, so do the creatives
 * that the last sum is over.
 */
import type { BindingRow, CampaignRow } from '#domain/campaigns/changes/stored-campaign.ts';
import type { Handle } from '#domain/id.ts';
import type { Postgres } from '#sql/postgres.ts';
import { bindingsColumn, columnsOf } from './rows.ts';

type KnownVersions = { handles: readonly Handle<'campaign'>[]; versions: readonly (string | null)[] };
type VersionRow = CampaignRow & { known_handle: Handle<'campaign'>; version: string; bindings: BindingRow[] };

/**
 * Reads the campaigns whose version differs from the known one. `version` is null where a campaign no longer exists.
 * `offset 0` makes Postgres look up each creative by its index in a subquery: it planned a join to read all creatives
 * for each campaign.
 */
export async function selectChanged(sql: Postgres, { handles, versions }: KnownVersions): Promise<VersionRow[]> {
  return sql<VersionRow[]>`
    select known_handle, version, ${columnsOf(sql)}, ${bindingsColumn(sql, sql`known_handle`)} as bindings
    from unnest(${[...handles]}::bigint[], ${[...versions]}::text[]) as known (known_handle, known_version)
    left join campaigns on campaigns.handle = known_handle
    cross join lateral (select campaigns.xmin::text || ' ' || count(*) || ' ' || coalesce(sum(b.xmin::text::float8),
      0) || ' ' || coalesce(sum(k.transaction), 0) as version
      from campaign_creatives b cross join lateral (select xmin::text::float8 as transaction from creatives
        where handle = b.creative_handle offset 0) k
      where b.campaign_handle = known_handle) found
    where version is distinct from known_version`;
}
