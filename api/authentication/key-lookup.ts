/**
 * Finds the principal of a key. It is looked up by the key's SHA-256 in Postgres and cached for less than a second. A
 * revocation takes effect at once in the process that made it, and in the others as soon as Postgres has notified them,
 * or after a second where that message is lost. The role is the current role of the key's user; a user who has left has
 * none.
 */
import type { Milliseconds } from '#domain/unit.ts';
import { hash as hashOnce } from 'node:crypto';
import { parseKey } from '#domain/access/key.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import { findCallingKey, noteKeyUse } from '#sql/keys/keys.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Principal } from './principal.ts';
import { keyTextOf } from './credential.ts';

const CACHED_MS = 900; // so that a revocation holds within a second, with the time of an answer included
const KEYS_MAX = 10_000; // some 300 bytes each; beyond it the cache starts again

export type Authentication = {
  /** The principal of a key, or the refusal of an invalid one. */
  identify(authorization: string | undefined): Principal | Refusal | Promise<Principal | Refusal>;
  /** Removes a key from the cache, by its hash in base64; without one, all keys. */
  forget(hash?: string): void;
};

/** `found` is the principal once it was read; a call that finds it waits for nothing. */
type CacheEntry = { principal: Promise<Principal | undefined>; found: Principal | undefined; readAt: Milliseconds };

export function createAuthentication({ sql, now }: { sql: Postgres; now: () => Milliseconds }): Authentication {
  const cache = new Map<string, CacheEntry>();
  const find = (text: string): CacheEntry => {
    const name = hashOnce('sha256', text, 'base64'); // in one call it takes half the time of a `Hash` object
    const known = cache.get(name);
    const at = now();
    if (known && at - known.readAt < CACHED_MS && at >= known.readAt) return known;
    if (cache.size >= KEYS_MAX) cache.clear();
    const entry: CacheEntry = {
      principal: readPrincipal(sql, Buffer.from(name, 'base64'), at),
      found: undefined,
      readAt: at,
    };
    cache.set(name, entry);
    // Failures and unknown keys are not cached: a failure may be temporary, and unknown keys would fill the memory.
    entry.principal.then(
      found => {
        entry.found = found;
        if (found === undefined) cache.delete(name);
        return found;
      },
      () => cache.delete(name),
    );
    return entry;
  };
  const check = (principal: Principal | undefined): Principal | Refusal =>
    principal === undefined
      ? refuse('invalid_key', 'This key is not known.')
      : (refuseKey(principal, now()) ?? principal);
  return {
    identify(authorization) {
      const key = keyTextOf(authorization);
      if (key === undefined) return refuse('missing_key', 'Send Authorization: Bearer <API_KEY>.');
      if (!parseKey(key)) return check(undefined);
      const { found, principal } = find(key);
      return found === undefined ? principal.then(check) : check(found);
    },
    forget(hash) {
      if (hash === undefined) cache.clear();
      else cache.delete(hash);
    },
  };
}

function refuseKey(principal: Principal, now: Milliseconds): Refusal | undefined {
  if (principal.status === 'closed') return refuse('revoked_key', 'The operator has closed this workspace.');
  if (principal.hasLeft) return refuse('revoked_key', 'The person whom this key belongs to has left the workspace.');
  if (principal.isRevoked) return refuse('revoked_key', 'This key was revoked.');
  if (principal.revokedAt !== undefined && principal.revokedAt <= now)
    return refuse('expired_key', 'This key was rotated, and its 24 hours of overlap are over. Use its successor.');
  return principal.expiresAt <= now ? refuse('expired_key', 'This key has expired. Create another one.') : undefined;
}

async function readPrincipal(sql: Postgres, hash: Buffer, now: Milliseconds): Promise<Principal | undefined> {
  const row = await findCallingKey(sql, hash);
  if (!row) return undefined;
  const {
    mode,
    per_minute_max: perMinuteMax,
    per_second_max: perSecondMax,
    expires_at: expiresAt,
    revoked_at: revokedAt,
    is_revoked: isRevoked,
    has_left: hasLeft,
    made_by: madeBy,
    is_archived: isArchived,
    audit_years: auditYears,
    last_used_at: lastUsedAt,
    ...same
  } = row;
  const principal = {
    ...same,
    session: null,
    caller: row.key,
    workspace: row.home,
    sandbox: mode === 'test',
    perMinuteMax,
    perSecondMax,
    expiresAt: expiresAt.getTime(),
    revokedAt: revokedAt?.getTime(),
    isRevoked,
    hasLeft,
    madeBy,
    isArchived,
    auditYears,
  };
  if (!refuseKey(principal, now)) await noteKeyUse(sql, { key: row.key, last_used_at: lastUsedAt }, new Date(now));
  return principal;
}
