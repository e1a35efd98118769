/**
 * The end of a seat: also ends its keys and, in an agency, the person's seats in the agency's clients, which would
 * otherwise be forgotten.
 */
import type { FoldedAddress } from '#domain/access/mail-address.ts';
import type { Role } from '#domain/access/permission.ts';
import { formatId, type Handle } from '#domain/id.ts';
import type { Refusal } from '#domain/refusal.ts';
import type { Unit } from '#books/unit-of-work.ts';
import { endKeys } from '#sql/keys/keys.ts';
import type { Queryable } from '#sql/postgres.ts';
import { auditMember, refuseWithoutOwner, type Seat } from './seats.ts';

type SeatRow = {
  handle: Handle<'user'>;
  workspace: Handle<'workspace'>;
  person: Handle<'person'>;
  role: Role;
  has_left: boolean;
  is_leaving: boolean;
  /** Whether it is a seat of the heir's person, and whether it has the heir's address. */
  is_heir: boolean;
  has_address: boolean;
};
type Heir = { person: Handle<'person'>; email: string; address: FoldedAddress };

/** Removes a locked member with all their keys, unless the workspace would have no owner. */
export async function endSeat(unit: Unit, seat: Seat): Promise<Refusal | undefined> {
  if (seat.isLastOwner) return refuseWithoutOwner();
  await removeSeats(unit, [seat]);
  await leaveClients(unit, { agency: seat.workspace, user: seat.handle });
  return undefined;
}

async function removeSeats(unit: Unit, seats: readonly Pick<Seat, 'handle' | 'workspace'>[]): Promise<void> {
  const { tx, now } = unit;
  const handles = seats.map(seat => seat.handle);
  await tx`update users set removed_at = ${now} where handle = any(${handles}::bigint[])`;
  await endKeys(unit, ...handles);
  for (const { handle, workspace } of seats)
    unit.audit({
      workspace,
      action: 'user.removed',
      entityType: 'user',
      entityHandle: handle,
      diff: { removed_at: { from: null, to: now } },
    });
}

/**
 * Removes the seats that a person who has left an agency has in its clients, whatever their roles. A client keeps an
 * owner: where the person was the only one, the first owner of the agency takes their place. Nothing is done for a
 * person who has another seat in the agency.
 */
async function leaveClients(
  unit: Unit,
  { agency, user }: { agency: Handle<'workspace'>; user: Handle<'user'> },
): Promise<void> {
  const heir = await firstOwner(unit.tx, agency);
  const seats = await lockSeats(unit.tx, { user, heir });
  const leaving = seats.filter(seat => seat.is_leaving);
  if (leaving.length === 0) return;
  await removeSeats(unit, leaving);
  if (heir !== undefined) await seatHeir(unit, { heir, seats });
}

async function firstOwner(tx: Queryable, agency: Handle<'workspace'>): Promise<Heir | undefined> {
  const [row] = await tx<Heir[]>`
    select person_handle as person, email, email_folded as address from users
    where workspace_handle = ${agency} and role = 'owner' and removed_at is null order by handle limit 1`;
  return row;
}

/**
 * In each client where the person has a seat: that seat, those of the owners, those of the heir's person, and all those
 * under the heir's address. Former seats of the heir count. Locked as changes of members lock them.
 */
async function lockSeats(
  tx: Queryable,
  { user, heir }: { user: Handle<'user'>; heir: Heir | undefined },
): Promise<SeatRow[]> {
  const [person, address] = [heir?.person ?? null, heir?.address ?? null];
  return tx<SeatRow[]>`
    select s.handle, s.workspace_handle as workspace, s.person_handle as person, s.role,
      s.removed_at is not null as has_left,
      s.person_handle = me.person_handle and s.removed_at is null as is_leaving,
      coalesce(s.person_handle = ${person}, false) as is_heir,
      coalesce(s.email_folded = ${address}, false) as has_address
    from users me join users s on s.workspace_handle in (
      select c.handle from workspaces c join users mine on mine.workspace_handle = c.handle
      where c.parent_handle = me.workspace_handle and mine.person_handle = me.person_handle
        and mine.removed_at is null)
    where me.handle = ${user} and not exists (
        select from users o where o.workspace_handle = me.workspace_handle and o.person_handle = me.person_handle
          and o.removed_at is null)
      and (s.removed_at is null and (s.person_handle = me.person_handle or s.role = 'owner')
        or s.person_handle = ${person} or s.email_folded = ${address})
    order by s.handle for update of s`;
}

/** Makes the heir an owner of every client that has none any more. */
async function seatHeir(unit: Unit, { heir, seats }: { heir: Heir; seats: readonly SeatRow[] }): Promise<void> {
  const { tx, now } = unit;
  const kept = seats.filter(seat => seat.role === 'owner' && !seat.has_left && !seat.is_leaving);
  const owned = new Set(kept.map(seat => seat.workspace));
  const left = seats.filter(seat => seat.is_leaving && seat.role === 'owner' && !owned.has(seat.workspace));
  const ownerless = [...new Set(left.map(seat => seat.workspace))];
  const known = ownerless.flatMap(workspace => seatFor(seats.filter(seat => seat.workspace === workspace)) ?? []);
  await endKeys(unit, ...known.filter(seat => !isActive(seat) || !seat.is_heir).map(seat => seat.handle));
  await tx`update users set role = 'owner', removed_at = null, person_handle = ${heir.person}
    where handle = any(${known.map(seat => seat.handle)}::bigint[])`;
  for (const { handle, workspace, role, person, is_heir: isHeir } of known)
    unit.audit({
      workspace,
      action: 'user.updated',
      entityType: 'user',
      entityHandle: handle,
      diff: {
        role: { from: role, to: 'owner' },
        ...(!isHeir && { person: { from: formatId('person', person), to: formatId('person', heir.person) } }),
      },
    });
  const without = ownerless.filter(workspace => !known.some(seat => seat.workspace === workspace));
  const made = await tx<{ handle: Handle<'user'>; workspace: Handle<'workspace'> }[]>`
    insert into users (workspace_handle, email, email_folded, person_handle, role, created_at)
    select workspace, ${heir.email}, ${heir.address}, ${heir.person}, 'owner', ${now}
    from unnest(${without}::bigint[]) as workspace returning handle, workspace_handle as workspace`;
  for (const { handle, workspace } of made) auditMember(unit, handle, { workspace, email: heir.email, role: 'owner' });
}

const isActive = (seat: SeatRow): boolean => !seat.has_left && !seat.is_leaving;

/**
 * The seat of a client that the heir gets: their own, else the one of their address. Another person who took that
 * address there loses the seat: the agency decides who it belongs to, and not an accepted invitation.
 */
function seatFor(seats: readonly SeatRow[]): SeatRow | undefined {
  return (
    seats.find(seat => seat.is_heir && isActive(seat)) ??
    seats.find(seat => seat.has_address && isActive(seat)) ??
    seats.find(seat => seat.is_heir) ??
    seats.find(seat => seat.has_address)
  );
}
