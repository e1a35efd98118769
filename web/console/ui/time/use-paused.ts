/**
 * A value once it has not changed for a moment: a person who types, drags or scrolls changes it several times a second.
 */
import { useCallback, useEffect, useRef, useState } from 'react';

const PAUSE_MS = 250;

export function usePaused(value: string): string {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}

/** As `useState`, but the value is only another one when it was not set again for a moment: nothing is drawn before. */
export function usePausedState(initial: string): [string, (value: string) => void] {
  const [paused, setPaused] = useState(initial);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const set = useCallback((value: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setPaused(value), PAUSE_MS);
  }, []);
  return [paused, set];
}

/** When the page was scrolled last. */
let scrolledAt = -PAUSE_MS;
addEventListener('scroll', () => (scrolledAt = performance.now()), { passive: true });

/**
 * Whether a component has been visible for a moment without scrolling: a row that is scrolled past is not, although it
 * is rendered, with those before and after it, for longer than a moment.
 */
export function useRested(): boolean {
  const [isRested, setRested] = useState(false);
  useEffect(() => {
    const wait = (ms: number): ReturnType<typeof setTimeout> =>
      setTimeout(() => {
        const leftMs = scrolledAt + PAUSE_MS - performance.now();
        if (leftMs > 0) timer = wait(leftMs);
        else setRested(true);
      }, ms);
    let timer = wait(PAUSE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isRested;
}
