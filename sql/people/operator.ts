/** The people of all workspaces, and the operator's resets of lost or stolen sign-in methods. */
import { mayGiveRole, type Role } from '#domain/access/permission.ts';
import type { Handle } from '#domain/id.ts';
import { isRefusal, refuse, refuseAbsent, type Refusal } from '#domain/refusal.ts';
import { inUnitOfWork, type Actor, type Unit, type UnitOptions } from '#books/unit-of-work.ts';
import { likeText, readCounted, type Counted } from '#sql/lists/list-order.ts';
import { BY_CREATION, type PageOrder } from '#sql/lists/sorts.ts';
import type { Postgres } from '#sql/postgres.ts';
import { createResetLink, type ResetLink } from './password-resets.ts';
import { lockPerson } from './people.ts';
import { deleteFactor } from './second-factors.ts';
import { endSessions } from './sessions.ts';
import { deleteSignIn } from './sign-ins.ts';

/** Seats of a person that the operator's list shows. */
export const SEATS_SHOWN_MAX = 20;

export type PersonRow = {
  handle: Handle<'person'>;
  email: string;
  name: string;
  has_password: boolean;
  has_second_factor: boolean;
  seats: { workspace: Handle<'workspace'>; name: string; role: Role }[];
  created_at: Date;
};
type ListOptions = { page: PageOrder; text: string | undefined; isCounted: boolean };

/** A page of the people with a seat, whose address or name holds the text. */
export async function listPeople(sql: Postgres, { page, text, isCounted }: ListOptions): Promise<Counted<PersonRow>> {
  const wanted = sql`
    select p.handle from people p
    where exists (select from users u where u.person_handle = p.handle and u.removed_at is null)
      ${text === undefined ? sql`` : sql`and (p.email ilike ${likeText(text)} or p.name ilike ${likeText(text)})`}`;
  const records = sql`
    select p.handle, p.email, p.name, s.person_handle is not null as has_password,
      f.confirmed_at is not null as has_second_factor, p.created_at,
      (select coalesce(jsonb_agg(jsonb_build_object('workspace', seat.workspace, 'name', seat.name, 'role', seat.role)
          order by seat.handle), '[]')
        from (select u.handle, w.handle as workspace, w.name, u.role
          from users u join workspaces w on w.handle = u.workspace_handle
          where u.person_handle = p.handle and u.removed_at is null order by u.handle limit ${SEATS_SHOWN_MAX}) as seat
      ) as seats
    from people p left join sign_ins s on s.person_handle = p.handle
      left join second_factors f on f.person_handle = p.handle`;
  return readCounted<PersonRow>(sql, page, { sorts: BY_CREATION, wanted, records, isCounted });
}

/** `by`: the person who decides; absent: the operator's tool. */
type Reset = {
  person: Handle<'person'>;
  by?: { workspace: Handle<'workspace'>; actor: Actor; user: Handle<'user'>; role: Role };
};
type PersonEvent<Result> = { action: string; diff: Record<string, { from: unknown; to: unknown }>; result: Result };
type Seat = { workspace: Handle<'workspace'>; user: Handle<'user'>; role: Role };

/**
 * Deletes the password of a person and ends the sessions. Memberships and keys stay. A person who leaves a workspace
 * and is invited again chooses a new password.
 */
export function removeSignIn(sql: Postgres, options: UnitOptions, reset: Reset): Promise<Refusal | undefined> {
  return resetPerson(sql, options, reset, async unit => {
    const email = await deleteSignIn(unit.tx, reset.person);
    if (email === undefined) return refuse('state_conflict', 'This person has no password.');
    await endSessions(unit, reset.person);
    return { action: 'sign_in.removed', diff: { email: { from: email, to: null } }, result: undefined };
  });
}

/** For a person who gets no mail: a link by which they set a new password. Who makes it hands it over. */
export function linkToNewPassword(
  sql: Postgres,
  options: UnitOptions,
  { publicUrl, ...reset }: Reset & { publicUrl: string },
): Promise<Refusal | ResetLink> {
  return resetPerson(sql, options, reset, async unit => {
    const { person } = reset;
    const [known] = await unit.tx`select from sign_ins where person_handle = ${person}`;
    if (!known) return refuse('state_conflict', 'This person has no password.');
    return {
      action: 'sign_in.reset_link_created',
      diff: {},
      result: await createResetLink(unit, { person, publicUrl }),
    };
  });
}

/** For a person who has lost the device and the recovery codes: the password alone signs in again. */
export function removeSecondFactor(sql: Postgres, options: UnitOptions, reset: Reset): Promise<Refusal | undefined> {
  return resetPerson(sql, options, reset, async ({ tx }) => {
    return (await deleteFactor(tx, reset.person))
      ? { action: 'second_factor.removed', diff: {}, result: undefined }
      : refuse('state_conflict', 'This person signs in without a second factor.');
  });
}

async function resetPerson<Result>(
  sql: Postgres,
  options: UnitOptions,
  { person, by }: Reset,
  act: (unit: Unit) => Promise<PersonEvent<Result> | Refusal>,
): Promise<Refusal | Result> {
  return inUnitOfWork<Refusal | Result>(sql, options, async unit => {
    const [known] = await unit.tx`select from people where handle = ${person}`;
    if (!known) return refuseAbsent();
    await lockPerson(unit, person); // a concurrent sign-in comes before, and ends, or after, and fails
    const seats = await unit.tx<Seat[]>`
      select workspace_handle as workspace, handle as user, role from users
      where person_handle = ${person} and removed_at is null`;
    const refusal = by && refuseColleague(seats, by);
    if (refusal) return refusal;
    const event = await act(unit);
    if (isRefusal(event)) return event;
    // It is in the audit log of each workspace of the person, and in that of the operator.
    const { result, ...done } = event;
    const entry = { entityType: 'person', entityHandle: person, ...done };
    const workspaces = new Set([...seats.map(({ workspace }) => workspace), ...(by ? [by.workspace] : [])]);
    for (const workspace of workspaces)
      unit.audit({ ...entry, workspace, ...(by?.workspace === workspace && { actor: by.actor }) });
    return result;
  });
}

/** Among colleagues the rules of members hold: an admin decides about no owner. A person does not reset themselves. */
function refuseColleague(seats: readonly Seat[], by: NonNullable<Reset['by']>): Refusal | undefined {
  const colleague = seats.find(({ workspace }) => workspace === by.workspace);
  if (!colleague) return undefined;
  return colleague.user === by.user
    ? refuse('state_conflict', 'This is you: change how you sign in under Your account.')
    : mayGiveRole(by.role, colleague.role);
}
