/**
 * Reads many keys with one statement, and never answers a caller from a statement that began before the caller asked,
 * so that callers read what they have just written. The keys of one turn of the event loop share a statement, and those
 * that come while it runs share the next one. Nothing is cached here.
 */
import { createDeferred, type Deferred } from './deferred.ts';
import { createStatementStarter } from './statement-starter.ts';

/** Answers the value of a key as it was at the call, or later. */
export type JoinedReads<Key, Value> = { get(key: Key): Promise<Value | undefined> };

type Options<Key, Value> = {
  /** Reads every key that it is given; what it does not answer is undefined. */
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
