/** The time of a simulated world, and the processes (actors) in it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { standIn } from '../../support/stand-in.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/**
 * The time of one world. Code under test asks for timers as it always does; each belongs to the process (an actor) that
 * made it, and fires when a move of the search says so. What runs under an actor is known by the chain of its awaits.
 */
export type Actor = { name: string; dead: boolean; frozen: boolean };
export const actorOf = (name: string): Actor => ({ name, dead: false, frozen: false });
type Timer = { actor: Actor | undefined; at: number; run: () => void };

const actors = new AsyncLocalStorage<Actor>();
const real = {
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  clearTimeout: globalThis.clearTimeout,
  clearInterval: globalThis.clearInterval,
  now: performance.now.bind(performance),
};

export class VirtualTime {
  now: number;
  readonly #timers = new Map<object, Timer>();

  constructor(now: number) {
    this.now = now;
  }

  /** Puts the timers and the monotonic clock of this time in place of the real ones; answers how to undo that. */
  install(): () => void {
    const later = (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]): NodeJS.Timeout => {
      const actor = actors.getStore();
      if (actor === undefined) return real.setTimeout(run, ms, ...given); // the connection's own
      const handle: NodeJS.Timeout = standIn<NodeJS.Timeout>({
        unref: () => handle,
        ref: () => handle,
        hasRef: () => true,
        refresh: () => handle,
      });
      this.#timers.set(handle, { actor, at: this.now + ms, run: () => run(...given) });
      return handle;
    };
    const cancel = (handle: NodeJS.Timeout | undefined): void => {
      if (handle !== undefined && !this.#timers.delete(handle)) real.clearTimeout(handle);
    };
    // What repeats in a process is a move of the search, not of the clock.
    const never = (run: () => void, ms: number): NodeJS.Timeout => {
      if (actors.getStore() === undefined) return real.setInterval(run, ms);
      const handle: NodeJS.Timeout = standIn<NodeJS.Timeout>({ unref: () => handle });
      return handle;
    };
    Object.assign(globalThis, { setTimeout: later, setInterval: never, clearTimeout: cancel, clearInterval: cancel });
    Object.defineProperty(performance, 'now', {
      configurable: true,
      value: () => (actors.getStore() === undefined ? real.now() : this.now),
    });
    return () => {
      Object.assign(globalThis, {
        setTimeout: real.setTimeout,
        setInterval: real.setInterval,
        clearTimeout: real.clearTimeout,
        clearInterval: real.clearInterval,
      });
      Object.defineProperty(performance, 'now', { configurable: true, value: real.now });
    };
  }

  /** Runs as that process. */
  as<T>(actor: Actor, run: () => T): T {
    return actors.run(actor, run);
  }

  /** Whether a timer of the actor is due. */
  hasDue(actor: Actor): boolean {
    for (const timer of this.#timers.values()) if (timer.actor === actor && timer.at <= this.now) return true;
    return false;
  }

  fireDue(actor: Actor): void {
    for (const [handle, timer] of Array.from(this.#timers)) {
      if (timer.actor !== actor || timer.at > this.now) continue;
      this.#timers.delete(handle);
      actors.run(actor, timer.run);
    }
  }

  drop(actor: Actor): void {
    for (const [handle, timer] of this.#timers) if (timer.actor === actor) this.#timers.delete(handle);
  }

  /** For `node:timers/promises`: resolves when its time has come and its process gets to it. */
  wait(ms: number): Promise<void> {
    return new Promise(resolve => {
      setTimeout(resolve, ms);
    });
  }
}

export const currentActor = (): Actor | undefined => actors.getStore();
/** Lets everything run that waits for nothing but the event loop. */
export const settleLoop = (): Promise<void> =>
  new Promise(resolve => {
    setImmediate(() => setImmediate(resolve));
  });
