/**
 * How a service of docker-compose.yml runs as a container of podman: its image, and every restriction that the file
 * sets. The network is this machine's, so that engines beside the containers are reached on the loopback address.
 */
import { execFileSync } from 'node:child_process';
import type { Compose } from './compose.ts';

/** Where services run. A test file sets the images; without them services are processes of this machine. */
export const place: { images?: Readonly<Record<'service' | 'workers', string>> } = {};

/** crun, podman's default, refuses machines with both versions of cgroups. */
const PODMAN = ['--runtime', 'runc', '--cgroup-manager', 'cgroupfs'];
/** Limits that every machine lets podman set; delivery's own of the file are within them. */
const LIMITS = ['--ulimit', 'nofile=20000:20000', '--ulimit', 'nproc=4096:4096'];

type Container = {
  compose: Compose;
  service: string;
  /** Containers and volumes of one test begin with it. */
  tag: string;
  /** The folder with the files of secrets. */
  secrets: string;
  environment: Readonly<Record<string, string>>;
  /** Absent: the service's own. */
  command?: readonly string[];
};

/** The arguments of podman that run a container in the foreground; it goes when it ends, its volumes stay. */
export function containerArguments({ compose, service, tag, secrets, environment, command }: Container): string[] {
  const given = compose.services[service]!;
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
    ...(isReadOnly ? ['--read-only'] : []),
    ...dropped.flatMap(capability => ['--cap-drop', capability]),
    ...options.flatMap(option => ['--security-opt', option]),
    ...tmpfs.flatMap(mount => ['--tmpfs', mount]),
    ...mounted.flatMap(secret => ['--volume', `${secrets}/${secret}:/run/secrets/${secret}:ro`]),
    ...volumes.flatMap(volume => (volume.startsWith('.') ? [] : ['--volume', `${tag}-${volume}`])),
    ...Object.entries(environment).flatMap(([variable, value]) => ['--env', `${variable}=${value}`]),
    place.images![given.build?.target === 'workers' ? 'workers' : 'service'],
    ...(command ?? given.command!),
  ];
}

/** Ends the containers of a test that still run, and removes their volumes. */
export function removeContainers(tag: string): void {
  const list = (...args: string[]) => execFileSync('podman', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
  for (const id of list('ps', '--all', '--quiet', '--filter', `name=^${tag}-`))
    execFileSync('podman', [...PODMAN, 'rm', '--force', id], { stdio: 'ignore' });
  for (const volume of list('volume', 'ls', '--quiet', '--filter', `name=^${tag}-`))
    execFileSync('podman', ['volume', 'rm', '--force', volume], { stdio: 'ignore' });
}
