/**
 * The persons of an OpenID provider's accounts. An account is identified by its issuer and subject, which never
 * change; its address may. A person gets an account in one of two ways:
 *
 * - A signed-in person links it, and enters the password again.
 * - The verified address has an invitation and no sign-in yet: a new person is created.
 *
 * An address that signs in with a password is not linked by itself. Anyone with an invitation for it may have chosen
 * that password, and the provider's person may be another than the one whom the workspaces know by it. Joining both
 * without a word from the person would give one person's workspaces to the other. A person who knows the password links
 * the account; others ask the operator to free the address (`admin user remove-sign-in`).
 */
import type { Handle } from '#domain/id.ts';
import { inUnitOfWork, type Unit, type UnitOptions } from '#books/unit-of-work.ts';
import { findPerson, insertIdentity, lockAccount, type Identity } from '#sql/people/identities.ts';
import { insertPerson } from '#sql/people/people.ts';
import { findSignIn, lockAddress } from '#sql/people/sign-ins.ts';
import type { Postgres } from '#sql/postgres.ts';
import { acceptByAddress, hasOpenInvitation } from './acceptance.ts';

/** Why an account cannot sign in. The console has a sentence for each. */
export type Outcome = 'not_verified' | 'not_invited' | 'has_password';
type Person = { person: Handle<'person'>; email: string };
type Account = Identity & { name: string };

/** The person of an account, who has accepted every invitation to the account's address. Or why there is none. */
export async function personOfAccount(
  sql: Postgres,
  options: UnitOptions,
  account: Account,
): Promise<Person | Outcome> {
  return inUnitOfWork<Person | Outcome>(sql, options, async unit => {
    const { email } = account;
    await lockAccount(unit, account);
    const known = await findPerson(unit.tx, account);
    if (known) {
      if (email !== undefined) await acceptByAddress(unit, { person: known.person, email });
      return known;
    }
    if (email === undefined) return 'not_verified';
    await lockAddress(unit, email);
    if (await findSignIn(unit.tx, email)) return 'has_password';
    if (!(await hasOpenInvitation(unit, email))) return 'not_invited';
    return makePerson(unit, { ...account, email });
  });
}

async function makePerson(unit: Unit, { email, name, ...account }: Account & { email: string }): Promise<Person> {
  const person = await insertPerson(unit, { email, name });
  await acceptByAddress(unit, { person, email });
  await insertIdentity(unit, person, { ...account, email });
  return { person, email };
}
