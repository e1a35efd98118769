/**
 * `admin people`: invites the first person of a workspace, who then invites the others in the console, and lists who
 * works in one: who signs in, and who is invited. It erases a person who has left.
 */
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { ROLES, type Role } from '#domain/access/permission.ts';
import { SURFACE_OF_KIND, type WorkspaceKind } from '#domain/access/workspace.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal } from '#domain/refusal.ts';
import type { Postgres } from '#sql/postgres.ts';
import { erasePerson as erase } from '#sql/members/erasure.ts';
import { createInvitation } from '#sql/members/invitations.ts';
import { UsageError } from '../../arguments.ts';
import { OPERATOR, ownerOf } from '../../operator.ts';
import { assertWorkspace, emailAddress, idOf } from '../parsers.ts';
import type { Result, Runner } from '../program.ts';

export function declarePeopleCommands(program: CommandUnknownOpts, run: Runner): void {
  const people = program.command('people').description('people who sign in to the console');
  people
    .command('invite')
    .description('create an invitation link, shown once: it lets a person choose a password and sign in')
    .requiredOption('--workspace <id>', 'where', idOf('workspace'))
    .requiredOption('--email <address>', 'their address', emailAddress)
    .addOption(new Option('--role <role>', 'what they may do').choices(ROLES).default('owner' as const))
    .action(run(({ sql, publicUrl }, options) => invitePerson(sql, new Date(), { ...options, publicUrl })));
  people
    .command('list')
    .description('list the members of a workspace and its open invitations')
    .requiredOption('--workspace <id>', 'where', idOf('workspace'))
    .action(run(({ sql }, { workspace }) => listPeople(sql, new Date(), workspace)));
  people
    .command('erase')
    .description('erase the address, the name and the sign-in of a person who has left every workspace')
    .requiredOption('--email <address>', 'their address', emailAddress)
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
  const [row] = await sql<{ kind: WorkspaceKind }[]>`select kind from workspaces where handle = ${workspace}`;
  const by = await ownerOf(sql, workspace);
  if (by === undefined) throw new UsageError('the workspace has no owner, who would invite: admin user create');
  const made = await createInvitation(
    sql,
    { actor: OPERATOR, now },
    { email, role, surface: SURFACE_OF_KIND[row!.kind], by: { workspace, user: by, role: 'owner' }, publicUrl },
  );
  if (isRefusal(made)) throw new UsageError(made.detail);
  const { row: invitation, url } = made;
  return {
    id: formatId('invitation', invitation.handle),
    email,
    role,
    expires_at: invitation.expires_at.toISOString(),
    url,
  };
}

type PersonRow = { user: Handle<'user'>; email: string; name: string; role: Role; signs_in: boolean };
type InvitedRow = { invitation: Handle<'invitation'>; email: string; role: Role; expires_at: Date };

/** Both lists are bounded: a workspace has at most 200 members and 100 open invitations. */
async function listPeople(sql: Postgres, now: Date, workspace: Handle<'workspace'>): Promise<Result> {
  await assertWorkspace(sql, workspace);
  const people = await sql<PersonRow[]>`
    select u.handle as user, u.email, p.name, u.role, s.person_handle is not null as signs_in
    from users u join people p on p.handle = u.person_handle left join sign_ins s on s.person_handle = p.handle
    where u.workspace_handle = ${workspace} and u.removed_at is null order by u.handle`;
  const invited = await sql<InvitedRow[]>`
    select handle as invitation, email, role, expires_at from invitations
    where workspace_handle = ${workspace} and accepted_at is null and revoked_at is null and expires_at > ${now}
    order by handle`;
  return {
    people: people.map(({ user, ...row }) => ({ id: formatId('user', user), ...row })),
    invited: invited.map(({ invitation, expires_at: at, ...row }) => ({
      id: formatId('invitation', invitation),
      ...row,
      expires_at: at.toISOString(),
    })),
  };
}

/** @throws UsageError if no person has the address, or if the person still has a seat */
export async function erasePerson(sql: Postgres, now: Date, email: string): Promise<Result> {
  const seats = await erase(sql, { actor: OPERATOR, now }, email);
  if (isRefusal(seats))
    throw new UsageError(seats.code === 'not_found' ? `Nobody has the address ${email}` : seats.detail);
  return { seats, erased: true };
}
