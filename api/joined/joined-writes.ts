/**
 * Writes the units of several calls with one statement, and so with one commit. A statement costs Postgres more than
 * one unit in it does, and a commit waits for the disk; so units that arrive while the maximum of statements run share
 * the next one. A single call is written at once.
 *
 * No call pays for another one. If a statement of several units fails, or writes nothing, each of them is written
 * alone. Units with the same key (a workspace) are never in two statements at a time: those would wait for each other's
 * locks.
 */
import { isRolledBack } from '#sql/postgres.ts';
import { createStatementStarter } from './statement-starter.ts';

/** Returns whether the unit was written; false if a premise has changed since it was read. */
export type JoinedWrites<Unit> = { write(unit: Unit): Promise<boolean> };

type Options<Unit, Key> = {
  /** Units with the same key lock the same rows. */
  keyOf: (unit: Unit) => Key;
  /** Writes all units or none, and returns which. One unit may wait for locks, several only for a moment. */
  write: (units: readonly Unit[]) => Promise<boolean>;
  /** The maximum of units per statement: while it runs it holds the locks of all. */
  unitsMax: number;
};

/** Concurrent statements: while one waits for the disk, the next one computes. More would make each of them smaller. */
const STATEMENTS_MAX = 3;

type Waiting<Unit> = { unit: Unit; resolve: (isWritten: boolean) => void; reject: (error: unknown) => void };

export function createJoinedWrites<Unit, Key>({ keyOf, write, unitsMax }: Options<Unit, Key>): JoinedWrites<Unit> {
  let waiting: Waiting<Unit>[] = [];
  const busy = new Set<Key>();
  const writeAlone = ({ unit, resolve, reject }: Waiting<Unit>) => write([unit]).then(resolve, reject);
  const writeAll = async (batch: readonly Waiting<Unit>[]) => {
    if (batch.length > 1)
      try {
        if (await write(batch.map(({ unit }) => unit))) return batch.forEach(({ resolve }) => resolve(true));
      } catch (error) {
        // After a lost connection the outcome is unknown, so nothing may be written again.
        if (!isRolledBack(error)) return batch.forEach(({ reject }) => reject(error));
      }
    await Promise.all(batch.map(writeAlone));
  };
  const takeBatch = (): Waiting<Unit>[] => {
    const free = waiting.filter(({ unit }) => !busy.has(keyOf(unit))).slice(0, unitsMax);
    const taken = new Set(free);
    waiting = waiting.filter(entry => !taken.has(entry));
    return free;
  };
  const statements = createStatementStarter({
    runningMax: STATEMENTS_MAX,
    isWaiting: () => waiting.length > 0,
    run: () => {
      const batch = takeBatch();
      if (batch.length === 0) return undefined;
      const keys = new Set(batch.map(({ unit }) => keyOf(unit)));
      for (const key of keys) busy.add(key);
      return writeAll(batch).finally(() => {
        for (const key of keys) busy.delete(key);
      });
    },
  });
  return {
    write: unit =>
      new Promise((resolve, reject) => {
        waiting.push({ unit, resolve, reject });
        statements.start();
      }),
  };
}
