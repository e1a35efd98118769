import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { parseKey } from '#domain/key.ts';
import { may, type Access as KeyAccess, type Resource, type Role, type Surface, type Verb } from '#domain/permission.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Actor } from '#sql/unit-of-work.ts';

/**
 * Who calls. A key is known by its SHA-256; what it stands for is read from Postgres and kept for a moment, counted from
 * before the read, so that a revocation holds in every process within a second without any message between them. The
 * role is that of the key's user now, not when the key was made.
 */
const KEPT_MS = 900; // a second less the time of an answer on its way
const KEYS_MAX = 10_000; // at some 300 bytes each; beyond it the keys are read again
const USER_AGENT_LENGTH_MAX = 512;

/** What a route says of itself: open to everyone, or the row of the permission table that it needs. */
export type RouteAccess = 'public' | { resource: Resource; verb: Verb };

export type Principal = {
  key: number; workspace: number; currency: string; user: number; email: string; role: Role;
  surface: Surface; access: KeyAccess; sandbox: boolean; expiresAt: number; revokedAt: number | undefined;
};

/** What a store needs of a caller: whose records, which book, and who did it. */
export type Caller = { workspace: number; currency: string; sandbox: boolean; actor: Actor };

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess;
  }
  interface FastifyRequest {
    principal: Principal | null;
  }
}

export type Authentication = {
  /** The caller of a request, allowed to use a route of this access; or why not. */
  authenticate(authorization: string | undefined, access: Exclude<RouteAccess, 'public'>): Promise<Principal | Refusal>;
};

type Kept = { principal: Promise<Principal | undefined>; readAt: number };

export function createAuthentication({ sql, now }: { sql: Postgres; now: () => number }): Authentication {
  const kept = new Map<string, Kept>();
  const find = (text: string): Promise<Principal | undefined> => {
    const hash = createHash('sha256').update(text).digest();
    const name = hash.toString('base64');
    const known = kept.get(name);
    const at = now();
    if (known && at - known.readAt < KEPT_MS && at >= known.readAt) return known.principal;
    if (kept.size >= KEYS_MAX) kept.clear();
    const principal = readPrincipal(sql, hash);
    kept.set(name, { principal, readAt: at });
    // Neither a failure nor an unknown key is kept: the first may pass, and the second would fill the memory.
    void principal.then(found => found ?? kept.delete(name), () => kept.delete(name));
    return principal;
  };
  return {
    async authenticate(authorization, { resource, verb }) {
      const key = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
      if (key === undefined) return refuse('missing_key', 'Send Authorization: Bearer <API_KEY>.');
      const principal = parseKey(key) ? await find(key) : undefined;
      const refusal = refuseKey(principal, now());
      if (refusal || !principal) return refusal ?? refuse('invalid_key', 'This key is not known.');
      return may(principal.surface, principal.role, principal.access, resource, verb) ?? principal;
    },
  };
}

function refuseKey(principal: Principal | undefined, now: number): Refusal | undefined {
  if (!principal) return refuse('invalid_key', 'This key is not known.');
  if (principal.revokedAt !== undefined && principal.revokedAt <= now) return refuse('revoked_key', 'This key was revoked.');
  return principal.expiresAt <= now ? refuse('expired_key', 'This key has expired. Rotate it.') : undefined;
}

type KeyRow = {
  key: number; workspace: number; currency: string; user: number; email: string; role: Role;
  surface: Surface; access: KeyAccess; mode: 'live' | 'test'; expires_at: Date; revoked_at: Date | null;
};

async function readPrincipal(sql: Postgres, hash: Buffer): Promise<Principal | undefined> {
  const [row] = await sql<KeyRow[]>`
    select k.handle as key, k.workspace_handle as workspace, w.currency, u.handle as user, u.email, u.role, k.surface, k.access, k.mode, k.expires_at, k.revoked_at
    from keys k join workspaces w on w.handle = k.workspace_handle join users u on u.handle = k.user_handle where k.hash = ${hash}`;
  if (!row) return undefined;
  const { mode, expires_at: expiresAt, revoked_at: revokedAt, ...same } = row;
  return { ...same, sandbox: mode === 'test', expiresAt: expiresAt.getTime(), revokedAt: revokedAt?.getTime() };
}

/** The hook of every route that is not public: sets `request.principal`, or answers why not. */
export async function authenticateRequest(authentication: Authentication, request: FastifyRequest): Promise<Refusal | undefined> {
  const { access } = request.routeOptions.config;
  if (access === undefined || access === 'public') return undefined;
  const principal = await authentication.authenticate(request.headers.authorization, access);
  if (isRefusal(principal)) return principal;
  request.principal = principal;
  return undefined;
}

/** The caller of an authenticated request. @throws when the route is public: its author forgot the access. */
export function callerOf(request: { principal: Principal | null; ip: string; headers: Record<string, unknown> }): Caller {
  const { principal } = request;
  if (!principal) throw new Error('a public route has no caller');
  const { workspace, currency, sandbox, user, email } = principal;
  return { workspace, currency, sandbox, actor: { type: 'user', source: 'API', handle: user, email, ...origin(request) } };
}

/** An actor without a key: the device that confirms, or whoever holds a signed address. */
export function addressActor(request: { ip: string; headers: Record<string, unknown> }, type: 'device' | 'system'): Actor {
  return { type, source: type === 'device' ? 'DEVICE' : 'API', ...origin(request) };
}

function origin({ ip, headers }: { ip: string; headers: Record<string, unknown> }): { ip: string; userAgent?: string } {
  const userAgent = headers['user-agent'];
  return { ip, ...(typeof userAgent === 'string' && { userAgent: userAgent.slice(0, USER_AGENT_LENGTH_MAX) }) };
}
