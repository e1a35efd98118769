/**
 * The services through a PgBouncer in transaction mode, with a direct URL beside it for what needs a session: plays are
 * counted once, each job runs in one process, and a start without the direct URL is refused.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOrInstall } from '#engines/package-manager.ts';
import { own } from '#engines/processes/owned.ts';
import { checkEngines } from '#sql/preflight/requirements.ts';
import { openDatabase, openPostgres } from '#sql/postgres.ts';
import { freePort } from '../../cli/instance/free-port.ts';
import { launchPostgres, planPostgres } from '../../engines/postgres.ts';
import { WHOLE } from '../fault/load/load.ts';
import { makeDataDir, removeDataDir } from '../support/engines/engines.ts';
import { eventually } from '../support/network.ts';
import { verdictUnderLoad } from './product-under-load.ts';

const NOBODY = 65_534;

let folder: string;
let direct: string;
let pooled: string;
const servers: ChildProcess[] = [];

/** PgBouncer does not run as root. */
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

beforeAll(async () => {
  folder = makeDataDir();
  const plan = await planPostgres(folder);
  servers.push(await launchPostgres(plan));
  direct = plan.url;
  const program = await findOrInstall({ programs: ['pgbouncer'], debian: 'pgbouncer', brew: 'pgbouncer' });
  const port = await freePort();
  const config = join(folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    // Under a name that Postgres does not know: who uses it has come this way.
    `pooled = host=127.0.0.1 port=${plan.port} dbname=marquee user=marquee password=${plan.password}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 20',
    'max_client_conn = 500',
  ];
  writeFileSync(config, lines.join('\n'), { mode: 0o600 });
  if (user.uid !== undefined) chownSync(config, user.uid, user.gid);
  const bouncer = spawn(program, [config], { stdio: 'ignore', ...user });
  servers.push(bouncer);
  void own(bouncer, 'program');
  pooled = direct.replace(`:${plan.port}/marquee`, `:${port}/pooled`);
  const sql = openPostgres(pooled, { connectionsMax: 1, applicationName: 'test', isPooled: true });
  await eventually(
    () =>
      sql`select 1`.then(
        () => true,
        () => undefined,
      ),
    30_000,
  );
  await sql.end({ timeout: 1 });
}, 240_000);
afterAll(async () => {
  for (const server of servers.reverse()) {
    if (server.exitCode !== null || server.signalCode !== null) continue;
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    await ended;
  }
  await removeDataDir(folder);
}, 60_000);

test('a pooler in transaction mode is refused as the only way to Postgres', async () => {
  await expect(checkEngines({ DATABASE_URL: pooled }, { needs: 'connection' })).rejects.toThrow(
    'DATABASE_URL leads through a pooler in transaction mode, which loses locks and notifications: set DATABASE_DIRECT_URL to Postgres itself',
  );
  await expect(
    checkEngines({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: pooled }, { needs: 'connection' }),
  ).rejects.toThrow(/^DATABASE_DIRECT_URL leads through a pooler/);
  await expect(
    checkEngines({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct }, { needs: 'connection' }),
  ).resolves.toBeUndefined();
  await expect(checkEngines({ DATABASE_URL: direct }, { needs: 'connection' })).resolves.toBeUndefined();
});

test('locks and notifications go around it, and statements through it', async () => {
  const options = { connectionsMax: 2, applicationName: 'test' };
  const sql = openDatabase({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct }, options);
  const heard: string[] = [];
  const { unlisten } = await sql.listen('of_the_test', text => heard.push(text));
  await sql`select pg_notify('of_the_test', 'through the pooler')`;
  await expect.poll(() => heard).toEqual(['through the pooler']);
  const session = await sql.reserve();
  await session`select pg_advisory_lock(1, 2)`;
  const [other] = await sql`select pg_try_advisory_lock(1, 2) as locked`;
  const [own] = await session`select pg_advisory_unlock(1, 2) as unlocked`;
  expect([other!['locked'], own!['unlocked']]).toEqual([false, true]);
  session.release();
  await unlisten();
  await sql.end({ timeout: 1 });
});

test('the product counts each play once through it', async () => {
  const variables = { DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct };
  expect(await verdictUnderLoad({ variables })).toEqual(WHOLE);
}, 300_000);
