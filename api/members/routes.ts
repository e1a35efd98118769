/**
 * The routes of members: the people of a workspace, their roles, and their leaving. People are of the workspace, not of
 * its sandbox, so a test key, which may be in any test program, changes nobody. A change of role or a removal clears
 * this process's cache of keys.
 */
import { isRefusal, refuseAbsent } from '#domain/refusal.ts';
import { changeMember, findMember, listMembers, MEMBER_SORTS, removeMember } from '#sql/members/members.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { replying } from '../idempotency/idempotency.ts';
import { listed, listOf } from '../lists/paging.ts';
import { memberRecord } from './record.ts';
import { ChangeMemberBody, MemberRecord, MembersQuery } from './schema.ts';

type Dependencies = CallDependencies & { forgetKey: (hash?: string) => void };
const route = routeFor<Dependencies>();

export const memberRoutes = [
  route({
    method: 'GET',
    path: '/members',
    access: { resource: 'members', verb: 'read' },
    summary: 'List the people of the workspace',
    query: MembersQuery,
    page: { list: 'members', sorts: MEMBER_SORTS },
    response: { 200: listOf(MemberRecord) },
    async handle({ caller, page }, { sql }) {
      const rows = await listMembers(sql, caller.workspace, page);
      return listed({ rows }, page, { sorts: MEMBER_SORTS, recordOf: memberRecord });
    },
  }),

  route({
    method: 'GET',
    path: '/members/:id',
    access: { resource: 'members', verb: 'read' },
    summary: 'Read a member of the workspace',
    id: 'user',
    response: { 200: MemberRecord },
    async handle({ caller, id }, { sql }) {
      const member = await findMember(sql, caller.workspace, id);
      return member ? memberRecord(member) : refuseAbsent();
    },
  }),

  route({
    method: 'PATCH',
    path: '/members/:id',
    access: { resource: 'members', verb: 'write' },
    refusals: ['last_owner'],
    mode: 'live',
    summary: 'Give a member another role',
    id: 'user',
    body: ChangeMemberBody,
    response: { 200: MemberRecord },
    async handle({ caller, principal, id, body: { role } }, { sql, forgetKey, now }) {
      const changed = await replying(caller, { now: now(), render: memberRecord }, call =>
        changeMember(sql, call, { handle: id, role, by: principal }),
      );
      if (!isRefusal(changed)) forgetKey();
      return changed;
    },
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
    id: 'user',
    async handle({ caller, principal, id }, { sql, forgetKey, now }) {
      const refusal = await removeMember(sql, { ...caller, now: new Date(now()) }, { handle: id, by: principal });
      if (!refusal) forgetKey();
      return refusal;
    },
  }),
];
