/** The account of a person: their name and how they sign in, read, changed and erased. */
import type { Handle } from '#domain/id.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import { inUnitOfWork, type Unit, type UnitOptions } from '#books/unit-of-work.ts';
import { forgetChoices } from '#sql/alerts/choices.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { deleteIdentities } from './identities.ts';
import { auditPerson, lockPerson, namePerson } from './people.ts';
import { readSecondFactor, type SecondFactor } from './second-factors.ts';
import { deleteSignIn } from './sign-ins.ts';

type PersonRow = { person: Handle<'person'>; email: string; name: string; has_password: boolean };
type IdentityRow = { issuer: string; email: string; created_at: Date };
export type StoredAccount = PersonRow & { identity: IdentityRow | undefined; factor: SecondFactor | undefined };

export async function readAccount(sql: Queryable, person: Handle<'person'>): Promise<StoredAccount> {
  const [row] = await sql<PersonRow[]>`
    select p.handle as person, coalesce(s.email, p.email) as email, p.name, s.person_handle is not null as has_password
    from people p left join sign_ins s on s.person_handle = p.handle where p.handle = ${person}`;
  const factor = await readSecondFactor(sql, person);
  // There may be another identity, of a provider that is no longer configured.
  const [identity] = await sql<IdentityRow[]>`
    select issuer, email, created_at from identities where person_handle = ${person} order by created_at desc limit 1`;
  return { ...row!, identity, factor };
}

/** Gives the person another name, and returns their account. */
export async function renamePerson(
  sql: Postgres,
  options: UnitOptions,
  { person, name }: { person: Handle<'person'>; name: string },
): Promise<StoredAccount> {
  return inUnitOfWork(sql, options, async unit => {
    const before = await lockPerson(unit, person);
    if (before.name !== name) {
      await namePerson(unit, person, name);
      await auditPerson(unit, { person, action: 'person.updated', diff: { name: { from: before.name, to: name } } });
    }
    return readAccount(unit.tx, person);
  });
}

/** The accounts of providers no longer sign the person in, who has a password. */
export async function removeIdentity(
  sql: Postgres,
  options: UnitOptions,
  person: Handle<'person'>,
): Promise<undefined | Refusal> {
  return inUnitOfWork<undefined | Refusal>(sql, options, async unit => {
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
