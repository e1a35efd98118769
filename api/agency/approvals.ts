/**
 * Campaigns of all clients that wait for the approval of their agency, which gives it by submitting them: with
 * `X-Workspace-Id`, `PATCH /campaigns/{id} {status: pending_review}`.
 */
import { formatId } from '#domain/id.ts';
import type { Refusal } from '#domain/refusal.ts';
import type { Postgres } from '#sql/postgres.ts';
import { listApprovals as selectApprovals, type ClientCampaignRow } from '#sql/workspaces/approvals.ts';
import { refuseClient } from '#sql/workspaces/clients.ts';
import type { Caller } from '../authentication/caller.ts';
import { listed, type List, type Page } from '../lists/paging.ts';
import { money } from '../wire/shapes.ts';
import type { Approval } from './schema.ts';

export async function listApprovals(
  sql: Postgres,
  caller: Caller,
  { page, isCounted }: { page: Page; isCounted: boolean },
): Promise<List<Approval> | Refusal> {
  const refusal = await refuseClient(sql, caller);
  if (refusal) return refusal;
  const found = await selectApprovals(sql, caller, { page, isCounted });
  return listed(found, page, { recordOf: approvalRecord });
}

function approvalRecord(row: ClientCampaignRow): Approval {
  return {
    campaign_id: formatId('campaign', row.handle),
    name: row.name,
    client: { id: formatId('workspace', row.client), name: row.client_name },
    category: row.category,
    budget: money(row.budget_micros, row.currency),
    schedule: { starts: row.starts, ends: row.ends },
    created_at: row.created_at.toISOString(),
  };
}
