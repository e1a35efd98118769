/** The person who is signed in, in Postgres: their name, and their password. */
import { formatId, type Handle } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { inUnitOfWork } from '#books/unit-of-work.ts';
import type { Caller } from '../authentication/caller.ts';
import { auditPerson } from '../sessions/store.ts';
import type { Account } from './schema.ts';
import { readSecondFactor } from '../sessions/second-factor.ts';

type PersonRow = { email: string; name: string; has_password: boolean };

export async function readAccount(sql: Queryable, person: Handle<'person'>): Promise<Account> {
  const [row] = await sql<PersonRow[]>`
    select coalesce(s.email, p.email) as email, p.name, s.person_handle is not null as has_password
    from people p left join sign_ins s on s.person_handle = p.handle where p.handle = ${person}`;
  const factor = await readSecondFactor(sql, person);
  return {
    id: formatId('person', person),
    ...row!,
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
    const [before] = await unit.tx<{ name: string }[]>`select name from people where handle = ${person} for update`;
    if (before!.name !== name) {
      await unit.tx`update people set name = ${name} where handle = ${person}`;
      await auditPerson(unit, { person, action: 'person.updated', diff: { name: { from: before!.name, to: name } } });
    }
    return readAccount(unit.tx, person);
  });
}

type NewPassword = { passwordHash: string; session: Handle<'session'> };

/**
 * Another password from now on. All sessions but the one that asked end: whoever knows the old password is out.
 * Answers the hashes of those sessions (base64), to be forgotten.
 */
export async function changePassword(
  sql: Postgres,
  caller: Caller,
  { person, passwordHash, session, now }: Change<NewPassword>,
): Promise<string[]> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    await unit.tx`
      update sign_ins set password_hash = ${passwordHash}, changed_at = ${unit.now} where person_handle = ${person}`;
    const ended = await unit.tx<{ hash: Buffer }[]>`
      update sessions set ended_at = ${unit.now} where person_handle = ${person} and handle <> ${session} and ended_at is null returning hash`;
    await auditPerson(unit, { person, action: 'sign_in.updated' });
    return ended.map(({ hash }) => hash.toString('base64'));
  });
}
