/**
 * Who calls: from the key in `Authorization`, or the session in a cookie, to the person, the workspace and the
 * permissions behind a request. A key is looked up by its SHA-256 in Postgres and cached for less than a second. A
 * revocation takes effect at once in the process that made it, and in the others as soon as Postgres has notified them,
 * or after a second where that message is lost. The role is the one that the key's user has now; a user who has left has
 * none. A session (`sessions/`) becomes what a key of the person in that workspace would be. A key goes before a
 * session where a call has both.
 *
 * The checks run in this order: is the key valid (401, or 429 after a hundred unknown keys from one address in a
 * minute), is it within its rate limit (429), which workspace does it act on (404, or 403 for a key that is no
 * agency's), may it call this route (403), and may its workspace act yet (403). The rules are in
 * docs/interface-specification.md, section 5.
 */
import type { Milliseconds } from '#domain/unit.ts';
import { hash as hashOnce } from 'node:crypto';
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
import { isRefusal, refuse, type Refusal, type RefusalCode } from '#domain/refusal.ts';
import { refuseArchived, refuseInReview, type WorkspaceStatus } from '#domain/access/workspace.ts';
import type { CallerName } from '#authority/limiter.ts';
import type { Once } from '#books/once.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Actor } from '#books/unit-of-work.ts';
import type { ClientLookup } from './agency/client-lookup.ts';
import type { GuessLimit } from './rate-limit/guess-limit.ts';
import { limitCall, type RateLimit } from './rate-limit/rate-limit.ts';
import { sessionCookie, sessionTokenOf } from './sessions/cookie.ts';
import { refuseCrossSite } from './sessions/cross-site.ts';
import type { Session, SessionLookup, SessionSeat } from './sessions/session-lookup.ts';

const CACHED_MS = 900; // so that a revocation holds within a second, with the time of an answer included
const KEYS_MAX = 10_000; // some 300 bytes each; beyond it the cache starts again
const USER_AGENT_LENGTH_MAX = 512;
/** As often as a key that nobody gave other limits. */
const SESSION_LIMITS = { perMinuteMax: 600, perSecondMax: 200 };
/** A key that ends within a week has a warning in the headers of every answer. */
const EXPIRY_WARNING_MS = 7 * 86_400_000;

/** What a route declares: open to everyone, or the row of the permission table that it needs. */
export type RouteAccess = 'public' | { resource: Resource; verb: Verb };

/**
 * An identified key or session. `home` is the key's workspace, `workspace` the one that it acts on; they differ only for
 * an agency that sends X-Workspace-Id.
 */
export type Principal = {
  /** Null for a session. */
  key: Handle<'key'> | null;
  /** Null for a key. */
  session: Session | null;
  caller: CallerName;
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
  expiresAt: Milliseconds;
  revokedAt: Milliseconds | undefined;
  isRevoked: boolean;
  hasLeft: boolean;
  /** The status of the key's workspace. */
  status: WorkspaceStatus;
  /** Whether `workspace` is a client that its agency has archived. */
  isArchived: boolean;
  /** The user who made the key for its person, and who may be the one that calls; null for a key of one's own. */
  madeBy: Handle<'user'> | null;
  /** For how many years the audit of `workspace` is retained. */
  auditYears: number;
};

/**
 * What a store needs to know about a caller: the workspace and book of the records, the surface, the actor for the
 * audit, and, for a call with an Idempotency-Key, how its effect happens once. A store passes it to its unit of work as
 * a whole.
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
    /** Keys of the other mode are refused; absent: both modes may call, each on its own records. */
    mode?: KeyMode;
  }
  interface FastifyRequest {
    principal: Principal | null;
  }
}

export type Authentication = {
  /** The principal of a key, or the refusal of one that is not valid. */
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
      principal: readPrincipal(sql, Buffer.from(name, 'base64')),
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

/** The secret that a call was made with: a key, or the token of a session. */
export function credentialOf({ headers }: { headers: FastifyRequest['headers'] }): string | undefined {
  return headers.authorization === undefined ? sessionTokenOf(headers.cookie) : keyTextOf(headers.authorization);
}

/** The key in an Authorization header, or undefined. */
function keyTextOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

function refuseKey(principal: Principal, now: Milliseconds): Refusal | undefined {
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
  made_by: Handle<'user'> | null;
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
}

/** The person of a session, on the seat that a call acts on. */
function principalOf(session: Session, seat: SessionSeat): Principal {
  return {
    ...seat,
    ...SESSION_LIMITS,
    key: null,
    session,
    caller: `p${session.person}`,
    person: session.person,
    access: 'read_write',
    sandbox: false,
    expiresAt: session.endsAt,
    revokedAt: undefined,
    isRevoked: false,
    hasLeft: false,
    madeBy: null,
  };
}

export type Admission = {
  authentication: Authentication;
  sessions: SessionLookup;
  clients: ClientLookup;
  rateLimit: RateLimit;
  keyGuesses: GuessLimit;
  /** The base of our addresses. */
  publicUrl: string;
  now: () => Milliseconds;
};

/**
 * The hook of every route that is not public: sets `request.principal`, or answers why not. A call whose key is cached,
 * and has calls left that this process took in advance, waits for nothing and gets no promise.
 */
export function admitRequest(
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): Refusal | undefined | Promise<Refusal | undefined> {
  const { access } = request.routeOptions.config;
  if (access === undefined || access === 'public') return undefined;
  const key = identifyCaller(admission, request);
  return key instanceof Promise
    ? key.then(late => admitKey(admission, { request, reply, access, key: late }))
    : admitKey(admission, { request, reply, access, key });
}

/** The principal of a key, or of a session on its first seat, or why there is none. */
function identifyCaller(
  { authentication, sessions, publicUrl }: Admission,
  request: FastifyRequest,
): Principal | Refusal | Promise<Principal | Refusal> {
  const { authorization, cookie } = request.headers;
  const token = authorization === undefined ? sessionTokenOf(cookie) : undefined;
  if (token === undefined) return authentication.identify(authorization);
  return (
    refuseCrossSite(request, publicUrl) ??
    sessions.find(token).then(found => (isRefusal(found) ? found : principalOf(found, found.seats[0])))
  );
}

type KeyedCall = {
  request: FastifyRequest;
  reply: FastifyReply;
  access: Exclude<RouteAccess, 'public'>;
  key: Principal | Refusal;
};

/** With these the cookie is of no use any more, and the browser is told to forget it. */
const SESSION_IS_OVER: ReadonlySet<RefusalCode> = new Set(['invalid_session', 'session_ended']);

function admitKey(
  { clients, rateLimit, keyGuesses, now }: Admission,
  { request, reply, access, key }: KeyedCall,
): Refusal | undefined | Promise<Refusal | undefined> {
  if (isRefusal(key)) {
    if (SESSION_IS_OVER.has(key.code))
      void reply.header('set-cookie', sessionCookie('', { isSecure: false, seconds: 0 }));
    return limitGuesses(keyGuesses, request, reply, key).then(refusal => refusal ?? key);
  }
  request.principal = key; // from here on the call is somebody's, also when it is refused
  warnOfExpiry(key, { reply, now: now() });
  const limited = limitCall(rateLimit, reply, { key, bucket: request.routeOptions.config.bucket });
  const header = request.headers['x-workspace-id'];
  if (limited === undefined && header === undefined && key.session === null)
    return refusePrincipal(key, { request, access });
  return refuseLate(key, { limited, header, clients, request, access });
}

type LateCall = PermittedCall & {
  limited: Refusal | undefined | Promise<Refusal | undefined>;
  header: string | string[] | undefined;
  clients: ClientLookup;
};

/** The same for a call that waits for its limit, or names a workspace. */
async function refuseLate(
  key: Principal,
  { limited, header, clients, ...call }: LateCall,
): Promise<Refusal | undefined> {
  const refusal = await limited;
  if (refusal) return refusal;
  const principal = await actOn(key, { header, clients, access: call.access });
  return isRefusal(principal) ? principal : refusePrincipal(principal, call);
}

type PermittedCall = { request: FastifyRequest; access: Exclude<RouteAccess, 'public'> };

/** Sets who calls, and says why they may not call this route. */
function refusePrincipal(principal: Principal, { request, access }: PermittedCall): Refusal | undefined {
  request.principal = principal;
  const { mode } = request.routeOptions.config;
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
 * The hook of calls that reach no route (404, 405). With a valid key they count against its rate limit like any other
 * call, and the answer shows the bucket. Without one they have no bucket, as with every 401: buckets are per key
 * (docs/interface-specification.md, section 8). An unknown key counts as a guess here, too.
 */
export async function countUnrouted(
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Refusal | undefined> {
  if (!request.url.startsWith('/v1/')) return undefined;
  const { rateLimit, keyGuesses, now } = admission;
  const key = await identifyCaller(admission, request);
  if (isRefusal(key)) return limitGuesses(keyGuesses, request, reply, key);
  request.principal = key;
  warnOfExpiry(key, { reply, now: now() });
  return limitCall(rateLimit, reply, { key, bucket: undefined });
}

/**
 * Counts an unknown key against the address that it came from, and refuses it when the address has sent too many. A
 * valid key always passes, whoever guesses from the same address (an office, or a proxy that is not trusted). An
 * expired or revoked key is no guess.
 */
async function limitGuesses(
  keyGuesses: GuessLimit,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
): Promise<Refusal | undefined> {
  if (refusal.code !== 'invalid_key' && refusal.code !== 'invalid_session') return undefined;
  const waitMs = await keyGuesses.take(request.ip);
  if (waitMs === 0) return undefined;
  const seconds = Math.ceil(waitMs / 1_000);
  void reply.header('retry-after', seconds);
  return refuse('rate_limited', `Too many unknown keys came from this address. Wait ${seconds} s.`);
}

type NamedWorkspace = {
  header: string | string[] | undefined;
  clients: ClientLookup;
  access: Exclude<RouteAccess, 'public'>;
};

/**
 * The principal with the workspace that X-Workspace-Id names. A workspace that is not the agency's is answered like one
 * that does not exist.
 */
async function actOn(key: Principal, { header, clients, access }: NamedWorkspace): Promise<Principal | Refusal> {
  if (key.session !== null) return actOnSeat(key, key.session, { header, clients, access });
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

/** What a person may read of themselves without saying in which workspace. */
const OF_PERSON: ReadonlySet<Resource> = new Set(['me', 'sessions']);

/**
 * The seat of a session's person in the workspace that X-Workspace-Id names, or else one in an agency whose client it
 * is. Without the header it is the only seat that there is: a write must not land in a workspace that nobody meant.
 */
async function actOnSeat(
  principal: Principal,
  session: Session,
  { header, clients, access }: NamedWorkspace,
): Promise<Principal | Refusal> {
  const { seats } = session;
  if (header === undefined) {
    if (seats.length === 1 || OF_PERSON.has(access.resource)) return principal;
    return refuse('workspace_required', 'You have several workspaces: name one by X-Workspace-Id.');
  }
  const named = typeof header === 'string' ? parseId('workspace', header) : undefined;
  if (named === undefined) return refuseWorkspace();
  const own = seats.find(seat => seat.home === named);
  if (own) return principalOf(session, own);
  for (const seat of seats) {
    const client = seat.surface === 'agency' ? await clients.find(seat.home, named, false) : undefined;
    if (client) return { ...principalOf(session, seat), ...client };
  }
  return refuseWorkspace();
}

const refuseWorkspace = () => refuse('not_found', 'X-Workspace-Id names no workspace of yours.');

function warnOfExpiry(
  { key, expiresAt, revokedAt = Infinity }: Principal,
  { reply, now }: { reply: FastifyReply; now: Milliseconds },
): void {
  if (key === null) return;
  const endsAt = Math.min(expiresAt, revokedAt);
  if (endsAt - now > EXPIRY_WARNING_MS) return;
  const end = new Date(endsAt).toISOString();
  void reply.headers({
    'x-key-expires-at': end,
    warning: `299 - "This API key ends at ${end}. Rotate it: POST /v1/keys/${formatId('key', key)}/rotate"`,
  });
}

/**
 * The caller of an authenticated request.
 *
 * @throws when the route is public: its author forgot the access
 */
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
    ...originOf(request),
    onAudited() {
      request.isAudited = true;
    },
  };
  return { workspace, currency, sandbox, surface, actor, ...(once && { once }) };
}

/** What a line of the log says of the key or the session. */
export function credentialField({ key, session }: Principal): { key: string } | { session: string } {
  return key === null ? { session: formatId('session', session!.handle) } : { key: formatId('key', key) };
}

/** The actor of a request without a key: a device that confirms a pairing, or whoever has a signed address. */
export function addressActor(
  request: { ip: string; headers: Record<string, unknown> },
  type: 'device' | 'system' | 'user',
): Actor {
  return { type, source: type === 'device' ? 'DEVICE' : 'API', ...originOf(request) };
}

/** Where a request came from, for the audit and the call log. */
export function originOf({ ip, headers }: { ip: string; headers: Record<string, unknown> }): {
  ip: string;
  userAgent?: string;
} {
  const userAgent = headers['user-agent'];
  return { ip, ...(typeof userAgent === 'string' && { userAgent: userAgent.slice(0, USER_AGENT_LENGTH_MAX) }) };
}
