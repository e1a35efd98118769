/**
 * The routes of the own account: name, password and second factor of the person who is signed in. They are only for
 * sessions: a key, which may be in any program, must not change how its person signs in. Passwords and codes count as
 * attempts of the person, as at the sign-in.
 */
import type { FastifyRequest } from 'fastify';
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal, refuse, refuseField, type Refusal } from '#domain/refusal.ts';
import { readAccount, removeIdentity, renamePerson, type StoredAccount } from '#sql/people/account.ts';
import { beginSecondFactor, confirmSecondFactor, removeSecondFactor } from '#sql/people/second-factors.ts';
import { changePassword, findSignInOf, type SignInRow } from '#sql/people/sign-ins.ts';
import type { Principal } from '../authentication/principal.ts';
import { routeFor, type CallDependencies, type PublicCall } from '../http/route.ts';
import { replying } from '../idempotency/idempotency.ts';
import { rememberSignIn } from '../oidc/pending-sign-in.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { refuseWeak, type Passwords } from '../sessions/password.ts';
import { refuseTry, tryName } from '../sessions/tries.ts';
import {
  AccountRecord,
  BeginSecondFactorBody,
  BegunLink,
  BegunSecondFactor,
  ChangeAccountBody,
  ChangePasswordBody,
  CodeBody,
  RecoveryCodes,
  type Account,
  type ChangePassword,
} from './schema.ts';
import type { OidcProvider } from '../oidc/provider.ts';
import type { GuessLimit } from '../rate-limit/guess-limit.ts';

type Dependencies = CallDependencies & {
  oidc?: OidcProvider;
  forgetKey: (hash?: string) => void;
  passwords: Passwords;
  urls: { public: string };
  personTries: GuessLimit;
};
const route = routeFor<Dependencies>();

const READ = { resource: 'sessions', verb: 'read' } as const;
const WRITE = { resource: 'sessions', verb: 'write' } as const;

export const accountRoutes = [
  route({
    method: 'GET',
    path: '/account',
    access: READ,
    mode: 'live',
    summary: 'Read the own account',
    description: 'Of the person who is signed in. A key has none, here as in the other calls of the account.',
    response: { 200: AccountRecord },
    handle: async ({ principal }, { sql }) =>
      refuseKey(principal) ?? accountRecord(await readAccount(sql, principal.person)),
  }),

  route({
    method: 'PATCH',
    path: '/account',
    access: WRITE,
    refusals: ['not_found'],
    mode: 'live',
    summary: 'Change the own name',
    body: ChangeAccountBody,
    response: { 200: AccountRecord },
    handle: ({ caller, principal, body }, { sql, now }) =>
      refuseKey(principal) ??
      replying(caller, { now: now(), render: accountRecord }, call =>
        renamePerson(sql, call, { person: principal.person, name: body.name.trim() }),
      ),
  }),

  route({
    method: 'PUT',
    path: '/account/password',
    access: WRITE,
    refusals: ['not_found'],
    mode: 'live',
    operationId: 'changePassword',
    summary: 'Change the own password; all other sessions end',
    body: ChangePasswordBody,
    handle: async ({ caller, principal, body, setHeaders }, dependencies) => {
      const { sql, forgetKey, now } = dependencies;
      const shown = refuseKey(principal) ?? (await hashNew(dependencies, { principal, body, setHeaders }));
      if (isRefusal(shown)) return shown;
      const session = principal.session!.handle;
      const ended = await changePassword(sql, { ...caller, now: new Date(now()) }, { ...shown, session });
      if (isRefusal(ended)) return ended;
      for (const hash of ended) forgetKey(hash);
      return undefined;
    },
  }),

  route({
    method: 'POST',
    path: '/account/second-factor',
    access: WRITE,
    refusals: ['not_found', 'state_conflict'],
    mode: 'live',
    secretReply: true,
    operationId: 'beginSecondFactor',
    summary: 'Begin a second factor',
    description: 'Sign-ins ask for its codes once one of them was shown by `POST /v1/account/second-factor/confirm`.',
    body: BeginSecondFactorBody,
    response: { 201: BegunSecondFactor },
    handle: async ({ caller, principal, body: { current_password: password }, setHeaders }, dependencies) => {
      const { sql, sealer, now } = dependencies;
      const known = refuseKey(principal) ?? (await identifyAgain(dependencies, { principal, password, setHeaders }));
      if (isRefusal(known)) return known;
      const call = { ...caller, now: new Date(now()) };
      return beginSecondFactor(sql, call, { known, session: principal.session!.handle, sealer });
    },
  }),

  route({
    method: 'POST',
    path: '/account/second-factor/confirm',
    access: WRITE,
    refusals: ['not_found', 'state_conflict', 'wrong_code'],
    mode: 'live',
    secretReply: true,
    operationId: 'confirmSecondFactor',
    summary: 'Confirm the second factor with a first code',
    body: CodeBody,
    response: { 200: RecoveryCodes },
    handle: ({ caller, principal, body: { code }, setHeaders }, dependencies) => {
      const { sql, sealer, now } = dependencies;
      return tryCode(dependencies, { principal, setHeaders }, own =>
        confirmSecondFactor(sql, { ...caller, now: new Date(now()) }, { ...own, code, sealer }),
      );
    },
  }),

  route({
    method: 'POST',
    path: '/account/second-factor/remove',
    access: WRITE,
    refusals: ['not_found', 'state_conflict', 'wrong_code'],
    mode: 'live',
    operationId: 'removeSecondFactor',
    summary: 'Remove the second factor with a code of it',
    body: CodeBody,
    handle: ({ caller, principal, body: { code }, setHeaders }, dependencies) => {
      const { sql, sealer, now } = dependencies;
      return tryCode(dependencies, { principal, setHeaders }, own =>
        removeSecondFactor(sql, { ...caller, now: new Date(now()) }, { ...own, code, sealer }),
      );
    },
  }),

  route({
    method: 'POST',
    path: '/account/identity',
    access: WRITE,
    refusals: ['not_found', 'state_conflict'],
    mode: 'live',
    secretReply: true,
    operationId: 'beginLink',
    summary: 'Begin linking an account of the OpenID provider',
    description:
      'For browsers: the answer sets a cookie, and names the address of the provider, which leads back to the console. From then on that account signs the person in.',
    body: BeginSecondFactorBody,
    response: { 201: BegunLink },
    handle: beginLink,
  }),

  route({
    method: 'DELETE',
    path: '/account/identity',
    access: WRITE,
    refusals: ['not_found', 'state_conflict'],
    mode: 'live',
    operationId: 'removeIdentity',
    summary: 'Let no account of an OpenID provider sign the person in',
    handle: ({ caller, principal }, { sql, now }) =>
      refuseKey(principal) ?? removeIdentity(sql, { ...caller, now: new Date(now()) }, principal.person),
  }),
];

function accountRecord({ person, identity, factor, ...row }: StoredAccount): Account {
  return {
    id: formatId('person', person),
    ...row,
    identity: identity
      ? { issuer: identity.issuer, email: identity.email, linked_at: identity.created_at.toISOString() }
      : null,
    second_factor: factor ? { ...factor, since: factor.since.toISOString() } : null,
  };
}

type BeginLinkCall = Trying & { body: { current_password: string }; request: FastifyRequest };

async function beginLink(
  { principal, body, request, setHeaders }: BeginLinkCall,
  dependencies: Dependencies,
): Promise<{ url: string } | Refusal> {
  const { oidc, sealer, urls, now } = dependencies;
  if (!oidc) return refuse('state_conflict', 'This installation has no OpenID provider.');
  const known =
    refuseKey(principal) ??
    (await identifyAgain(dependencies, { principal, password: body.current_password, setHeaders }));
  if (isRefusal(known)) return known;
  request.once = null; // nothing was changed, and a stored reply would lack the cookie: a repeat begins again
  const { url, checks } = await oidc.begin();
  const isSecure = request.protocol === 'https' || urls.public.startsWith('https:');
  const pending = { checks, linkTo: principal.session!.handle };
  setHeaders({ 'set-cookie': rememberSignIn(pending, { sealer, isSecure, now: now() }) });
  return { url: url.href };
}

function refuseKey({ session }: Principal): Refusal | undefined {
  return session === null ? refuseAbsent() : undefined;
}

type Trying = { principal: Principal; setHeaders: PublicCall<unknown>['setHeaders'] };

/**
 * A signed-in person enters their password again before they change how they sign in. Anyone may be at their browser.
 */
async function identifyAgain(
  { sql, passwords, personTries }: Dependencies,
  { principal, password, setHeaders }: Trying & { password: string },
): Promise<SignInRow | Refusal> {
  const known = await findSignInOf(sql, principal.person);
  if (!known) return refuse('state_conflict', 'You sign in without a password here.');
  const name = tryName(known.email);
  const waiting = await refuseTry(personTries, name, setHeaders);
  if (waiting) return waiting;
  const isRight = await passwords.verify(password, known.password_hash);
  if (isRight === false) return refuseField('/current_password', 'wrong_password', 'is not your password');
  await personTries.giveBack(name); // right, or not checked
  return isRefusal(isRight) ? isRight : known;
}

async function hashNew(
  dependencies: Dependencies,
  { body, ...trying }: Trying & { body: ChangePassword },
): Promise<{ known: SignInRow; passwordHash: string } | Refusal> {
  const known = await identifyAgain(dependencies, { ...trying, password: body.current_password });
  if (isRefusal(known)) return known;
  const weak = refuseWeak(body.password, known.email);
  if (weak) return weak;
  const passwordHash = await dependencies.passwords.hash(body.password);
  return isRefusal(passwordHash) ? passwordHash : { known, passwordHash };
}

/**
 * A code has a million values, so wrong codes count together with wrong passwords of the person. Other refusals say
 * nothing about the code.
 */
async function tryCode<Answer>(
  { sql, personTries }: Dependencies,
  { principal, setHeaders }: Trying,
  attempt: (own: { person: Handle<'person'>; session: Handle<'session'> }) => Promise<Answer | Refusal>,
): Promise<Answer | Refusal> {
  const { person, session } = principal;
  if (session === null) return refuseAbsent();
  const name = tryName((await findSignInOf(sql, person))?.email ?? principal.email);
  const waiting = await refuseTry(personTries, name, setHeaders);
  if (waiting) return waiting;
  const answer = await attempt({ person, session: session.handle });
  if (!isRefusal(answer) || answer.code !== 'wrong_code') await personTries.giveBack(name);
  return answer;
}
