/**
 * The persons of the provider's accounts, in Postgres. An account is identified by its issuer and subject, which never
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
import { refuse, type Refusal } from '#domain/refusal.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { inUnitOfWork, type Actor, type Unit } from '#books/unit-of-work.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';
import { acceptByAddress, hasOpenInvitation } from '../invitations/acceptance.ts';
import { refuseEndedSession } from '../sessions/rechecks.ts';
import { auditPerson, findSignIn, lockAddress } from '../sessions/store.ts';
import type { Account } from './provider.ts';

/** Why an account cannot sign in. The console has a sentence for each. */
export type Outcome = 'not_verified' | 'not_invited' | 'has_password' | 'linked_to_other';
type Person = { person: Handle<'person'>; email: string };

/** The person of an account, who has accepted every invitation to the account's address. Or why there is none. */
export async function personOfAccount(
  sql: Postgres,
  account: Account,
  { actor, now }: { actor: Actor; now: Milliseconds },
): Promise<Person | Outcome> {
  return inUnitOfWork<Person | Outcome>(sql, { actor, now: new Date(now) }, async unit => {
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

/** Two browsers that come back with one account at the same moment make one person. */
async function lockAccount({ tx }: Unit, { issuer, subject }: Account): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('oidc ' || ${issuer} || ' ' || ${subject}, 0))`;
}

async function findPerson(sql: Queryable, { issuer, subject }: Account): Promise<Person | undefined> {
  const [row] = await sql<Person[]>`
    select p.handle as person, p.email from identities i join people p on p.handle = i.person_handle
    where i.issuer = ${issuer} and i.subject = ${subject}`;
  return row;
}

/** Whether the account still signs its person in. */
export async function refuseUnlinked(
  { tx }: Unit,
  account: Account,
  person: Handle<'person'>,
): Promise<Refusal | undefined> {
  const known = await findPerson(tx, account);
  return known?.person === person ? undefined : refuse('wrong_sign_in', 'This account signs nobody in any more.');
}

async function makePerson(unit: Unit, { email, name, ...account }: Account & { email: string }): Promise<Person> {
  const [made] = await unit.tx<{ person: Handle<'person'> }[]>`
    insert into people (email, name, created_at) values (${email}, ${name}, ${unit.now}) returning handle as person`;
  const { person } = made!;
  await acceptByAddress(unit, { person, email });
  await insertIdentity(unit, person, { ...account, email });
  return { person, email };
}

type NewIdentity = Pick<Account, 'issuer' | 'subject' | 'email'>;

async function insertIdentity(unit: Unit, person: Handle<'person'>, identity: NewIdentity): Promise<void> {
  const { issuer, subject, email = '' } = identity;
  await unit.tx`
    insert into identities (issuer, subject, person_handle, email, created_at)
    values (${issuer}, ${subject}, ${person}, ${email}, ${unit.now})`;
  await auditPerson(unit, { person, action: 'identity.linked', diff: { issuer: { from: null, to: issuer } } });
}

type LinkOptions = { session: Handle<'session'>; tokenHash: Buffer; actor: Actor; now: Milliseconds };

/**
 * Links an account to the person whose session this still is; the account they had linked before goes. Undefined where
 * it is done; the session may have ended meanwhile, which is answered as a sign-in that did not fit.
 */
export async function linkAccount(
  sql: Postgres,
  account: Account,
  { session, tokenHash, actor, now }: LinkOptions,
): Promise<Outcome | 'failed' | undefined> {
  return inUnitOfWork<Outcome | 'failed' | undefined>(sql, { actor, now: new Date(now) }, async unit => {
    const { tx } = unit;
    const [row] = await tx<{ person: Handle<'person'> }[]>`
      select person_handle as person from sessions
      where handle = ${session} and hash = ${tokenHash} and ends_at > ${unit.now}`;
    if (!row || (await refuseEndedSession(unit, { ...row, session }))) return 'failed';
    const { person } = row;
    await lockAccount(unit, account);
    const known = await findPerson(tx, account);
    if (known) return known.person === person ? undefined : 'linked_to_other';
    await tx`delete from identities where person_handle = ${person} and issuer = ${account.issuer}`;
    await insertIdentity(unit, person, account);
    return undefined;
  });
}

/** No account of a provider signs the person in any more. Returns whether one did. */
export async function deleteIdentities(tx: Transaction, person: Handle<'person'>): Promise<boolean> {
  const { count } = await tx`delete from identities where person_handle = ${person}`;
  return count > 0;
}
