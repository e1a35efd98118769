/**
 * The operator's commands about keys and people, their messages for wrong arguments, and their help. Each command runs
 * in a process of its own on a real Postgres.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId, parseId, type Handle } from '#domain/id.ts';
import { verifyAuditChain } from '#books/audit-chain.ts';
import { freshPostgres } from '../../support/engines/databases.ts';
import { handle } from '../../support/handle.ts';
import { programOf } from '../../../runtime/programs/program.ts';

let postgres: Awaited<ReturnType<typeof freshPostgres>>;
let workspace: string;
beforeAll(async () => {
  postgres = await freshPostgres();
  workspace = (await admin('workspace', 'create', '--kind', 'brand', '--name', 'Brand', '--currency', 'EUR'))[
    'workspace_id'
  ]!;
});
afterAll(() => postgres.drop());

const run = promisify(execFile);

async function admin(...words: string[]): Promise<Record<string, string>> {
  return JSON.parse(await output(...words, '--json')) as Record<string, string>;
}

async function output(...words: string[]): Promise<string> {
  const { file, execArgv } = programOf('cli/admin/admin.ts');
  const { stdout } = await run(process.execPath, [...execArgv, file, ...words], {
    env: { ...process.env, DATABASE_URL: postgres.url },
  });
  return stdout;
}

const actionsOf = async () =>
  (
    await postgres.sql<
      { action: string }[]
    >`select action from audit_entries where actor_type = 'operator' order by handle`
  ).map(row => row.action);

describe('npm run admin', () => {
  test('creates a key for a role, raises its limits, and removes its person, each with an audit entry', async () => {
    const key = await admin('key', 'create', '--workspace', workspace, '--surface', 'ads_manager', '--role', 'viewer');
    const [row] = await postgres.sql<{ user: number; role: string; per_minute_max: number; per_second_max: number }[]>`
      select u.handle as user, u.role, k.per_minute_max, k.per_second_max from keys k join users u on u.handle = k.user_handle where k.handle = ${parseId('key', key['id']!)!}`;
    expect(row).toMatchObject({ role: 'viewer', per_minute_max: 600, per_second_max: 200 });
    expect(await admin('key', 'update', key['id']!, '--per-minute', '6000')).toEqual({
      id: key['id'],
      per_minute: 6_000,
      per_second: 200,
    });
    const user = (
      await admin('user', 'create', '--workspace', workspace, '--email', 'a@example.com', '--role', 'manager')
    )['id']!;
    expect(await admin('user', 'update', user, '--role', 'finance')).toEqual({ id: user, role: 'finance' });
    expect(await admin('user', 'remove', user)).toEqual({ id: user, removed: true });
    expect(await actionsOf()).toEqual([
      'workspace.created',
      'user.created',
      'user.created',
      'key.created',
      'key.updated',
      'user.created',
      'user.updated',
      'user.removed',
    ]);
    expect(await verifyAuditChain(postgres.sql)).toEqual([]);
  }, 60_000);

  test.each([
    [['key', 'update', 'key_x', '--per-minute', '5'], /Name the key by an id/],
    [['key', 'update', formatId('key', handle('key', 1))], /--per-minute, --per-second or both/],
    [['key', 'update'], /missing required argument 'key'/],
    [['user', 'remove', 'usr_0000000000000'], /There is no user|Name the user/],
    [['wallet', 'fund', '--workspace', 'ws_x'], /Name the workspace by an id/],
    [['wallet', 'fund'], /required option '--workspace <id>' not specified/],
    [['wallet', 'found'], /unknown command 'found'\n\(Did you mean fund\?\)/],
    [['node', 'list', 'all'], /too many arguments for 'list'/],
    [['job', 'list', '--status', 'open'], /unknown option '--status'/],
    [['finding', 'list', '--status', 'closed'], /Allowed choices are open, cleared, upheld/],
    [
      ['review', 'reject', formatId('campaign', handle('campaign', 1)), '--reason', 'mood'],
      /Allowed choices are prohibited_category,/,
    ],
    [
      ['venue', 'reject', formatId('venue', handle('venue', 1)), '--reason', 'dislike'],
      /Allowed choices are implausible, unproven,/,
    ],
    [
      ['workspace', 'update', formatId('workspace', handle('workspace', 1)), '--approval', 'maybe'],
      /Allowed choices are none, agency,/,
    ],
    [[], /Usage: npm run admin --/],
  ])('%j prints its error and exits with 2', async (words, message) => {
    await expect(admin(...words)).rejects.toMatchObject({ code: 2, stderr: expect.stringMatching(message) as unknown });
  });

  test('creates no key for a person who is not a current member of the workspace', async () => {
    const other = (await admin('workspace', 'create', '--kind', 'brand', '--name', 'Other', '--currency', 'EUR'))[
      'workspace_id'
    ]!;
    const key = (of: string, user: string) =>
      admin('key', 'create', '--workspace', of, '--surface', 'ads_manager', '--user', user);
    const seats = await postgres.sql<{ handle: Handle<'user'> }[]>`
      insert into users (workspace_handle, email, role, created_at, removed_at)
      values (${parseId('workspace', other)!}, 'b@example.com', 'owner', now(), null),
        (${parseId('workspace', other)!}, 'gone@example.com', 'owner', now(), now()) returning handle`;
    const [stranger, gone] = seats.map(seat => formatId('user', seat.handle)) as [string, string];
    for (const [of, user] of [
      [workspace, stranger],
      [other, gone],
      [other, formatId('user', handle('user', 9_999))],
    ] as const)
      await expect(key(of, user)).rejects.toMatchObject({ code: 2, stderr: `${user} is no member of ${of}\n` });
    expect(await key(other, stranger)).toMatchObject({ id: expect.stringMatching(/^key_/) as unknown });
  }, 60_000);

  test('treats an address in any case as one member, who may return', async () => {
    const create = (email: string) =>
      admin('user', 'create', '--workspace', workspace, '--email', email, '--role', 'viewer');
    const { id } = await create('twice@example.com');
    for (const email of ['twice@example.com', 'Twice@Example.com'])
      await expect(create(email)).rejects.toMatchObject({
        code: 2,
        stderr: `${email} is a member of ${workspace} already: ${id}\n`,
      });
    await admin('user', 'remove', id!);
    expect(await create('Twice@example.com')).toEqual({ id });
  }, 60_000);

  test('keeps an owner in a workspace, until it is closed', async () => {
    const alone = await admin('workspace', 'create', '--kind', 'brand', '--name', 'Owned', '--currency', 'EUR');
    const [row] = await postgres.sql<{ handle: Handle<'user'> }[]>`
      select handle from users where workspace_handle = ${parseId('workspace', alone['workspace_id']!)!}`;
    const owner = formatId('user', row!.handle);
    const refused = { code: 2, stderr: expect.stringContaining('last owner of the workspace') as unknown };
    await expect(admin('user', 'update', owner, '--role', 'viewer')).rejects.toMatchObject(refused);
    await expect(admin('user', 'remove', owner)).rejects.toMatchObject(refused);
    const second = await admin(
      'user',
      'create',
      '--workspace',
      alone['workspace_id']!,
      '--email',
      'b@example.com',
      '--role',
      'owner',
    );
    expect(await admin('user', 'remove', owner)).toEqual({ id: owner, removed: true });
    await admin('workspace', 'close', alone['workspace_id']!);
    expect(await admin('user', 'remove', second['id']!)).toEqual({ id: second['id'], removed: true });
  }, 60_000);

  test('lists every command, and the options of one', async () => {
    const program = await output('--help');
    for (const command of ['workspace create', 'key update <key>', 'venue recheck', 'verify', 'backup'])
      expect(program).toContain(`\n  ${command} `);
    const command = await output('wallet', 'fund', '--help');
    expect(command).toMatch(/^Usage: npm run admin -- wallet fund \[options\]\n/);
    for (const option of ['--workspace <id>', '--amount <amount>', '--mode <mode>', '--data-dir <folder>', '--json'])
      expect(command).toContain(`\n  ${option} `);
  });
});
