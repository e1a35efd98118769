/**
 * People who sign in, in Postgres: the password of an address, and the sessions of a person: opened, listed and ended.
 * The audit of every workspace of a person has an entry for each change of a session.
 */
import type { Milliseconds } from '#domain/unit.ts';
import { createHash, randomBytes } from 'node:crypto';
import { formatSessionToken } from '#domain/access/key.ts';
import { foldAddress } from '#domain/access/mail-address.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';
import { inUnitOfWork, type Actor, type Unit } from '#books/unit-of-work.ts';
import type { Caller } from '../authentication/caller.ts';
import { diffOfNew, type Diff } from '#domain/access/audit-diff.ts';
import { positionIn, sliceOf } from '#sql/lists/list-order.ts';
import { BY_CREATION, envelope, type List, type Page } from '../lists/paging.ts';
import { readWorkspaces } from '../me/store.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import type { Passwords } from './password.ts';
import { lockPerson, type Recheck } from './rechecks.ts';
import type { SessionShown, SignedIn, SignIn } from './schema.ts';
import { IDLE_MS, readSeats, SESSION_MS } from '../authentication/session-lookup.ts';

/** Sessions of a person that are open at once; signing in beyond it ends the oldest. */
const SESSIONS_MAX = 50;

type SessionRow = { handle: Handle<'session'>; device: string; created_at: Date; last_used_at: Date; ends_at: Date };

export type SignInRow = { person: Handle<'person'>; email: string; password_hash: string };

/** Serializes concurrent creations of a sign-in, or a person, for one address. */
export async function lockAddress({ tx }: Unit, email: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('sign-in ' || ${foldAddress(email)}, 0))`;
}

/** How an address signs in, if it does. */
export async function findSignIn(sql: Queryable, email: string): Promise<SignInRow | undefined> {
  const [row] = await sql<
    SignInRow[]
  >`select person_handle as person, email, password_hash from sign_ins where email_folded = ${foldAddress(email)}`;
  return row;
}

/** How a person signs in, if they have a password. */
export async function findSignInOf(sql: Queryable, person: Handle<'person'>): Promise<SignInRow | undefined> {
  const [row] = await sql<
    SignInRow[]
  >`select person_handle as person, email, password_hash from sign_ins where person_handle = ${person}`;
  return row;
}

/** The person of an address and its password. An unknown address is answered as a wrong password is, after as long. */
export async function identifyPerson(
  sql: Postgres,
  passwords: Passwords,
  { email, password }: Pick<SignIn, 'email' | 'password'>,
): Promise<SignInRow | Refusal> {
  const row = await findSignIn(sql, email);
  const isRight = await passwords.verify(password, row?.password_hash);
  if (isRefusal(isRight)) return isRight;
  return isRight && row ? row : refuseSignIn();
}

export const refuseSignIn = () => refuse('wrong_sign_in', 'No person signs in with this address and password.');

type NewSignIn = { person: Handle<'person'>; email: string; passwordHash: string; workspace: Handle<'workspace'> };

/** From now on the address and the password sign this person in. The caller has made sure that the address is free. */
export async function createSignIn(unit: Unit, { person, email, passwordHash, workspace }: NewSignIn): Promise<void> {
  await unit.tx`
    insert into sign_ins (person_handle, email, email_folded, password_hash, created_at, changed_at)
    values (${person}, ${email}, ${foldAddress(email)}, ${passwordHash}, ${unit.now}, ${unit.now})`;
  unit.audit({
    workspace,
    action: 'sign_in.created',
    entityType: 'person',
    entityHandle: person,
    diff: diffOfNew({ email }),
  });
}

/** The person signs in with this password from now on. */
export async function changePassword(
  { tx, now }: Unit,
  { person, passwordHash }: Pick<NewSignIn, 'person' | 'passwordHash'>,
): Promise<void> {
  await tx`update sign_ins set password_hash = ${passwordHash}, changed_at = ${now} where person_handle = ${person}`;
}

/** Deletes the password, and the second factor with it. Returns the address; undefined if there was none. */
export async function deleteSignIn(tx: Transaction, person: Handle<'person'>): Promise<string | undefined> {
  const [row] = await tx<{ email: string }[]>`delete from sign_ins where person_handle = ${person} returning email`;
  return row?.email;
}

type OpenOptions = {
  person: Handle<'person'>;
  email: string;
  actor: Actor;
  recheck: Recheck | undefined;
  now: Milliseconds;
};
export type OpenedSession = { token: string; signedIn: SignedIn };

/** Opens a session of a person who has shown who they are. The token is in this answer and nowhere else. */
export async function openSession(
  sql: Postgres,
  { person, email, actor, recheck, now }: OpenOptions,
): Promise<OpenedSession | Refusal> {
  const token = formatSessionToken(randomBytes(32));
  return inUnitOfWork<OpenedSession | Refusal>(sql, { actor: { ...actor, email }, now: new Date(now) }, async unit => {
    const { tx } = unit;
    const { name } = await lockPerson(unit, person);
    const refusal = await recheck?.(unit);
    if (refusal) return refusal;
    const workspaces = await readWorkspaces(tx, person, { sandbox: false });
    if (workspaces.length === 0) return refuse('no_workspace', 'You are a member of no workspace any more.');
    await tx`
      update sessions set ended_at = ${unit.now} where handle in (
        select handle from sessions where person_handle = ${person} and ended_at is null
        order by handle desc offset ${SESSIONS_MAX - 1})`;
    const columns = {
      person_handle: person,
      hash: createHash('sha256').update(token).digest(),
      device: actor.userAgent ?? '',
      created_at: unit.now,
      last_used_at: unit.now,
      ends_at: new Date(now + SESSION_MS),
    };
    const [row] = await tx<SessionRow[]>`insert into sessions ${tx(columns)} returning *`;
    await auditSession(unit, { person, session: row!.handle, action: 'session.created' });
    return {
      token,
      signedIn: {
        person: { id: formatId('person', person), email, name },
        session: sessionRecord(row!, row!.handle),
        workspaces,
      },
    };
  });
}

type SessionEvent = {
  person: Handle<'person'>;
  session: Handle<'session'>;
  action: 'session.created' | 'session.ended';
};

/** In every workspace of the person, as done by their user there. */
async function auditSession(unit: Unit, { person, session, action }: SessionEvent): Promise<void> {
  for (const { workspace, user } of await readSeats(unit.tx, person))
    unit.audit({ workspace, action, entityType: 'session', entityHandle: session, diff: {}, user });
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

type OwnSessions = { person: Handle<'person'>; current: Handle<'session'> | undefined; now: Milliseconds };

/** The person's sessions that are open, newest first. */
export async function listSessions(
  sql: Postgres,
  page: Page,
  { person, current, now }: OwnSessions,
): Promise<List<SessionShown>> {
  const { behind, order } = sliceOf(sql, page, { sorts: BY_CREATION, handle: 'handle' });
  const rows = await sql<SessionRow[]>`
    select * from sessions where person_handle = ${person} and ended_at is null and ends_at > ${new Date(now)}
    and last_used_at > ${new Date(now - IDLE_MS)} ${behind} ${order}`;
  return envelope(rows, page, {
    positionOf: positionIn(page, BY_CREATION),
    recordOf: row => sessionRecord(row, current),
  });
}

type EndOptions = {
  person: Handle<'person'>;
  session: Handle<'session'>;
  /** Called with the hash (base64) of the session's token after the commit. */
  forget: (hash: string) => void;
  now: Milliseconds;
};

/** Ends a session of the person at once. An ended session stays unchanged. */
export async function endSession(
  sql: Postgres,
  caller: Caller,
  { person, session, forget, now }: EndOptions,
): Promise<undefined | Refusal> {
  const ended = await inUnitOfWork<Buffer | Refusal>(sql, { ...caller, now: new Date(now) }, async unit => {
    const [row] = await unit.tx<{ hash: Buffer; ended_at: Date | null }[]>`
      select hash, ended_at from sessions where handle = ${session} and person_handle = ${person} for update`;
    if (!row) return refuseAbsent();
    if (row.ended_at !== null) return row.hash;
    await unit.tx`update sessions set ended_at = ${unit.now} where handle = ${session}`;
    await auditSession(unit, { person, session, action: 'session.ended' });
    return row.hash;
  });
  if (isRefusal(ended)) return ended;
  forget(ended.toString('base64'));
  return undefined;
}

function sessionRecord(row: SessionRow, current: Handle<'session'> | undefined): SessionShown {
  return {
    id: formatId('session', row.handle),
    device: row.device,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    is_current: row.handle === current,
  };
}
