/** The members of a workspace in Postgres: list, changes of role, and removal. A workspace always keeps an owner. */
import type { Milliseconds } from '#domain/unit.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { mayGiveRole, type Role } from '#domain/access/permission.ts';
import type { WorkspaceStatus } from '#domain/access/workspace.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import { endKeys } from '#sql/keys/keys.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';
import { inUnitOfWork, type Unit } from '#books/unit-of-work.ts';
import type { Caller } from '../authentication/caller.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { positionIn, sliceOf } from '#sql/lists/list-order.ts';
import { envelope, type List, type Page } from '../lists/paging.ts';
import { leaveClients } from './leaving.ts';
import { MEMBER_SORTS, type Member } from './schema.ts';

/** As many as a client workspace may have seats. */
export const MEMBERS_MAX = 200;

type MemberRow = { handle: Handle<'user'>; email: string; name: string; role: Role; created_at: Date };
/**
 * The member that is changed. `own` is the role of the caller. `forget` clears this process's cache of keys after the
 * commit; Postgres notifies the others.
 */
type MemberTarget = { handle: Handle<'user'>; own: Role; forget: () => void; now: Milliseconds };

function selectMembers(sql: Queryable, workspace: Handle<'workspace'>) {
  return sql`
    select u.handle, u.email, p.name, u.role, u.created_at from users u join people p on p.handle = u.person_handle
    where u.workspace_handle = ${workspace} and u.removed_at is null`;
}

/** People of the workspace; who joined last first, unless asked otherwise. They are the same for live and test keys. */
export async function listMembers(sql: Postgres, { workspace }: Caller, page: Page): Promise<List<Member>> {
  const { behind, order } = sliceOf(sql, page, { sorts: MEMBER_SORTS, handle: 'u.handle' });
  const rows = await sql<MemberRow[]>`${selectMembers(sql, workspace)} ${behind} ${order}`;
  return envelope(rows, page, { positionOf: positionIn(page, MEMBER_SORTS), recordOf: memberRecord });
}

export async function readMember(
  sql: Queryable,
  workspace: Handle<'workspace'>,
  handle: Handle<'user'>,
): Promise<Member | Refusal> {
  const [row] = await sql<MemberRow[]>`${selectMembers(sql, workspace)} and u.handle = ${handle}`;
  return row ? memberRecord(row) : refuseAbsent();
}

/** Gives a member another role, which their keys act with from the next call on. A workspace keeps an owner. */
export async function changeMember(
  sql: Postgres,
  caller: Caller,
  { handle, own, role, forget, now }: MemberTarget & { role: Role },
): Promise<Member | Refusal> {
  const changed = await inUnitOfWork<Member | Refusal>(sql, { ...caller, now: new Date(now) }, async unit => {
    const seat = await lockMember(unit, caller, { handle, own });
    if (isRefusal(seat)) return seat;
    const refusal = mayGiveRole(own, role) ?? (await writeRole(unit, seat, role));
    return refusal ?? readMember(unit.tx, caller.workspace, handle);
  });
  if (!isRefusal(changed)) forget();
  return changed;
}

/** Removes a member with all their keys. A person who leaves an agency also leaves its clients. */
export async function removeMember(
  sql: Postgres,
  caller: Caller,
  { handle, own, forget, now }: MemberTarget,
): Promise<undefined | Refusal> {
  const refused = await inUnitOfWork<undefined | Refusal>(sql, { ...caller, now: new Date(now) }, async unit => {
    const seat = await lockMember(unit, caller, { handle, own });
    return isRefusal(seat) ? seat : endSeat(unit, seat);
  });
  if (!isRefusal(refused)) forget();
  return refused;
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
  unit.audit({
    workspace,
    action: 'user.updated',
    entityType: 'user',
    entityHandle: handle,
    diff: { role: { from: seat.role, to: role } },
  });
  return undefined;
}

/** Removes a locked member with all their keys, unless the workspace would have no owner. */
export async function endSeat(unit: Unit, { handle, workspace, isLastOwner }: Seat): Promise<Refusal | undefined> {
  if (isLastOwner) return refuseWithoutOwner();
  await unit.tx`update users set removed_at = ${unit.now} where handle = ${handle}`;
  unit.audit({
    workspace,
    action: 'user.removed',
    entityType: 'user',
    entityHandle: handle,
    diff: { removed_at: { from: null, to: unit.now } },
  });
  await endKeys(unit, handle);
  await leaveClients(unit, { agency: workspace, user: handle });
  return undefined;
}

/**
 * Refuses a caller who has left, or got another role, since the call began. Their row is locked already, or is that of
 * an agency.
 */
export async function refuseChangedRole(tx: Transaction, { actor }: Caller, own: Role): Promise<Refusal | undefined> {
  const [row] = await tx<{ role: Role }[]>`
    select role from users where handle = ${actor.handle!} and removed_at is null`;
  return row?.role === own ? undefined : refuse('role_forbidden', 'Your role was changed a moment ago. Try again.');
}

async function lockMember(
  unit: Unit,
  caller: Caller,
  { handle, own }: { handle: Handle<'user'>; own: Role },
): Promise<Seat | Refusal> {
  const seat = await lockSeat(unit, handle);
  if (seat?.workspace !== caller.workspace) return refuseAbsent();
  return (await refuseChangedRole(unit.tx, caller, own)) ?? mayGiveRole(own, seat.role) ?? seat;
}

function refuseWithoutOwner(): Refusal {
  return refuse('last_owner', 'This is the last owner of the workspace. Make somebody else an owner first.');
}

function memberRecord({ handle, email, name, role, created_at: joinedAt }: MemberRow): Member {
  return { id: formatId('user', handle), email, name, role, joined_at: joinedAt.toISOString() };
}
