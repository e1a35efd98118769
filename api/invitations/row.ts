/** An invitation as Postgres has it: how it is read, how it is shown, and whether it is still open. */
import { createHash } from 'node:crypto';
import { formatId, type Handle } from '#domain/id.ts';
import { mayGiveRole, type Role, type Surface } from '#domain/access/permission.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Queryable } from '#sql/postgres.ts';
import type { Invitation, InvitationStatus } from './schema.ts';

export type InvitationRow = {
  handle: Handle<'invitation'>;
  workspace_handle: Handle<'workspace'>;
  email: string;
  role: Role;
  surface: Surface;
  invited_by_handle: Handle<'user'>;
  workspace_name: string;
  inviter_email: string;
  inviter_role: Role;
  inviter_left: boolean;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  accepted_at: Date | null;
};
export function selectInvitations(sql: Queryable) {
  return sql`
    select i.*, w.name as workspace_name,
      u.email as inviter_email, u.role as inviter_role, u.removed_at is not null as inviter_left
    from invitations i join users u on u.handle = i.invited_by_handle
      join workspaces w on w.handle = i.workspace_handle`;
}

export function refuseEnded(row: InvitationRow, now: Milliseconds): Refusal | undefined {
  const status = statusOf(row, now);
  if (status !== 'open') return refuse('invitation_ended', `This invitation is ${status}. Ask for another one.`);
  const isVoid = row.inviter_left || mayGiveRole(row.inviter_role, row.role) !== undefined;
  return isVoid
    ? refuse('invitation_ended', 'Who invited may no longer give this role. Ask for another invitation.')
    : undefined;
}

export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function statusOf(row: InvitationRow, now: Milliseconds): InvitationStatus {
  if (row.accepted_at) return 'accepted';
  if (row.revoked_at) return 'revoked';
  return row.expires_at.getTime() <= now ? 'expired' : 'open';
}

export function invitationRecord(row: InvitationRow, now: Milliseconds): Invitation {
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
