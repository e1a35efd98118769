/** Starts the child processes of benchmarks, calls their functions, and waits for their end. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { own } from '#engines/processes/owned.ts';

type ChildOptions = { nodeOptions?: readonly string[]; env?: NodeJS.ProcessEnv; quiet?: boolean };

/**
 * Starts a program, named from this folder, as a child with an IPC channel; it ends when the channel closes. `quiet`
 * discards its output.
 */
export function startChild(
  file: string,
  { nodeOptions = [], env = process.env, quiet = false }: ChildOptions = {},
): ChildProcess {
  const output = quiet ? 'ignore' : 'inherit';
  const child = fork(join(import.meta.dirname, file), [], {
    execArgv: ['--import', 'tsx', ...nodeOptions],
    env,
    stdio: ['ignore', output, output, 'ipc'],
  });
  void own(child, 'program');
  return child;
}

/** The next message of a child. @throws when it ends before it says anything. */
export function messageOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(endedWith(code));
    child.once('exit', ended);
    child.once('message', message => {
      child.off('exit', ended);
      resolve(message as T);
    });
  });
}

const endedWith = (code: number | null) => new Error(`a process of the benchmark ended with ${code}`);

/** Closes the channel and waits for the end of the child. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
}

/** Functions by name, from and to values that JSON can hold. */
export type Calls = Record<string, (...args: never[]) => unknown>;
export type Call = { id: number; name: string; args: never[] };
export type Reply = { id: number; answer?: unknown; error?: string };
type Pending = { resolve: (answer: never) => void; reject: (error: Error) => void };

/** A child that serves calls (`serve.ts`). Several calls may be open at once. */
export class Remote<Served extends Calls> {
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, Pending>();
  #calls = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', message => this.#settle(message as Reply));
    child.once('exit', code => {
      for (const { reject } of this.#pending.values()) reject(endedWith(code));
    });
  }

  /** Starts a program like `startChild`; resolves when it takes calls. */
  static async start<Served extends Calls>(file: string, options?: ChildOptions): Promise<Remote<Served>> {
    const child = startChild(file, options);
    await messageOf(child);
    return new Remote<Served>(child);
  }

  get pid(): number {
    return this.#child.pid!;
  }

  call<Name extends keyof Served & string>(
    name: Name,
    ...args: Parameters<Served[Name]>
  ): Promise<Awaited<ReturnType<Served[Name]>>> {
    const id = (this.#calls += 1);
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#child.send({ id, name, args });
    });
  }

  close(): Promise<void> {
    return endChild(this.#child);
  }

  #settle({ id, answer, error }: Reply): void {
    const { resolve, reject } = this.#pending.get(id)!;
    this.#pending.delete(id);
    if (error === undefined)
      resolve(answer as never); // `Served` says its type, and IPC cannot
    else reject(new Error(error));
  }
}
