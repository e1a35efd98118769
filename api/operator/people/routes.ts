/** The routes of people: the operator finds them over all workspaces, and resets how they sign in. */
import { routeFor, type CallDependencies } from '../../http/route.ts';
import { formatId } from '#domain/id.ts';
import {
  linkToNewPassword,
  listPeople,
  removeSecondFactor,
  removeSignIn,
  type PersonRow,
} from '#sql/people/operator.ts';
import { BY_CREATION, listed, listOf } from '../../lists/paging.ts';
import { asOperator } from '../../authentication/as-operator.ts';
import { ResetLinkRecord } from '../../account/schema.ts';
import { PeopleQuery, Person } from './schema.ts';

type Dependencies = CallDependencies & { urls: { public: string } };
const route = routeFor<Dependencies>();

const READ = { resource: 'workspaces', verb: 'read' } as const;
const WRITE = { resource: 'workspaces', verb: 'write' } as const;

export const peopleRoutes = [
  route({
    method: 'GET',
    path: '/operator/people',
    access: READ,
    mode: 'live',
    operationId: 'listPeople',
    summary: 'List the people of all workspaces',
    query: PeopleQuery,
    page: { list: 'people', sorts: BY_CREATION },
    response: { 200: listOf(Person) },
    async handle({ page, query: { q, count } }, { sql }) {
      const found = await listPeople(sql, { page, text: q, isCounted: count === 'true' });
      return listed(found, page, { recordOf: personRecord });
    },
  }),

  route({
    method: 'POST',
    path: '/operator/people/:id/reset-link',
    access: WRITE,
    mode: 'live',
    refusals: ['state_conflict'],
    secretReply: true,
    operationId: 'createPersonResetLink',
    summary: 'Make a link by which a person sets a new password',
    description: 'For a person who gets no mail. It works once, for an hour. The second factor stays.',
    id: 'person',
    response: { 201: ResetLinkRecord },
    handle: ({ caller, principal, id }, { sql, urls, now }) =>
      linkToNewPassword(sql, asOperator(caller, new Date(now())), {
        person: id,
        by: { ...caller, ...principal },
        publicUrl: urls.public,
      }),
  }),

  route({
    method: 'POST',
    path: '/operator/people/:id/remove-sign-in',
    access: WRITE,
    mode: 'live',
    refusals: ['state_conflict'],
    operationId: 'removePersonSignIn',
    summary: 'Delete the password of a person and end the sessions',
    description:
      'Memberships and keys stay. A person who leaves a workspace and is invited again chooses a new password.',
    id: 'person',
    handle: ({ caller, principal, id }, { sql, now }) =>
      removeSignIn(sql, asOperator(caller, new Date(now())), { person: id, by: { ...caller, ...principal } }),
  }),

  route({
    method: 'POST',
    path: '/operator/people/:id/remove-second-factor',
    access: WRITE,
    mode: 'live',
    refusals: ['state_conflict'],
    operationId: 'removePersonSecondFactor',
    summary: 'Turn off the second factor of a person',
    description: 'For a person who has lost the device and the recovery codes: the password alone signs in again.',
    id: 'person',
    handle: ({ caller, principal, id }, { sql, now }) =>
      removeSecondFactor(sql, asOperator(caller, new Date(now())), { person: id, by: { ...caller, ...principal } }),
  }),
];

function personRecord({ handle, email, name, seats, created_at: createdAt, ...row }: PersonRow): Person {
  return {
    id: formatId('person', handle),
    email,
    name,
    has_password: row.has_password,
    has_second_factor: row.has_second_factor,
    seats: seats.map(seat => ({
      workspace_id: formatId('workspace', seat.workspace),
      workspace_name: seat.name,
      role: seat.role,
    })),
    created_at: createdAt.toISOString(),
  };
}
