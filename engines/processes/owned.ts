/**
 * Child processes end with this process, however it ends. A shell of a megabyte waits at the end of a pipe that only
 * this process holds open, and keeps the last line from the pipe: what to stop. When the pipe closes, because this
 * process has ended in whatever way, kill -9 included, it becomes `warden.ts`, which ends that. It is in a session of
 * its own, where no Ctrl-C and no closed terminal reaches it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { type Belongings, endAll, endGracefully, type Kind, type OwnedProcess, removePath } from './ending.ts';
import { type Identity, identify } from './process-identity.ts';
import { tsxLoader } from '#runtime/programs/program.ts';

const WATCH = `trap '' HUP INT TERM; left=; while IFS= read -r line; do left=$line; done; [ -z "$left" ] || exec "$@" "$left"`;
// From its source: a bundle may have been replaced by the time at which it is needed.
const wardenCommand = (): string[] => [
  process.execPath,
  '--import',
  tsxLoader(),
  join(import.meta.dirname, 'warden.ts'),
];
/**
 * Waits until the warden knows of the process, then becomes the program. When its parent is killed before that, it
 * ends.
 */
const GATE = 'read -r _ <&3 && exec 3<&- && exec "$0" "$@"';

const processes = new Map<number, OwnedProcess>();
const paths = new Set<string>();
let warden: ChildProcess | undefined;
let isEnding = false;

/** Whether all started processes are being stopped: a process that ends now must not be restarted. */
export const isEndingOwned = (): boolean => isEnding;

/** `log`: the descriptor of its standard output and error. `user`: the user that runs it, when this process is root. */
export type OwnedOptions = { kind: Kind; cwd: string; log: number; user?: { uid: number; gid: number } };

/**
 * Starts a program that never outlives this process, detached: a Ctrl-C in the terminal reaches us, not it. One that
 * cannot be run ends with 126 or 127. @throws when `endOwned` was called
 */
export async function spawnOwned(
  program: string,
  args: readonly string[],
  { kind, cwd, log, user }: OwnedOptions,
): Promise<ChildProcess> {
  if (isEnding) throw new Error('this process is ending and starts nothing more');
  const child = spawn('/bin/sh', ['-c', GATE, program, ...args], {
    cwd,
    detached: true,
    stdio: ['ignore', log, log, 'pipe'],
    ...user,
  });
  await once(child, 'spawn');
  const gate = child.stdio[3] as Writable;
  gate.on('error', () => undefined); // it was killed before it became the program: its exit says so
  await own(child, kind);
  gate.end('\n');
  return child;
}

/**
 * From here on `child` ends with this process. An ended child is forgotten. When `endOwned` was called it is killed.
 */
export async function own(child: ChildProcess, kind: Kind): Promise<void> {
  const identity = await identify(child.pid!);
  if (identity === undefined || child.exitCode !== null || child.signalCode !== null) return;
  if (isEnding) return void child.kill('SIGKILL');
  processes.set(identity.pid, { ...identity, kind });
  tellWarden();
  child.once('exit', () => {
    processes.delete(identity.pid);
    tellWarden();
  });
}

/** From here on the file or folder is removed when this process ends, after the processes. */
export function ownPath(path: string): void {
  paths.add(path);
  tellWarden();
}

/** Removes it now. */
export async function removeOwnedPath(path: string): Promise<void> {
  await removePath(path);
  paths.delete(path);
  tellWarden();
}

/** Ends one process gracefully, then by force; resolves when it is gone. */
export async function endOwnedProcess(pid: number): Promise<void> {
  const owned = processes.get(pid);
  if (owned !== undefined) await endGracefully(owned);
}

/** The process that cleans up after a kill of this one. */
export async function wardenOfThisProcess(): Promise<Identity> {
  warden ??= startWarden();
  const identity = await identify(warden.pid!);
  return identity ?? wardenOfThisProcess(); // the warden was killed just now, and a new one has been started
}

/** Ends and removes all that is left, for a process that ends next: from here on nothing can be started. */
export async function endOwned(how: { byForce: boolean }): Promise<void> {
  isEnding = true;
  await endAll(belongings(), how);
  processes.clear();
  paths.clear();
  tellWarden();
}

function belongings(): Belongings {
  return { processes: [...processes.values()], paths: [...paths] };
}

function tellWarden(): void {
  const isEmpty = processes.size + paths.size === 0;
  if (isEmpty && warden === undefined) return;
  warden ??= startWarden();
  warden.stdin!.write(`${isEmpty ? '' : JSON.stringify(belongings())}\n`);
}

function startWarden(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', WATCH, 'marquee-warden', ...wardenCommand()], {
    cwd: import.meta.dirname,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  child.stdin.on('error', () => undefined); // the warden was killed: a new one is started when its exit is known
  child.once('exit', () => {
    warden = undefined;
    tellWarden();
  });
  // The warden must not keep this process alive.
  child.unref();
  (child.stdin as Socket).unref();
  return child;
}
