import { parseId } from '#domain/id.ts';
import { isRefusal } from '#domain/refusal.ts';
import { callerOf } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { answer } from '../http/reply.ts';
import { refuseAbsent } from '../refusals.ts';
import { listOf, readPage } from '../lists/paging.ts';
import { idParams } from '../shapes.ts';
import { ChangeMemberBody, MemberRecord, MembersQuery, MEMBER_SORTS } from './schema.ts';
import { changeMember, listMembers, removeMember } from './store.ts';

/** People are of the workspace, not of its sandbox: a test key, which may be in any test program, decides about nobody. */
export function memberRoutes(app: Api, { sql, forgetKey, now }: RouteDependencies): void {
  const forget = () => {
    forgetKey();
  };
  app.get(
    '/members',
    {
      config: { access: { resource: 'members', verb: 'read' } },
      schema: {
        summary: 'List the people of the workspace',
        tags: ['Users'],
        querystring: MembersQuery,
        response: { 200: listOf(MemberRecord) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, { list: 'members', sorts: MEMBER_SORTS });
      return answer(reply, 200, isRefusal(page) ? page : await listMembers(sql, callerOf(request), page));
    },
  );

  app.patch(
    '/members/:id',
    {
      config: { access: { resource: 'members', verb: 'write' }, mode: 'live', refusals: ['last_owner'] },
      schema: {
        summary: 'Give a member another role',
        tags: ['Users'],
        params: idParams,
        body: ChangeMemberBody,
        response: { 200: MemberRecord },
      },
    },
    async (request, reply) => {
      const { role: own } = request.principal!;
      const { role } = request.body;
      const handle = parseId('user', request.params.id);
      return answer(
        reply,
        200,
        handle === undefined
          ? refuseAbsent()
          : await changeMember(sql, callerOf(request), { handle, own, role, forget, now: now() }),
      );
    },
  );

  app.delete(
    '/members/:id',
    {
      config: { access: { resource: 'members', verb: 'write' }, mode: 'live', refusals: ['last_owner'] },
      schema: {
        summary: 'Let a member leave; the keys of that person end at once',
        tags: ['Users'],
        params: idParams,
        description: 'One may leave oneself. The last owner cannot.',
      },
    },
    async (request, reply) => {
      const { role: own } = request.principal!;
      const handle = parseId('user', request.params.id);
      return answer(
        reply,
        204,
        handle === undefined
          ? refuseAbsent()
          : await removeMember(sql, callerOf(request), { handle, own, forget, now: now() }),
      );
    },
  );
}
