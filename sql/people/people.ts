/** People: the row of a person, and the audit entries that all their workspaces get. */
import type { Diff } from '#domain/access/audit-diff.ts';
import type { Handle } from '#domain/id.ts';
import type { Unit } from '#books/unit-of-work.ts';
import type { Queryable } from '#sql/postgres.ts';
import { readSeats } from './seats.ts';

/** Creates a person, who cannot sign in yet. An empty name is one that the person has not given. */
export async function insertPerson(
  { tx, now }: Unit,
  { email, name }: { email: string; name: string },
): Promise<Handle<'person'>> {
  const [made] = await tx<{ person: Handle<'person'> }[]>`
    insert into people (email, name, created_at) values (${email}, ${name}, ${now}) returning handle as person`;
  return made!.person;
}

export async function readName(sql: Queryable, person: Handle<'person'>): Promise<string> {
  const [row] = await sql<{ name: string }[]>`select name from people where handle = ${person}`;
  return row!.name;
}

/** Gives a person a name. */
export async function namePerson({ tx }: Unit, person: Handle<'person'>, name: string): Promise<void> {
  await tx`update people set name = ${name} where handle = ${person}`;
}

/**
 * Locks a person. Sessions, and changes of how the person signs in, come one after the other. Each change of a sign-in
 * locks the person first, and so does code that relies on it.
 */
export async function lockPerson({ tx }: Pick<Unit, 'tx'>, person: Handle<'person'>): Promise<{ name: string }> {
  const [row] = await tx<{ name: string }[]>`select name from people where handle = ${person} for update`;
  return row!;
}

type PersonEvent = {
  person: Handle<'person'>;
  action:
    | 'person.updated'
    | 'sign_in.updated'
    | 'sign_in.reset_requested'
    | 'second_factor.created'
    | 'second_factor.removed'
    | 'identity.linked'
    | 'identity.removed';
  diff?: Diff;
};

/** Every workspace of a person gets an audit entry for changes of the person's own account, by their user there. */
export async function auditPerson(unit: Unit, { person, action, diff = {} }: PersonEvent): Promise<void> {
  for (const { workspace, user } of await readSeats(unit.tx, person))
    unit.audit({ workspace, action, entityType: 'person', entityHandle: person, diff, user });
}
