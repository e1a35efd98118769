/**
 * A command of package.json as a person runs it: npm and all that it starts, in a process group of their own, as a
 * shell gives each command. A mark in its environment identifies every process of it, even under another parent
 * (Linux).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { own, removeOwnedPath } from '#engines/processes/owned.ts';
import { makeTemporaryFolder } from '#engines/temporary-folder.ts';
import { ROOT } from './compose/compose.ts';
import { eventually } from './network.ts';

const MARK = 'MARQUEE_COMMAND_OF_A_TEST';
/** Sources that were compiled before, without which each process takes seconds to start. */
const COMPILED = `tsx-${process.geteuid?.()}`;
/** A machine that has nine times the work it has cores for starts an instance in a minute. */
const STAGE_MS_MAX = 150_000;
/** The last plays of a demo, the drain of the services and of three engines, on such a machine. */
const GONE_MS_MAX = 90_000;

export type Exit = { code: number | null; signal: NodeJS.Signals | null };

export class Command {
  /** What it makes in its temporary folder is in here, and its data. */
  readonly folder: string;
  readonly exit: Promise<Exit>;
  readonly #mark = `${MARK}=${randomUUID()}`;
  readonly #child: ChildProcess;
  #said = '';

  private constructor(program: string, args: readonly string[], folder = makeFolder()) {
    this.folder = folder;
    const { PATH, HOME } = process.env;
    const [name, value] = this.#mark.split('=');
    this.#child = spawn(program, args, {
      cwd: ROOT,
      detached: true,
      stdio: 'pipe',
      env: { PATH, HOME, TMPDIR: this.folder, DATA_DIR: join(this.folder, 'data'), [name!]: value },
    });
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#said += text;
      });
    this.exit = once(this.#child, 'exit').then(([code, signal]) => ({ code, signal }));
    void own(this.#child, 'program');
  }

  /** `npm run <script> -- <args>`, its output into pipes. */
  static run(script: string, args: readonly string[]): Command {
    return new Command('npm', ['run', script, '--', ...args]);
  }

  /** The same in a terminal of its own, which `close` closes. */
  static runInTerminal(script: string, args: readonly string[]): Command {
    return new Command('script', ['-qec', ['exec', 'npm', 'run', script, '--', ...args].join(' '), '/dev/null']);
  }

  /** Another one with the same folders; `left` and `remove` of either speak of itself alone, but for the folders. */
  runAgain(script: string, args: readonly string[]): Command {
    return new Command('npm', ['run', script, '--', ...args], this.folder);
  }

  /** All that it has printed, to both. */
  get said(): string {
    return this.#said;
  }

  /** Its living processes: pid and command line. */
  processes(): Map<number, string> {
    const found = new Map<number, string>();
    for (const pid of readdirSync('/proc')
      .map(Number)
      .filter(number => number > 0)) {
      try {
        if (readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(this.#mark))
          found.set(pid, readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim());
      } catch {
        // it has ended meanwhile, or is another user's
      }
    }
    return found;
  }

  /** Resolves with the pid of its process whose command line holds `words`, as soon as there is one. */
  process(words: string): Promise<number> {
    return this.#until(
      `a process of ${words}`,
      () => [...this.processes()].find(([, line]) => line.includes(words))?.[0],
    );
  }

  /** Resolves when it has printed `text`. */
  async saying(text: string): Promise<void> {
    await this.#until(`"${text}"`, () => this.#said.includes(text) || undefined);
  }

  async #until<T extends NonNullable<unknown>>(what: string, look: () => T | undefined): Promise<T> {
    const found = await eventually<T | Error>(
      async () => look() ?? (this.#hasEnded() ? new Error(`it ended before ${what}:\n${this.#said}`) : undefined),
      STAGE_MS_MAX,
    );
    if (found instanceof Error) throw found;
    return found;
  }

  #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** The process that npm runs: not npm, and not a shell around it. */
  supervisor(): number {
    return [...this.processes()].find(([, line]) =>
      /^\S*node\S* .*(cli\/[\w/]+|bench\/main|test\/fault\/main)\.ts|^\S*node\S* .*vitest run/.test(line),
    )![0];
  }

  /** As a terminal does: to npm and all that is in the foreground with it. */
  signalGroup(signal: NodeJS.Signals): void {
    process.kill(-this.#child.pid!, signal);
  }

  /** To npm alone, as its parent may. */
  signalNpm(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** What a person types into its terminal. */
  type(keys: string): void {
    this.#child.stdin!.write(keys);
  }

  /** Nobody reads any more what it prints. */
  stopReading(): void {
    this.#child.stdout!.destroy();
  }

  /** Closes its terminal. */
  closeTerminal(): void {
    this.#child.kill('SIGKILL');
  }

  /** Resolves with what is left of it: nothing, or what still is after a time in which all should have ended. */
  async left(): Promise<{ processes: string[]; folders: string[] }> {
    const look = (): { processes: string[]; folders: string[] } => ({
      processes: [...this.processes().values()],
      folders: readdirSync(this.folder).filter(name => name.startsWith('marquee-')),
    });
    await eventually(async () => look().processes.length + look().folders.length === 0 || undefined, GONE_MS_MAX).catch(
      () => undefined,
    ); // the caller judges what is left
    return look();
  }

  /** Ends what a failed test has left of it. */
  async remove(): Promise<void> {
    for (const pid of this.processes().keys()) process.kill(pid, 'SIGKILL');
    await removeOwnedPath(this.folder);
  }
}

function makeFolder(): string {
  const folder = makeTemporaryFolder('marquee-command-');
  symlinkSync(join(tmpdir(), COMPILED), join(folder, COMPILED));
  return folder;
}
