/** Campaigns that wait for a decision of the operator. */
import type { CampaignRow } from '#domain/campaigns/changes/stored-campaign.ts';
import type { Political } from '#domain/campaigns/political.ts';
import type { Handle } from '#domain/id.ts';
import type { Micros } from '#domain/unit.ts';
import type { CreativeRow } from '#sql/creatives/rows.ts';
import { readListed, type Counted } from '#sql/lists/list-order.ts';
import { BY_CREATION, type PageOrder } from '#sql/lists/sorts.ts';
import type { Postgres } from '#sql/postgres.ts';

export type ReviewRow = {
  handle: Handle<'campaign'>;
  name: string;
  workspace: Handle<'workspace'>;
  workspace_name: string;
  category: string;
  budget_micros: Micros;
  currency: string;
  starts: string;
  ends: string;
  targets: CampaignRow['targets'];
  landing_url: string | null;
  political: Political | null;
  created_at: Date;
};
export type BoundCreative = CreativeRow & { campaign: Handle<'campaign'>; orientation: 'landscape' | 'portrait' };

/** A page of them, with the creatives that each plays. */
export async function listWaiting(
  sql: Postgres,
  sandbox: boolean,
  { page, isCounted }: { page: PageOrder; isCounted: boolean },
): Promise<Counted<ReviewRow> & { creatives: BoundCreative[] }> {
  const wanted = sql<ReviewRow[]>`
    select c.handle, c.name, c.workspace_handle as workspace, w.name as workspace_name, c.category, c.budget_micros,
      c.currency, c.targets, c.landing_url, c.political, c.created_at,
      to_char(c.starts_on, 'YYYY-MM-DD') as starts, to_char(c.ends_on, 'YYYY-MM-DD') as ends
    from campaigns c join workspaces w on w.handle = c.workspace_handle
    where c.review_waits_for = 'operator' and c.deleted_at is null and c.sandbox = ${sandbox}`;
  const found = await readListed(sql, page, { sorts: BY_CREATION, handle: 'c.handle', wanted, isCounted });
  const creatives = await sql<BoundCreative[]>`
    select b.campaign_handle as campaign, c.* from campaign_creatives b join creatives c on c.handle = b.creative_handle
    where b.campaign_handle = any(${found.rows.map(row => row.handle)}::bigint[]) order by c.handle`;
  return { ...found, creatives };
}
