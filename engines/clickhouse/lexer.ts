/**
 * ClickHouse's lexer as far as this server needs it: where a statement's data begins, which names it uses, where its
 * parameters stand. It follows the engine's own rules (nested comments, backslash and doubled quotes, heredocs), because
 * a difference would let an analyst hide a name from the checks; what it does not follow is marked `unsure`, and the
 * analyst's check refuses that.
 */
export type Token = {
  kind: 'word' | 'quoted' | 'string' | 'number' | 'mark' | 'unsure';
  /** A name without its quotes, else the source text. */
  text: string;
  start: number;
  end: number;
};

const SPACE = /[\s\0]+/y;
const LINE_COMMENT = /(?:--|#!|# )[^\n]*/y;
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /0[xX][0-9a-fA-F]+|\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?/y;
const PLAIN_ASCII = /[\x20-\x7e]/;

/** The tokens of `sql` from `from` on, one at a time: the data behind an INSERT is not looked at unless asked for. */
export function* readTokens(sql: string, from = 0): Generator<Token> {
  let at = from;
  while (at < sql.length) {
    const next = skipBlank(sql, at);
    if (next > at) {
      at = next;
      continue;
    }
    const token = tokenAt(sql, at);
    yield token;
    at = token.end;
  }
}

function tokenAt(sql: string, start: number): Token {
  const char = sql[start]!;
  if (char === "'") return { kind: 'string', text: char, start, end: quoteEnd(sql, start) };
  if (char === '"' || char === '`') return quotedName(sql, start);
  const word = matchAt(WORD, sql, start);
  if (word !== undefined) return { kind: 'word', text: word, start, end: start + word.length };
  const number = matchAt(NUMBER, sql, start);
  if (number !== undefined) return { kind: 'number', text: number, start, end: start + number.length };
  const sure = PLAIN_ASCII.test(char) && char !== '$';
  return { kind: sure ? 'mark' : 'unsure', text: char, start, end: char === '$' ? heredocEnd(sql, start) : start + 1 };
}

function quotedName(sql: string, start: number): Token {
  const end = quoteEnd(sql, start);
  const inner = sql.slice(start + 1, end - 1);
  return { kind: inner.includes('\\') ? 'unsure' : 'quoted', text: inner.replaceAll(sql[start]! + sql[start]!, sql[start]!), start, end };
}

/** Behind the closing quote; a backslash escapes, and so does a doubled quote. The end of the text if it never closes. */
function quoteEnd(sql: string, start: number): number {
  const quote = sql[start];
  for (let at = start + 1; at < sql.length; at++) {
    if (sql[at] === '\\') at++;
    else if (sql[at] === quote) {
      if (sql[at + 1] !== quote) return at + 1;
      at++;
    }
  }
  return sql.length;
}

function heredocEnd(sql: string, start: number): number {
  const tag = matchAt(/\$\w*\$/y, sql, start);
  if (tag === undefined) return start + 1;
  const close = sql.indexOf(tag, start + tag.length);
  return close < 0 ? start + 1 : close + tag.length;
}

function skipBlank(sql: string, at: number): number {
  const blank = matchAt(SPACE, sql, at) ?? matchAt(LINE_COMMENT, sql, at);
  if (blank !== undefined) return at + blank.length;
  return sql.startsWith('/*', at) ? commentEnd(sql, at) : at;
}

function commentEnd(sql: string, start: number): number {
  let depth = 0;
  for (let at = start; at < sql.length; at++) {
    if (sql.startsWith('/*', at)) depth++;
    else if (sql.startsWith('*/', at)) depth--;
    else continue;
    at++;
    if (depth === 0) return at + 1;
  }
  return sql.length;
}

function matchAt(pattern: RegExp, sql: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(sql)?.[0];
}
