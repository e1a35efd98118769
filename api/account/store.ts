/** The person who is signed in, in Postgres: their name, and their password. */
import { formatId, type Handle } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { forgetChoices } from '#sql/alerts/choices.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import { inUnitOfWork, type Unit } from '#books/unit-of-work.ts';
import type { Caller } from '../authentication/caller.ts';
import { lockPerson, refuseChanged, refuseEndedSession } from '../sessions/rechecks.ts';
import { auditPerson, deleteSignIn, type SignInRow } from '../sessions/store.ts';
import { writePassword } from './password-reset.ts';
import type { Account } from './schema.ts';
import { readSecondFactor } from '../sessions/second-factor.ts';
import { deleteIdentities } from '../oidc/identities.ts';

type PersonRow = { email: string; name: string; has_password: boolean };
type IdentityRow = { issuer: string; email: string; created_at: Date };

export async function readAccount(sql: Queryable, person: Handle<'person'>): Promise<Account> {
  const [row] = await sql<PersonRow[]>`
    select coalesce(s.email, p.email) as email, p.name, s.person_handle is not null as has_password
    from people p left join sign_ins s on s.person_handle = p.handle where p.handle = ${person}`;
  const factor = await readSecondFactor(sql, person);
  // There may be another identity, of a provider that is no longer configured.
  const [identity] = await sql<IdentityRow[]>`
    select issuer, email, created_at from identities where person_handle = ${person} order by created_at desc limit 1`;
  return {
    id: formatId('person', person),
    ...row!,
    identity: identity
      ? { issuer: identity.issuer, email: identity.email, linked_at: identity.created_at.toISOString() }
      : null,
    second_factor: factor ? { ...factor, since: factor.since.toISOString() } : null,
  };
}

type Change<Value> = Value & { person: Handle<'person'>; now: Milliseconds };

export async function renamePerson(
  sql: Postgres,
  caller: Caller,
  { person, name, now }: Change<{ name: string }>,
): Promise<Account> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const before = await lockPerson(unit, person);
    if (before.name !== name) {
      await unit.tx`update people set name = ${name} where handle = ${person}`;
      await auditPerson(unit, { person, action: 'person.updated', diff: { name: { from: before.name, to: name } } });
    }
    return readAccount(unit.tx, person);
  });
}

/** `known`: the sign-in of the person, verified by the password. */
type NewPassword = { known: SignInRow; passwordHash: string; session: Handle<'session'>; now: Milliseconds };

/**
 * Sets a new password. All sessions except the current one end, so that a stolen old password is worthless. Returns the
 * hashes of those sessions (base64), for the caller to forget.
 */
export async function changePassword(
  sql: Postgres,
  caller: Caller,
  { known, passwordHash, session, now }: NewPassword,
): Promise<string[] | Refusal> {
  const { person } = known;
  return inUnitOfWork<string[] | Refusal>(sql, { ...caller, now: new Date(now) }, async unit => {
    const refusal = (await refuseEndedSession(unit, { person, session })) ?? (await refuseChanged(unit, known));
    if (refusal) return refusal;
    return writePassword(unit, { person, passwordHash, keep: session });
  });
}

/** The accounts of providers no longer sign the person in, who has a password. */
export async function removeIdentity(
  sql: Postgres,
  caller: Caller,
  { person, now }: { person: Handle<'person'>; now: Milliseconds },
): Promise<undefined | Refusal> {
  return inUnitOfWork<undefined | Refusal>(sql, { ...caller, now: new Date(now) }, async unit => {
    await lockPerson(unit, person);
    const { has_password: hasPassword } = await readAccount(unit.tx, person);
    if (!hasPassword) return refuse('state_conflict', 'You have no password: nothing else would sign you in.');
    if (await deleteIdentities(unit.tx, person)) await auditPerson(unit, { person, action: 'identity.removed' });
    return undefined;
  });
}

/** Deletes the address, the name, every sign-in method, every session and all alerts of a person who has left. */
export async function forgetPerson({ tx }: Unit, person: Handle<'person'>, address: string): Promise<void> {
  await tx`delete from sessions where person_handle = ${person}`;
  await deleteIdentities(tx, person);
  await deleteSignIn(tx, person);
  await forgetChoices(tx, person);
  await tx`update people set email = ${address}, name = '' where handle = ${person}`;
}
