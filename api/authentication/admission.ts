/**
 * Authentication and authorization: from the key in `Authorization`, or the session in a cookie, to a permitted
 * principal, or to a refusal with the reason. A session (`../sessions/`) becomes the equivalent of a key of the person
 * in that workspace. If a call has both, the key wins.
 *
 * The checks run in this order: is the key valid (401, or 429 after a hundred unknown keys from one address in a
 * minute), is it within its rate limit (429), is X-Mode its mode (400 or 403), which workspace does it act on (404, or
 * 403 for a key that is no agency's), may it call this route (403), and may its workspace act yet (403). The rules are
 * in docs/interface-specification.md, section 5.
 */
import type { Milliseconds } from '#domain/unit.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatId } from '#domain/id.ts';
import type { KeyMode } from '#domain/access/key.ts';
import { may } from '#domain/access/permission.ts';
import { isRefusal, refuse, type Refusal, type RefusalCode } from '#domain/refusal.ts';
import { refuseArchived, refuseInReview } from '#domain/access/workspace.ts';
import type { ClientLookup } from './client-lookup.ts';
import { refuseGuess, type GuessLimit } from '../rate-limit/guess-limit.ts';
import { limitCall, type RateLimit } from '../rate-limit/rate-limit.ts';
import { sessionCookie, sessionTokenOf } from './cookie.ts';
import { refuseCrossSite } from './cross-site.ts';
import type { SessionLookup } from './session-lookup.ts';
import { type RouteAccess, type Principal, principalOf } from './principal.ts';
import type { Authentication } from './key-lookup.ts';
import { actOn } from './acting-workspace.ts';

/** A key that ends within a week has a warning in the headers of every answer. */
const EXPIRY_WARNING_MS = 7 * 86_400_000;

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
 * The hook of every route that is not public: sets `request.principal`, or refuses the call. A call whose key is
 * cached, and has calls left that this process took in advance, waits for nothing and gets no promise.
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

/**
 * The principal of a key, or of a session on its first seat, or the reason why there is no principal. A session is in
 * the sandbox if X-Mode says so; other values of the header are refused once the call is counted.
 */
export function identifyCaller(
  { authentication, sessions, publicUrl }: Admission,
  request: FastifyRequest,
): Principal | Refusal | Promise<Principal | Refusal> {
  const { authorization, cookie, 'x-mode': mode } = request.headers;
  const token = authorization === undefined ? sessionTokenOf(cookie) : undefined;
  if (token === undefined) return authentication.identify(authorization);
  return (
    refuseCrossSite(request, publicUrl) ??
    sessions.find(token).then(found => (isRefusal(found) ? found : principalOf(found, found.seats[0], mode === 'test')))
  );
}

type KeyedCall = {
  request: FastifyRequest;
  reply: FastifyReply;
  access: Exclude<RouteAccess, 'public'>;
  key: Principal | Refusal;
};

/** With these the cookie is worthless, and the answer deletes it. */
const SESSION_IS_OVER: ReadonlySet<RefusalCode> = new Set(['invalid_session', 'session_ended']);

function admitKey(
  { clients, rateLimit, keyGuesses, now }: Admission,
  { request, reply, access, key }: KeyedCall,
): Refusal | undefined | Promise<Refusal | undefined> {
  if (isRefusal(key)) {
    if (SESSION_IS_OVER.has(key.code))
      void reply.header('set-cookie', sessionCookie('', { isSecure: false, seconds: 0 }));
    return refuseKeyGuess(keyGuesses, key, guesserOf(request, reply)).then(refusal => refusal ?? key);
  }
  request.principal = key; // from here on the call has a caller, even if it is refused
  warnOfExpiry(key, { reply, now: now() });
  const limited = limitCall(rateLimit, reply, { key, bucket: request.routeOptions.config.bucket });
  const { 'x-workspace-id': header, 'x-mode': mode } = request.headers;
  if (limited === undefined && header === undefined && mode === undefined && key.session === null)
    return refusePrincipal(key, { request, access });
  return refuseLate(key, { limited, header, mode, clients, request, access });
}

type LateCall = PermittedCall & {
  limited: Refusal | undefined | Promise<Refusal | undefined>;
  header: string | string[] | undefined;
  mode: string | string[] | undefined;
  clients: ClientLookup;
};

/** The same for a call that waits for its limit, or names a workspace or a mode. */
async function refuseLate(
  key: Principal,
  { limited, header, mode, clients, ...call }: LateCall,
): Promise<Refusal | undefined> {
  const refusal = await limited;
  if (refusal) return refusal;
  const principal = await actOn(key, { header, mode, clients, access: call.access });
  return isRefusal(principal) ? principal : refusePrincipal(principal, call);
}

type PermittedCall = { request: FastifyRequest; access: Exclude<RouteAccess, 'public'> };

/** Sets the caller, and returns the reason if they may not call this route. */
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
      ? 'This is not part of the sandbox. Use a live key, or a session without X-Mode: test.'
      : 'This is for the sandbox alone. Use a test key, or a session with X-Mode: test.',
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
  if (isRefusal(key)) return refuseKeyGuess(keyGuesses, key, guesserOf(request, reply));
  request.principal = key;
  warnOfExpiry(key, { reply, now: now() });
  return limitCall(rateLimit, reply, { key, bucket: undefined });
}

/**
 * Counts an unknown key against the address that it came from, and refuses it when the address has sent too many. A
 * valid key always passes, even with guesses from the same address (an office, or an untrusted proxy). An expired or
 * revoked key is not a guess.
 */
export async function refuseKeyGuess(
  keyGuesses: GuessLimit,
  refusal: Refusal,
  { ip, setHeaders }: Guesser,
): Promise<Refusal | undefined> {
  if (refusal.code !== 'invalid_key' && refusal.code !== 'invalid_session') return undefined;
  return refuseGuess(keyGuesses, ip, { tooMany: 'Too many unknown keys came from this address.', setHeaders });
}

type Guesser = { ip: string; setHeaders: (headers: { 'retry-after': number }) => void };

export function guesserOf({ ip }: FastifyRequest, reply: FastifyReply): Guesser {
  return { ip, setHeaders: headers => void reply.headers(headers) };
}

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
