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
