/**
 * A seat: a person's membership in a workspace. Given, locked and changed inside units of work. An address alone
 * proves nothing, because anybody may have accepted an invitation to it.
 */
import { diffOfNew } from '#domain/access/audit-diff.ts';
import { foldAddress } from '#domain/access/mail-address.ts';
import type { Role } from '#domain/access/permission.ts';
import type { WorkspaceStatus } from '#domain/access/workspace.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import type { Unit } from '#books/unit-of-work.ts';
import { endKeys } from '#sql/keys/keys.ts';

/** As many as a client workspace may have seats. */
export const MEMBERS_MAX = 200;

export const refuseFull = () => refuse('too_many_members', `A workspace has at most ${MEMBERS_MAX} members.`);

/** An address for a person given only by role. The domain never exists (RFC 2606). */
export function placeholderAddress(role: Role, workspace: Handle<'workspace'>): string {
  return `${role}@${formatId('workspace', workspace)}.invalid`;
}

/** `person`: absent, it is a colleague of the agency with this address, or somebody new, who cannot sign in yet. */
type NewSeat = { workspace: Handle<'workspace'>; email: string; role: Role; person?: Handle<'person'> };

/** Creates a seat. The caller has made sure that no member has the address. */
export async function insertSeat(
  { tx, now }: Unit,
  { workspace, email, role, person }: NewSeat,
): Promise<Handle<'user'>> {
  const [made] = await tx<{ user: Handle<'user'> }[]>`
    insert into users (workspace_handle, email, email_folded, role, person_handle, created_at)
    values (${workspace}, ${email}, ${foldAddress(email)}, ${role}, ${person ?? null}, ${now})
    returning handle as user`;
  return made!.user;
}

/** Makes a member of an agency the owner of its new client. Returns false if they have left. */
export async function seatFounder(
  { tx, now }: Unit,
  { client, user }: { client: Handle<'workspace'>; user: Handle<'user'> },
): Promise<boolean> {
  const made = await tx`
    insert into users (workspace_handle, email, email_folded, role, person_handle, created_at)
    select ${client}, email, email_folded, 'owner', person_handle, ${now} from users
    where handle = ${user} and removed_at is null for share`;
  return made.count > 0;
}

/**
 * Gives a seat by address, as an agency or the operator does. The agency identifies its colleague; otherwise a
 * returning seat belongs to a new person, who cannot sign in before accepting an invitation. The keys of the seat end
 * if it returns or passes to another person.
 */
export async function giveSeat(unit: Unit, { seat, role }: { seat: Handle<'user'>; role: Role }): Promise<void> {
  const [given] = await unit.tx<{ is_new: boolean }[]>`
    update users u set role = ${role}, removed_at = null, person_handle = case
      when before.removed_at is null
        then coalesce(person_in_agency(u.workspace_handle, u.email_folded), before.person_handle)
      else person_of_seat(u.workspace_handle, u.email, u.email_folded, ${unit.now}) end
    from users before where before.handle = u.handle and u.handle = ${seat}
    returning before.removed_at is not null or before.person_handle <> u.person_handle as is_new`;
  if (given!.is_new) await endKeys(unit, seat);
}

/** Writes that a person has become a member. */
export function auditMember(unit: Unit, user: Handle<'user'>, { workspace, email, role }: NewSeat): void {
  const diff = diffOfNew({ email, role });
  unit.audit({ workspace, action: 'user.created', entityType: 'user', entityHandle: user, diff });
}

/** A member whose row is locked, with those of all others of the workspace. */
export type Seat = { handle: Handle<'user'>; workspace: Handle<'workspace'>; role: Role; isLastOwner: boolean };

/**
 * Locks all people of the workspace of a member, so that one of two owners who leave at the same moment stays. A closed
 * workspace needs no owner. Undefined if the member has left.
 */
export async function lockSeat({ tx }: Unit, handle: Handle<'user'>): Promise<Seat | undefined> {
  const people = await tx<(Omit<Seat, 'isLastOwner'> & { status: WorkspaceStatus })[]>`
    select u.handle, u.workspace_handle as workspace, u.role, w.status
    from users u join workspaces w on w.handle = u.workspace_handle
    where u.workspace_handle = (select workspace_handle from users where handle = ${handle}) and u.removed_at is null
    order by u.handle for update of u`;
  const member = people.find(person => person.handle === handle);
  if (!member) return undefined;
  const { workspace, role, status } = member;
  const hasOther = people.some(person => person !== member && person.role === 'owner');
  return { handle, workspace, role, isLastOwner: role === 'owner' && !hasOther && status !== 'closed' };
}

/** Gives a locked member a role, unless the workspace would have no owner. */
export async function writeRole(unit: Unit, seat: Seat, role: Role): Promise<Refusal | undefined> {
  if (role === seat.role) return undefined;
  if (seat.isLastOwner) return refuseWithoutOwner();
  const { handle, workspace } = seat;
  await unit.tx`update users set role = ${role} where handle = ${handle}`;
  const diff = { role: { from: seat.role, to: role } };
  unit.audit({ workspace, action: 'user.updated', entityType: 'user', entityHandle: handle, diff });
  return undefined;
}

export function refuseWithoutOwner(): Refusal {
  return refuse('last_owner', 'This is the last owner of the workspace. Make somebody else an owner first.');
}

/** A member who decides about others, with the role that the call began with. */
export type Deciding = { workspace: Handle<'workspace'>; user: Handle<'user'>; role: Role };

/**
 * Refuses a caller who has left, or got another role, since the call began. Their row is locked already, or is that of
 * an agency.
 */
export async function refuseChangedRole(
  { tx }: Unit,
  { user, role }: Omit<Deciding, 'workspace'>,
): Promise<Refusal | undefined> {
  const [row] = await tx<{ role: Role }[]>`
    select role from users where handle = ${user} and removed_at is null`;
  return row?.role === role ? undefined : refuse('role_forbidden', 'Your role was changed a moment ago. Try again.');
}
