/**
 * Invitations to a workspace: made, listed and revoked by its members. Only the hash of a token is stored.
 */
import { hash, randomBytes } from 'node:crypto';
import { diffOfNew } from '#domain/access/audit-diff.ts';
import { formatInvitationToken } from '#domain/access/key.ts';
import { foldAddress } from '#domain/access/mail-address.ts';
import { mayGiveRole, type Role, type Surface } from '#domain/access/permission.ts';
import type { WorkspaceKind, WorkspaceStatus } from '#domain/access/workspace.ts';
import type { Handle } from '#domain/id.ts';
import { refuse, refuseAbsent, refuseField, type Refusal } from '#domain/refusal.ts';
import { inUnitOfWork, type Unit, type UnitOptions } from '#books/unit-of-work.ts';
import { sliceOf } from '#sql/lists/list-order.ts';
import { BY_CREATION, type PageOrder } from '#sql/lists/sorts.ts';
import type { WorkspaceRow } from '#sql/people/seats.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { MEMBERS_MAX, refuseFull, type Deciding } from './seats.ts';

/** How long an invitation is valid. Later a new one is needed. */
const VALID_MS = 7 * 86_400_000;
/** Open invitations of a workspace: half as many as it may have members. */
const OPEN_MAX = 100;

export type InvitationRow = {
  handle: Handle<'invitation'>;
  workspace_handle: Handle<'workspace'>;
  email: string;
  role: Role;
  surface: Surface;
  invited_by_handle: Handle<'user'>;
  workspace_name: string;
  workspace_kind: WorkspaceKind;
  workspace_status: WorkspaceStatus;
  workspace_currency: string;
  inviter_email: string;
  inviter_role: Role;
  inviter_left: boolean;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  accepted_at: Date | null;
};
export const INVITATION_STATUSES = ['open', 'accepted', 'revoked', 'expired'] as const;
type InvitationStatus = (typeof INVITATION_STATUSES)[number];

/** Invitations with their workspaces and inviters. Callers add a condition. */
export function selectInvitations(sql: Queryable) {
  return sql`
    select i.*, w.name as workspace_name, w.kind as workspace_kind, w.status as workspace_status,
      w.currency as workspace_currency,
      u.email as inviter_email, u.role as inviter_role, u.removed_at is not null as inviter_left
    from invitations i join users u on u.handle = i.invited_by_handle
      join workspaces w on w.handle = i.workspace_handle`;
}

/** The workspace that an invitation is to. */
export function workspaceOf(row: InvitationRow): WorkspaceRow {
  return {
    handle: row.workspace_handle,
    name: row.workspace_name,
    kind: row.workspace_kind,
    status: row.workspace_status,
    currency: row.workspace_currency,
  };
}

export function statusOf(row: InvitationRow, now: Date): InvitationStatus {
  if (row.accepted_at) return 'accepted';
  if (row.revoked_at) return 'revoked';
  return row.expires_at <= now ? 'expired' : 'open';
}

/** Refuses an invitation that is no longer open, or whose inviter may no longer give the role. */
export function refuseEnded(row: InvitationRow, now: Date): Refusal | undefined {
  const status = statusOf(row, now);
  if (status !== 'open') return refuse('invitation_ended', `This invitation is ${status}. Ask for another one.`);
  const isVoid = row.inviter_left || mayGiveRole(row.inviter_role, row.role) !== undefined;
  return isVoid
    ? refuse('invitation_ended', 'Who invited may no longer give this role. Ask for another invitation.')
    : undefined;
}

/** A page of the invitations of a workspace. */
export async function listInvitations(
  sql: Postgres,
  workspace: Handle<'workspace'>,
  { page, status, now }: { page: PageOrder; status: InvitationStatus | undefined; now: Date },
): Promise<InvitationRow[]> {
  const inState = {
    open: sql`and i.accepted_at is null and i.revoked_at is null and i.expires_at > ${now}`,
    accepted: sql`and i.accepted_at is not null`,
    revoked: sql`and i.revoked_at is not null`,
    expired: sql`and i.accepted_at is null and i.revoked_at is null and i.expires_at <= ${now}`,
  };
  const { behind, order } = sliceOf(sql, page, { sorts: BY_CREATION, handle: 'i.handle' });
  return sql<InvitationRow[]>`
    ${selectInvitations(sql)} where i.workspace_handle = ${workspace} ${behind}
      ${status === undefined ? sql`` : inState[status]}
    ${order}`;
}

/** `by`: the inviter, whose role the invitation may not exceed, now and at its acceptance. */
type NewInvitation = { email: string; role: Role; surface: Surface; by: Deciding; publicUrl: string };
/** A new invitation with its token, which nobody can read again, and the page that accepts it. */
export type MadeInvitation = { row: InvitationRow; token: string; url: string };

/** Invites an address with a role that the inviter may give. */
export async function createInvitation(
  sql: Postgres,
  options: UnitOptions,
  invitation: NewInvitation,
): Promise<MadeInvitation | Refusal> {
  return inUnitOfWork<MadeInvitation | Refusal>(sql, options, unit => addInvitation(unit, invitation));
}

/** Invites inside a unit of work. */
export async function addInvitation(
  unit: Unit,
  { email, role, surface, by, publicUrl }: NewInvitation,
): Promise<MadeInvitation | Refusal> {
  const token = formatInvitationToken(randomBytes(32));
  const { workspace } = by;
  const { tx, now } = unit;
  const refusal = mayGiveRole(by.role, role) ?? (await refuseInvite(unit, workspace, email));
  if (refusal) return refusal;
  const columns = {
    workspace_handle: workspace,
    email,
    email_folded: foldAddress(email),
    role,
    surface,
    token_hash: hash('sha256', token, 'buffer'),
    invited_by_handle: by.user,
    created_at: now,
    expires_at: new Date(now.getTime() + VALID_MS),
  };
  const [made] = await tx<{ handle: Handle<'invitation'> }[]>`insert into invitations ${tx(columns)} returning handle`;
  const diff = diffOfNew({ email, role, expires_at: columns.expires_at });
  unit.audit({ workspace, action: 'invitation.created', entityType: 'invitation', entityHandle: made!.handle, diff });
  const [row] = await tx<InvitationRow[]>`${selectInvitations(tx)} where i.handle = ${made!.handle}`;
  // The token follows the `#`: browsers send that to no server and no log.
  return { row: row!, token, url: `${publicUrl}/console/accept#${token}` };
}

/**
 * Refuses an invitation that is not allowed. The workspace's row is locked, so that concurrent invitations are counted
 * one by one.
 */
async function refuseInvite(
  { tx, now }: Unit,
  workspace: Handle<'workspace'>,
  email: string,
): Promise<Refusal | undefined> {
  const folded = foldAddress(email);
  await tx`select 1 from workspaces where handle = ${workspace} for no key update`;
  const [found] = await tx<{ is_member: boolean; is_invited: boolean; open: number; members: number }[]>`
    select exists (select 1 from users where workspace_handle = ${workspace} and removed_at is null
      and email_folded = ${folded}) as is_member,
      (select count(*)::integer from users where workspace_handle = ${workspace} and removed_at is null) as members,
      count(*)::integer as open, coalesce(bool_or(email_folded = ${folded}), false) as is_invited
    from invitations where workspace_handle = ${workspace} and accepted_at is null and revoked_at is null
      and expires_at > ${now}`;
  if (found!.is_member) return refuseField('/email', 'already_member', 'is the address of a member');
  if (found!.is_invited)
    return refuse('state_conflict', 'This address has an open invitation. Revoke it before you make another.');
  if (found!.members >= MEMBERS_MAX) return refuseFull();
  return found!.open < OPEN_MAX
    ? undefined
    : refuse(
        'state_conflict',
        `This workspace has ${found!.open} open invitations. Revoke those that nobody will accept.`,
      );
}

/** Revokes an open invitation: its token is invalid from now on. */
export async function revokeInvitation(
  sql: Postgres,
  options: UnitOptions,
  { handle, workspace }: { handle: Handle<'invitation'>; workspace: Handle<'workspace'> },
): Promise<undefined | Refusal> {
  return inUnitOfWork<undefined | Refusal>(sql, options, async unit => {
    const [row] = await unit.tx<
      InvitationRow[]
    >`${selectInvitations(unit.tx)} where i.handle = ${handle} and i.workspace_handle = ${workspace}
      for update of i`;
    if (!row) return refuseAbsent();
    if (row.accepted_at)
      return refuse('state_conflict', 'This invitation was accepted. Let the member leave: DELETE /v1/members/{id}.');
    if (row.revoked_at) return undefined;
    await unit.tx`update invitations set revoked_at = ${unit.now} where handle = ${handle}`;
    unit.audit({
      workspace,
      action: 'invitation.revoked',
      entityType: 'invitation',
      entityHandle: handle,
      diff: { revoked_at: { from: null, to: unit.now } },
    });
    return undefined;
  });
}

/** Deletes invitations that expired before this time. Returns how many. */
export async function forgetInvitations(
  sql: Postgres,
  { before, count }: { before: Date; count: number },
): Promise<number> {
  const forgotten = await sql`
    delete from invitations where handle in (select handle from invitations
      where expires_at < ${before} order by expires_at limit ${count})`;
  return forgotten.count;
}
