/**
 * How a service of docker-compose.yml runs as a container of podman: its image, and every restriction that the file
 * sets. The network is this machine's, so that what runs beside the containers is reached on the loopback address.
 */
import { execFileSync } from 'node:child_process';
import type { Compose } from './compose.ts';

/** `engines` replaces the images of PostgreSQL, Redis and HAProxy. */
export type ImageName = 'service' | 'workers' | 'engines';
/**
 * Where services run: as processes of this machine, unless a test file says otherwise before it names its tests, and
 * names the images before they run.
 */
export const place: { isContainers: boolean; images?: Readonly<Record<ImageName, string>> } = { isContainers: false };

/** crun, podman's default, refuses machines with both versions of cgroups. */
const PODMAN = ['--runtime', 'runc', '--cgroup-manager', 'cgroupfs'];
/** Limits that every machine lets podman set; delivery's own of the file are within them. */
const LIMITS = ['--ulimit', 'nofile=20000:20000', '--ulimit', 'nproc=4096:4096'];

export type Container = {
  compose: Compose;
  service: string;
  /** Containers and volumes of one test begin with it. */
  tag: string;
  /** The folder with the files of secrets. */
  secrets: string;
  environment: Readonly<Record<string, string>>;
  /** Instead of the service's own, in a container beside it. */
  command?: readonly string[];
  /** Added to the service's command. */
  settings?: readonly string[];
  /** Files of this machine by their path in the container, in place of the file's `./deploy/...`. */
  files?: Readonly<Record<string, string>>;
};

/** The arguments of podman that run a container in the foreground; it goes when it ends, its volumes stay. */
export function containerArguments({ compose, service, tag, secrets, environment, ...container }: Container): string[] {
  const given = compose.services[service]!;
  const { command, settings = [], files = {} } = container;
  const { read_only: isReadOnly, cap_drop: dropped = [], security_opt: options = [], tmpfs = [], volumes = [] } = given;
  const mounted = (given.secrets ?? []).map(secret => (typeof secret === 'string' ? secret : secret.source));
  const name = `${tag}-${service}${command ? '-command' : ''}`;
  return [
    ...PODMAN,
    'run',
    '--rm',
    '--name',
    name,
    '--network=host',
    ...LIMITS,
    ...(given.user ? ['--user', given.user] : []),
    ...(isReadOnly ? ['--read-only'] : []),
    ...dropped.flatMap(capability => ['--cap-drop', capability]),
    ...options.flatMap(option => ['--security-opt', option]),
    ...tmpfs.flatMap(mount => ['--tmpfs', mount]),
    ...mounted.flatMap(secret => ['--volume', `${secrets}/${secret}:/run/secrets/${secret}:ro`]),
    ...volumes.flatMap(volume => (volume.startsWith('.') ? [] : ['--volume', `${tag}-${volume}`])),
    ...Object.entries(files).flatMap(([path, file]) => ['--volume', `${file}:${path}:ro`]),
    ...Object.entries(environment).flatMap(([variable, value]) => ['--env', `${variable}=${value}`]),
    place.images![(given.build?.target as ImageName | undefined) ?? 'engines'],
    ...(command ?? given.command!),
    ...settings,
  ];
}

/** As a machine kills what takes too much memory. */
export function killContainer(tag: string, service: string): void {
  execFileSync('podman', [...PODMAN, 'kill', `${tag}-${service}`], { stdio: 'ignore' });
}

/** Ends the containers of a test that still run, and removes their volumes. */
export function removeContainers(tag: string): void {
  const list = (...args: string[]) => execFileSync('podman', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
  for (const id of list('ps', '--all', '--quiet', '--filter', `name=^${tag}-`))
    execFileSync('podman', [...PODMAN, 'rm', '--force', id], { stdio: 'ignore' });
  for (const volume of list('volume', 'ls', '--quiet', '--filter', `name=^${tag}-`))
    execFileSync('podman', ['volume', 'rm', '--force', volume], { stdio: 'ignore' });
}
