/**
 * Invitations to a workspace in Postgres: created by a member, accepted by whoever has the token, with or without a key
 * or a password of their own. Only the hash of a token is stored.
 */
import type { Milliseconds } from '#domain/unit.ts';
import { createHash, randomBytes } from 'node:crypto';
import { formatId, type Handle } from '#domain/id.ts';
import { formatInvitationToken } from '#domain/access/key.ts';
import { mayGiveRole, type Role, type Surface } from '#domain/access/permission.ts';
import { isRefusal, refuse, refuseField, type Refusal } from '#domain/refusal.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { inUnitOfWork, type Actor, type Unit } from '#books/unit-of-work.ts';
import type { Caller } from '../authentication/caller.ts';
import { diffOfNew } from '../audit/diff.ts';
import { refuseAbsent } from '../refusals.ts';
import { createSignIn, findSignIn } from '../sessions/store.ts';
import { KEYS_MAX, makeKey, refuseKeyBeyond, type MadeKey } from '../keys/new-key.ts';
import type { Workspace } from '../me/schema.ts';
import { readWorkspace } from '../me/store.ts';
import type { Member } from '../members/schema.ts';
import { endKeys, MEMBERS_MAX, readMember } from '../members/store.ts';
import { positionIn, sliceOf } from '../lists/list-order.ts';
import { BY_CREATION, envelope, type List, type Page } from '../lists/paging.ts';
import type { Invitation, InvitationStatus, PreviewedInvitation } from './schema.ts';

/** How long an invitation is valid. Somebody who comes later is invited again. */
const VALID_MS = 7 * 86_400_000;
/** Open invitations of a workspace: half as many as it may have members. */
const OPEN_MAX = 100;

type InvitationRow = {
  handle: Handle<'invitation'>;
  workspace_handle: Handle<'workspace'>;
  email: string;
  role: Role;
  surface: Surface;
  invited_by_handle: Handle<'user'>;
  inviter_email: string;
  inviter_role: Role;
  inviter_left: boolean;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  accepted_at: Date | null;
};
/** `by`: who invites, and whose role the invitation may not reach beyond, then and when it is accepted. */
type NewInvitation = { email: string; role: Role; surface: Surface; by: Handle<'user'>; own: Role };
/** The person who accepts, known from another key or from the password that was sent along. */
type Accepting = { person: Handle<'person'>; email: string };
/**
 * What whoever accepts has shown. `passwordHash`: what will sign the address in; null where the address signs in
 * already; undefined for somebody who works with keys.
 */
export type Shown = { accepting: Accepting | undefined; passwordHash: string | null | undefined };

function selectInvitations(sql: Queryable) {
  return sql`
    select i.*, u.email as inviter_email, u.role as inviter_role, u.removed_at is not null as inviter_left
    from invitations i join users u on u.handle = i.invited_by_handle`;
}

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
    ${selectInvitations(sql)} where i.workspace_handle = ${workspace} ${behind} ${status === undefined ? sql`` : inState[status]}
    ${order}`;
  return envelope(rows, page, {
    positionOf: positionIn(page, BY_CREATION),
    recordOf: row => invitationRecord(row, now),
  });
}

/** Invites an address with a role that the caller may give. The token is in this answer and nowhere else. */
export async function createInvitation(
  sql: Postgres,
  caller: Pick<Caller, 'workspace' | 'actor' | 'once'>,
  { invite, publicUrl, now }: { invite: NewInvitation; publicUrl: string; now: Milliseconds },
): Promise<(Invitation & { token: string; url: string }) | Refusal> {
  const token = formatInvitationToken(randomBytes(32));
  return inUnitOfWork<(Invitation & { token: string; url: string }) | Refusal>(
    sql,
    { ...caller, now: new Date(now) },
    async unit => {
      const { email, role, surface, by, own } = invite;
      const refusal = mayGiveRole(own, role) ?? (await refuseInvite(unit, caller.workspace, email));
      if (refusal) return refusal;
      const columns = {
        workspace_handle: caller.workspace,
        email,
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
      return { ...invitationRecord(row!, now), token, url: invitationUrl(publicUrl, token) };
    },
  );
}

/** The page that accepts an invitation. The token stands behind the `#`: browsers send that to no server and no log. */
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
  await tx`select 1 from workspaces where handle = ${workspace} for no key update`;
  const [found] = await tx<{ is_member: boolean; is_invited: boolean; open: number; members: number }[]>`
    select exists (select 1 from users where workspace_handle = ${workspace} and removed_at is null and lower(email) = lower(${email})) as is_member,
      (select count(*)::integer from users where workspace_handle = ${workspace} and removed_at is null) as members,
      count(*)::integer as open, coalesce(bool_or(lower(email) = lower(${email})), false) as is_invited
    from invitations where workspace_handle = ${workspace} and accepted_at is null and revoked_at is null and expires_at > ${now}`;
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

const refuseFull = () => refuse('too_many_members', `A workspace has at most ${MEMBERS_MAX} members.`);

/** Revokes an open invitation: its token is invalid from now on. */
export async function revokeInvitation(
  sql: Postgres,
  caller: Caller,
  { handle, now }: { handle: Handle<'invitation'>; now: Milliseconds },
): Promise<undefined | Refusal> {
  return inUnitOfWork<undefined | Refusal>(sql, { ...caller, now: new Date(now) }, async unit => {
    const [row] = await unit.tx<
      InvitationRow[]
    >`${selectInvitations(unit.tx)} where i.handle = ${handle} and i.workspace_handle = ${caller.workspace} for update of i`;
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

export type Accepted = { workspace: Workspace; member: Member; key: MadeKey | null };

/** The address that an invitation is for, in whatever state it is; undefined where there is no such invitation. */
export async function readInvitedEmail(sql: Postgres, token: string): Promise<string | undefined> {
  const [row] = await sql<{ email: string }[]>`select email from invitations where token_hash = ${hashOf(token)}`;
  return row?.email;
}

/** What whoever has the token is invited to. One that is not open any more is refused as its acceptance would be. */
export async function previewInvitation(
  sql: Postgres,
  { token, now }: { token: string; now: Milliseconds },
): Promise<PreviewedInvitation | Refusal> {
  const [row] = await sql<InvitationRow[]>`${selectInvitations(sql)} where i.token_hash = ${hashOf(token)}`;
  if (!row) return refuseAbsent();
  const refusal = refuseEnded(row, now);
  if (refusal) return refusal;
  const { email, role, expires_at } = invitationRecord(row, now);
  return {
    email,
    role,
    expires_at,
    workspace: await readWorkspace(sql, row.workspace_handle),
    signs_in: (await findSignIn(sql, email)) !== undefined,
  };
}

type Acceptance = Shown & { token: string; name: string | undefined; actor: Actor; now: Milliseconds };

/**
 * Makes whoever has the token a member with the role of the invitation, and answers a key of that role, or none for
 * who signs in with a password. An invitation is void once its inviter may no longer give that role.
 */
export async function acceptInvitation(
  sql: Postgres,
  { token, name, accepting, passwordHash, actor, now }: Acceptance,
): Promise<Accepted | Refusal> {
  return inUnitOfWork<Accepted | Refusal>(sql, { actor, now: new Date(now) }, async unit => {
    const [row] = await unit.tx<
      InvitationRow[]
    >`${selectInvitations(unit.tx)} where i.token_hash = ${hashOf(token)} for update of i`;
    if (!row) return refuseAbsent();
    const refusal =
      refuseEnded(row, now) ??
      refuseOther(row, accepting) ??
      (passwordHash === undefined
        ? await refuseKeyBeyond(unit, row.workspace_handle, KEYS_MAX)
        : await refuseSignedIn(unit, row, passwordHash));
    if (refusal) return refusal;
    const taken = await takeSeat(unit, row, { name, accepting });
    if (isRefusal(taken)) return taken;
    const { user, person } = taken;
    await unit.tx`update invitations set accepted_at = ${unit.now}, user_handle = ${user} where handle = ${row.handle}`;
    const { workspace_handle: workspace, email, role, surface } = row;
    unit.audit({
      workspace,
      action: 'invitation.accepted',
      entityType: 'invitation',
      entityHandle: row.handle,
      diff: { accepted_at: { from: null, to: unit.now } },
    });
    unit.audit({
      workspace,
      action: 'user.created',
      entityType: 'user',
      entityHandle: user,
      diff: diffOfNew({ email, role }),
    });
    if (typeof passwordHash === 'string') await createSignIn(unit, { person, email, passwordHash, workspace });
    const fields = { user_handle: user, name: 'Invitation', surface, access: 'read_write', mode: 'live' } as const;
    const key = passwordHash === undefined ? await makeKey(unit, workspace, fields) : null;
    return {
      workspace: await readWorkspace(unit.tx, workspace),
      member: (await readMember(unit.tx, workspace, user)) as Member,
      key,
    };
  });
}

/** Those who choose a password for one address at the same moment are counted one by one: the second gives the first's. */
async function refuseSignedIn(
  { tx }: Unit,
  { email }: InvitationRow,
  passwordHash: string | null,
): Promise<Refusal | undefined> {
  if (passwordHash === null) return undefined;
  await tx`select pg_advisory_xact_lock(hashtextextended('sign-in ' || lower(${email}), 0))`;
  return (await findSignIn(tx, email)) === undefined
    ? undefined
    : refuse('state_conflict', 'This address has got a password a moment ago. Accept with that one.');
}

function refuseEnded(row: InvitationRow, now: Milliseconds): Refusal | undefined {
  const status = statusOf(row, now);
  if (status !== 'open') return refuse('invitation_ended', `This invitation is ${status}. Ask for another one.`);
  const isVoid = row.inviter_left || mayGiveRole(row.inviter_role, row.role) !== undefined;
  return isVoid
    ? refuse('invitation_ended', 'Who invited may no longer give this role. Ask for another invitation.')
    : undefined;
}

function refuseOther({ email }: InvitationRow, accepting: Accepting | undefined): Refusal | undefined {
  return accepting && accepting.email.toLowerCase() !== email.toLowerCase()
    ? refuseField('/key', 'other_person', 'is of somebody with another address')
    : undefined;
}

type Seat = { user: Handle<'user'>; person: Handle<'person'> };

/**
 * The seat of the person: a new one, or the former one of somebody who returns, whose former keys stay revoked. Who the
 * person is follows only from the key or the password that was sent along. An address alone proves nothing: matching by address would
 * show other workspaces to whoever has it.
 */
async function takeSeat(
  unit: Unit,
  { workspace_handle: workspace, email, role }: InvitationRow,
  { name, accepting }: { name: string | undefined; accepting: Accepting | undefined },
): Promise<Seat | Refusal> {
  const { tx, now } = unit;
  const seats = await tx<{ handle: Handle<'user'>; email: string; has_left: boolean }[]>`
    select handle, email, removed_at is not null as has_left from users where workspace_handle = ${workspace} order by handle for update`;
  const known = seats.find(seat => seat.email.toLowerCase() === email.toLowerCase());
  if (known && !known.has_left) return refuse('invitation_ended', 'This address has become that of a member already.');
  if (seats.filter(seat => !seat.has_left).length >= MEMBERS_MAX) return refuseFull();
  const person = await findOrCreatePerson(unit, { email, name, accepting });
  if (known) {
    await endKeys(unit, known.handle);
    await tx`update users set removed_at = null, role = ${role}, person_handle = ${person} where handle = ${known.handle}`;
    return { user: known.handle, person };
  }
  const [made] = await tx<{ handle: Handle<'user'> }[]>`
    insert into users (workspace_handle, email, role, person_handle, created_at) values (${workspace}, ${email}, ${role}, ${person}, ${now}) returning handle`;
  return { user: made!.handle, person };
}

async function findOrCreatePerson(
  { tx, now }: Unit,
  { email, name, accepting }: { email: string; name: string | undefined; accepting: Accepting | undefined },
): Promise<Handle<'person'>> {
  if (accepting) {
    if (name !== undefined) await tx`update people set name = ${name} where handle = ${accepting.person}`;
    return accepting.person;
  }
  const [made] = await tx<
    { handle: Handle<'person'> }[]
  >`insert into people (email, name, created_at) values (${email}, ${name ?? ''}, ${now}) returning handle`;
  return made!.handle;
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function statusOf(row: InvitationRow, now: Milliseconds): InvitationStatus {
  if (row.accepted_at) return 'accepted';
  if (row.revoked_at) return 'revoked';
  return row.expires_at.getTime() <= now ? 'expired' : 'open';
}

function invitationRecord(row: InvitationRow, now: Milliseconds): Invitation {
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
