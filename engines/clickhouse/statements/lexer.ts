/**
 * ClickHouse's lexer as far as this server needs it: where a statement's data begins, which names it uses, where its
 * parameters stand. It follows the engine's own rules (nested comments, backslash and doubled quotes, heredocs),
 * because a difference would let an analyst hide a name from the checks; what it does not follow is marked `unsure`,
 * and the analyst's check refuses that.
 *
 * Its time is a fixed number of steps per character for any text: every loop moves forward over its input, and nothing
 * is looked for that a later token would have to look for again.
 */
export type Token = {
  kind: 'word' | 'quoted' | 'string' | 'number' | 'mark' | 'unsure';
  /** A name without its quotes, else the source text. */
  text: string;
  start: number;
  end: number;
};

const UNSURE = 0;
const BLANK = 1;
const WORD = 2;
const DIGIT = 3;
const MARK = 4;
/** The token that an ASCII character begins. Characters beyond ASCII begin no known token, unless they are blank. */
const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => classOf(String.fromCharCode(code)));

function classOf(char: string): number {
  if (/[\s\0]/.test(char)) return BLANK;
  if (/[A-Za-z_]/.test(char)) return WORD;
  if (/\d/.test(char)) return DIGIT;
  return /[\x20-\x7e]/.test(char) && char !== '$' ? MARK : UNSURE;
}

const [
  NEWLINE,
  QUOTE,
  DOUBLE,
  BACKTICK,
  BACKSLASH,
  SLASH,
  STAR,
  DASH,
  PLUS,
  HASH,
  BANG,
  SPACE,
  DOLLAR,
  DOT,
  UNDERSCORE,
] = Array.from('\n\'"`\\/*-+#! $._', char => char.charCodeAt(0));

/** The tokens of `sql` from `from` on, one at a time: the data behind an INSERT is not looked at unless asked for. */
export function* readTokens(sql: string, from = 0): Generator<Token> {
  for (let at = blankEnd(sql, from); at < sql.length;) {
    const token = tokenAt(sql, at);
    yield token;
    at = blankEnd(sql, token.end);
  }
}

function tokenAt(sql: string, start: number): Token {
  const code = sql.charCodeAt(start);
  if (code === QUOTE) return { kind: 'string', text: "'", start, end: quoteEnd(sql, start) };
  if (code === DOUBLE || code === BACKTICK) return quotedName(sql, start);
  const kind = code < CLASSES.length ? CLASSES[code] : UNSURE;
  if (kind === WORD) return cut(sql, 'word', start, wordEnd(sql, start));
  if (kind === DIGIT) return cut(sql, 'number', start, numberEnd(sql, start));
  return {
    kind: kind === MARK ? 'mark' : 'unsure',
    text: sql[start]!,
    start,
    end: code === DOLLAR ? heredocEnd(sql, start) : start + 1,
  };
}

function cut(sql: string, kind: Token['kind'], start: number, end: number): Token {
  return { kind, text: sql.slice(start, end), start, end };
}

function wordEnd(sql: string, start: number): number {
  let at = start + 1;
  for (let code = sql.charCodeAt(at); code < CLASSES.length && (CLASSES[code] === WORD || CLASSES[code] === DIGIT);)
    code = sql.charCodeAt(++at);
  return at;
}

/** `0x1f`, or digits with underscores, a fraction and an exponent. */
function numberEnd(sql: string, start: number): number {
  const second = sql[start + 1];
  if (sql[start] === '0' && (second === 'x' || second === 'X')) {
    let at = start + 2;
    while (isHexDigit(sql.charCodeAt(at))) at++;
    if (at > start + 2) return at;
  }
  let at = start + 1;
  for (let code = sql.charCodeAt(at); isDigit(code) || code === UNDERSCORE;) code = sql.charCodeAt(++at);
  if (sql.charCodeAt(at) === DOT) at = digitsEnd(sql, at + 1);
  if (sql[at] !== 'e' && sql[at] !== 'E') return at;
  const sign = sql.charCodeAt(at + 1);
  const digits = sign === DASH || sign === PLUS ? at + 2 : at + 1;
  const end = digitsEnd(sql, digits);
  return end > digits ? end : at;
}

function digitsEnd(sql: string, start: number): number {
  let at = start;
  while (isDigit(sql.charCodeAt(at))) at++;
  return at;
}

const isDigit = (code: number) => code >= 48 && code <= 57;
const isHexDigit = (code: number) => isDigit(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);

function quotedName(sql: string, start: number): Token {
  const end = quoteEnd(sql, start);
  const inner = sql.slice(start + 1, end - 1);
  return {
    kind: inner.includes('\\') ? 'unsure' : 'quoted',
    text: inner.replaceAll(sql[start]! + sql[start]!, sql[start]!),
    start,
    end,
  };
}

/**
 * The position after the closing quote; a backslash escapes, and so does a doubled quote. The end of the text if it
 * never closes.
 */
function quoteEnd(sql: string, start: number): number {
  const quote = sql.charCodeAt(start);
  for (let at = start + 1; at < sql.length; at++) {
    const code = sql.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === quote) {
      if (sql.charCodeAt(at + 1) !== quote) return at + 1;
      at++;
    }
  }
  return sql.length;
}

/**
 * The position after `$tag$ ... $tag$`; a `$` that begins no tag is a token. After a tag that is never closed the rest
 * is `unsure`.
 */
function heredocEnd(sql: string, start: number): number {
  const tagEnd = wordEnd(sql, start);
  if (sql.charCodeAt(tagEnd) !== DOLLAR) return start + 1;
  const tag = sql.slice(start, tagEnd + 1);
  const close = sql.indexOf(tag, tagEnd + 1);
  return close < 0 ? sql.length : close + tag.length;
}

/** The position after the spaces and comments at `start`. */
function blankEnd(sql: string, start: number): number {
  let at = start;
  while (at < sql.length) {
    const code = sql.charCodeAt(at);
    const next = sql.charCodeAt(at + 1);
    if (isBlank(code)) at++;
    else if ((code === DASH && next === DASH) || (code === HASH && (next === BANG || next === SPACE)))
      at = lineEnd(sql, at);
    else if (code === SLASH && next === STAR) at = commentEnd(sql, at);
    else break;
  }
  return at;
}

/** JavaScript counts the blanks of Unicode among them, as the engine does. */
const isBlank = (code: number) =>
  code < CLASSES.length ? CLASSES[code] === BLANK : /\s/.test(String.fromCharCode(code));

function lineEnd(sql: string, start: number): number {
  let at = start;
  while (at < sql.length && sql.charCodeAt(at) !== NEWLINE) at++;
  return at;
}

/** The position after a comment with nested ones; the end of the text if it never closes. */
function commentEnd(sql: string, start: number): number {
  let depth = 0;
  for (let at = start; at < sql.length; at++) {
    const code = sql.charCodeAt(at);
    const next = sql.charCodeAt(at + 1);
    if (code === SLASH && next === STAR) depth++;
    else if (code === STAR && next === SLASH) depth--;
    else continue;
    at++;
    if (depth === 0) return at + 1;
  }
  return sql.length;
}
