/**
 * Counts the writes through the services' server. A reader of the same files compares the counts to know whether it has
 * seen everything. A count goes up when a statement has ended, and before its client gets the reply.
 */
import { randomUUID } from 'node:crypto';
import type { Statement } from './statement.ts';

export type Writes = {
  /** Another one after each start: counts begin again. */
  life: string;
  rows: number;
  /** Statements that may have changed the set of tables. */
  tables: number;
};

/** The path at which the services' server returns its counts. */
export const WRITES_PATH = '/writes';

export function countWrites(): { note(statement: Statement): void; count(): Writes } {
  const count: Writes = { life: randomUUID(), rows: 0, tables: 0 };
  return {
    note({ verb }) {
      count.rows += 1;
      if (verb !== 'INSERT') count.tables += 1;
    },
    count: () => count,
  };
}

/** Whether nothing has been written between two counts. */
export function isSame(one: Writes | undefined, other: Writes, what: 'rows' | 'tables'): boolean {
  return one !== undefined && one.life === other.life && one[what] === other[what];
}
