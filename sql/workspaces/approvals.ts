/** Campaigns of clients that wait for the approval of their agency. */
import type { Handle } from '#domain/id.ts';
import type { Micros } from '#domain/unit.ts';
import type { Owner } from '#books/unit-of-work.ts';
import { readListed, type Counted } from '#sql/lists/list-order.ts';
import { BY_CREATION, type PageOrder } from '#sql/lists/sorts.ts';
import type { Postgres } from '#sql/postgres.ts';

export type ClientCampaignRow = {
  handle: Handle<'campaign'>;
  name: string;
  client: Handle<'workspace'>;
  client_name: string;
  category: string;
  budget_micros: Micros;
  currency: string;
  starts: string;
  ends: string;
  created_at: Date;
};

export async function listApprovals(
  sql: Postgres,
  agency: Owner,
  { page, isCounted }: { page: PageOrder; isCounted: boolean },
): Promise<Counted<ClientCampaignRow>> {
  const wanted = sql<ClientCampaignRow[]>`
    select c.handle, c.name, w.handle as client, w.name as client_name, c.category, c.budget_micros, c.currency,
      c.created_at, to_char(c.starts_on, 'YYYY-MM-DD') as starts, to_char(c.ends_on, 'YYYY-MM-DD') as ends
    from workspaces w join campaigns c on c.workspace_handle = w.handle
    where w.parent_handle = ${agency.workspace} and w.archived_at is null and c.sandbox = ${agency.sandbox}
      and c.review_waits_for = 'agency' and c.deleted_at is null`;
  return readListed(sql, page, { sorts: BY_CREATION, handle: 'c.handle', wanted, isCounted });
}
