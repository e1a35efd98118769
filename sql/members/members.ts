/** The members of a workspace: listed, added, changed and removed. A workspace always keeps an owner. */
import { foldAddress } from '#domain/access/mail-address.ts';
import { mayGiveRole, type Role } from '#domain/access/permission.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal, refuse, refuseAbsent, type Refusal } from '#domain/refusal.ts';
import { inUnitOfWork, type Unit, type UnitOptions } from '#books/unit-of-work.ts';
import { sliceOf } from '#sql/lists/list-order.ts';
import type { PageOrder, Sorts } from '#sql/lists/sorts.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { endSeat } from './leaving.ts';
import {
  auditMember,
  giveSeat,
  insertSeat,
  lockSeat,
  refuseChangedRole,
  writeRole,
  type Deciding,
  type Seat,
} from './seats.ts';

export type MemberRow = { handle: Handle<'user'>; email: string; name: string; role: Role; created_at: Date };

/** The orders of a list of members. */
export const MEMBER_SORTS = {
  joined_at: 'handle',
  email: { column: 'u.email', type: 'text', valueOf: row => row.email },
} as const satisfies Sorts<MemberRow>;

function selectMembers(sql: Queryable, workspace: Handle<'workspace'>) {
  return sql`
    select u.handle, u.email, p.name, u.role, u.created_at from users u join people p on p.handle = u.person_handle
    where u.workspace_handle = ${workspace} and u.removed_at is null`;
}

/** A page of the members. They are the same for live and test keys. */
export async function listMembers(
  sql: Postgres,
  workspace: Handle<'workspace'>,
  page: PageOrder,
): Promise<MemberRow[]> {
  const { behind, order } = sliceOf(sql, page, { sorts: MEMBER_SORTS, handle: 'u.handle' });
  return sql<MemberRow[]>`${selectMembers(sql, workspace)} ${behind} ${order}`;
}

export async function findMember(
  sql: Queryable,
  workspace: Handle<'workspace'>,
  handle: Handle<'user'>,
): Promise<MemberRow | undefined> {
  const [row] = await sql<MemberRow[]>`${selectMembers(sql, workspace)} and u.handle = ${handle}`;
  return row;
}

/** The members of a workspace in the order in which they joined, and whether each signs in with a password. */
export async function listSignIns(sql: Postgres, workspace: Handle<'workspace'>) {
  return sql<{ user: Handle<'user'>; email: string; name: string; role: Role; signs_in: boolean }[]>`
    select u.handle as user, u.email, p.name, u.role, s.person_handle is not null as signs_in
    from users u join people p on p.handle = u.person_handle left join sign_ins s on s.person_handle = p.handle
    where u.workspace_handle = ${workspace} and u.removed_at is null order by u.handle`;
}

/** The first member with this role. */
export async function findFirst(
  sql: Queryable,
  workspace: Handle<'workspace'>,
  role: Role,
): Promise<Handle<'user'> | undefined> {
  const [row] = await sql<{ handle: Handle<'user'> }[]>`
    select handle from users where workspace_handle = ${workspace} and role = ${role} and removed_at is null
    order by handle limit 1`;
  return row?.handle;
}

/** The member that is changed. `by`: the member who changes it; absent: the operator. */
type Target = { handle: Handle<'user'>; by?: Deciding };

/** Gives a member another role, which their keys act with from the next call on. Refuses to leave no owner. */
export async function changeMember(
  sql: Postgres,
  options: UnitOptions,
  { role, ...target }: Target & { role: Role },
): Promise<MemberRow | Refusal> {
  return inUnitOfWork<MemberRow | Refusal>(sql, options, async unit => {
    const seat = await lockMember(unit, target);
    if (isRefusal(seat)) return seat;
    const refusal = (target.by && mayGiveRole(target.by.role, role)) ?? (await writeRole(unit, seat, role));
    return refusal ?? (await findMember(unit.tx, seat.workspace, seat.handle))!;
  });
}

/** Removes a member with all their keys. A person who leaves an agency also leaves its clients. */
export async function removeMember(sql: Postgres, options: UnitOptions, target: Target): Promise<undefined | Refusal> {
  return inUnitOfWork<undefined | Refusal>(sql, options, async unit => {
    const seat = await lockMember(unit, target);
    return isRefusal(seat) ? seat : endSeat(unit, seat);
  });
}

async function lockMember(unit: Unit, { handle, by }: Target): Promise<Seat | Refusal> {
  const seat = await lockSeat(unit, handle);
  if (!seat || (by && seat.workspace !== by.workspace)) return refuseAbsent();
  const refusal = by && ((await refuseChangedRole(unit, by)) ?? mayGiveRole(by.role, seat.role));
  return refusal ?? seat;
}

type NewMember = { workspace: Handle<'workspace'>; email: string; role: Role };

/**
 * Adds a member by address, as the operator does. An address that returns gets its former seat, without the former keys
 * and without the former person. Refuses the address of a member, however it is written.
 */
export async function addMember(
  sql: Postgres,
  options: UnitOptions,
  member: NewMember,
): Promise<Handle<'user'> | Refusal> {
  const { workspace, email, role } = member;
  return inUnitOfWork<Handle<'user'> | Refusal>(sql, options, async unit => {
    await unit.tx`select 1 from workspaces where handle = ${workspace} for no key update`; // one at a time
    const [known] = await unit.tx<{ handle: Handle<'user'>; has_left: boolean }[]>`
      select handle, removed_at is not null as has_left from users
      where workspace_handle = ${workspace} and email_folded = ${foldAddress(email)} order by has_left, handle limit 1`;
    if (known?.has_left === false)
      return refuse(
        'state_conflict',
        `${email} is a member of ${formatId('workspace', workspace)} already: ${formatId('user', known.handle)}`,
      );
    if (known) await giveSeat(unit, { seat: known.handle, role });
    const user = known?.handle ?? (await insertSeat(unit, member));
    auditMember(unit, user, member);
    return user;
  });
}
