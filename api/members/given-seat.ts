/**
 * A seat given by address: by an agency to a client, or by the operator. An address proves nothing, because anybody may
 * have accepted an invitation to it. The agency identifies its colleague; otherwise a returning seat belongs to a new
 * person, who cannot sign in before accepting an invitation.
 */
import type { Role } from '#domain/access/permission.ts';
import type { Handle } from '#domain/id.ts';
import type { Unit } from '#books/unit-of-work.ts';
import { endKeys } from '#sql/keys/keys.ts';

/** Gives the seat a role. Its keys end if it returns or passes to another person. */
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
