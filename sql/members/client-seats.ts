/** The people of a client workspace, set as a whole by its agency. */
import { foldAddress, type FoldedAddress } from '#domain/access/mail-address.ts';
import { mayGiveRole, type Role } from '#domain/access/permission.ts';
import type { Handle } from '#domain/id.ts';
import { refuseField, type Refusal } from '#domain/refusal.ts';
import { Rollback, type Unit } from '#books/unit-of-work.ts';
import type { Diff } from '#domain/access/audit-diff.ts';
import { giveSeat, insertSeat, refuseChangedRole, type Deciding } from './seats.ts';

type Seat = { email: string; role: Role };
type UserRow = Seat & { handle: Handle<'user'>; address: FoldedAddress; has_left: boolean };

/**
 * Replaces the people of a workspace by those of the list: new ones are added, missing ones are removed. A colleague
 * of the agency gets a seat as the person that they are there; a seat that comes back has none of its former keys.
 * Refuses a list that names a person twice or has no owner, and one that gives or takes a role which reaches further
 * than the role of `by`.
 */
export async function changeSeats(
  unit: Unit,
  workspace: Handle<'workspace'>,
  { seats, by }: { seats: readonly Seat[]; by: Omit<Deciding, 'workspace'> },
): Promise<Diff> {
  const { tx, now } = unit;
  const wanted = new Map(seats.map(seat => [foldAddress(seat.email), seat]));
  await lockColleagues(unit, workspace, { addresses: [...wanted.keys()], user: by.user });
  const users = await tx<UserRow[]>`
    select handle, email, email_folded as address, role, removed_at is not null as has_left from users
    where workspace_handle = ${workspace} order by handle for update`;
  // If an address has several seats, at most one of them has a member.
  const inOrder = [...users.filter(user => user.has_left), ...users.filter(user => !user.has_left)];
  const known = new Map(inOrder.map(user => [user.address, user]));
  const refusal =
    refuseSeats(seats) ?? (await refuseChangedRole(unit, by)) ?? refuseRoles(users, { wanted, known, own: by.role });
  if (refusal) throw new Rollback(refusal); // the fields of the same request are written already
  for (const user of known.values()) {
    const seat = wanted.get(user.address);
    if (seat && (user.has_left || seat.role !== user.role))
      await giveSeat(unit, { seat: user.handle, role: seat.role });
    else if (!seat && !user.has_left) await tx`update users set removed_at = ${now} where handle = ${user.handle}`;
  }
  for (const [address, seat] of wanted) {
    if (!known.has(address)) await insertSeat(unit, { workspace, ...seat });
  }
  return diffOf(
    users.filter(user => !user.has_left),
    seats,
  );
}

/**
 * Locks the caller and those who get a seat. Somebody who leaves the agency at this moment leaves before or after they
 * get a seat, and loses it then. Locked before the seats of the client, as leaving does.
 */
async function lockColleagues(
  { tx }: Unit,
  client: Handle<'workspace'>,
  { addresses, user }: { addresses: readonly FoldedAddress[]; user: Handle<'user'> },
): Promise<void> {
  await tx`
    select 1 from workspaces w join users u on u.workspace_handle = w.parent_handle
    where w.handle = ${client} and u.removed_at is null
      and (u.email_folded = any(${addresses}::text[]) or u.handle = ${user})
    order by u.handle for share of u`;
}

function refuseSeats(seats: readonly Seat[]): Refusal | undefined {
  const addresses = seats.map(seat => foldAddress(seat.email));
  const twice = addresses.findIndex((address, index) => addresses.indexOf(address) !== index);
  if (twice !== -1) return refuseField(`/seats/${twice}/email`, 'duplicate', 'is in the list already');
  return seats.some(seat => seat.role === 'owner')
    ? undefined
    : refuseField('/seats', 'no_owner', 'must hold an owner');
}

type Compared = { wanted: ReadonlyMap<FoldedAddress, Seat>; known: ReadonlyMap<FoldedAddress, UserRow>; own: Role };

/** As with members: the caller must be one who decides about each role that is given or taken away. */
function refuseRoles(users: readonly UserRow[], { wanted, known, own }: Compared): Refusal | undefined {
  const taken = users
    .filter(user => !user.has_left && wanted.get(user.address)?.role !== user.role)
    .map(user => user.role);
  const given = [...wanted]
    .filter(([address, seat]) => {
      const user = known.get(address);
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
