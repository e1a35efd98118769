/**
 * Query parameters, `{name:Type}`. The engine's own binding is not usable here: it is not isolated between connections,
 * so the binding package runs such queries one after another in the whole process. So each placeholder is replaced by
 * what ClickHouse itself puts there: `_CAST('text', 'Type')`, or a quoted identifier. A value only ever lands inside a
 * string literal or a quoted identifier.
 */
import { readTokens, type Token } from './lexer.ts';
import { QueryFault } from './query-fault.ts';
import { checkLength } from './statement.ts';

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', 0: '\0', a: '\u0007', v: '\v' };
const COMPOSITE = /^(?:Array|Tuple|Map|Nested|Variant)\(/;
const LITERAL_WORDS = new Set(['null', 'true', 'false', 'nan', 'inf']);

/**
 * `sql` with every placeholder replaced. Throws a refusal if the statement becomes too long.
 * @param values by name, in the escaped form of `param_*` (TabSeparated rules)
 */
export function bindParameters(sql: string, tokens: readonly Token[], values: ReadonlyMap<string, string>): string {
  let bound = '';
  let from = 0;
  let close = 0; // moves forward with the placeholders: no text is searched twice
  for (let index = 0; index < tokens.length; index++) {
    if (!opensPlaceholder(tokens, index)) continue;
    close = closingBrace(tokens, Math.max(close, index + 3));
    if (close === tokens.length) break;
    const name = tokens[index + 1]!.text;
    const value = values.get(name);
    if (value === undefined)
      throw new QueryFault(456, 'UNKNOWN_QUERY_PARAMETER', `Substitution \`${name}\` is not set`);
    checkLength(bound); // a long value may be meant a thousand times
    bound +=
      sql.slice(from, tokens[index]!.start) +
      literalOf({ value, type: sql.slice(tokens[index + 2]!.end, tokens[close]!.start).trim() });
    from = tokens[close]!.end;
    index = close;
  }
  checkLength(bound);
  return bound + sql.slice(from);
}

/** Whether `{name:` is at `index`. */
function opensPlaceholder(tokens: readonly Token[], index: number): boolean {
  const open = tokens[index]!;
  return (
    open.text === '{' && open.kind === 'mark' && tokens[index + 1]?.kind === 'word' && tokens[index + 2]?.text === ':'
  );
}

/** The first closing brace from `from` on; the number of tokens if there is none. */
function closingBrace(tokens: readonly Token[], from: number): number {
  let at = from;
  while (at < tokens.length && !(tokens[at]!.kind === 'mark' && tokens[at]!.text === '}')) at++;
  return at;
}

function literalOf(options: { value: string; type: string }): string {
  const { value, type } = options;
  if (value === '\\N') return `_CAST(NULL, ${quoteString(type)})`;
  // As in the engine: an array's or a tuple's text is taken as it is, anything else is unescaped as one field.
  const text = COMPOSITE.test(type) ? value : unescape(value);
  if (type === 'Identifier') return quoteName(text);
  return `_CAST(${type.startsWith('Map(') ? mapLiteral(text) : quoteString(text)}, ${quoteString(type)})`;
}

/** The engine casts no string to a map, so `{'a': 1}` becomes `map('a', 1)`. It may hold literals only. */
function mapLiteral(text: string): string {
  const tokens = [...readTokens(text)];
  const fits = tokens.every(
    token =>
      token.kind === 'string' ||
      token.kind === 'number' ||
      (token.kind === 'word' && LITERAL_WORDS.has(token.text.toLowerCase())) ||
      (token.kind === 'mark' && '{}[](),:-+.'.includes(token.text)),
  );
  const isClosed = tokens.every(
    token => token.kind !== 'string' || (token.end - token.start > 1 && text[token.end - 1] === "'"),
  );
  if (!fits || !isClosed) throw new QueryFault(457, 'BAD_QUERY_PARAMETER', `Value ${text} cannot be parsed as a Map`);
  const marks: Record<string, string> = { '{': 'map(', '}': ')', ':': ',' };
  return tokens
    .map(token => (token.kind === 'mark' ? (marks[token.text] ?? token.text) : text.slice(token.start, token.end)))
    .join(' ');
}

function unescape(value: string): string {
  return value.replaceAll(/\\([\s\S])/g, (_, char: string) => ESCAPES[char] ?? char);
}

/** A string literal of ClickHouse. */
export function quoteString(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '\\0')}'`;
}

/** A quoted identifier of ClickHouse. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
}
