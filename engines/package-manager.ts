/** Finds a program on PATH, or installs it by apt-get or brew. Redis and ffmpeg come this way on a new machine. */
import { execFile, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { unlessAborted } from './processes/unless-aborted.ts';

const run = promisify(execFile);
// Long enough to load a package index and a package over a slow network, and to wait for the turn before that.
const INSTALL_MS_MAX = 900_000;
/**
 * One apt-get runs at a time; a second one fails at once. Each caller, in this process or another, waits for its turn
 * on a folder of apt's, 10 minutes at most.
 */
const APT_TURN = ['flock', '--no-fork', '--timeout', '600', '/var/lib/apt'];

/** The path of the first of `names` that PATH offers as a program, or undefined. */
function findOnPath(names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(folder => folder !== '');
  return names.flatMap(name => folders.map(folder => join(folder, name))).find(isProgram);
}

type Wanted = {
  programs: readonly string[];
  debian: string;
  brew: string;
  /** Aborted when nothing waits for the program. A running installation continues to its end. */
  signal?: AbortSignal | undefined;
};

/**
 * Finds one of `programs` on PATH, or installs it by apt-get (as root or by password-free sudo) or brew, saying so on
 * stderr. Throws an Error that holds the one command to run when neither works.
 */
export async function findOrInstall(wanted: Wanted): Promise<string> {
  return findOnPath(wanted.programs) ?? unlessAborted(install(wanted), wanted.signal);
}

async function install(options: Wanted): Promise<string> {
  const commands = await installCommands(options);
  const hint =
    commands.at(-1)?.join(' ') ??
    (process.platform === 'darwin' ? `brew install ${options.brew}` : `sudo apt-get install -y ${options.debian}`);
  for (const command of commands) {
    process.stderr.write(`${options.programs[0]} is not installed; running: ${command.join(' ')}\n`);
    if (options.signal?.aborted || !(await installs(command))) break;
  }
  const installed = findOnPath(options.programs);
  if (installed === undefined) throw new Error(`${options.programs.join(' or ')} is not installed. Run: ${hint}`);
  return installed;
}

async function installCommands(options: { debian: string; brew: string }): Promise<string[][]> {
  if (findOnPath(['apt-get']) !== undefined) {
    const prefix = process.getuid?.() === 0 ? [] : (await hasFreeSudo()) ? ['sudo', '-n'] : undefined;
    if (prefix !== undefined) {
      return [
        [...prefix, 'apt-get', 'update'],
        [...prefix, 'apt-get', 'install', '-y', '--no-install-recommends', options.debian],
      ];
    }
  }
  return findOnPath(['brew']) === undefined ? [] : [['brew', 'install', options.brew]];
}

async function hasFreeSudo(): Promise<boolean> {
  try {
    await run('sudo', ['-n', 'true']);
    return true;
  } catch {
    return false; // no sudo, or it would ask for a password
  }
}

function installs(command: readonly string[]): Promise<boolean> {
  return new Promise(resolve => {
    const [program, ...args] = isApt(command) ? inTurn(command) : command;
    const child = spawn(program!, args, {
      stdio: ['ignore', 2, 2], // stdout of the caller may be JSON lines
      timeout: INSTALL_MS_MAX,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    child.once('error', () => resolve(false));
    child.once('exit', code => resolve(code === 0));
  });
}

function isApt(command: readonly string[]): boolean {
  return command.includes('apt-get');
}

/** The command together with its wait; both run as root if it begins with sudo. */
function inTurn(command: readonly string[]): string[] {
  const at = command.indexOf('apt-get');
  return [...command.slice(0, at), ...APT_TURN, ...command.slice(at)];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // absent or not executable
  }
}
