/** The body of a ClickHouse insert from a step, and the columns that the insert adds. */
import type { Milliseconds } from '#domain/unit.ts';

/** The rows without the columns `INSERT_COLUMNS`, which each attempt adds. */
export type InsertBody = {
  format: 'TabSeparated' | 'Native';
  columns: readonly string[];
  /** The rows with those columns before the others. */
  parts(attempt: InsertAttempt): Uint8Array[];
};

/** Facts of the insert; only the first row has the number of its attempt. */
export const INSERT_COLUMNS = ['insert_by', 'uptime_min', 'attempt'] as const;
type InsertAttempt = { insertBy: Milliseconds; uptimeMin: number; attempt: number };
