import type { Take, Taken } from '#sql/limiter.ts';

/**
 * The limiter of sql/redis/limiter.lua in this process's memory and on its clock, for the time in which Redis is away.
 * Each process counts for itself then, so the bound of a key is its limit times the number of processes.
 */
const KEYS_MAX = 10_000; // some 200 bytes each; beyond it the counts start again

type Windows = { minute: number; second: number; burst: number; used: Map<string, number> };

export type LocalWindows = { take(call: Take, nowMs: number): Taken };

export function createLocalWindows(): LocalWindows {
  const known = new Map<number, Windows>();
  return {
    take({ key, perSecondMax, buckets }, nowMs) {
      const windows = current(known.get(key), nowMs);
      const resetMs = 60_000 - (nowMs % 60_000);
      const usedOf = (name: string) => windows.used.get(name) ?? 0;
      const shown = buckets.at(-1);
      const remaining = shown ? Math.max(0, shown.max - usedOf(shown.name)) : 0;
      const isSpent = buckets.some(({ name, max }) => usedOf(name) >= max);
      if (isSpent || windows.burst >= perSecondMax) return { allowed: false, remaining, resetMs, waitMs: isSpent ? resetMs : 1_000 - (nowMs % 1_000) };
      windows.burst += 1;
      for (const { name } of buckets) windows.used.set(name, usedOf(name) + 1);
      if (known.size >= KEYS_MAX) known.clear();
      known.set(key, windows);
      return { allowed: true, remaining: remaining - 1, resetMs, waitMs: 0 };
    },
  };
}

function current(windows: Windows | undefined, nowMs: number): Windows {
  const minute = Math.floor(nowMs / 60_000);
  const second = Math.floor(nowMs / 1_000);
  if (windows?.minute !== minute) return { minute, second, burst: 0, used: new Map() };
  return windows.second === second ? windows : { ...windows, second, burst: 0 };
}
