import { may } from '#domain/access/permission.ts';
import type { ReviewWait } from '#domain/campaigns/review.ts';
import type { Handle } from '#domain/id.ts';
import type { Queryable } from '#sql/postgres.ts';
import type { Principal } from '../../authentication.ts';

/**
 * The approval workflow: a client's campaign may have to wait for its agency before it is reviewed. A client follows its
 * agency unless it has a setting of its own.
 */

/** Whether the caller is an agency's owner or admin, acting on a client through X-Workspace-Id. */
export function actsForAgency({ home, workspace, surface, role, access }: Principal): boolean {
  return home !== workspace && may(surface, role, access, 'agency', 'write') === undefined;
}

/** For whom a campaign waits that is submitted now. What the agency itself submits needs no approval by it. */
export async function firstReview(
  sql: Queryable,
  { workspace, actsForAgency }: { workspace: Handle<'workspace'>; actsForAgency: boolean },
): Promise<ReviewWait> {
  if (actsForAgency) return 'rules';
  const [row] = await sql<{ approval: string }[]>`
    select coalesce(client.approval, agency.approval, 'none') as approval
    from workspaces client join workspaces agency on agency.handle = client.parent_handle where client.handle = ${workspace}`;
  return row?.approval === 'agency' ? 'agency' : 'rules';
}
