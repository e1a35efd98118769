/**
 * A value once it has not changed for a moment: a person who types, drags or scrolls changes it several times a second.
 */
import { useEffect, useState } from 'react';

const PAUSE_MS = 250;

export function usePaused(value: string): string {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}

/** Whether who asks has been in the page for a moment: a row that is scrolled past is not. */
export function useRested(): boolean {
  const [isRested, setRested] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRested(true), PAUSE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isRested;
}
