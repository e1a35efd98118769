/**
 * Tables as CSV (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe before it, because
 * names come from people.
 */
import { stringify } from 'csv-stringify/sync';

export type CsvRows = { columns: readonly string[]; rows: readonly (readonly (string | number)[])[] };

/** `isMarked`: begins with a byte order mark, without which Excel reads UTF-8 as the code page of the machine. */
export function writeCsv({ columns, rows }: CsvRows, { isMarked }: { isMarked: boolean }): string {
  return stringify([[...columns], ...rows.map(row => [...row])], {
    bom: isMarked,
    escape_formulas: true,
    record_delimiter: 'windows',
  });
}
