/** The accounts of an OpenID provider that sign people in. An account is known by its issuer and its subject. */
import type { Handle } from '#domain/id.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import { inUnitOfWork, type Unit, type UnitOptions } from '#books/unit-of-work.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';
import { auditPerson } from './people.ts';
import { refuseEndedSession } from './sessions.ts';

type AccountName = { issuer: string; subject: string };
type NamedPerson = { person: Handle<'person'>; email: string };
/** `email`: the address that the provider has verified. */
export type Identity = AccountName & { email: string | undefined };

/** Two browsers that come back with one account at the same moment make one person. */
export async function lockAccount({ tx }: Unit, { issuer, subject }: AccountName): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('oidc ' || ${issuer} || ' ' || ${subject}, 0))`;
}

/** The person whom an account signs in. */
export async function findPerson(sql: Queryable, { issuer, subject }: AccountName): Promise<NamedPerson | undefined> {
  const [row] = await sql<NamedPerson[]>`
    select p.handle as person, p.email from identities i join people p on p.handle = i.person_handle
    where i.issuer = ${issuer} and i.subject = ${subject}`;
  return row;
}

/** Whether the account still signs its person in. */
export async function refuseUnlinked(
  { tx }: Unit,
  account: AccountName,
  person: Handle<'person'>,
): Promise<Refusal | undefined> {
  const known = await findPerson(tx, account);
  return known?.person === person ? undefined : refuse('wrong_sign_in', 'This account signs nobody in any more.');
}

/** The account signs this person in from now on. */
export async function insertIdentity(unit: Unit, person: Handle<'person'>, identity: Identity): Promise<void> {
  const { issuer, subject, email = '' } = identity;
  await unit.tx`
    insert into identities (issuer, subject, person_handle, email, created_at)
    values (${issuer}, ${subject}, ${person}, ${email}, ${unit.now})`;
  await auditPerson(unit, { person, action: 'identity.linked', diff: { issuer: { from: null, to: issuer } } });
}

/**
 * Links an account to the person whose session this still is; the account they had linked before goes. Undefined if it
 * is done; `failed` if the session has ended meanwhile.
 */
export async function linkAccount(
  sql: Postgres,
  options: UnitOptions,
  { account, session, tokenHash }: { account: Identity; session: Handle<'session'>; tokenHash: Buffer },
): Promise<'linked_to_other' | 'failed' | undefined> {
  return inUnitOfWork<'linked_to_other' | 'failed' | undefined>(sql, options, async unit => {
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
