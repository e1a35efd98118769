/**
 * `admin people`: invites the first person of a workspace, who then invites the others in the console, and lists who
 * works in one: who signs in, and who is invited. It erases a person who has left.
 */
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { ROLES, type Role } from '#domain/access/permission.ts';
import { SURFACE_OF_KIND } from '#domain/access/workspace.ts';
import { formatId, type Handle } from '#domain/id.ts';
import type { Postgres } from '#sql/postgres.ts';
import { erasePerson as erase } from '#sql/members/erasure.ts';
import { createInvitation, listInvitations } from '#sql/members/invitations.ts';
import { listSignIns } from '#sql/members/members.ts';
import { MEMBERS_MAX } from '#sql/members/seats.ts';
import { readWorkspace } from '#sql/workspaces/workspaces.ts';
import { UsageError } from '../../arguments.ts';
import { OPERATOR, ownerOf, wanted } from '../../operator.ts';
import { assertWorkspace, emailAddress, idOf } from '../parsers.ts';
import type { Result, Runner } from '../program.ts';

export function declarePeopleCommands(program: CommandUnknownOpts, run: Runner): void {
  const people = program.command('people').description('console users');
  people
    .command('invite')
    .description('create an invitation link and print it once')
    .requiredOption('--workspace <id>', 'id of the workspace', idOf('workspace'))
    .requiredOption('--email <address>', 'email address', emailAddress)
    .addOption(new Option('--role <role>', 'role in the workspace').choices(ROLES).default('owner' as const))
    .action(run(({ sql, publicUrl }, options) => invitePerson(sql, new Date(), { ...options, publicUrl })));
  people
    .command('list')
    .description('list the members and open invitations of a workspace')
    .requiredOption('--workspace <id>', 'id of the workspace', idOf('workspace'))
    .action(run(({ sql }, { workspace }) => listPeople(sql, new Date(), workspace)));
  people
    .command('erase')
    .description('erase the personal data of a person without workspaces')
    .requiredOption('--email <address>', 'email address', emailAddress)
    .action(run(({ sql }, { email }) => erasePerson(sql, new Date(), email)));
}

type NewPerson = { workspace: Handle<'workspace'>; email: string; role: Role; publicUrl: string };

/**
 * Invites in the name of the owner, because the operator who made the workspace acts as the owner.
 * @throws UsageError if the workspace does not exist or would refuse the invitation
 */
export async function invitePerson(
  sql: Postgres,
  now: Date,
  { workspace, email, role, publicUrl }: NewPerson,
): Promise<Result> {
  await assertWorkspace(sql, workspace);
  const { kind } = await readWorkspace(sql, workspace);
  const by = await ownerOf(sql, workspace);
  if (by === undefined) throw new UsageError('the workspace has no owner, who would invite: admin user create');
  const made = await createInvitation(
    sql,
    { actor: OPERATOR, now },
    { email, role, surface: SURFACE_OF_KIND[kind], by: { workspace, user: by, role: 'owner' }, publicUrl },
  );
  const { row: invitation, url } = wanted(made);
  return {
    id: formatId('invitation', invitation.handle),
    email,
    role,
    expires_at: invitation.expires_at.toISOString(),
    url,
  };
}

/** Both lists are bounded: a workspace has at most 200 members and 100 open invitations. */
async function listPeople(sql: Postgres, now: Date, workspace: Handle<'workspace'>): Promise<Result> {
  await assertWorkspace(sql, workspace);
  const page = { limit: MEMBERS_MAX, sort: 'created_at', isDescending: false, after: undefined };
  const invited = await listInvitations(sql, workspace, { page, status: 'open', now });
  return {
    people: (await listSignIns(sql, workspace)).map(({ user, ...row }) => ({ id: formatId('user', user), ...row })),
    invited: invited.map(({ handle, email, role, expires_at: at }) => ({
      id: formatId('invitation', handle),
      email,
      role,
      expires_at: at.toISOString(),
    })),
  };
}

/** @throws UsageError if no person has the address, or if the person still has a seat */
export async function erasePerson(sql: Postgres, now: Date, email: string): Promise<Result> {
  const seats = wanted(await erase(sql, { actor: OPERATOR, now }, email), `Nobody has the address ${email}`);
  return { seats, erased: true };
}
