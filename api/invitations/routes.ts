/**
 * The routes of invitations: members invite and revoke, and whoever has the token accepts. Accepting needs no key, so
 * guesses of tokens are limited by address.
 */
import { isInvitationToken } from '#domain/access/key.ts';
import { isRefusal, refuseField, type Refusal } from '#domain/refusal.ts';
import { addressActor, type Authentication } from '../authentication.ts';
import { KEYLESS_BYTES_MAX } from '../http/body-bounds.ts';
import { route } from '../http/route.ts';
import { surfaceOf } from '../keys/routes.ts';
import { listOf } from '../lists/paging.ts';
import { refuseAbsent } from '../refusals.ts';
import {
  AcceptBody,
  AcceptedInvitation,
  InvitationRecord,
  InvitationsQuery,
  InviteBody,
  MadeInvitation,
} from './schema.ts';
import {
  acceptInvitation,
  createInvitation,
  isInvitation,
  listInvitations,
  revokeInvitation,
  type Accepting,
} from './store.ts';

export const invitationRoutes = [
  route({
    method: 'GET',
    path: '/invitations',
    access: { resource: 'members', verb: 'read' },
    summary: 'List the invitations',
    tags: ['Users'],
    query: InvitationsQuery,
    page: { list: 'invitations' },
    response: { 200: listOf(InvitationRecord) },
    handle: ({ caller, page, query }, { sql, now }) =>
      listInvitations(sql, caller, { page, status: query.status, now: now() }),
  }),

  route({
    method: 'POST',
    path: '/invitations',
    access: { resource: 'members', verb: 'write' },
    refusals: ['state_conflict', 'too_many_members'],
    mode: 'live',
    secretReply: true,
    summary: 'Invite somebody to the workspace',
    tags: ['Users'],
    body: InviteBody,
    response: { 201: MadeInvitation },
    handle({ caller, principal, body: { email, role } }, { sql, now }) {
      const invite = { email, role, surface: surfaceOf(principal), own: principal.role };
      return createInvitation(sql, caller, { invite, now: now() });
    },
  }),

  route({
    method: 'DELETE',
    path: '/invitations/:id',
    access: { resource: 'members', verb: 'write' },
    refusals: ['state_conflict'],
    mode: 'live',
    summary: 'Revoke an invitation',
    tags: ['Users'],
    id: 'invitation',
    handle: ({ caller, id }, { sql, now }) => revokeInvitation(sql, caller, { handle: id, now: now() }),
  }),

  route({
    method: 'POST',
    path: '/invitations/accept',
    access: 'public',
    refusals: ['not_found', 'invitation_ended', 'too_many_members', 'too_many_keys', 'rate_limited'],
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation and get a key',
    description:
      'The key is shown in this answer only. Whoever has lost it asks an admin of the workspace for another.',
    tags: ['Users'],
    body: AcceptBody,
    bodyBytesMax: KEYLESS_BYTES_MAX,
    guesses: ({ invitationGuesses }) => invitationGuesses,
    response: { 201: AcceptedInvitation },
    async handle({ body: { token, name, key }, request }, { sql, identify, invitationGuesses, now }) {
      // Before a key is looked at, which would be another guess.
      if (!isInvitationToken(token) || !(await isInvitation(sql, token))) return refuseAbsent();
      const accepting = key === undefined ? undefined : await personOfKey(identify, key);
      if (isRefusal(accepting)) return accepting;
      const actor = addressActor(request, 'system');
      const accepted = await acceptInvitation(sql, { token, name: name?.trim(), accepting, actor, now: now() });
      if (!isRefusal(accepted)) await invitationGuesses.giveBack(request.ip);
      return accepted;
    },
  }),
];

/** A key that somebody else made for the person shows nothing: its maker has it, too. */
async function personOfKey(identify: Authentication['identify'], key: string): Promise<Accepting | Refusal> {
  const principal = await identify(`Bearer ${key}`);
  if (isRefusal(principal)) return refuseField('/key', principal.code, 'is not a good key');
  if (principal.sandbox || principal.madeBy !== null)
    return refuseField('/key', 'not_allowed', 'must be a live key that nobody else made for you');
  return { person: principal.person, email: principal.email };
}
