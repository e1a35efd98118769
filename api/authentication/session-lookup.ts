/**
 * Which person a session's token stands for, and the seats of that person. Looked up by the token's SHA-256 and cached
 * as briefly as keys are.
 */
import type { Milliseconds } from '#domain/unit.ts';
import { hash as hashOnce } from 'node:crypto';
import { isSessionToken } from '#domain/access/key.ts';
import type { Handle } from '#domain/id.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import type { SessionSeat } from '#sql/people/seats.ts';
import { findSession, hasEnded, type FoundSession } from '#sql/people/sessions.ts';
import type { Postgres } from '#sql/postgres.ts';

const CACHED_MS = 900; // as keys are (authentication.ts)
const SESSIONS_MAX = 10_000; // some 500 bytes each; beyond it the cache starts again

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

type CacheEntry = { session: Promise<FoundSession | undefined>; readAt: Milliseconds };

export function createSessionLookup({ sql, now }: { sql: Postgres; now: () => Milliseconds }): SessionLookup {
  const cache = new Map<string, CacheEntry>();
  const read = (name: string): Promise<FoundSession | undefined> => {
    const at = now();
    const known = cache.get(name);
    if (known && at - known.readAt < CACHED_MS && at >= known.readAt) return known.session;
    if (cache.size >= SESSIONS_MAX) cache.clear();
    const entry = { session: findSession(sql, Buffer.from(name, 'base64'), at), readAt: at };
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
      const { handle, person, endsAt, seats } = session;
      if (hasEnded(session, now())) return refuse('session_ended', 'This session has ended. Sign in again.');
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
