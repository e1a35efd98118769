/**
 * The routes of sessions: signing in, signing out, and the sessions of a person. Signing in needs no key, so tries are
 * limited by network address and, wherever they come from, by the address of the person.
 */
import { isRefusal, refuse, type Refusal, type RefusalCode } from '#domain/refusal.ts';
import type { SignUpKind } from '#domain/access/workspace.ts';
import { passSecondFactor } from '#sql/people/second-factors.ts';
import { endSession, listSessions, type Recheck } from '#sql/people/sessions.ts';
import { findSignIn, hasPassword } from '#sql/people/sign-ins.ts';
import type { Mailer } from '#runtime/mail/mailer.ts';
import type { Caller } from '../authentication/caller.ts';
import type { Principal } from '../authentication/principal.ts';
import { KEYLESS_BYTES_MAX } from '../http/body-bounds.ts';
import { routeFor, type CallDependencies, type PublicCall } from '../http/route.ts';
import { listed, listOf } from '../lists/paging.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { giveBackGuess, type GuessLimit } from '../rate-limit/guess-limit.ts';
import { sessionCookie } from '../authentication/cookie.ts';
import { refuseCrossSite } from '../authentication/cross-site.ts';
import {
  SessionRecord,
  SessionsQuery,
  SignedIn,
  SignInBody,
  SignInOptions,
  UseLinkBody,
  type SignIn,
} from './schema.ts';
import { sessionRecord, signInAs, signInByLink } from './signed-in.ts';
import { refuseTry, tryName } from './tries.ts';
import type { Passwords } from './password.ts';

type Dependencies = CallDependencies & {
  signUpKinds?: ReadonlySet<SignUpKind>;
  /** Present if a provider signs people in. */
  oidc?: object;
  mailer?: Mailer;
  forgetKey: (hash?: string) => void;
  passwords: Passwords;
  urls: { public: string };
  signInTries: GuessLimit;
  personTries: GuessLimit;
};
const route = routeFor<Dependencies>();

export const sessionRoutes = [
  route({
    method: 'GET',
    path: '/sessions',
    access: { resource: 'sessions', verb: 'read' },
    mode: 'live',
    summary: 'List the open sessions of the person',
    query: SessionsQuery,
    page: { list: 'sessions' },
    response: { 200: listOf(SessionRecord) },
    async handle({ principal: { person, session, madeBy }, page }, { sql, now }) {
      const refusal = refuseMaker(madeBy);
      if (refusal) return refusal;
      const rows = await listSessions(sql, page, { person, now: now() });
      return listed({ rows }, page, { recordOf: row => sessionRecord(row, session?.handle) });
    },
  }),

  route({
    method: 'POST',
    path: '/sessions',
    access: 'public',
    refusals: [
      'wrong_sign_in',
      'second_factor_required',
      'wrong_code',
      'no_workspace',
      'cross_site_request',
      'rate_limited',
    ],
    operationId: 'signIn',
    summary: 'Sign in with an address and a password',
    description:
      'For browsers: the answer sets the cookie `marquee_session`. The call needs the header `X-Requested-With: marquee-console`, as do all writes with the cookie. After ten wrong passwords or codes an address waits for a quarter of an hour.',
    body: SignInBody,
    bodyBytesMax: KEYLESS_BYTES_MAX,
    guesses: ({ signInTries }) => signInTries,
    response: { 201: SignedIn },
    handle: signIn,
  }),

  route({
    method: 'GET',
    path: '/sessions/options',
    access: 'public',
    operationId: 'readSignInOptions',
    summary: 'Read how people sign in here',
    response: { 200: SignInOptions },
    handle: (_call, { oidc, mailer, signUpKinds }) => ({
      oidc: oidc !== undefined,
      reset_by_mail: mailer !== undefined,
      sign_up: [...(signUpKinds ?? [])],
    }),
  }),

  route({
    method: 'POST',
    path: '/sessions/link',
    access: 'public',
    refusals: ['demo_only', 'not_found', 'link_expired', 'no_workspace', 'cross_site_request', 'rate_limited'],
    operationId: 'signInByLink',
    summary: 'Sign in with a link of the demo',
    description: 'Of `npm run demo` alone, which prints the links: every other installation refuses them.',
    body: UseLinkBody,
    bodyBytesMax: KEYLESS_BYTES_MAX,
    guesses: ({ signInTries }) => signInTries,
    response: { 201: SignedIn },
    handle: signInByLink,
  }),

  route({
    method: 'DELETE',
    path: '/sessions/current',
    access: { resource: 'sessions', verb: 'write' },
    refusals: ['not_found'],
    mode: 'live',
    operationId: 'signOut',
    summary: 'Sign out',
    description: 'Ends the session that the call is made with, and its cookie. A key has none.',
    async handle({ caller, principal, setHeaders }, dependencies) {
      const { person, session } = principal;
      if (session === null) return refuseAbsent();
      setHeaders({ 'set-cookie': sessionCookie('', { isSecure: false, seconds: 0 }) });
      return endNow(dependencies, caller, { person, session: session.handle });
    },
  }),

  route({
    method: 'DELETE',
    path: '/sessions/:id',
    access: { resource: 'sessions', verb: 'write' },
    mode: 'live',
    summary: 'End a session of the person',
    id: 'session',
    handle: ({ caller, principal: { person, madeBy }, id }, dependencies) =>
      refuseMaker(madeBy) ?? endNow(dependencies, caller, { person, session: id }),
  }),
];

/** Another person who made a key for this person has it as well. */
function refuseMaker(madeBy: Principal['madeBy']): Refusal | undefined {
  return madeBy === null
    ? undefined
    : refuse('role_forbidden', 'This key was made by somebody else. Sessions are for their person alone.');
}

/** Ends a session, which this process forgets after the commit. */
async function endNow(
  { sql, forgetKey, now }: Dependencies,
  caller: Caller,
  own: Parameters<typeof endSession>[2],
): Promise<Refusal | undefined> {
  const ended = await endSession(sql, { ...caller, now: new Date(now()) }, own);
  if (isRefusal(ended)) return ended;
  forgetKey(ended.toString('base64'));
  return undefined;
}

const WRONG_TRIES: ReadonlySet<RefusalCode> = new Set(['wrong_code', 'wrong_sign_in']);

async function signIn(call: PublicCall<SignIn>, dependencies: Dependencies): Promise<SignedIn | Refusal> {
  const { body, request, setHeaders } = call;
  const { personTries, urls } = dependencies;
  const crossSite = refuseCrossSite(request, urls.public);
  if (crossSite) return crossSite;
  const name = tryName(body.email);
  const waiting = await refuseTry(personTries, name, setHeaders);
  if (waiting) return waiting;
  const signedIn = await checkSignIn(call, dependencies);
  // A right password that waits for its code is not a wrong attempt, nor is one that was not checked; a wrong code is.
  if (!isRefusal(signedIn) || !WRONG_TRIES.has(signedIn.code))
    await Promise.all([personTries.giveBack(name), giveBackGuess(request)]);
  return signedIn;
}

/** An unknown address is answered as a wrong password is, after as long. */
async function checkSignIn(
  { body: { email, password, code }, request, setHeaders }: PublicCall<SignIn>,
  dependencies: Dependencies,
): Promise<SignedIn | Refusal> {
  const { sql, passwords, sealer } = dependencies;
  const row = await findSignIn(sql, email);
  const isRight = await passwords.verify(password, row?.password_hash);
  if (isRefusal(isRight)) return isRight;
  if (!isRight || !row) return refuseSignIn();
  const { person } = row;
  const recheck: Recheck = async unit =>
    (await hasPassword(unit, row)) ? passSecondFactor(unit, { person, code, sealer }) : refuseSignIn();
  return signInAs(row, { request, setHeaders, recheck }, dependencies);
}

const refuseSignIn = () => refuse('wrong_sign_in', 'No person signs in with this address and password.');
