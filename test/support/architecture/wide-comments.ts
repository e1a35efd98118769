/** Finds comments in source files that are too wide to be read. The formatter leaves them alone. */
const COLUMNS_MAX = 120;
/** A line that is a comment or ends with one, in TypeScript, CSS, SQL and Lua. An address has no space before `//`. */
const COMMENT = /^\s*(\/?\*|\/\/|--)|\s(\/\/|\/\*|--) /;

/** The numbers of such lines. */
export function wideComments(text: string): number[] {
  return text
    .split('\n')
    .flatMap((line, index) => (line.length > COLUMNS_MAX && COMMENT.test(line) ? [index + 1] : []));
}
