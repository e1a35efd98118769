/** Reads CSV as RFC 4180 has it: quoted fields may hold commas, line ends and doubled quotes. */

/** One record by the names of the header, and the line on which it begins, from 1. */
export type CsvRecord = { line: number; fields: Record<string, string> };

/** The header's names and the records, or why the text cannot be read. Empty lines are skipped. */
export function parseCsv(text: string): { header: string[]; records: CsvRecord[] } | { line: number; detail: string } {
  const rows = readRows(text.startsWith('\uFEFF') ? text.slice(1) : text);
  if ('detail' in rows) return rows;
  const [head, ...others] = rows;
  if (head === undefined) return { line: 1, detail: 'the file is empty' };
  const header = head.cells.map(name => name.trim().toLowerCase());
  const records: CsvRecord[] = [];
  for (const { line, cells } of others) {
    if (cells.length !== header.length)
      return { line, detail: `it has ${cells.length} fields, and the header ${header.length}` };
    records.push({ line, fields: Object.fromEntries(header.map((name, at) => [name, cells[at]!.trim()])) });
  }
  return { header, records };
}

type Row = { line: number; cells: string[] };

function readRows(text: string): Row[] | { line: number; detail: string } {
  const rows: Row[] = [];
  let line = 1;
  let row: Row = { line, cells: [] };
  // A cell with what ends it: quoted, or plain up to a comma or the end of its line.
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\r|\n|$)/y;
  while (cell.lastIndex < text.length || row.cells.length > 0) {
    const at = cell.lastIndex;
    const found = cell.exec(text);
    if (found === null) return { line, detail: 'a quote is not closed or stands inside a field' };
    const [whole, quoted, plain = '', end] = found;
    row.cells.push(quoted?.replaceAll('""', '"') ?? plain);
    line += quoted === undefined ? 0 : quoted.split(/\r\n|\r|\n/).length - 1;
    if (end === ',') continue;
    if (row.cells.length > 1 || row.cells[0] !== '') rows.push(row);
    line += 1;
    row = { line, cells: [] };
    if (end === '' || at + whole.length >= text.length) break;
  }
  return rows;
}
