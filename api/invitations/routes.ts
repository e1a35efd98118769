import { parseId } from '#domain/id.ts';
import { isInvitationToken } from '#domain/access/key.ts';
import { isRefusal, refuseField, type Refusal } from '#domain/refusal.ts';
import { addressActor, callerOf, type Authentication } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { KEYLESS_BYTES_MAX } from '../http/body-bounds.ts';
import { answer } from '../http/reply.ts';
import { refuseAbsent } from '../refusals.ts';
import { guardGuesses } from '../rate-limit/guess-limit.ts';
import { surfaceOf } from '../keys/routes.ts';
import { listOf, readPage } from '../lists/paging.ts';
import { idParams } from '../shapes.ts';
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

export function invitationRoutes(app: Api, dependencies: RouteDependencies): void {
  const { sql, now } = dependencies;
  app.get(
    '/invitations',
    {
      config: { access: { resource: 'members', verb: 'read' } },
      schema: {
        summary: 'List the invitations',
        tags: ['Users'],
        querystring: InvitationsQuery,
        response: { 200: listOf(InvitationRecord) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, { list: 'invitations' });
      return answer(
        reply,
        200,
        isRefusal(page)
          ? page
          : await listInvitations(sql, callerOf(request), { page, status: request.query.status, now: now() }),
      );
    },
  );

  app.post(
    '/invitations',
    {
      config: {
        access: { resource: 'members', verb: 'write' },
        mode: 'live',
        secretReply: true,
        refusals: ['state_conflict', 'too_many_members'],
      },
      schema: {
        summary: 'Invite somebody to the workspace',
        tags: ['Users'],
        body: InviteBody,
        response: { 201: MadeInvitation },
      },
    },
    async (request, reply) => {
      const principal = request.principal!;
      const { email, role } = request.body;
      const invite = { email, role, surface: surfaceOf(principal), own: principal.role };
      return answer(reply, 201, await createInvitation(sql, callerOf(request), { invite, now: now() }));
    },
  );

  app.delete(
    '/invitations/:id',
    {
      config: { access: { resource: 'members', verb: 'write' }, mode: 'live', refusals: ['state_conflict'] },
      schema: { summary: 'Revoke an invitation', tags: ['Users'], params: idParams },
    },
    async (request, reply) => {
      const handle = parseId('invitation', request.params.id);
      return answer(
        reply,
        204,
        handle === undefined ? refuseAbsent() : await revokeInvitation(sql, callerOf(request), { handle, now: now() }),
      );
    },
  );

  acceptRoute(app, dependencies);
}

function acceptRoute(app: Api, { sql, identify, invitationGuesses, now }: RouteDependencies): void {
  app.post(
    '/invitations/accept',
    {
      bodyLimit: KEYLESS_BYTES_MAX,
      ...guardGuesses(invitationGuesses),
      config: {
        access: 'public',
        refusals: ['not_found', 'invitation_ended', 'too_many_members', 'too_many_keys', 'rate_limited'],
      },
      schema: {
        operationId: 'acceptInvitation',
        summary: 'Accept an invitation and get a key',
        tags: ['Users'],
        body: AcceptBody,
        response: { 201: AcceptedInvitation },
        description:
          'The key is shown in this answer only. Whoever has lost it asks an admin of the workspace for another.',
      },
    },
    async (request, reply) => {
      const { token, name, key } = request.body;
      if (!isInvitationToken(token) || !(await isInvitation(sql, token))) return answer(reply, 201, refuseAbsent()); // before a key is looked at, which would be another guess
      const accepting = key === undefined ? undefined : await personOfKey(identify, key);
      if (isRefusal(accepting)) return answer(reply, 201, accepting);
      const accepted = await acceptInvitation(sql, {
        token,
        name: name?.trim(),
        accepting,
        actor: addressActor(request, 'system'),
        now: now(),
      });
      if (!isRefusal(accepted)) await invitationGuesses.giveBack(request.ip);
      return answer(reply, 201, accepted);
    },
  );
}

/** A key that somebody else made for the person shows nothing: its maker has it, too. */
async function personOfKey(identify: Authentication['identify'], key: string): Promise<Accepting | Refusal> {
  const principal = await identify(`Bearer ${key}`);
  if (isRefusal(principal)) return refuseField('/key', principal.code, 'is not a good key');
  if (principal.sandbox || principal.madeBy !== null)
    return refuseField('/key', 'not_allowed', 'must be a live key that nobody else made for you');
  return { person: principal.person, email: principal.email };
}
