/**
 * `admin key`: makes keys of the API for a person of a workspace, and changes how often a key may call. The text of a
 * key is printed once, when it is made; only its hash is stored.
 */
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { ROLES, SURFACES, type Role, type Surface } from '#domain/access/permission.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { changeKeyLimits } from '#sql/keys/units.ts';
import { findMember } from '#sql/members/members.ts';
import { readWorkspace } from '#sql/workspaces/workspaces.ts';
import type { Postgres } from '#sql/postgres.ts';
import { UsageError } from '../../arguments.ts';
import { createKey, OPERATOR, ownerOf, userOfRole } from '../../operator.ts';
import { assertWorkspace, idOf, positive } from '../parsers.ts';
import type { Result, Runner } from '../program.ts';

export function declareKeyCommands(program: CommandUnknownOpts, run: Runner): void {
  const key = program.command('key').description('API keys');
  key
    .command('create')
    .description('create an API key and print it once')
    .requiredOption('--workspace <id>', 'workspace of the key', idOf('workspace'))
    .addOption(new Option('--surface <surface>', 'part of the API').choices(SURFACES).makeOptionMandatory())
    .option('--user <id>', 'member whose permissions the key has (default: the owner)', idOf('user'))
    .addOption(
      new Option('--role <role>', 'instead of --user: first member of this role, created if missing').choices(ROLES),
    )
    .addOption(
      new Option('--access <access>', 'access to data')
        .choices(['read_write', 'read_only'])
        .default('read_write' as const),
    )
    .addOption(
      new Option('--mode <mode>', 'test for the sandbox with play money')
        .choices(['live', 'test'])
        .default('live' as const),
    )
    .option('--per-minute <n>', 'rate limit in calls a minute', positive)
    .option('--per-second <n>', 'rate limit in calls a second', positive)
    .action(run(({ sql }, options) => issueKey(sql, options)));
  key
    .command('update')
    .description('change the rate limit of a key (--per-minute, --per-second or both)')
    .argument('<key>', 'id of the key', idOf('key'))
    .option('--per-minute <n>', 'rate limit in calls a minute', positive)
    .option('--per-second <n>', 'rate limit in calls a second', positive)
    .action(run(({ sql }, handle, limits) => limitKey(sql, handle, limits)));
}

type Limits = { perMinute?: number | undefined; perSecond?: number | undefined };
type Holder = { workspace: Handle<'workspace'>; user?: Handle<'user'> | undefined; role?: Role | undefined };
type Member = { workspace: Handle<'workspace'>; user: Handle<'user'> };
type KeyOptions = Limits & Holder & { surface: Surface; access: 'read_write' | 'read_only'; mode: 'live' | 'test' };

async function issueKey(
  sql: Postgres,
  { workspace, user, role, perMinute, perSecond, ...scope }: KeyOptions,
): Promise<Result> {
  await assertWorkspace(sql, workspace);
  if (scope.surface === 'operator') await assertOperators(sql, workspace);
  const holder = await holderOf(sql, { workspace, user, role });
  if (holder === undefined) throw new UsageError('the workspace has no owner; give --user');
  const { handle, key } = await createKey(sql, new Date(), {
    workspace,
    user: holder,
    ...scope,
    ...(perMinute !== undefined && { per_minute_max: perMinute }),
    ...(perSecond !== undefined && { per_second_max: perSecond }),
  });
  return { id: formatId('key', handle), key };
}

/** A key of this surface reaches every workspace, so a slip of the id must not give one to a customer. */
async function assertOperators(sql: Postgres, workspace: Handle<'workspace'>): Promise<void> {
  const { kind } = await readWorkspace(sql, workspace);
  if (kind !== 'operator')
    throw new UsageError('a key of the surface operator is for a workspace of the kind operator');
}

/** The person of a new key: the named one, the first of a role (created if there is none), or the owner. */
async function holderOf(sql: Postgres, { workspace, user, role }: Holder): Promise<Handle<'user'> | undefined> {
  if (user !== undefined) return memberOf(sql, { workspace, user });
  if (role !== undefined) return userOfRole(sql, new Date(), { workspace, role });
  return ownerOf(sql, workspace);
}

/**
 * @throws UsageError for a person who is not a member of the workspace: a key acts there with the role of its person
 */
async function memberOf(sql: Postgres, { workspace, user }: Member): Promise<Handle<'user'>> {
  if (!(await findMember(sql, workspace, user)))
    throw new UsageError(`${formatId('user', user)} is no member of ${formatId('workspace', workspace)}`);
  return user;
}

async function limitKey(sql: Postgres, key: Handle<'key'>, { perMinute, perSecond }: Limits): Promise<Result> {
  if (perMinute === undefined && perSecond === undefined)
    throw new UsageError('key update takes --per-minute, --per-second or both');
  const limits = await changeKeyLimits(
    sql,
    { actor: OPERATOR, now: new Date() },
    {
      key,
      ...(perMinute !== undefined && { per_minute_max: perMinute }),
      ...(perSecond !== undefined && { per_second_max: perSecond }),
    },
  );
  const id = formatId('key', key);
  if (!limits) throw new UsageError(`There is no key ${id}`);
  return { id, per_minute: limits.per_minute_max, per_second: limits.per_second_max };
}
