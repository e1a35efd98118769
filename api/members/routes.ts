/**
 * The routes of members: the people of a workspace, their roles, and their leaving. People are of the workspace, not of
 * its sandbox, so a test key, which may be in any test program, changes nobody. A change of role or a removal clears
 * this process's cache of keys.
 */
import { routeFor, type CallDependencies } from '../http/route.ts';
import { listOf } from '../lists/paging.ts';
import { ChangeMemberBody, MemberRecord, MembersQuery, MEMBER_SORTS } from './schema.ts';
import { changeMember, listMembers, readMember, removeMember } from './store.ts';

type Dependencies = CallDependencies & { forgetKey: (hash?: string) => void };
const route = routeFor<Dependencies>();

export const memberRoutes = [
  route({
    method: 'GET',
    path: '/members',
    access: { resource: 'members', verb: 'read' },
    summary: 'List the people of the workspace',
    tags: ['Users'],
    query: MembersQuery,
    page: { list: 'members', sorts: MEMBER_SORTS },
    response: { 200: listOf(MemberRecord) },
    handle: ({ caller, page }, { sql }) => listMembers(sql, caller, page),
  }),

  route({
    method: 'GET',
    path: '/members/:id',
    access: { resource: 'members', verb: 'read' },
    summary: 'Read a member of the workspace',
    tags: ['Users'],
    id: 'user',
    response: { 200: MemberRecord },
    handle: ({ caller, id }, { sql }) => readMember(sql, caller.workspace, id),
  }),

  route({
    method: 'PATCH',
    path: '/members/:id',
    access: { resource: 'members', verb: 'write' },
    refusals: ['last_owner'],
    mode: 'live',
    summary: 'Give a member another role',
    tags: ['Users'],
    id: 'user',
    body: ChangeMemberBody,
    response: { 200: MemberRecord },
    handle: ({ caller, principal, id, body }, { sql, forgetKey, now }) =>
      changeMember(sql, caller, { handle: id, own: principal.role, role: body.role, forget: forgetKey, now: now() }),
  }),

  route({
    method: 'DELETE',
    path: '/members/:id',
    access: { resource: 'members', verb: 'write' },
    refusals: ['last_owner'],
    mode: 'live',
    summary: 'Let a member leave; the keys of that person end at once',
    description:
      'One may leave oneself. The last owner cannot. Who leaves an agency leaves its clients, too; one of which they were the only owner gets an owner of the agency in their place.',
    tags: ['Users'],
    id: 'user',
    handle: ({ caller, principal, id }, { sql, forgetKey, now }) =>
      removeMember(sql, caller, { handle: id, own: principal.role, forget: forgetKey, now: now() }),
  }),
];
