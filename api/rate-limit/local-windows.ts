/**
 * The rate limiter of authority/scripts/time/limiter.lua in this process's memory and on its clock, for the time while
 * Redis is down. Each process then counts alone, so a key's limit is multiplied by the number of processes.
 */
import type { MinuteBucket, SpentWindow, Take, Taken } from './limiter.ts';
import type { Milliseconds } from '#domain/unit.ts';

const KEYS_MAX = 10_000; // some 200 bytes each; beyond it the counts start again

type Windows = { minute: number; second: number; burst: number; used: Map<string, number> };

export type LocalWindows = { take(call: Take, nowMs: Milliseconds): Taken };

export function createLocalWindows(): LocalWindows {
  const known = new Map<string, Windows>();
  const count = (name: string, windows: Windows, buckets: readonly MinuteBucket[]): void => {
    windows.burst += 1;
    for (const bucket of buckets) windows.used.set(bucket.name, usedOf(windows, bucket) + 1);
    if (known.size >= KEYS_MAX) known.clear();
    known.set(name, windows);
  };
  return {
    take({ key, perSecondMax, buckets, shared }, nowMs) {
      const [ownName, sharedName] = [`key ${key}`, `workspace ${shared.workspace} ${shared.perMinuteMax}`];
      const [own, ofAll] = [current(known.get(ownName), nowMs), current(known.get(sharedName), nowMs)];
      const resetMs = 60_000 - (nowMs % 60_000);
      const sharedBucket = { name: 'requests', max: shared.perMinuteMax };
      const shown = buckets.at(-1);
      const remaining = shown ? Math.max(0, shown.max - usedOf(own, shown)) : 0;
      const sharedRemaining = Math.max(0, sharedBucket.max - usedOf(ofAll, sharedBucket));
      const full = buckets.findLast(bucket => usedOf(own, bucket) >= bucket.max);
      const spent: SpentWindow | undefined = full
        ? { of: 'key', window: 'minute', ...full }
        : sharedRemaining === 0
          ? { of: 'workspace', window: 'minute', ...sharedBucket }
          : own.burst >= perSecondMax
            ? { of: 'key', window: 'second', name: 'requests', max: perSecondMax }
            : ofAll.burst >= shared.perSecondMax
              ? { of: 'workspace', window: 'second', name: 'requests', max: shared.perSecondMax }
              : undefined;
      if (spent) {
        const waitMs = spent.window === 'minute' ? resetMs : 1_000 - (nowMs % 1_000);
        return { allowed: false, remaining, resetMs, waitMs, sharedRemaining, spent };
      }
      count(ownName, own, buckets);
      count(sharedName, ofAll, [sharedBucket]);
      return {
        allowed: true,
        remaining: remaining - 1,
        resetMs,
        waitMs: 0,
        sharedRemaining: sharedRemaining - 1,
        spent: undefined,
      };
    },
  };
}

function usedOf({ used }: Windows, { name }: MinuteBucket): number {
  return used.get(name) ?? 0;
}

function current(windows: Windows | undefined, nowMs: Milliseconds): Windows {
  const minute = Math.floor(nowMs / 60_000);
  const second = Math.floor(nowMs / 1_000);
  if (windows?.minute !== minute) return { minute, second, burst: 0, used: new Map() };
  return windows.second === second ? windows : { ...windows, second, burst: 0 };
}
