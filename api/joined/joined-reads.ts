/**
 * Reads many keys with one statement, and never answers a call from a statement that began before it, so that callers
 * read their own writes. The keys of one turn of the event loop share a statement, and keys requested while it runs
 * share the next one. Nothing is cached here.
 */
import { createDeferred, type Deferred } from './deferred.ts';
import { createStatementStarter } from './statement-starter.ts';

/** Returns the value of a key at the time of the call, or later. */
export type JoinedReads<Key, Value> = { get(key: Key): Promise<Value | undefined> };

type Options<Key, Value> = {
  /** Reads all given keys; missing ones are undefined. */
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>;
  /** Keys of one statement, at most. */
  keysMax: number;
};

/** Concurrent statements: one that hangs must not hold up all the others. More would make each of them smaller. */
const STATEMENTS_MAX = 2;
/**
 * How long a statement runs alone, in ms. A healthy one takes one or two, and each statement has a fixed cost of some
 * ten of its rows, so the fewer there are the better.
 */
const ALONE_MS = 10;

export function createJoinedReads<Key, Value>({ read, keysMax }: Options<Key, Value>): JoinedReads<Key, Value> {
  let waiting = new Map<Key, Deferred<Value | undefined>>();
  const runBatch = async (batch: ReadonlyMap<Key, Deferred<Value | undefined>>) => {
    try {
      const values = await read([...batch.keys()]);
      for (const [key, { resolve }] of batch) resolve(values.get(key));
    } catch (error) {
      for (const { reject } of batch.values()) reject(error);
    }
  };
  const statements = createStatementStarter({
    runningMax: STATEMENTS_MAX,
    isWaiting: () => waiting.size > 0,
    run: () => {
      const batch = new Map([...waiting].slice(0, keysMax));
      waiting = new Map([...waiting].slice(keysMax));
      return runBatch(batch);
    },
    delayMs: lastBeganAt => (waiting.size < keysMax ? lastBeganAt + ALONE_MS - performance.now() : 0),
  });
  return {
    get(key) {
      let entry = waiting.get(key);
      if (entry === undefined) {
        entry = createDeferred<Value | undefined>();
        waiting.set(key, entry);
        statements.start();
      }
      return entry.promise;
    },
  };
}
