/**
 * The routes of invitations: members invite and revoke, and the holder of the token accepts. Accepting needs no key, so
 * guesses of tokens are limited by address.
 */
import { isInvitationToken } from '#domain/access/key.ts';
import { isRefusal, refuseField, type Refusal } from '#domain/refusal.ts';
import { refuseKeyGuess } from '../authentication/admission.ts';
import { addressActor, type Caller } from '../authentication/caller.ts';
import type { Principal } from '../authentication/principal.ts';
import { KEYLESS_BYTES_MAX } from '../http/body-bounds.ts';
import { routeFor, type CallDependencies, type PublicCall } from '../http/route.ts';
import { withReply } from '../idempotency/idempotency.ts';
import { surfaceOf } from '../keys/routes.ts';
import { listed, listOf } from '../lists/paging.ts';
import { workspaceRecord } from '../me/store.ts';
import { mailInvitation, sendsMail, type MailDependencies } from '../mail/invitation-mail.ts';
import type { MailOutcome } from '../mail/outcome.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { giveBackGuess, refuseGuess, type GuessLimit } from '../rate-limit/guess-limit.ts';
import { refuseEndedKey } from '#sql/keys/keys.ts';
import { acceptInvitation, findInvitation, readInvitedEmail, type Shown } from '#sql/members/acceptance.ts';
import {
  createInvitation,
  listInvitations,
  revokeInvitation,
  workspaceOf,
  type MadeInvitation as Made,
} from '#sql/members/invitations.ts';
import { lockPerson } from '#sql/people/people.ts';
import type { Recheck } from '#sql/people/sessions.ts';
import { findSignIn, hasPassword } from '#sql/people/sign-ins.ts';
import { refuseWeak, type Passwords } from '../sessions/password.ts';
import { refuseTry, tryName } from '../sessions/tries.ts';
import type { Authentication } from '../authentication/key-lookup.ts';
import {
  AcceptBody,
  type Accept,
  AcceptedInvitation,
  InvitationRecord,
  InvitationsQuery,
  type Invite,
  InviteBody,
  MadeInvitation,
  PreviewBody,
  type Preview,
  PreviewedInvitation,
} from './schema.ts';
import { acceptedRecord, invitationRecord } from './record.ts';

type Dependencies = CallDependencies &
  MailDependencies & {
    forgetKey: (hash?: string) => void;
    identify: Authentication['identify'];
    passwords: Passwords;
    urls: { public: string };
    keyGuesses: GuessLimit;
    invitationGuesses: GuessLimit;
    mailsOfWorkspace: GuessLimit;
    mailsToAddress: GuessLimit;
    signInTries: GuessLimit;
    personTries: GuessLimit;
  };
const route = routeFor<Dependencies>();

export const invitationRoutes = [
  route({
    method: 'GET',
    path: '/invitations',
    access: { resource: 'members', verb: 'read' },
    summary: 'List the invitations',
    query: InvitationsQuery,
    page: { list: 'invitations' },
    response: { 200: listOf(InvitationRecord) },
    async handle({ caller, page, query: { status } }, { sql, now: clock }) {
      const now = new Date(clock());
      const rows = await listInvitations(sql, caller.workspace, { page, status, now });
      return listed({ rows }, page, { recordOf: row => invitationRecord(row, now) });
    },
  }),

  route({
    method: 'POST',
    path: '/invitations',
    access: { resource: 'members', verb: 'write' },
    refusals: ['state_conflict', 'too_many_members'],
    mode: 'live',
    secretReply: true,
    summary: 'Invite somebody to the workspace',
    description:
      'If the operator has set a mail server, the link is also sent to the address, after the invitation is made: `mail` says what came of it. An answer that is repeated under its `Idempotency-Key` sends nothing again.',
    body: InviteBody,
    response: { 201: MadeInvitation },
    handle: invite,
  }),

  route({
    method: 'DELETE',
    path: '/invitations/:id',
    access: { resource: 'members', verb: 'write' },
    refusals: ['state_conflict'],
    mode: 'live',
    summary: 'Revoke an invitation',
    id: 'invitation',
    handle: ({ caller, id }, { sql, now }) =>
      revokeInvitation(sql, { ...caller, now: new Date(now()) }, { handle: id, workspace: caller.workspace }),
  }),

  route({
    method: 'POST',
    path: '/invitations/preview',
    access: 'public',
    refusals: ['not_found', 'invitation_ended', 'rate_limited'],
    operationId: 'previewInvitation',
    summary: 'See what an invitation is to',
    description:
      'For the page that accepts it. It changes nothing: it is a POST so that no address contains the token.',
    body: PreviewBody,
    bodyBytesMax: KEYLESS_BYTES_MAX,
    guesses: ({ invitationGuesses }) => invitationGuesses,
    response: { 200: PreviewedInvitation },
    handle: preview,
  }),

  route({
    method: 'POST',
    path: '/invitations/accept',
    access: 'public',
    refusals: ['not_found', 'invitation_ended', 'too_many_members', 'too_many_keys', 'state_conflict', 'rate_limited'],
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation and get a key, or a password to sign in with',
    description:
      'A key is shown in this answer only. If you lose it, ask an admin of the workspace for another. With a password there is no key: the person signs in with `POST /v1/sessions`.',
    body: AcceptBody,
    bodyBytesMax: KEYLESS_BYTES_MAX,
    guesses: ({ invitationGuesses }) => invitationGuesses,
    response: { 201: AcceptedInvitation },
    handle: accept,
  }),
];

type Invited = { caller: Caller; principal: Principal; body: Invite };

async function invite({ caller, principal, body }: Invited, dependencies: Dependencies) {
  const { sql, urls, now } = dependencies;
  const { email, role, language = 'en' } = body;
  const { status } = principal;
  // The reply for a repeat is stored with the invitation, before a mail is sent.
  const mail: MailOutcome = { state: sendsMail(dependencies, status) ? 'unknown' : 'off', problem: null };
  const at = new Date(now());
  const recordOf = ({ row, token, url }: Made) => ({ ...invitationRecord(row, at), token, url });
  const made = await createInvitation(
    sql,
    { ...withReply<Made>(caller, done => ({ ...recordOf(done), mail })), now: at },
    { email, role, surface: surfaceOf(principal), by: principal, publicUrl: urls.public },
  );
  if (isRefusal(made)) return made;
  const { row, url } = made;
  const outcome = await mailInvitation(dependencies, {
    email,
    url,
    expiresAt: row.expires_at.getTime(),
    workspace: caller.workspace,
    workspaceName: row.workspace_name,
    status,
    inviter: row.inviter_email,
    language,
  });
  return { ...recordOf(made), mail: outcome };
}

async function preview(
  { body: { token }, request }: PublicCall<Preview>,
  { sql, now }: Dependencies,
): Promise<PreviewedInvitation | Refusal> {
  const at = new Date(now());
  const found = isInvitationToken(token) ? await findInvitation(sql, { token, now: at }) : refuseAbsent();
  if (isRefusal(found)) return found;
  await giveBackGuess(request);
  const { email, role, expires_at } = invitationRecord(found, at);
  const signsIn = (await findSignIn(sql, email)) !== undefined;
  return { email, role, expires_at, workspace: workspaceRecord(workspaceOf(found)), signs_in: signsIn };
}

async function accept(
  { body: { token, name, password, key }, request, setHeaders }: PublicCall<Accept>,
  dependencies: Dependencies,
): Promise<AcceptedInvitation | Refusal> {
  const { sql, forgetKey, now } = dependencies;
  // Before a key or a password is looked at, which would be another guess.
  const email = isInvitationToken(token) ? await readInvitedEmail(sql, token) : undefined;
  if (email === undefined) return refuseAbsent();
  if (password !== undefined && key !== undefined)
    return refuseField('/password', 'not_allowed', 'and a key are not for the same call');
  const shown =
    password === undefined
      ? await personOfKey(dependencies, { key, request, setHeaders })
      : await personOfPassword(dependencies, { email, password, request, setHeaders });
  if (isRefusal(shown)) return shown;
  const call = { actor: addressActor(request, 'system'), now: new Date(now()) };
  const accepted = await acceptInvitation(sql, call, { token, name: name?.trim(), ...shown });
  if (isRefusal(accepted)) return accepted;
  forgetKey(); // sessions of the person have a seat more
  await giveBackGuess(request);
  return acceptedRecord(accepted);
}

type Asking = Pick<PublicCall<Accept>, 'request' | 'setHeaders'>;
type GivenPassword = Asking & { email: string; password: string };

/**
 * The person with this password under the invited address. If the address has no password yet, the hash for the person
 * who accepts.
 */
async function personOfPassword(
  { sql, passwords, personTries, signInTries }: Dependencies,
  { email, password, request, setHeaders }: GivenPassword,
): Promise<Shown | Refusal> {
  const known = await findSignIn(sql, email);
  if (!known) {
    const weak = refuseWeak(password, email);
    if (weak) return weak;
    const passwordHash = await passwords.hash(password);
    return isRefusal(passwordHash) ? passwordHash : { accepting: undefined, passwordHash };
  }
  const name = tryName(email);
  const waiting =
    (await refuseGuess(signInTries, request.ip, { tooMany: 'Too many tries came from this address.', setHeaders })) ??
    (await refuseTry(personTries, name, setHeaders));
  if (waiting) return waiting;
  const isRight = await passwords.verify(password, known.password_hash);
  if (isRight === false)
    return refuseField('/password', 'wrong_password', 'is not the one that this address signs in with');
  await Promise.all([personTries.giveBack(name), signInTries.giveBack(request.ip)]); // right, or not checked
  if (isRefusal(isRight)) return isRight;
  const { person } = known;
  const recheck: Recheck = async unit => {
    await lockPerson(unit, person);
    return (await hasPassword(unit, known))
      ? undefined
      : refuseField('/password', 'wrong_password', 'was changed a moment ago');
  };
  return { accepting: { person, email: known.email, recheck }, passwordHash: null };
}

/**
 * A key that another person made proves nothing: its maker has it, too. A read-only key changes nothing, so it does not
 * become a key that may write.
 */
async function personOfKey(
  { identify, keyGuesses }: Dependencies,
  { key, request, setHeaders }: Asking & { key: string | undefined },
): Promise<Shown | Refusal> {
  if (key === undefined) return { accepting: undefined, passwordHash: undefined };
  const principal = await identify(`Bearer ${key}`);
  if (isRefusal(principal)) {
    const waiting = await refuseKeyGuess(keyGuesses, principal, { ip: request.ip, setHeaders });
    return waiting ?? refuseField('/key', principal.code, 'is not a good key');
  }
  if (principal.sandbox || principal.madeBy !== null || principal.access === 'read_only')
    return refuseField('/key', 'not_allowed', 'must be a live key that may write and that nobody else made for you');
  const { person, email, key: handle } = principal;
  const recheck: Recheck = unit => refuseEndedKey(unit, handle!);
  return { accepting: { person, email, recheck }, passwordHash: undefined };
}
