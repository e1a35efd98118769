import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatId, parseId, type Handle } from '#domain/id.ts';
import { parseKey, type KeyMode } from '#domain/access/key.ts';
import {
  may,
  type Access as KeyAccess,
  type Resource,
  type Role,
  type Surface,
  type Verb,
} from '#domain/access/permission.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import { refuseArchived, refuseInReview, type WorkspaceStatus } from '#domain/access/workspace.ts';
import type { Once } from '#books/once.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Actor } from '#books/unit-of-work.ts';
import type { ClientLookup } from './agency/client-lookup.ts';
import type { GuessLimit } from './rate-limit/guess-limit.ts';
import { limitCall, type RateLimit } from './rate-limit/rate-limit.ts';

/**
 * Who calls. A key is known by its SHA-256; what it stands for is read from Postgres and kept for a moment. A revocation
 * holds at once in the process that made it and, as soon as Postgres has told them, in the others; where that message is
 * lost, within a second, which is counted from before the read. The role is that of the key's user now, not when the key
 * was made, and a user who has left has none.
 *
 * The order of the questions: is the key good (401; 429 after a hundred unknown ones of an address in a minute), may it call so often (429), which workspace does it act on (404, or
 * 403 for a key that is no agency's), is the route open to it, and may its workspace act yet (403).
 */
const KEPT_MS = 900; // a second less the time of an answer on its way
const KEYS_MAX = 10_000; // at some 300 bytes each; beyond it the keys are read again
const USER_AGENT_LENGTH_MAX = 512;
/** A key that ends within a week says so on every answer. */
const END_WARNING_MS = 7 * 86_400_000;

/** What a route says of itself: open to everyone, or the row of the permission table that it needs. */
export type RouteAccess = 'public' | { resource: Resource; verb: Verb };

/** `home` is the workspace of the key, `workspace` the one that it acts on: another only with X-Workspace-Id. */
export type Principal = {
  key: Handle<'key'>;
  home: Handle<'workspace'>;
  workspace: Handle<'workspace'>;
  currency: string;
  user: Handle<'user'>;
  person: Handle<'person'>;
  email: string;
  role: Role;
  surface: Surface;
  access: KeyAccess;
  sandbox: boolean;
  perMinuteMax: number;
  perSecondMax: number;
  expiresAt: number;
  revokedAt: number | undefined;
  isRevoked: boolean;
  hasLeft: boolean;
  /** Of the key's workspace. */
  status: WorkspaceStatus;
  /** Whether `workspace` is a client that its agency has put away. */
  isArchived: boolean;
  /** Who made the key for its person, who may then not be the one that calls. */
  madeBy: number | null;
  /** For how many years the audit of `workspace` is kept. */
  auditYears: number;
};

/**
 * What a store needs of a caller: whose records, which book, by which surface, who did it, and for a call with an Idempotency-Key how its
 * effect happens once. A store passes it on to its unit of work as a whole.
 */
export type Caller = {
  workspace: Handle<'workspace'>;
  currency: string;
  sandbox: boolean;
  surface: Surface;
  actor: Actor;
  once?: Once;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess;
    /** Keys of the other mode are refused; absent: both call, each on its own records. */
    mode?: KeyMode;
  }
  interface FastifyRequest {
    principal: Principal | null;
  }
}

export type Authentication = {
  /** Whom a key stands for now, or why it stands for nobody. */
  identify(authorization: string | undefined): Promise<Principal | Refusal>;
  /** Lets go of what is kept of a key, by its hash in base64; without one, of all. */
  forget(hash?: string): void;
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
    void principal.then(
      found => found ?? kept.delete(name),
      () => kept.delete(name),
    );
    return principal;
  };
  return {
    async identify(authorization) {
      const key = keyTextOf(authorization);
      if (key === undefined) return refuse('missing_key', 'Send Authorization: Bearer <API_KEY>.');
      const principal = parseKey(key) ? await find(key) : undefined;
      if (!principal) return refuse('invalid_key', 'This key is not known.');
      return refuseKey(principal, now()) ?? principal;
    },
    forget(hash) {
      if (hash === undefined) kept.clear();
      else kept.delete(hash);
    },
  };
}

/** The key in an Authorization header, or undefined. */
export function keyTextOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

function refuseKey(principal: Principal, now: number): Refusal | undefined {
  if (principal.status === 'closed') return refuse('revoked_key', 'The operator has closed this workspace.');
  if (principal.hasLeft) return refuse('revoked_key', 'The person whom this key belongs to has left the workspace.');
  if (principal.isRevoked || (principal.revokedAt !== undefined && principal.revokedAt <= now))
    return refuse('revoked_key', 'This key was revoked.');
  return principal.expiresAt <= now ? refuse('expired_key', 'This key has expired. Create another one.') : undefined;
}

type KeyRow = {
  key: Handle<'key'>;
  home: Handle<'workspace'>;
  currency: string;
  user: Handle<'user'>;
  person: Handle<'person'>;
  email: string;
  role: Role;
  surface: Surface;
  access: KeyAccess;
  mode: 'live' | 'test';
  per_minute_max: number;
  per_second_max: number;
  expires_at: Date;
  revoked_at: Date | null;
  is_revoked: boolean;
  has_left: boolean;
  made_by: number | null;
  status: WorkspaceStatus;
  is_archived: boolean;
  audit_years: number;
};

async function readPrincipal(sql: Postgres, hash: Buffer): Promise<Principal | undefined> {
  const [row] = await sql<KeyRow[]>`
    select k.handle as key, k.workspace_handle as home, w.currency, u.handle as user, u.person_handle as person, u.email, u.role, k.surface, k.access, k.mode,
      k.per_minute_max, k.per_second_max, k.expires_at, k.revoked_at, k.is_revoked, u.removed_at is not null as has_left, k.made_by_handle as made_by, w.status, w.archived_at is not null as is_archived, audit_years_of(w.handle) as audit_years
    from keys k join workspaces w on w.handle = k.workspace_handle join users u on u.handle = k.user_handle where k.hash = ${hash}`;
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
    ...same
  } = row;
  return {
    ...same,
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
}

export type Admission = {
  authentication: Authentication;
  clients: ClientLookup;
  rateLimit: RateLimit;
  keyGuesses: GuessLimit;
  now: () => number;
};

/** The hook of every route that is not public: sets `request.principal`, or answers why not. */
export async function admitRequest(
  { authentication, clients, rateLimit, keyGuesses, now }: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Refusal | undefined> {
  const { access, bucket, mode } = request.routeOptions.config;
  if (access === undefined || access === 'public') return undefined;
  const key = await authentication.identify(request.headers.authorization);
  if (isRefusal(key)) return (await limitGuesses(keyGuesses, request, reply, key)) ?? key;
  request.principal = key; // from here on the call is somebody's, also when it is refused
  warnOfEnd(key, { reply, now: now() });
  const refusal = await limitCall(rateLimit, reply, { key, bucket });
  if (refusal) return refusal;
  const principal = await actOn(key, { header: request.headers['x-workspace-id'], clients });
  if (isRefusal(principal)) return principal;
  request.principal = principal;
  return (
    may(principal.surface, principal.role, principal.access, access.resource, access.verb) ??
    refuseMode(principal, mode) ??
    refuseInReview(principal.status, access.resource, access.verb) ??
    refuseArchived(principal.isArchived, access.resource, access.verb)
  );
}

function refuseMode({ sandbox }: Principal, mode: KeyMode | undefined): Refusal | undefined {
  if (mode === undefined || sandbox === (mode === 'test')) return undefined;
  return refuse(
    'wrong_mode',
    mode === 'live'
      ? 'A test key decides about nobody. Use a live key.'
      : 'This is for the sandbox alone. Use a test key.',
  );
}

/**
 * A call that reaches no route (404, 405): with a good key it counts like any other, and its answer shows the bucket.
 *
 * Without a good key it has no bucket, and so it is with every 401: buckets are per key (specification, section 8), a text
 * that is no key's has none, and a key that has ended has none any more. Such an answer says nothing of buckets rather
 * than something that is not so; which paths there are is no secret. But an unknown key is a guess here, too.
 */
export async function countStray(
  { authentication, rateLimit, keyGuesses, now }: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Refusal | undefined> {
  if (!request.url.startsWith('/v1/')) return undefined;
  const key = await authentication.identify(request.headers.authorization);
  if (isRefusal(key)) return limitGuesses(keyGuesses, request, reply, key);
  request.principal = key;
  warnOfEnd(key, { reply, now: now() });
  return limitCall(rateLimit, reply, { key, bucket: undefined });
}

/**
 * Counts an unknown key against the address that it came from, and refuses it as one of too many. A good key always passes,
 * whoever guesses from the same address (an office, a proxy that is not trusted); keys that have ended are no guesses.
 */
async function limitGuesses(
  keyGuesses: GuessLimit,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
): Promise<Refusal | undefined> {
  if (refusal.code !== 'invalid_key') return undefined;
  const waitMs = await keyGuesses.take(request.ip);
  if (waitMs === 0) return undefined;
  const seconds = Math.ceil(waitMs / 1_000);
  void reply.header('retry-after', seconds);
  return refuse('rate_limited', `Too many unknown keys came from this address. Wait ${seconds} s.`);
}

/** The key with the workspace that X-Workspace-Id names. One that the agency does not own is as absent as any other. */
async function actOn(
  key: Principal,
  { header, clients }: { header: string | string[] | undefined; clients: ClientLookup },
): Promise<Principal | Refusal> {
  if (header === undefined) return key;
  if (key.surface !== 'agency')
    return refuse(
      'wrong_surface',
      'Only an agency key acts on other workspaces; send no X-Workspace-Id with this one.',
    );
  const named = typeof header === 'string' ? parseId('workspace', header) : undefined;
  const client = named === undefined ? undefined : await clients.find(key.home, named, key.sandbox);
  return client ? { ...key, ...client } : refuse('not_found', 'X-Workspace-Id names no workspace of this agency.');
}

function warnOfEnd(
  { key, expiresAt, revokedAt = Infinity }: Principal,
  { reply, now }: { reply: FastifyReply; now: number },
): void {
  const endsAt = Math.min(expiresAt, revokedAt);
  if (endsAt - now > END_WARNING_MS) return;
  const end = new Date(endsAt).toISOString();
  void reply.headers({
    'x-key-expires-at': end,
    warning: `299 - "This API key ends at ${end}. Rotate it: POST /v1/keys/${formatId('key', key)}/rotate"`,
  });
}

/** The caller of an authenticated request. @throws when the route is public: its author forgot the access. */
export function callerOf(request: {
  principal: Principal | null;
  once: Once | null;
  isAudited: boolean;
  ip: string;
  headers: Record<string, unknown>;
}): Caller {
  const { principal, once } = request;
  if (!principal) throw new Error('a public route has no caller');
  const { workspace, currency, sandbox, surface, user, email } = principal;
  const actor: Actor = {
    type: 'user',
    source: 'API',
    handle: user,
    email,
    sandbox,
    ...origin(request),
    onAudited: () => {
      request.isAudited = true;
    },
  };
  return { workspace, currency, sandbox, surface, actor, ...(once && { once }) };
}

/** An actor without a key: the device that confirms, or whoever holds a signed address. */
export function addressActor(
  request: { ip: string; headers: Record<string, unknown> },
  type: 'device' | 'system',
): Actor {
  return { type, source: type === 'device' ? 'DEVICE' : 'API', ...origin(request) };
}

function origin({ ip, headers }: { ip: string; headers: Record<string, unknown> }): { ip: string; userAgent?: string } {
  const userAgent = headers['user-agent'];
  return { ip, ...(typeof userAgent === 'string' && { userAgent: userAgent.slice(0, USER_AGENT_LENGTH_MAX) }) };
}
