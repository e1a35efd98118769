/**
 * Reads a statement as far as a server must know it before the engine sees it: its kind, its format, where an insert's
 * data begins. The engine itself parses it again.
 */
import { QueryFault, tooLarge } from './query-fault.ts';
import { readTokens, type Token } from './lexer.ts';

/**
 * The longest statement, in bytes; the data of an INSERT is not part of it. The engine itself parses no more
 * (`max_query_size`), so a longer one is refused before it is read.
 */
export const STATEMENT_BYTES_MAX = 262_144;

/** Throws the refusal of a text or of bytes that are too long for a statement, without looking at them. */
export function checkLength(text: string | Buffer): void {
  if (text.length > STATEMENT_BYTES_MAX) throw tooLarge(`The statement is over ${STATEMENT_BYTES_MAX} bytes`);
}

/** A statement as far as the server must know it before the engine sees it. */
export type Statement = {
  /**
   * read: answers with rows. session: changes the connection it runs on (SET, USE, temporary tables), so the connection
   * is not used again. insert: an INSERT with inline data. write: everything else.
   */
  kind: 'read' | 'write' | 'session' | 'insert';
  /** First keyword, in capitals. */
  verb: string;
  /** The text up to the end of the last statement; for an insert, without the data. */
  sql: string;
  tokens: readonly Token[];
  /** The output format in the statement, and the start of its clause in `sql`. */
  format?: string;
  formatAt?: number;
  /**
   * For an insert: where its data begins in the given text, where the clause goes that says where data are, where
   * settings go, and the names it sets itself.
   */
  insert?: {
    dataAt: number;
    dataClauseAt: number;
    settingsAt: number;
    hasSettings: boolean;
    settingNames: ReadonlySet<string>;
    isValues: boolean;
  };
};

const READ_VERBS = new Set(['SELECT', 'WITH', 'FROM', 'SHOW', 'DESCRIBE', 'DESC', 'EXPLAIN', 'EXISTS', 'CHECK', '(']);
const SESSION_VERBS = new Set(['SET', 'USE']);
const OPENING = new Set(['(', '[', '{']);
const CLOSING = new Set([')', ']', '}']);
const BEHIND_FORMAT = new Set(['SETTINGS', 'INTO']);

/**
 * Reads one statement. Throws the engine's own refusals for an empty text, several statements, and client-side files.
 */
export function readStatement(sql: string): Statement {
  const first = readTokens(sql).next();
  if (first.done) throw new QueryFault(62, 'SYNTAX_ERROR', 'Syntax error: Empty query');
  if (upper(first.value) === 'INSERT') {
    const insert = readInsert(sql);
    if (insert) return insert;
  }
  const tokens = [...readTokens(sql)];
  const end = tokens.findIndex(token => token.text === ';' && token.kind === 'mark');
  if (end >= 0 && tokens.slice(end).some(token => token.text !== ';'))
    throw new QueryFault(62, 'SYNTAX_ERROR', 'Syntax error (Multi-statements are not allowed)');
  const own = end < 0 ? tokens : tokens.slice(0, end);
  refuseClientFiles(own);
  const verb = upper(own[0]) ?? '';
  const format = formatOf(own);
  return {
    kind: kindOf(verb, own),
    verb,
    sql: sql.slice(0, own.at(-1)?.end ?? 0),
    tokens: own,
    ...(format && { format: format.name, formatAt: format.start }),
  };
}

/** An INSERT with inline data, or undefined when it is an INSERT ... SELECT. */
function readInsert(sql: string): Statement | undefined {
  const tokens: Token[] = [];
  const settingNames = new Set<string>();
  let depth = 0;
  let selects = false;
  let readsInput = false;
  let settingsStart = 0;
  let settingsEnd = 0;
  let previous = '';
  for (const token of readTokens(sql)) {
    const word = token.kind === 'word' ? upper(token)! : token.text;
    const isName = ['INTO', 'TABLE', 'FUNCTION', '.'].includes(previous);
    if (token.kind === 'mark') depth += OPENING.has(word) ? 1 : CLOSING.has(word) ? -1 : 0;
    readsInput ||= selects && word === '(' && previous.toUpperCase() === 'INPUT';
    if (depth === 0 && token.kind === 'word' && !isName) {
      if (word === 'SELECT' || word === 'WITH') selects = true;
      if (word === 'SETTINGS') [settingsStart, settingsEnd] = [token.start, token.end];
      if (!selects && (word === 'VALUES' || previous === 'FORMAT')) {
        const isValues = previous !== 'FORMAT';
        const marker = isValues ? token : tokens.at(-1)!;
        return {
          kind: 'insert',
          verb: 'INSERT',
          sql: sql.slice(0, token.end),
          tokens: [...tokens, token],
          insert: {
            dataAt: token.end,
            dataClauseAt: settingsEnd > 0 ? settingsStart : marker.start,
            settingsAt: settingsEnd || marker.start,
            hasSettings: settingsEnd > 0,
            settingNames,
            isValues,
          },
        };
      }
    }
    if (word === '=' && settingsEnd > 0) settingNames.add(previous.toLowerCase());
    tokens.push(token);
    previous = depth === 0 ? word : token.text;
  }
  // Measured on 26.7: the embedded engine answers INSERT ... SELECT FROM input() with success and writes no row.
  if (readsInput)
    throw new QueryFault(
      48,
      'NOT_IMPLEMENTED',
      'INSERT ... SELECT with inline data is not supported by the embedded engine',
    );
  return undefined;
}

function refuseClientFiles(tokens: readonly Token[]): void {
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'word') continue;
    const verb = upper(token);
    if (
      (verb === 'INTO' && upper(tokens[index + 1]) === 'OUTFILE') ||
      (verb === 'FROM' && upper(tokens[index + 1]) === 'INFILE')
    ) {
      throw new QueryFault(
        48,
        'NOT_IMPLEMENTED',
        `${verb} ${verb === 'INTO' ? 'OUTFILE' : 'INFILE'} belongs to the command-line client, not to the server`,
      );
    }
  }
}

function kindOf(verb: string, tokens: readonly Token[]): Statement['kind'] {
  if (SESSION_VERBS.has(verb)) return 'session';
  if (verb === 'CREATE' && tokens.slice(1, 4).some(token => upper(token) === 'TEMPORARY')) return 'session';
  return READ_VERBS.has(verb) ? 'read' : 'write';
}

/**
 * The last `FORMAT name` outside brackets; at most SETTINGS and INTO follow it (a column may be called format).
 */
function formatOf(tokens: readonly Token[]): { name: string; start: number } | undefined {
  let depth = 0;
  let format: { name: string; start: number } | undefined;
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'mark') depth += OPENING.has(token.text) ? 1 : CLOSING.has(token.text) ? -1 : 0;
    if (depth !== 0 || index === 0 || token.kind !== 'word' || upper(token) !== 'FORMAT') continue;
    const [name, behind] = [tokens[index + 1], tokens[index + 2]];
    if (name?.kind === 'word' && (behind === undefined || BEHIND_FORMAT.has(upper(behind)!)))
      format = { name: name.text, start: token.start };
  }
  return format;
}

function upper(token: Token | undefined): string | undefined {
  return token?.text.toUpperCase();
}
