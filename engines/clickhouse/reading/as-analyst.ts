/**
 * Statements that the analysts' engine would answer about itself, as they are answered about the user `analyst`. Its
 * one user has another name, because an embedded engine knows no other.
 */
import type { Token } from '../statements/lexer.ts';
import { quoteName, quoteString } from '../statements/parameters.ts';
import { readStatement, type Statement } from '../statements/statement.ts';

const GRANTS = `SELECT 'GRANT SELECT, SHOW ON *.* TO analyst' AS GRANTS`;
/** The statements of analysts, which end with the mark by which they are ended: 36 characters in a comment. */
const MARK = ` /* ${'_'.repeat(36)} */`;
const PROCESSES = `SELECT 'analyst' AS user, query_id, left(query, -${MARK.length}) AS query, elapsed, read_rows, read_bytes, memory_usage FROM system.processes WHERE processes.query LIKE '%${MARK}'`;
/** No state is kept between requests, so a setting that is set lasts for nothing. */
const NOTHING = 'SELECT 1 FORMAT Null';
const USER_FUNCTIONS: ReadonlySet<string> = new Set(['currentuser', 'user', 'current_user']);

/** The statement to run for an admitted one. */
export function asAnalyst(statement: Statement): Statement {
  const { verb, tokens, sql } = statement;
  if (verb === 'SET') return { ...statement, sql: NOTHING };
  if (verb === 'SHOW' && tokens[1]?.text.toUpperCase() === 'GRANTS') return withFormatOf(statement, GRANTS);
  if (verb === 'SHOW' && tokens[1]?.text.toUpperCase() === 'PROCESSLIST') return withFormatOf(statement, PROCESSES);
  const named = nameUser(sql, tokens);
  return named === sql ? statement : readStatement(named);
}

function withFormatOf({ sql, formatAt }: Statement, rows: string): Statement {
  return readStatement(formatAt === undefined ? rows : `${rows} ${sql.slice(formatAt)}`);
}

/** Puts the user's name for each call of a function that names it; a column of such a call keeps its name. */
function nameUser(sql: string, tokens: readonly Token[]): string {
  let named = '';
  let at = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'word' || !USER_FUNCTIONS.has(token.text.toLowerCase())) continue;
    const [open, close, behind] = tokens.slice(index + 1, index + 4);
    if (open?.text !== '(' || close?.text !== ')') continue;
    const name = quoteString('analyst');
    const isNamed = behind?.kind === 'word' && behind.text.toUpperCase() === 'AS';
    named += sql.slice(at, token.start) + (isNamed ? name : `(${name} AS ${quoteName(`${token.text}()`)})`);
    at = close.end;
  }
  return named + sql.slice(at);
}
