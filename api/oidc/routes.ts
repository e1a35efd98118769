/**
 * Out to the OpenID provider and back. Browsers open these addresses of the console. A word after the `#` of the
 * sign-in page says what went wrong.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRefusal } from '#domain/refusal.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Log } from '#runtime/log.ts';
import type { Postgres } from '#sql/postgres.ts';
import { linkAccount, refuseUnlinked } from '#sql/people/identities.ts';
import { personOfAccount, type Outcome } from '#sql/members/provider-accounts.ts';
import type { Recheck } from '#sql/people/sessions.ts';
import { addressActor } from '../authentication/caller.ts';
import type { Api } from '../wire/fastify.ts';
import { giveBackGuess, guardGuesses, type GuessLimit } from '../rate-limit/guess-limit.ts';
import { sessionTokenOf } from '../authentication/cookie.ts';
import { signInAs } from '../sessions/signed-in.ts';
import { forgetSignIn, readSignIn, rememberSignIn, type PendingSignIn } from './pending-sign-in.ts';
import type { Account, OidcProvider } from './provider.ts';
import { oidcSignOut, rememberAccount, type SignOutDependencies } from './sign-out.ts';

type Dependencies = SignOutDependencies & {
  sql: Postgres;
  now: () => Milliseconds;
  forgetKey: (hash?: string) => void;
  urls: { public: string };
  signInTries: GuessLimit;
  oidcReturns: GuessLimit;
};

/** The address to which the provider sends browsers back, under the public address. */
export const CALLBACK_PATH = '/console/oidc/callback';

/** Why an account does not sign in or is not linked. The console has a sentence for each. */
type Told = Outcome | NonNullable<Awaited<ReturnType<typeof linkAccount>>> | 'cancelled' | 'away';
type Returned = { request: FastifyRequest; reply: FastifyReply; account: Account };

/** Declares the addresses if a provider is configured. */
export function oidcRoutes(app: Api, dependencies: Dependencies): void {
  const { oidc, signInTries, oidcReturns, sealer, log, now } = dependencies;
  if (!oidc) return;
  const config = { access: 'public' } as const;
  oidcSignOut(app, dependencies);

  app.get('/console/oidc/start', { config }, async (request, untyped) => {
    const reply = plain(untyped);
    try {
      const { url, checks } = await oidc.begin();
      const cookie = rememberSignIn({ checks }, { sealer, isSecure: isSecure(request, dependencies), now: now() });
      return reply.header('set-cookie', cookie).header('cache-control', 'no-store').redirect(url.href, 302);
    } catch (error) {
      log.warn({ err: error }, 'the OpenID provider does not answer');
      return lead(reply, 'away');
    }
  });

  app.get(CALLBACK_PATH, { config, ...guardGuesses(signInTries) }, async (request, untyped) => {
    const reply = plain(untyped);
    reply.header('set-cookie', forgetSignIn(isSecure(request, dependencies)));
    const pending = readSignIn(request.headers.cookie, { sealer, now: now() });
    const query = new URLSearchParams(new URL(request.url, 'http://path').search);
    if (!pending || (await oidcReturns.take(returnName(pending))) > 0) return lead(reply, 'failed');
    const account = await finishSignIn(oidc, { query, pending, log });
    if (typeof account === 'string') return lead(reply, account);
    const returned = { request, reply, account };
    return pending.linkTo === undefined
      ? signInWith(returned, dependencies)
      : linkTo(pending.linkTo, returned, dependencies);
  });
}

/** The name under which the one return of a sign-in is counted: Redis holds no state. */
function returnName({ checks }: PendingSignIn): string {
  return createHash('sha256').update(checks.state).digest('hex');
}

type Finishing = { query: URLSearchParams; pending: PendingSignIn; log: Log };

async function finishSignIn(oidc: OidcProvider, { query, pending, log }: Finishing): Promise<Account | Told> {
  if (query.get('error') === 'access_denied') return 'cancelled';
  try {
    return await oidc.finish(query, pending.checks);
  } catch (error) {
    log.warn({ err: error }, 'a sign-in with the OpenID provider did not fit');
    return 'failed';
  }
}

async function signInWith({ request, reply, account }: Returned, dependencies: Dependencies): Promise<FastifyReply> {
  const { sql, sealer, forgetKey, now } = dependencies;
  const actor = { ...addressActor(request, 'user'), ...(account.email !== undefined && { email: account.email }) };
  const found = await personOfAccount(sql, { actor, now: new Date(now()) }, account);
  if (typeof found === 'string') return lead(reply, found);
  forgetKey(); // sessions of the person may have a seat more
  const setHeaders = (headers: Record<string, string | number>) => void reply.headers(headers);
  const recheck: Recheck = unit => refuseUnlinked(unit, account, found.person);
  const signedIn = await signInAs(found, { request, setHeaders, recheck }, dependencies);
  if (isRefusal(signedIn)) return lead(reply, 'not_invited');
  const kept = rememberAccount(account.idToken, { sealer, isSecure: isSecure(request, dependencies) });
  if (kept !== undefined) reply.header('set-cookie', kept);
  await giveBackGuess(request);
  return reply.header('cache-control', 'no-store').redirect('/console', 302);
}

async function linkTo(
  session: NonNullable<PendingSignIn['linkTo']>,
  { request, reply, account }: Returned,
  { sql, now }: Dependencies,
): Promise<FastifyReply> {
  const token = sessionTokenOf(request.headers.cookie) ?? '';
  const tokenHash = createHash('sha256').update(token).digest();
  const call = { actor: addressActor(request, 'user'), now: new Date(now()) };
  const outcome = await linkAccount(sql, call, { account, session, tokenHash });
  if (outcome !== undefined) return reply.redirect(`/console/account#oidc=${outcome}`, 302);
  await giveBackGuess(request);
  return reply.redirect('/console/account#oidc=linked', 302);
}

/** With the type provider of this app a reply has another type than the replies of Fastify's default one. */
function plain(reply: unknown): FastifyReply {
  return reply as FastifyReply;
}

/** Redirects to the sign-in page, which shows the outcome. */
function lead(reply: FastifyReply, told: Told): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(`/console#oidc=${told}`, 302);
}

function isSecure(request: FastifyRequest, { urls }: { urls: { public: string } }): boolean {
  return request.protocol === 'https' || urls.public.startsWith('https:');
}
