/** Address and password of a person: created, changed and checked again. */
import { diffOfNew } from '#domain/access/audit-diff.ts';
import { foldAddress } from '#domain/access/mail-address.ts';
import type { Handle } from '#domain/id.ts';
import { refuseField, type Refusal } from '#domain/refusal.ts';
import { inUnitOfWork, type Unit, type UnitOptions } from '#books/unit-of-work.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';
import { auditPerson } from './people.ts';
import { endSessions, refuseEndedSession } from './sessions.ts';

export type SignInRow = { person: Handle<'person'>; email: string; password_hash: string };

/** Serializes concurrent creations of a sign-in, or a person, for one address. */
export async function lockAddress({ tx }: Unit, email: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('sign-in ' || ${foldAddress(email)}, 0))`;
}

/** How an address signs in, if it does. */
export async function findSignIn(sql: Queryable, email: string): Promise<SignInRow | undefined> {
  const [row] = await sql<SignInRow[]>`
    select person_handle as person, email, password_hash from sign_ins where email_folded = ${foldAddress(email)}`;
  return row;
}

/** How a person signs in, if they have a password. */
export async function findSignInOf(sql: Queryable, person: Handle<'person'>): Promise<SignInRow | undefined> {
  const [row] = await sql<SignInRow[]>`
    select person_handle as person, email, password_hash from sign_ins where person_handle = ${person}`;
  return row;
}

type NewSignIn = { person: Handle<'person'>; email: string; passwordHash: string; workspace: Handle<'workspace'> };

/** From now on the address and the password sign this person in. The caller has made sure that the address is free. */
export async function createSignIn(unit: Unit, { person, email, passwordHash, workspace }: NewSignIn): Promise<void> {
  await unit.tx`
    insert into sign_ins (person_handle, email, email_folded, password_hash, created_at, changed_at)
    values (${person}, ${email}, ${foldAddress(email)}, ${passwordHash}, ${unit.now}, ${unit.now})`;
  const diff = diffOfNew({ email });
  unit.audit({ workspace, action: 'sign_in.created', entityType: 'person', entityHandle: person, diff });
}

/** `known`: the sign-in of the person, verified by the password. */
type NewPassword = { known: SignInRow; passwordHash: string; session: Handle<'session'> };

/**
 * Sets a new password. All sessions except the current one end, so that a stolen old password is worthless. Returns the
 * hashes of those sessions (base64), for the caller to forget.
 */
export async function changePassword(
  sql: Postgres,
  options: UnitOptions,
  { known, passwordHash, session }: NewPassword,
): Promise<string[] | Refusal> {
  const { person } = known;
  return inUnitOfWork<string[] | Refusal>(sql, options, async unit => {
    const refusal = (await refuseEndedSession(unit, { person, session })) ?? (await refuseChanged(unit, known));
    return refusal ?? writePassword(unit, { person, passwordHash, keep: session });
  });
}

type Written = { person: Handle<'person'>; passwordHash: string; keep?: Handle<'session'> };

/**
 * Writes the new password of a person whose row is locked. Links to set another one are void, and all sessions end but
 * the one that is kept. Returns their hashes (base64).
 */
export async function writePassword(unit: Unit, { person, passwordHash, keep }: Written): Promise<string[]> {
  const { tx, now } = unit;
  await tx`update sign_ins set password_hash = ${passwordHash}, changed_at = ${now} where person_handle = ${person}`;
  await tx`delete from password_resets where person_handle = ${person}`;
  const ended = await endSessions(unit, person, keep);
  await auditPerson(unit, { person, action: 'sign_in.updated' });
  return ended;
}

/** Deletes the password, and the second factor with it. Returns the address; undefined if there was none. */
export async function deleteSignIn(tx: Transaction, person: Handle<'person'>): Promise<string | undefined> {
  const [row] = await tx<{ email: string }[]>`delete from sign_ins where person_handle = ${person} returning email`;
  return row?.email;
}

type ShownPassword = Pick<SignInRow, 'person' | 'password_hash'>;

/** Whether the compared password is still the person's. Each hash has its own salt. */
export async function hasPassword({ tx }: Unit, shown: ShownPassword): Promise<boolean> {
  const rows = await tx`
    select 1 from sign_ins where person_handle = ${shown.person} and password_hash = ${shown.password_hash}`;
  return rows.length > 0;
}

/** For a person who has entered their password again to change something. */
export async function refuseChanged(unit: Unit, shown: ShownPassword): Promise<Refusal | undefined> {
  return (await hasPassword(unit, shown))
    ? undefined
    : refuseField('/current_password', 'wrong_password', 'was changed a moment ago');
}
