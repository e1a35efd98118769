/**
 * The ways in which somebody asks a command to end: Ctrl-C, kill, a terminal that is closed, and npm that was killed
 * without a word.
 */
import { constants } from 'node:os';
import { endOwned } from '#engines/processes/owned.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type Signal = (typeof SIGNALS)[number];

/** A terminal sends Ctrl-C to npm and to us, and npm hands it on: what comes within this time is one wish. */
const ONE_WISH_MS = 1_000;
const PARENT_LOOK_MS = 250;

/** What a command that was interrupted before it could do anything ends with. */
export class Interrupted extends Error {
  /** As of a process that the signal had ended. */
  readonly exitCode: number;

  constructor(signal: Signal) {
    super(`Interrupted by ${signal}.`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** `signal`: aborted, with an `Interrupted` as its reason, at the first wish. `happened` resolves then. */
export type Interruption = { signal: AbortSignal; happened: Promise<void> };

/**
 * Listens from now on. The first wish is the command's to fulfil: it lets its services and engines end in their order.
 * A second one ends them by force, and then this process. `isForReader`: whether it runs for what it prints, and so has
 * no reason to go on when nobody reads that any more.
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
 * For a command whose work is worth nothing when it is cut short: the first wish ends all that it has started, and then
 * it.
 */
export function endOnInterrupt(how: { byForce: boolean }): void {
  onWish(signal => void endNow(signal, how));
}

let isEndingNow = false;

/**
 * Whether this process ends as soon as all that it has started has: what its command comes to in the meantime is of no
 * interest.
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
 * npm waits for its script, so a script whose parent is another one by now was left alone: by a kill -9, or a shell
 * between them that took a signal for itself.
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
