/** Invitations as the API shows them. */
import { formatId } from '#domain/id.ts';
import type { Accepted } from '#sql/members/acceptance.ts';
import { statusOf, type InvitationRow } from '#sql/members/invitations.ts';
import { createdKey } from '../keys/record.ts';
import { workspaceRecord } from '../me/store.ts';
import { memberRecord } from '../members/record.ts';
import type { AcceptedInvitation, Invitation } from './schema.ts';

export function invitationRecord(row: InvitationRow, now: Date): Invitation {
  return {
    id: formatId('invitation', row.handle),
    email: row.email,
    role: row.role,
    status: statusOf(row, now),
    invited_by: { id: formatId('user', row.invited_by_handle), email: row.inviter_email },
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}

/** A person who has joined a workspace by an invitation or a sign-up. */
export function acceptedRecord({ workspace, member, key }: Accepted): AcceptedInvitation {
  return { workspace: workspaceRecord(workspace), member: memberRecord(member), key: key && createdKey(key) };
}
