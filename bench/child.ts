/** Starts the child processes of benchmarks, and waits for their messages and their end. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { own } from '#engines/processes/owned.ts';

type ChildOptions = { nodeOptions?: readonly string[]; env?: NodeJS.ProcessEnv; quiet?: boolean; detached?: boolean };

/**
 * Starts a program, named from this folder, as a child with an IPC channel; it ends when the channel closes. `quiet`
 * throws away what it prints; `detached` gives it a session of its own.
 */
export function startChild(
  file: string,
  { nodeOptions = [], env = process.env, quiet = false, detached = false }: ChildOptions = {},
): ChildProcess {
  const output = quiet ? 'ignore' : 'inherit';
  const child = fork(join(import.meta.dirname, file), [], {
    execArgv: ['--import', 'tsx', ...nodeOptions],
    env,
    detached,
    stdio: ['ignore', output, output, 'ipc'],
  });
  void own(child, 'program');
  return child;
}

/** The next message of a child. @throws when it ends before it says anything. */
export function messageOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`a process of the benchmark ended with ${code}`));
    child.once('exit', ended);
    child.once('message', message => {
      child.off('exit', ended);
      resolve(message as T);
    });
  });
}

/** Closes the channel and waits for the end of the child. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
}
