/**
 * Invitations to a workspace in Postgres: made, listed and revoked by its members. Only the hash of a token is stored.
 */
import { randomBytes } from 'node:crypto';
import type { Handle } from '#domain/id.ts';
import { formatInvitationToken } from '#domain/access/key.ts';
import { foldAddress } from '#domain/access/mail-address.ts';
import { mayGiveRole, type Role, type Surface } from '#domain/access/permission.ts';
import { refuse, refuseField, type Refusal } from '#domain/refusal.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Postgres } from '#sql/postgres.ts';
import { inUnitOfWork, type Unit } from '#books/unit-of-work.ts';
import type { Caller } from '../authentication/caller.ts';
import { diffOfNew } from '#domain/access/audit-diff.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { MEMBERS_MAX } from '../members/store.ts';
import { positionIn, sliceOf } from '#sql/lists/list-order.ts';
import { BY_CREATION, envelope, type List, type Page } from '../lists/paging.ts';
import { hashOf, invitationRecord, selectInvitations, type InvitationRow } from './row.ts';
import type { Invitation, InvitationStatus } from './schema.ts';

/** How long an invitation is valid. Later a new one is needed. */
const VALID_MS = 7 * 86_400_000;
/** Open invitations of a workspace: half as many as it may have members. */
const OPEN_MAX = 100;

/** `by`: the inviter, whose role the invitation may not exceed, now and at its acceptance. */
type NewInvitation = { email: string; role: Role; surface: Surface; by: Handle<'user'>; own: Role };

/** Lists the invitations of the workspace, newest first. */
export async function listInvitations(
  sql: Postgres,
  { workspace }: Caller,
  { page, status, now }: { page: Page; status: InvitationStatus | undefined; now: Milliseconds },
): Promise<List<Invitation>> {
  const at = new Date(now);
  const inState = {
    open: sql`and i.accepted_at is null and i.revoked_at is null and i.expires_at > ${at}`,
    accepted: sql`and i.accepted_at is not null`,
    revoked: sql`and i.revoked_at is not null`,
    expired: sql`and i.accepted_at is null and i.revoked_at is null and i.expires_at <= ${at}`,
  };
  const { behind, order } = sliceOf(sql, page, { sorts: BY_CREATION, handle: 'i.handle' });
  const rows = await sql<InvitationRow[]>`
    ${selectInvitations(sql)} where i.workspace_handle = ${workspace} ${behind}
      ${status === undefined ? sql`` : inState[status]}
    ${order}`;
  return envelope(rows, page, {
    positionOf: positionIn(page, BY_CREATION),
    recordOf: row => invitationRecord(row, now),
  });
}

/** An invitation with its link. The facts about its workspace are for the mail. */
export type Made = { record: Invitation & { token: string; url: string }; workspaceName: string };

/** Invites an address with a role that the caller may give. The token is in this answer and nowhere else. */
export async function createInvitation(
  sql: Postgres,
  caller: Pick<Caller, 'workspace' | 'actor' | 'once'>,
  { invite, publicUrl, now }: { invite: NewInvitation; publicUrl: string; now: Milliseconds },
): Promise<Made | Refusal> {
  const token = formatInvitationToken(randomBytes(32));
  return inUnitOfWork<Made | Refusal>(sql, { ...caller, now: new Date(now) }, async unit => {
    const { email, role, surface, by, own } = invite;
    const refusal = mayGiveRole(own, role) ?? (await refuseInvite(unit, caller.workspace, email));
    if (refusal) return refusal;
    const columns = {
      workspace_handle: caller.workspace,
      email,
      email_folded: foldAddress(email),
      role,
      surface,
      token_hash: hashOf(token),
      invited_by_handle: by,
      created_at: unit.now,
      expires_at: new Date(now + VALID_MS),
    };
    const [made] = await unit.tx<
      { handle: Handle<'invitation'> }[]
    >`insert into invitations ${unit.tx(columns)} returning handle`;
    unit.audit({
      workspace: caller.workspace,
      action: 'invitation.created',
      entityType: 'invitation',
      entityHandle: made!.handle,
      diff: diffOfNew({ email, role, expires_at: columns.expires_at }),
    });
    const [row] = await unit.tx<InvitationRow[]>`${selectInvitations(unit.tx)} where i.handle = ${made!.handle}`;
    const record = { ...invitationRecord(row!, now), token, url: invitationUrl(publicUrl, token) };
    return { record, workspaceName: row!.workspace_name };
  });
}

/** The page that accepts an invitation. The token follows the `#`: browsers send that to no server and no log. */
function invitationUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/console/accept#${token}`;
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

export const refuseFull = () => refuse('too_many_members', `A workspace has at most ${MEMBERS_MAX} members.`);

/** Revokes an open invitation: its token is invalid from now on. */
export async function revokeInvitation(
  sql: Postgres,
  caller: Caller,
  { handle, now }: { handle: Handle<'invitation'>; now: Milliseconds },
): Promise<undefined | Refusal> {
  return inUnitOfWork<undefined | Refusal>(sql, { ...caller, now: new Date(now) }, async unit => {
    const [row] = await unit.tx<
      InvitationRow[]
    >`${selectInvitations(unit.tx)} where i.handle = ${handle} and i.workspace_handle = ${caller.workspace}
      for update of i`;
    if (!row) return refuseAbsent();
    if (row.accepted_at)
      return refuse('state_conflict', 'This invitation was accepted. Let the member leave: DELETE /v1/members/{id}.');
    if (row.revoked_at) return undefined;
    await unit.tx`update invitations set revoked_at = ${unit.now} where handle = ${handle}`;
    unit.audit({
      workspace: caller.workspace,
      action: 'invitation.revoked',
      entityType: 'invitation',
      entityHandle: handle,
      diff: { revoked_at: { from: null, to: unit.now } },
    });
    return undefined;
  });
}

/** Invitations of an address, whatever became of them. */
export async function forgetInvitations({ tx }: Unit, email: string): Promise<void> {
  await tx`delete from invitations where email_folded = ${foldAddress(email)}`;
}
