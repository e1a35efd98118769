/**
 * Finds lines of SQL in source files that are too wide to be read. The formatter leaves text alone, so a statement is
 * wrapped by hand: white space between the words of a statement means nothing.
 */
const COLUMNS_MAX = 120;
/** How a line of a statement begins: in its own line, or behind the mark that begins a text. */
const OF_STATEMENT =
  /(^\s*|`)(select|insert into|update|delete from|from|where|and|or|join|left join|cross join|values|set|group by|order by|union|returning|with|limit|on) /;
const COMMENT = /^\s*(\*|\/\/|\/\*)/;

/** The numbers of such lines. */
export function longStatements(text: string): number[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.length > COLUMNS_MAX && OF_STATEMENT.test(line) && !COMMENT.test(line) ? [index + 1] : [],
    );
}
