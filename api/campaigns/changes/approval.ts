/**
 * Approval by an agency: a client's campaign may have to wait for its agency before it is reviewed. A client has the
 * agency's setting unless it has its own.
 */
import { may } from '#domain/access/permission.ts';
import type { ReviewWait } from '#domain/campaigns/review.ts';
import type { Handle } from '#domain/id.ts';
import type { Queryable } from '#sql/postgres.ts';
import type { Principal } from '../../authentication/principal.ts';

/** Whether the caller is an agency's owner or admin, acting on a client through X-Workspace-Id. */
export function actsForAgency({ home, workspace, surface, role, access }: Principal): boolean {
  return home !== workspace && may(surface, role, access, 'agency', 'write') === undefined;
}

/** Who reviews a submitted campaign first. A campaign submitted by the agency itself needs no approval from it. */
export async function firstReview(
  sql: Queryable,
  { workspace, actsForAgency }: { workspace: Handle<'workspace'>; actsForAgency: boolean },
): Promise<ReviewWait> {
  if (actsForAgency) return 'rules';
  const [row] = await sql<{ approval: string }[]>`
    select coalesce(client.approval, agency.approval, 'none') as approval
    from workspaces client join workspaces agency on agency.handle = client.parent_handle
    where client.handle = ${workspace}`;
  return row?.approval === 'agency' ? 'agency' : 'rules';
}
