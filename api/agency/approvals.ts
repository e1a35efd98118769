/**
 * Campaigns of all clients that wait for the approval of their agency, which gives it by submitting them: with
 * `X-Workspace-Id`, `PATCH /campaigns/{id} {status: pending_review}`.
 */
import { formatId, type Handle } from '#domain/id.ts';
import type { Refusal } from '#domain/refusal.ts';
import type { Micros } from '#domain/unit.ts';
import type { Postgres } from '#sql/postgres.ts';
import { refuseClient } from '#sql/workspaces/clients.ts';
import type { Caller } from '../authentication/caller.ts';
import { readListed } from '#sql/lists/list-order.ts';
import { BY_CREATION, listed, type List, type Page } from '../lists/paging.ts';
import { money } from '../wire/shapes.ts';
import type { Approval } from './schema.ts';

type WaitingRow = {
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
  caller: Caller,
  { page, isCounted }: { page: Page; isCounted: boolean },
): Promise<List<Approval> | Refusal> {
  const refusal = await refuseClient(sql, caller);
  if (refusal) return refusal;
  const wanted = sql<WaitingRow[]>`
    select c.handle, c.name, w.handle as client, w.name as client_name, c.category, c.budget_micros, c.currency,
      c.created_at, to_char(c.starts_on, 'YYYY-MM-DD') as starts, to_char(c.ends_on, 'YYYY-MM-DD') as ends
    from workspaces w join campaigns c on c.workspace_handle = w.handle
    where w.parent_handle = ${caller.workspace} and w.archived_at is null and c.sandbox = ${caller.sandbox}
      and c.review_waits_for = 'agency' and c.deleted_at is null`;
  const found = await readListed(sql, page, { sorts: BY_CREATION, handle: 'c.handle', wanted, isCounted });
  return listed(found, page, { recordOf: approvalRecord });
}

function approvalRecord(row: WaitingRow): Approval {
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
