/**
 * The sessions of a person: opened, found, listed and ended. The audit log of every workspace of a person has an entry
 * for each change of a session.
 */
import { hash, randomBytes } from 'node:crypto';
import { formatSessionToken } from '#domain/access/key.ts';
import type { Handle } from '#domain/id.ts';
import { refuse, refuseAbsent, type Refusal } from '#domain/refusal.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { inUnitOfWork, type Actor, type Unit, type UnitOptions } from '#books/unit-of-work.ts';
import { sliceOf } from '#sql/lists/list-order.ts';
import { BY_CREATION, type PageOrder } from '#sql/lists/sorts.ts';
import type { Postgres } from '#sql/postgres.ts';
import { lockPerson } from './people.ts';
import { listSeats, readSeats, type SeatRow, type SessionSeat } from './seats.ts';

/**
 * A session ends after an hour in which it was not used and after a day in any case, as NIST SP 800-63B-4 asks for
 * (AAL2, section 2.2.3).
 */
const IDLE_MS = 3_600_000;
export const SESSION_MS = 86_400_000;
/** How exactly the last use is kept: one write a minute for each session. */
const USE_MS = 60_000;
/** Sessions of a person that are open at once; signing in beyond it ends the oldest. */
const SESSIONS_MAX = 50;

export type SessionRow = {
  handle: Handle<'session'>;
  device: string;
  created_at: Date;
  last_used_at: Date;
  ends_at: Date;
};

/** Refuses outdated credentials, in the unit that relies on them: comparing a password takes a while. */
export type Recheck = (unit: Unit) => Promise<Refusal | undefined>;

type Opening = { person: Handle<'person'>; email: string; actor: Actor; recheck: Recheck | undefined; now: Date };
export type OpenedSession = { token: string; name: string; session: SessionRow; seats: SeatRow[] };

/** Opens a session of a person who has shown who they are. Only the hash of its token is stored. */
export async function openSession(
  sql: Postgres,
  { person, email, actor, recheck, now }: Opening,
): Promise<OpenedSession | Refusal> {
  const token = formatSessionToken(randomBytes(32));
  return inUnitOfWork<OpenedSession | Refusal>(sql, { actor: { ...actor, email }, now }, async unit => {
    const { tx } = unit;
    const { name } = await lockPerson(unit, person);
    const refusal = await recheck?.(unit);
    if (refusal) return refusal;
    const seats = await listSeats(tx, person, { sandbox: false });
    if (seats.length === 0) return refuse('no_workspace', 'You are a member of no workspace any more.');
    await tx`
      update sessions set ended_at = ${now} where handle in (
        select handle from sessions where person_handle = ${person} and ended_at is null
        order by handle desc offset ${SESSIONS_MAX - 1})`;
    const columns = {
      person_handle: person,
      hash: hash('sha256', token, 'buffer'),
      device: actor.userAgent ?? '',
      created_at: now,
      last_used_at: now,
      ends_at: new Date(now.getTime() + SESSION_MS),
    };
    const [session] = await tx<SessionRow[]>`insert into sessions ${tx(columns)} returning *`;
    await auditSession(unit, { person, session: session!.handle, action: 'session.created' });
    return { token, name, session: session!, seats };
  });
}

type SessionEvent = OwnSession & { action: 'session.created' | 'session.ended' };

/** In every workspace of the person, as done by their user there. */
async function auditSession(unit: Unit, { person, session, action }: SessionEvent): Promise<void> {
  for (const { workspace, user } of await readSeats(unit.tx, person))
    unit.audit({ workspace, action, entityType: 'session', entityHandle: session, diff: {}, user });
}

/** A session by its token. One that has ended has no seats. */
export type FoundSession = {
  handle: Handle<'session'>;
  person: Handle<'person'>;
  endsAt: Milliseconds;
  lastUsedAt: Milliseconds;
  isEnded: boolean;
  seats: SessionSeat[];
};

/** Finds a session by the SHA-256 of its token, and notes its use. */
export async function findSession(sql: Postgres, hash: Buffer, now: Milliseconds): Promise<FoundSession | undefined> {
  const [row] = await sql<
    { handle: Handle<'session'>; person: Handle<'person'>; ends_at: Date; last_used_at: Date; ended_at: Date | null }[]
  >`select handle, person_handle as person, ends_at, last_used_at, ended_at from sessions where hash = ${hash}`;
  if (!row) return undefined;
  const { handle, person } = row;
  const session = {
    handle,
    person,
    endsAt: row.ends_at.getTime(),
    lastUsedAt: row.last_used_at.getTime(),
    isEnded: row.ended_at !== null,
  };
  if (hasEnded(session, now)) return { ...session, seats: [] };
  const at = new Date(now);
  if (now - session.lastUsedAt >= USE_MS)
    await sql`update sessions set last_used_at = ${at} where handle = ${handle} and last_used_at < ${at}`;
  return { ...session, seats: await readSeats(sql, person) };
}

/** Whether it was ended or has expired: idle for too long, or too old. */
export function hasEnded(
  { endsAt, lastUsedAt, isEnded }: Pick<FoundSession, 'endsAt' | 'lastUsedAt' | 'isEnded'>,
  now: Milliseconds,
): boolean {
  return isEnded || endsAt <= now || lastUsedAt + IDLE_MS <= now;
}

/** A page of the person's open sessions. */
export async function listSessions(
  sql: Postgres,
  page: PageOrder,
  { person, now }: { person: Handle<'person'>; now: Milliseconds },
): Promise<SessionRow[]> {
  const { behind, order } = sliceOf(sql, page, { sorts: BY_CREATION });
  return sql<SessionRow[]>`
    select * from sessions where person_handle = ${person} and ended_at is null and ends_at > ${new Date(now)}
    and last_used_at > ${new Date(now - IDLE_MS)} ${behind} ${order}`;
}

type OwnSession = { person: Handle<'person'>; session: Handle<'session'> };

/** Ends a session of the person at once, and returns the hash of its token. An ended session stays unchanged. */
export async function endSession(
  sql: Postgres,
  options: UnitOptions,
  { person, session }: OwnSession,
): Promise<Buffer | Refusal> {
  return inUnitOfWork<Buffer | Refusal>(sql, options, async unit => {
    const [row] = await unit.tx<{ hash: Buffer; ended_at: Date | null }[]>`
      select hash, ended_at from sessions where handle = ${session} and person_handle = ${person} for update`;
    if (!row) return refuseAbsent();
    if (row.ended_at !== null) return row.hash;
    await unit.tx`update sessions set ended_at = ${unit.now} where handle = ${session}`;
    await auditSession(unit, { person, session, action: 'session.ended' });
    return row.hash;
  });
}

/** Ends the sessions of a person but the one that is kept. Returns the hashes of their tokens (base64). */
export async function endSessions(
  { tx, now }: Unit,
  person: Handle<'person'>,
  keep: Handle<'session'> | null = null,
): Promise<string[]> {
  const ended = await tx<{ hash: Buffer }[]>`
    update sessions set ended_at = ${now} where person_handle = ${person} and ended_at is null
      and handle is distinct from ${keep} returning hash`;
  return ended.map(({ hash }) => hash.toString('base64'));
}

/** Locks the person of a session, and refuses a session that has ended meanwhile. */
export async function refuseEndedSession(unit: Unit, { person, session }: OwnSession): Promise<Refusal | undefined> {
  await lockPerson(unit, person);
  const rows = await unit.tx`
    select 1 from sessions where handle = ${session} and person_handle = ${person} and ended_at is null for share`;
  return rows.length > 0 ? undefined : refuse('session_ended', 'This session has ended. Sign in again.');
}

/** Deletes sessions that ended before this time. Returns how many. */
export async function forgetSessions(
  sql: Postgres,
  { before, count }: { before: Date; count: number },
): Promise<number> {
  const forgotten = await sql`
    delete from sessions where handle in (select handle from sessions
      where ends_at < ${before} order by ends_at limit ${count})`;
  return forgotten.count;
}
