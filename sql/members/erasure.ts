/** The erasure of a person who has left every workspace. */
import { foldAddress } from '#domain/access/mail-address.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { refuse, refuseAbsent, type Refusal } from '#domain/refusal.ts';
import { inUnitOfWork, type UnitOptions } from '#books/unit-of-work.ts';
import { forgetPerson } from '#sql/people/account.ts';
import type { Postgres } from '#sql/postgres.ts';

type SeatRow = { user: Handle<'user'>; person: Handle<'person'>; workspace: Handle<'workspace'>; is_current: boolean };

/**
 * Erases the person with this address: all seats that they had, with those of other addresses, and all invitations of
 * the address. Entries of the audit log and of the call log keep it until their retention ends: the audit log is a
 * chain of hashes. Returns how many seats. Refuses a person who still has a seat, and an unknown address.
 */
export async function erasePerson(sql: Postgres, options: UnitOptions, email: string): Promise<number | Refusal> {
  const folded = foldAddress(email);
  return inUnitOfWork<number | Refusal>(sql, options, async unit => {
    const { tx } = unit;
    const seats = await tx<SeatRow[]>`
      select handle as user, person_handle as person, workspace_handle as workspace, removed_at is null as is_current
      from users where person_handle in (select person_handle from users where email_folded = ${folded})
      order by handle for update`;
    if (seats.length === 0) return refuseAbsent();
    const current = seats.find(seat => seat.is_current);
    if (current)
      return refuse(
        'state_conflict',
        `${email} is still a member of ${formatId('workspace', current.workspace)}: admin user remove ${formatId('user', current.user)}`,
      );
    await tx`delete from invitations where email_folded = ${folded}`;
    for (const { user, person, workspace } of seats) {
      const address = `erased@${formatId('user', user)}.invalid`; // RFC 2606: no person has this address
      await tx`update users set email = ${address}, email_folded = ${address} where handle = ${user}`;
      await forgetPerson(unit, person, address);
      unit.audit({ workspace, action: 'person.erased', entityType: 'person', entityHandle: person, diff: {} });
    }
    return seats.length;
  });
}
