/**
 * Reads many keys with one query and caches their values for a moment. A query of ClickHouse costs milliseconds of CPU
 * however small it is, and a page of the console asks for many campaigns again and again. Keys that are requested while
 * a query runs wait together for the next one, and all callers of a key share one pending read.
 */
import type { Milliseconds } from '#domain/unit.ts';
import { createDeferred, type Deferred } from './deferred.ts';

/** Returns the value of a key, at most `staleMs` old. */
export type CachedReads<T> = { get(key: string): Promise<T> };

type Options<T> = {
  /** Reads all given keys. */
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;
  /** How old a cached value may be, in ms, counted from before its query. */
  keepMs: Milliseconds;
  /** Up to this age, in ms, a cached value is still answered while a new one is read. */
  staleMs: Milliseconds;
  /** Milliseconds since 1970. */
  now: () => Milliseconds;
};

/**
 * Keys of one query. The text that ClickHouse parses (256 KiB) has each of them three times with some 20 bytes. All
 * watched keys should fit into one refresh a second: if they did not, the rest would grow too old, and callers would
 * wait.
 */
const KEYS_AT_ONCE_MAX = 4_000;
/** Cached values, about 1 kB each; beyond it the cache starts again. */
const CACHED_MAX = 10_000;
/** Concurrent queries: one that hangs must not hold up all the others. */
const QUERIES_MAX = 2;

/** Minimum time between the starts of two queries: keys requested in between share the later one. */
const GAP_MS = 50;
/**
 * The same where nobody waits, because every caller was answered with an older value: one query a second then refreshes
 * all of them.
 */
const REFRESH_GAP_MS = 1_000;

/**
 * A key that was asked for within this time is read again with every query, once its value is older than `keepMs`. So a
 * caller who comes back within it seldom waits: each wait costs up to `GAP_MS`, and callers who walk through hundreds
 * of keys one after the other would wait for each of them on every round.
 */
const WATCHED_MS = 30_000;

type CacheEntry<T> = { value: T; readAt: Milliseconds; askedAt: Milliseconds };

export function createCachedReads<T>({ read, keepMs, staleMs, now }: Options<T>): CachedReads<T> {
  const cache = new Map<string, CacheEntry<T>>();
  const pending = new Map<string, Deferred<T>>();
  const waiting = new Set<string>();
  /** `isAwaited`: a caller waits for one of the keys that wait; the other callers got an older value. */
  const state = { running: 0, startedAt: -Infinity, startsAt: Infinity, isAwaited: false };
  let timer: NodeJS.Timeout | undefined;
  const run = async () => {
    const readAt = now();
    const asked = new Set([...waiting].slice(0, KEYS_AT_ONCE_MAX));
    const due = dueKeys(cache, { at: readAt, keepMs }).filter(key => !pending.has(key));
    const keys = [...asked, ...due].slice(0, KEYS_AT_ONCE_MAX);
    const settle = (key: string, act: (entry: Deferred<T>) => void) => {
      const entry = pending.get(key);
      pending.delete(key);
      if (entry) act(entry);
    };
    for (const key of asked) waiting.delete(key);
    state.isAwaited &&= waiting.size > 0;
    if (cache.size >= CACHED_MAX) cache.clear();
    try {
      const values = await read(keys);
      for (const key of keys) {
        const value = values.get(key);
        if (value === undefined) throw new Error(`the query did not answer ${key}`);
        const before = cache.get(key);
        // of two concurrent queries the first may end last
        if (before === undefined || before.readAt <= readAt)
          cache.set(key, { value, readAt, askedAt: before?.askedAt ?? readAt });
        if (asked.has(key)) settle(key, entry => entry.resolve(value));
      }
    } catch (error) {
      // The next caller starts another read.
      for (const key of asked) settle(key, entry => entry.reject(error));
    }
  };
  const begin = () => {
    Object.assign(state, { startsAt: Infinity, startedAt: performance.now(), running: state.running + 1 });
    void run().finally(() => {
      state.running -= 1;
      start();
    });
    start();
  };
  /**
   * Starts a query after the gap, at the earliest in the next turn of the event loop, so that the callers of this turn
   * share it.
   */
  const start = () => {
    const at = Math.max(performance.now(), state.startedAt + (state.isAwaited ? GAP_MS : REFRESH_GAP_MS));
    if (waiting.size === 0 || state.running >= QUERIES_MAX || state.startsAt <= at) return;
    clearTimeout(timer);
    state.startsAt = at;
    timer = setTimeout(begin, at - performance.now());
  };
  const request = (key: string): Deferred<T> => {
    const entry = createDeferred<T>();
    entry.promise.catch(() => undefined); // a caller that got an older value does not wait for this one
    pending.set(key, entry);
    waiting.add(key);
    return entry;
  };
  return {
    async get(key) {
      const entry = cache.get(key);
      const ageMs = entry ? now() - entry.readAt : Infinity;
      if (entry) entry.askedAt = now();
      if (entry && ageMs >= 0 && ageMs < keepMs) return entry.value;
      const isStale = entry !== undefined && ageMs >= 0 && ageMs < staleMs;
      const next = pending.get(key) ?? request(key);
      state.isAwaited ||= !isStale && waiting.has(key);
      start();
      return isStale ? entry.value : next.promise;
    },
  };
}

/** Recently requested keys whose value is due for a refresh. */
function dueKeys(
  cache: ReadonlyMap<string, CacheEntry<unknown>>,
  { at, keepMs }: { at: number; keepMs: Milliseconds },
): string[] {
  return [...cache]
    .filter(([, { readAt, askedAt }]) => at - readAt >= keepMs && at - askedAt < WATCHED_MS)
    .map(([key]) => key);
}
