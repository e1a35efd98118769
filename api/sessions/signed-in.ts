/** Signs a browser in as an authenticated person, and handles the sign-in links of the demo. */
import type { FastifyRequest } from 'fastify';
import { isSignInLink } from '#domain/access/key.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Postgres } from '#sql/postgres.ts';
import { openSession, SESSION_MS, type Recheck, type SessionRow } from '#sql/people/sessions.ts';
import { takeSignInLink } from '#sql/people/sign-in-links.ts';
import { addressActor } from '../authentication/caller.ts';
import type { PublicCall } from '../http/route.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { sessionCookie } from '../authentication/cookie.ts';
import { refuseCrossSite } from '../authentication/cross-site.ts';
import { seatRecord } from '../me/store.ts';
import type { SessionShown, SignedIn, UseLink } from './schema.ts';
import { giveBackGuess } from '../rate-limit/guess-limit.ts';

type Dependencies = { sql: Postgres; now: () => Milliseconds; takesSignInLinks?: boolean; urls: { public: string } };

type Shown = { person: Handle<'person'>; email: string };
/** `recheck`: whether the credentials are still valid when the session is written; absent: no check. */
type Asking = { request: FastifyRequest; setHeaders: PublicCall<unknown>['setHeaders']; recheck?: Recheck };

/** Opens a session. Its token is only in the cookie, which scripts cannot read. */
export async function signInAs(
  { person, email }: Shown,
  { request, setHeaders, recheck }: Asking,
  { sql, urls, now }: { sql: Postgres; now: () => Milliseconds; urls: { public: string } },
): Promise<SignedIn | Refusal> {
  const opened = await openSession(sql, {
    person,
    email,
    actor: addressActor(request, 'user'),
    recheck,
    now: new Date(now()),
  });
  if (isRefusal(opened)) return opened;
  const isSecure = request.protocol === 'https' || urls.public.startsWith('https:');
  setHeaders({ 'set-cookie': sessionCookie(opened.token, { isSecure, seconds: SESSION_MS / 1_000 }) });
  const { name, session, seats } = opened;
  return {
    person: { id: formatId('person', person), email, name },
    session: sessionRecord(session, session.handle),
    workspaces: seats.map(seatRecord),
  };
}

/** `current`: the session of the call. */
export function sessionRecord(row: SessionRow, current: Handle<'session'> | undefined): SessionShown {
  return {
    id: formatId('session', row.handle),
    device: row.device,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    is_current: row.handle === current,
  };
}

/** Signs in with a link of the demo. An API that does not run the demo refuses all of them. */
export async function signInByLink(
  { body: { token }, request, setHeaders }: PublicCall<UseLink>,
  dependencies: Dependencies,
): Promise<SignedIn | Refusal> {
  const { sql, urls, now, takesSignInLinks = false } = dependencies;
  if (!takesSignInLinks)
    return refuse('demo_only', 'Links that sign in without a password are of the demo alone. Sign in with a password.');
  const crossSite = refuseCrossSite(request, urls.public);
  if (crossSite) return crossSite;
  const shown = isSignInLink(token) ? await takeSignInLink(sql, new Date(now()), token) : refuseAbsent();
  if (isRefusal(shown)) return shown;
  await giveBackGuess(request);
  return signInAs(shown, { request, setHeaders }, dependencies);
}
