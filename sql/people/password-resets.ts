/**
 * Links by which a person who has forgotten the password sets a new one, in Postgres. Only the hash of a token is
 * stored. The second factor stays: the sign-in that follows asks for it.
 */
import { hash, randomBytes } from 'node:crypto';
import { formatResetToken, isResetToken } from '#domain/access/key.ts';
import type { Handle } from '#domain/id.ts';
import { refuse, refuseAbsent, type Refusal } from '#domain/refusal.ts';
import { inUnitOfWork, type Unit, type UnitOptions } from '#books/unit-of-work.ts';
import type { Postgres } from '#sql/postgres.ts';
import { auditPerson, lockPerson } from './people.ts';
import { writePassword } from './sign-ins.ts';

/** Time to find the mail; a link that lies in a mailbox for longer is a risk. */
const VALID_MS = 3_600_000;

export type ResetLink = { url: string; expires_at: string };

/** Makes the link of a person who has asked for one by mail. */
export async function requestResetLink(
  sql: Postgres,
  options: UnitOptions,
  link: { person: Handle<'person'>; publicUrl: string },
): Promise<ResetLink> {
  return inUnitOfWork(sql, options, async unit => {
    await lockPerson(unit, link.person);
    await auditPerson(unit, { person: link.person, action: 'sign_in.reset_requested' });
    return createResetLink(unit, link);
  });
}

/** Makes the link of a person who has a password; those made before are void. The token is in this answer alone. */
export async function createResetLink(
  { tx, now }: Unit,
  { person, publicUrl }: { person: Handle<'person'>; publicUrl: string },
): Promise<ResetLink> {
  const token = formatResetToken(randomBytes(32));
  const expiresAt = new Date(now.getTime() + VALID_MS);
  await tx`
    insert into password_resets (person_handle, token_hash, created_at, expires_at)
    values (${person}, ${hash('sha256', token, 'buffer')}, ${now}, ${expiresAt})
    on conflict (person_handle) do update
      set token_hash = excluded.token_hash, created_at = excluded.created_at, expires_at = excluded.expires_at`;
  return { url: `${publicUrl}/console/reset#${token}`, expires_at: expiresAt.toISOString() };
}

/** The address of the person whom a link is for; a link that is used, replaced or too old is refused. */
export async function findResetAddress(
  sql: Postgres,
  { token, now }: { token: string; now: Date },
): Promise<string | Refusal> {
  if (!isResetToken(token)) return refuseAbsent();
  const [row] = await sql<{ email: string }[]>`
    select s.email from password_resets r join sign_ins s using (person_handle)
    where r.token_hash = ${hash('sha256', token, 'buffer')} and r.expires_at > ${now}`;
  return row?.email ?? refuseLink();
}

/** Sets the password by a link, once. All sessions of the person end; returns their hashes (base64). */
export async function useResetLink(
  sql: Postgres,
  options: UnitOptions,
  { token, passwordHash }: { token: string; passwordHash: string },
): Promise<string[] | Refusal> {
  return inUnitOfWork<string[] | Refusal>(sql, options, async unit => {
    const used = hash('sha256', token, 'buffer');
    const [known] = await unit.tx<{ person: Handle<'person'> }[]>`
      select person_handle as person from password_resets where token_hash = ${used}`;
    if (!known) return refuseLink();
    await lockPerson(unit, known.person);
    const deleted = await unit.tx`
      delete from password_resets where token_hash = ${used} and expires_at > ${unit.now} returning person_handle`;
    return deleted.length === 0 ? refuseLink() : writePassword(unit, { person: known.person, passwordHash });
  });
}

function refuseLink(): Refusal {
  return refuse('link_expired', 'This link was used, replaced by a newer one, or is older than an hour. Ask again.');
}
