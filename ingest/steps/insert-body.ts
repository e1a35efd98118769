/** What a step gives to an insert of ClickHouse, and what the insert adds to it. */
import type { Milliseconds } from '#domain/unit.ts';

/** The rows, without the columns `INSERT_COLUMNS`, which each attempt says for itself. */
export type InsertBody = {
  format: 'TabSeparated' | 'Native';
  columns: readonly string[];
  /** The rows with those columns before the others. */
  parts(attempt: InsertAttempt): Uint8Array[];
};

/** Facts of the insert itself; only the first row has the number of its attempt. */
export const INSERT_COLUMNS = ['insert_by', 'uptime_min', 'attempt'] as const;
type InsertAttempt = { insertBy: Milliseconds; uptimeMin: number; attempt: number };
