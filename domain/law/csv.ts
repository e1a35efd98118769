/** Reads CSV as RFC 4180 has it: quoted fields may hold commas, line ends and doubled quotes. */

/** One record by the names of the header, and the line on which it begins, from 1. */
export type CsvRecord = { line: number; fields: Record<string, string> };

/** The header's names and the records, or why the text cannot be read. Empty lines are skipped. */
export function parseCsv(text: string): { header: string[]; records: CsvRecord[] } | { line: number; detail: string } {
  const rows = readRows(withoutMark(text));
  if ('detail' in rows) return rows;
  const [head, ...others] = rows;
  if (head === undefined) return { line: 1, detail: 'the file is empty' };
  const header = head.cells.map(name => name.trim().toLowerCase());
  // As spreadsheets save in countries that write 1,5.
  if (header.length === 1 && /[;\t]/.test(header[0]!))
    return { line: head.line, detail: 'semicolons or tabs separate its columns: save it with commas' };
  const twice = header.find((name, at) => name !== '' && header.indexOf(name) < at);
  if (twice !== undefined) return { line: head.line, detail: `the column '${twice}' is there twice` };
  const records: CsvRecord[] = [];
  for (const { line, cells } of others) {
    if (cells.length !== header.length)
      return { line, detail: `it has ${cells.length} fields, and the header ${header.length}` };
    records.push({ line, fields: Object.fromEntries(header.map((name, at) => [name, cells[at]!.trim()])) });
  }
  return { header, records };
}

/** A text without the byte order mark that spreadsheets put in front of it. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** A number as files write it: decimal, without blanks. NaN for any other text, also for an empty one. */
export function numberOf(text: string): number {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : NaN;
}

type Row = { line: number; cells: string[] };

function readRows(text: string): Row[] | { line: number; detail: string } {
  const rows: Row[] = [];
  let [line, at] = [1, 0];
  let row: Row = { line, cells: [] };
  while (at < text.length || row.cells.length > 0) {
    const cell = readCell(text, at);
    if (cell === undefined) return { line, detail: 'a quote is not closed or stands inside a field' };
    const { content, isQuoted, end, next } = cell;
    row.cells.push(content);
    line += isQuoted ? content.split(/\r\n|\r|\n/).length - 1 : 0;
    at = next;
    if (end === ',') continue;
    if (row.cells.length > 1 || row.cells[0] !== '') rows.push(row);
    line += 1;
    row = { line, cells: [] };
    if (end === '') break;
  }
  return rows;
}

/** What a cell contains, what ends it (`''`: the text), and where the next one begins. */
type Cell = { content: string; isQuoted: boolean; end: string; next: number };

/** Undefined if a quote is not closed, or other text follows it. */
function readCell(text: string, from: number): Cell | undefined {
  const isQuoted = text[from] === '"';
  const closed = isQuoted ? closingQuote(text, from + 1) : from;
  if (closed === undefined) return undefined;
  const at = isQuoted ? closed + 1 : endOfPlain(text, from);
  const end = text.startsWith('\r\n', at) ? '\r\n' : text.charAt(at);
  if (!['', ',', '\r\n', '\r', '\n'].includes(end)) return undefined;
  const content = isQuoted ? text.slice(from + 1, closed).replaceAll('""', '"') : text.slice(from, at);
  return { content, isQuoted, end, next: at + end.length };
}

/** Steps over doubled quotes. An expression for this would exceed the stack in a file with one quote too many. */
function closingQuote(text: string, from: number): number | undefined {
  let at = text.indexOf('"', from);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at === -1 ? undefined : at;
}

function endOfPlain(text: string, from: number): number {
  const special = /[",\r\n]/g;
  special.lastIndex = from;
  return special.exec(text)?.index ?? text.length;
}
