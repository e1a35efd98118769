/**
 * `admin user`: adds a person to a workspace, gives them another role, removes them, and takes the password of an
 * address away. The keys of a removed person are refused.
 */
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { ROLES } from '#domain/access/permission.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { UsageError } from '../../arguments.ts';
import {
  changeRole,
  createResetLink,
  createUser,
  removeSecondFactor,
  removeSignIn,
  removeUser,
} from '../../operator.ts';
import { assertWorkspace, emailAddress, idOf } from '../parsers.ts';
import type { Runner } from '../program.ts';

export function declareUserCommands(program: CommandUnknownOpts, run: Runner): void {
  const user = program.command('user').description('members of a workspace');
  user
    .command('create')
    .description('add a member')
    .requiredOption('--workspace <id>', 'id of the workspace', idOf('workspace'))
    .requiredOption('--email <address>', 'email address', emailAddress)
    .addOption(roleOption())
    .action(
      run(async ({ sql }, { workspace, email, role }) => {
        await assertWorkspace(sql, workspace);
        return { id: formatId('user', await createUser(sql, new Date(), { workspace, email, role })) };
      }),
    );
  user
    .command('update')
    .description('change the role of a member')
    .argument('<user>', 'id of the member', idOf('user'))
    .addOption(roleOption())
    .action(
      run(async ({ sql }, handle, { role }) => {
        if (!(await changeRole(sql, new Date(), { user: handle, role }))) throw absent(handle);
        return { id: formatId('user', handle), role };
      }),
    );
  user
    .command('remove')
    .description('remove a member and revoke their keys')
    .argument('<user>', 'id of the member', idOf('user'))
    .action(
      run(async ({ sql }, handle) => {
        if (!(await removeUser(sql, new Date(), handle))) throw absent(handle);
        return { id: formatId('user', handle), removed: true };
      }),
    );
  user
    .command('reset-link')
    .description('create a password reset link, valid for an hour, and print it once')
    .requiredOption('--email <address>', 'email address', emailAddress)
    .action(
      run(async ({ sql, publicUrl }, { email }) => {
        const link = await createResetLink(sql, new Date(), { email, publicUrl });
        if (link === undefined) throw new UsageError(`Nobody signs in with ${email}`);
        return { email, ...link };
      }),
    );
  user
    .command('remove-sign-in')
    .description('delete a lost or stolen password and end its sessions')
    .requiredOption('--email <address>', 'email address', emailAddress)
    .action(
      run(async ({ sql }, { email }) => {
        if (!(await removeSignIn(sql, new Date(), email))) throw new UsageError(`Nobody signs in with ${email}`);
        return { email, sign_in_removed: true };
      }),
    );
  user
    .command('remove-second-factor')
    .description('turn off a second factor after the loss of device and recovery codes')
    .requiredOption('--email <address>', 'email address', emailAddress)
    .action(
      run(async ({ sql }, { email }) => {
        if (!(await removeSecondFactor(sql, new Date(), email)))
          throw new UsageError(`${email} signs in without a second factor`);
        return { email, second_factor_removed: true };
      }),
    );
}

function roleOption() {
  return new Option('--role <role>', 'role in the workspace').choices(ROLES).makeOptionMandatory();
}

function absent(handle: Handle<'user'>): UsageError {
  return new UsageError(`There is no user ${formatId('user', handle)}`);
}
