/**
 * Checks credentials again when they take effect. Comparing a password takes a while, and it may be changed meanwhile.
 * Each change of a person's sign-in locks the person first, and so does code that relies on it.
 */
import type { Handle } from '#domain/id.ts';
import { refuse, refuseField, type Refusal } from '#domain/refusal.ts';
import type { Unit } from '#books/unit-of-work.ts';

/** Refuses outdated credentials, in the unit that relies on them. */
export type Recheck = (unit: Unit) => Promise<Refusal | undefined>;

/** Sessions, and changes of how the person signs in, come one after the other. */
export async function lockPerson({ tx }: Pick<Unit, 'tx'>, person: Handle<'person'>): Promise<{ name: string }> {
  const [row] = await tx<{ name: string }[]>`select name from people where handle = ${person} for update`;
  return row!;
}

type ShownPassword = { person: Handle<'person'>; password_hash: string };

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

/** Locks the person of a session, and refuses a session that has ended meanwhile. */
export async function refuseEndedSession(
  unit: Unit,
  { person, session }: { person: Handle<'person'>; session: Handle<'session'> },
): Promise<Refusal | undefined> {
  await lockPerson(unit, person);
  const rows = await unit.tx`
    select 1 from sessions where handle = ${session} and person_handle = ${person} and ended_at is null for share`;
  return rows.length > 0 ? undefined : refuse('session_ended', 'This session has ended. Sign in again.');
}
