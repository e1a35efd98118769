/**
 * Values that are read by the hundred or not at all: a query of ClickHouse costs milliseconds of CPU however little it
 * asks for, and a brand's page asks for many campaigns again and again. Keys that are asked for while a query runs wait
 * together for the next one, a value is kept for a moment, and every caller of a key shares the one that is on its way.
 */
export type BatchedReads<T> = { get(key: string): Promise<T> };

type Options<T> = {
  /** Answers every key that it was given. */
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;
  /** How old a value may be, in ms, counted from before its query. */
  keepMs: number;
  /** Up to this age, in ms, it is still told while the next one is read. */
  staleMs: number;
  /** Milliseconds since 1970. */
  now: () => number;
};

/** Keys of one query: some 20 bytes each, well inside the text that ClickHouse parses (256 KiB). */
const KEYS_AT_ONCE_MAX = 500;
/** Values kept; beyond it all are read again. About 1 kB each. */
const KEPT_MAX = 10_000;
/** Queries at once: one that hangs must not hold all the others. */
const QUERIES_MAX = 2;

/** Least time between the starts of two queries: what comes in between shares the later one. */
const GAP_MS = 50;
/** The same where nobody waits, since every caller was told an older value: one query a second refreshes all of them. */
const REFRESH_GAP_MS = 1_000;

type Kept<T> = { value: T; readAt: number };
type Pending<T> = { promise: Promise<T>; resolve: (value: T) => void; reject: (error: unknown) => void };

export function createBatchedReads<T>({ read, keepMs, staleMs, now }: Options<T>): BatchedReads<T> {
  const kept = new Map<string, Kept<T>>();
  const pending = new Map<string, Pending<T>>();
  const waiting = new Set<string>();
  const state = { running: 0, startedAt: -Infinity, startsAt: Infinity };
  let timer: NodeJS.Timeout | undefined;
  const run = async () => {
    const keys = [...waiting].slice(0, KEYS_AT_ONCE_MAX);
    const readAt = now();
    const settle = (key: string, act: (entry: Pending<T>) => void) => {
      const entry = pending.get(key)!;
      pending.delete(key);
      act(entry);
    };
    for (const key of keys) waiting.delete(key);
    if (kept.size >= KEPT_MAX) kept.clear();
    try {
      const values = await read(keys);
      for (const key of keys) {
        const value = values.get(key);
        if (value === undefined) throw new Error(`the query did not answer ${key}`);
        kept.set(key, { value, readAt });
        settle(key, entry => entry.resolve(value));
      }
    } catch (error) {
      for (const key of keys) if (pending.has(key)) settle(key, entry => entry.reject(error)); // the next caller asks again
    }
  };
  const begin = () => {
    Object.assign(state, { startsAt: Infinity, startedAt: performance.now(), running: state.running + 1 });
    void run().finally(() => {
      state.running -= 1;
      start(GAP_MS);
    });
    start(GAP_MS);
  };
  /** Even without a gap to keep a query starts one turn later, so that the callers of this turn share it. */
  const start = (gapMs: number) => {
    const at = Math.max(performance.now(), state.startedAt + gapMs);
    if (waiting.size === 0 || state.running >= QUERIES_MAX || state.startsAt <= at) return;
    clearTimeout(timer);
    state.startsAt = at;
    timer = setTimeout(begin, at - performance.now());
  };
  const ask = (key: string): Pending<T> => {
    const entry = deferred<T>();
    entry.promise.catch(() => undefined); // a caller who was given an older value does not wait for this one
    pending.set(key, entry);
    waiting.add(key);
    return entry;
  };
  return {
    async get(key) {
      const entry = kept.get(key);
      const ageMs = entry ? now() - entry.readAt : Infinity;
      if (entry && ageMs >= 0 && ageMs < keepMs) return entry.value;
      const isTold = entry !== undefined && ageMs >= 0 && ageMs < staleMs;
      const next = pending.get(key) ?? ask(key);
      start(isTold ? REFRESH_GAP_MS : GAP_MS);
      return isTold ? entry.value : next.promise;
    },
  };
}

function deferred<T>(): Pending<T> {
  let settle: Omit<Pending<T>, 'promise'> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle! };
}
