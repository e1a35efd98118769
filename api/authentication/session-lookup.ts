/**
 * Which person a session's token stands for, and the seats of that person. Looked up by the token's SHA-256 and cached
 * as briefly as keys are. A session ends after an hour in which it was not used and after a day in any case, as NIST SP
 * 800-63B-4 asks for (AAL2, section 2.2.3).
 */
import type { Milliseconds } from '#domain/unit.ts';
import { hash as hashOnce } from 'node:crypto';
import { isSessionToken } from '#domain/access/key.ts';
import type { Role, Surface } from '#domain/access/permission.ts';
import { SURFACE_OF_KIND, type WorkspaceKind, type WorkspaceStatus } from '#domain/access/workspace.ts';
import type { Handle } from '#domain/id.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';

export const IDLE_MS = 3_600_000;
export const SESSION_MS = 86_400_000;
const CACHED_MS = 900; // as keys are (authentication.ts)
const SESSIONS_MAX = 10_000; // some 500 bytes each; beyond it the cache starts again
/** How exactly the last use is kept: one write a minute for each session. */
const USE_MS = 60_000;
/** Seats of one person that a session reaches; clients are reached through the agency as well. */
const SEATS_MAX = 200;

/** A seat of the person as a session acts on it. */
export type SessionSeat = {
  home: Handle<'workspace'>;
  workspace: Handle<'workspace'>;
  currency: string;
  user: Handle<'user'>;
  email: string;
  role: Role;
  surface: Surface;
  status: WorkspaceStatus;
  isArchived: boolean;
  auditYears: number;
};
/** `seats`: the oldest first, at least one. */
export type Session = {
  handle: Handle<'session'>;
  person: Handle<'person'>;
  endsAt: Milliseconds;
  seats: readonly [SessionSeat, ...SessionSeat[]];
};
export type SessionLookup = {
  /** The session of a token, or the reason why it is invalid. */
  find(token: string): Promise<Session | Refusal>;
  /** Removes a session from the cache, by its hash in base64; without one, all. */
  forget(hash?: string): void;
};

type StoredSession = Omit<Session, 'seats'> & { seats: SessionSeat[]; isEnded: boolean; lastUsedAt: Milliseconds };
type CacheEntry = { session: Promise<StoredSession | undefined>; readAt: Milliseconds };

export function createSessionLookup({ sql, now }: { sql: Postgres; now: () => Milliseconds }): SessionLookup {
  const cache = new Map<string, CacheEntry>();
  const read = (name: string): Promise<StoredSession | undefined> => {
    const at = now();
    const known = cache.get(name);
    if (known && at - known.readAt < CACHED_MS && at >= known.readAt) return known.session;
    if (cache.size >= SESSIONS_MAX) cache.clear();
    const entry = { session: readSession(sql, Buffer.from(name, 'base64'), at), readAt: at };
    cache.set(name, entry);
    // Failures and unknown tokens are not cached, as with keys.
    entry.session.then(
      found => found ?? cache.delete(name),
      () => cache.delete(name),
    );
    return entry.session;
  };
  return {
    async find(token) {
      const session = isSessionToken(token) ? await read(hashOnce('sha256', token, 'base64')) : undefined;
      if (session === undefined) return refuse('invalid_session', 'This session is not known. Sign in.');
      const { handle, person, endsAt, isEnded, seats } = session;
      if (isEnded || hasEnded(session, now())) return refuse('session_ended', 'This session has ended. Sign in again.');
      const [first, ...others] = seats;
      if (first === undefined) return refuse('no_workspace', 'You are a member of no workspace any more.');
      return { handle, person, endsAt, seats: [first, ...others] };
    },
    forget(hash) {
      if (hash === undefined) cache.clear();
      else cache.delete(hash);
    },
  };
}

/** Whether it has expired: idle for too long, or too old. */
function hasEnded(
  { endsAt, lastUsedAt }: { endsAt: Milliseconds; lastUsedAt: Milliseconds },
  now: Milliseconds,
): boolean {
  return endsAt <= now || lastUsedAt + IDLE_MS <= now;
}

async function readSession(sql: Postgres, hash: Buffer, now: Milliseconds): Promise<StoredSession | undefined> {
  const [row] = await sql<
    { handle: Handle<'session'>; person: Handle<'person'>; ends_at: Date; last_used_at: Date; ended_at: Date | null }[]
  >`select handle, person_handle as person, ends_at, last_used_at, ended_at from sessions where hash = ${hash}`;
  if (!row) return undefined;
  const session = {
    handle: row.handle,
    person: row.person,
    endsAt: row.ends_at.getTime(),
    lastUsedAt: row.last_used_at.getTime(),
    isEnded: row.ended_at !== null,
  };
  if (session.isEnded || hasEnded(session, now)) return { ...session, seats: [] };
  if (now - session.lastUsedAt >= USE_MS) await noteUse(sql, session.handle, new Date(now));
  return { ...session, seats: await readSeats(sql, row.person) };
}

async function noteUse(sql: Postgres, session: Handle<'session'>, now: Date): Promise<void> {
  await sql`update sessions set last_used_at = ${now} where handle = ${session} and last_used_at < ${now}`;
}

type SeatRow = Omit<SessionSeat, 'home' | 'surface' | 'isArchived' | 'auditYears'> & {
  kind: WorkspaceKind;
  is_archived: boolean;
  audit_years: number;
};

/** The workspaces where the person has a seat, the oldest seat first, without those that the operator has closed. */
export async function readSeats(sql: Queryable, person: Handle<'person'>): Promise<SessionSeat[]> {
  const rows = await sql<SeatRow[]>`
    select w.handle as workspace, w.kind, w.currency, w.status, w.archived_at is not null as is_archived,
      audit_years_of(w.handle) as audit_years,
      u.handle as user, u.email, u.role
    from users u join workspaces w on w.handle = u.workspace_handle
    where u.person_handle = ${person} and u.removed_at is null and w.status <> 'closed' and not w.sandbox
    order by u.handle limit ${SEATS_MAX}`;
  return rows.map(({ kind, is_archived: isArchived, audit_years: auditYears, ...same }) => ({
    ...same,
    home: same.workspace,
    surface: SURFACE_OF_KIND[kind],
    isArchived,
    auditYears,
  }));
}
