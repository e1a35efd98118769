/** Seats of a person to erase, in Postgres. */
import { foldAddress } from '#domain/access/mail-address.ts';
import type { Handle } from '#domain/id.ts';
import type { Unit } from '#books/unit-of-work.ts';

type Seat = { user: Handle<'user'>; person: Handle<'person'>; workspace: Handle<'workspace'>; isCurrent: boolean };

/** All seats that anyone has or had under this address, with those that they left. */
export async function lockSeatsOf({ tx }: Unit, email: string): Promise<Seat[]> {
  return tx<Seat[]>`
    select handle as user, person_handle as person, workspace_handle as workspace, removed_at is null as "isCurrent"
    from users where person_handle in (select person_handle from users where email_folded = ${foldAddress(email)})
    order by handle for update`;
}

export async function forgetSeat({ tx }: Unit, user: Handle<'user'>, address: string): Promise<void> {
  await tx`update users set email = ${address}, email_folded = ${address} where handle = ${user}`;
}
