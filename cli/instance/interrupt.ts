/**
 * The ways in which a command is asked to end: Ctrl-C, kill, a terminal that is closed, and the death of the npm
 * process that runs the command.
 */
import { constants } from 'node:os';
import { endOwned } from '#engines/processes/owned.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type Signal = (typeof SIGNALS)[number];

/** A terminal sends Ctrl-C to npm and to this process, and npm forwards it: signals within this time count as one. */
const ONE_WISH_MS = 1_000;
const PARENT_LOOK_MS = 250;

/** The error of a command that was interrupted before it could do anything. */
export class Interrupted extends Error {
  /** The exit code of a process that this signal has ended. */
  readonly exitCode: number;

  constructor(signal: Signal) {
    super(`Interrupted by ${signal}.`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** `signal` is aborted at the first signal, with an `Interrupted` as its reason. `happened` resolves then. */
export type Interruption = { signal: AbortSignal; happened: Promise<void> };

/**
 * Listens from now on. At the first signal, the command itself has its services and engines end in their order. A
 * second signal kills them and then this process. `isForReader`: whether the command runs for its output alone, so that
 * it ends when its reader is gone.
 */
export function listenForInterrupt({ isForReader }: { isForReader: boolean }): Interruption {
  const controller = new AbortController();
  const happened = new Promise<void>(resolve => {
    controller.signal.addEventListener('abort', () => resolve());
  });
  const hear = onWish(signal => {
    if (!controller.signal.aborted) controller.abort(new Interrupted(signal));
    else void endNow(signal, { byForce: true });
  });
  process.stdout.on('error', () => {
    // a closed terminal or pipe
    if (isForReader && !controller.signal.aborted) hear('SIGHUP');
  });
  process.stderr.on('error', () => undefined); // likewise
  return { signal: controller.signal, happened };
}

/**
 * For a command whose work is worth nothing when it is cut short: the first signal ends all processes that it has
 * started, and then the command.
 */
export function endOnInterrupt(how: { byForce: boolean }): void {
  onWish(signal => void endNow(signal, how));
}

let isEndingNow = false;

/**
 * Whether this process ends as soon as all processes that it has started have ended. What its command does in the
 * meantime does not matter.
 */
export const endsAnyway = (): boolean => isEndingNow;

async function endNow(signal: Signal, how: { byForce: boolean }): Promise<never> {
  isEndingNow = true;
  await endOwned(how);
  process.exit(new Interrupted(signal).exitCode);
}

function onWish(act: (signal: Signal) => void): (signal: Signal) => void {
  let heardAt = -Infinity;
  const hear = (signal: Signal): void => {
    const isNew = performance.now() - heardAt > ONE_WISH_MS;
    if (!isNew) return;
    heardAt = performance.now();
    act(signal);
  };
  for (const signal of SIGNALS) process.on(signal, hear);
  onLostParent(() => hear('SIGTERM'));
  return hear;
}

/**
 * Calls `act` when the parent process is gone. npm waits for its script, so when a script has another parent than
 * before, npm was killed (kill -9), or a shell between them ended at a signal without passing it on.
 */
export function onLostParent(act: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, PARENT_LOOK_MS);
  timer.unref();
}
