/** Signs a browser in as an authenticated person, and handles the sign-in links of the demo. */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isSignInLink } from '#domain/access/key.ts';
import type { Handle } from '#domain/id.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Postgres } from '#sql/postgres.ts';
import { addressActor } from '../authentication/caller.ts';
import type { PublicCall } from '../http/route.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { sessionCookie } from '../authentication/cookie.ts';
import { refuseCrossSite } from '../authentication/cross-site.ts';
import type { SignedIn, UseLink } from './schema.ts';
import { SESSION_MS } from '../authentication/session-lookup.ts';
import { giveBackGuess } from '../rate-limit/guess-limit.ts';
import type { Recheck } from './rechecks.ts';
import { openSession } from './store.ts';

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
  const opened = await openSession(sql, { person, email, actor: addressActor(request, 'user'), recheck, now: now() });
  if (isRefusal(opened)) return opened;
  const isSecure = request.protocol === 'https' || urls.public.startsWith('https:');
  setHeaders({ 'set-cookie': sessionCookie(opened.token, { isSecure, seconds: SESSION_MS / 1_000 }) });
  return opened.signedIn;
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
  const shown = isSignInLink(token) ? await takeLink(sql, token, now()) : refuseAbsent();
  if (isRefusal(shown)) return shown;
  await giveBackGuess(request);
  return signInAs(shown, { request, setHeaders }, dependencies);
}

/** A link is good for some uses, so that it can be opened in two browsers, and for a day. */
async function takeLink(sql: Postgres, token: string, now: Milliseconds): Promise<Shown | Refusal> {
  const hash = createHash('sha256').update(token).digest();
  const [row] = await sql<Shown[]>`
    update sign_in_links l set uses_left = uses_left - 1 from people p
    where l.hash = ${hash} and l.uses_left > 0 and l.ends_at > ${new Date(now)} and p.handle = l.person_handle
    returning p.handle as person, p.email`;
  return row ?? refuse('link_expired', 'This link was used too often or is too old. Start the demo again for another.');
}
