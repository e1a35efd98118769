/** The people of a client workspace, set as a whole by its agency. */
import { mayGiveRole, type Role } from '#domain/access/permission.ts';
import type { Handle } from '#domain/id.ts';
import { refuseField, type Refusal } from '#domain/refusal.ts';
import { Rollback, type Unit } from '#books/unit-of-work.ts';
import type { Diff } from '../audit/diff.ts';
import { endKeys } from '../members/leaving.ts';

type Seat = { email: string; role: Role };
type UserRow = Seat & { handle: Handle<'user'>; has_left: boolean };

/**
 * Replaces the people of a workspace by those of the list: new ones are added, missing ones are removed. A person who
 * returns gets none of their former keys back. Refuses a list that names a person twice or has no owner, and one that
 * gives or takes a role which reaches further than `own`, the caller's.
 */
export async function changeSeats(
  unit: Unit,
  workspace: Handle<'workspace'>,
  { seats, own }: { seats: readonly Seat[]; own: Role },
): Promise<Diff> {
  const { tx, now } = unit;
  const users = await tx<
    UserRow[]
  >`select handle, email, role, removed_at is not null as has_left from users where workspace_handle = ${workspace}
    order by handle for update`;
  const wanted = new Map(seats.map(seat => [seat.email.toLowerCase(), seat]));
  const known = new Map(users.map(user => [user.email.toLowerCase(), user]));
  const refusal = refuseSeats(seats) ?? refuseRoles(users, { wanted, known, own });
  if (refusal) throw new Rollback(refusal); // the fields of the same request are written already
  for (const user of users) {
    const seat = wanted.get(user.email.toLowerCase());
    if (seat && user.has_left) {
      await endKeys(unit, user.handle);
      await tx`update users set removed_at = null, role = ${seat.role} where handle = ${user.handle}`;
    } else if (seat && seat.role !== user.role)
      await tx`update users set role = ${seat.role} where handle = ${user.handle}`;
    else if (!seat && !user.has_left) await tx`update users set removed_at = ${now} where handle = ${user.handle}`;
  }
  for (const [email, seat] of wanted) {
    if (!known.has(email))
      await tx`insert into users (workspace_handle, email, role, created_at)
        values (${workspace}, ${seat.email}, ${seat.role}, ${now})`;
  }
  return diffOf(
    users.filter(user => !user.has_left),
    seats,
  );
}

function refuseSeats(seats: readonly Seat[]): Refusal | undefined {
  const emails = seats.map(seat => seat.email.toLowerCase());
  const twice = emails.findIndex((email, index) => emails.indexOf(email) !== index);
  if (twice !== -1) return refuseField(`/seats/${twice}/email`, 'duplicate', 'is in the list already');
  return seats.some(seat => seat.role === 'owner')
    ? undefined
    : refuseField('/seats', 'no_owner', 'must hold an owner');
}

type Compared = { wanted: ReadonlyMap<string, Seat>; known: ReadonlyMap<string, UserRow>; own: Role };

/** As with members: the caller must be one who decides about each role that is given or taken away. */
function refuseRoles(users: readonly UserRow[], { wanted, known, own }: Compared): Refusal | undefined {
  const taken = users
    .filter(user => !user.has_left && wanted.get(user.email.toLowerCase())?.role !== user.role)
    .map(user => user.role);
  const given = [...wanted]
    .filter(([email, seat]) => {
      const user = known.get(email);
      return user === undefined || user.has_left || user.role !== seat.role;
    })
    .map(([, seat]) => seat.role);
  return [...taken, ...given].map(role => mayGiveRole(own, role)).find(refusal => refusal !== undefined);
}

function diffOf(before: readonly Seat[], after: readonly Seat[]): Diff {
  const spell = (seats: readonly Seat[]) => seats.map(({ email, role }) => `${email} ${role}`).sort();
  const [from, to] = [spell(before), spell(after)];
  return from.join() === to.join() ? {} : { seats: { from, to } };
}
