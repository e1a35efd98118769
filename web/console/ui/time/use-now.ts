/** The clock of the console, so that ages grow between two answers. All ages use the same clock. */
import { useSyncExternalStore } from 'react';

const STEP_MS = 1_000;

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

export function useNow(): number {
  return useSyncExternalStore(follow, read);
}

/** The clock only runs while it has subscribers; the first one sets it. */
function read(): number {
  if (listeners.size === 0 && Date.now() - now >= STEP_MS) now = Date.now();
  return now;
}

function follow(listener: () => void): () => void {
  if (listeners.size === 0) timer = setInterval(step, STEP_MS);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

function step(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}
