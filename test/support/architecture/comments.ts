/** The comments of a source in TypeScript, CSS, SQL or Lua, as a reader sees them. */

/** A line that is a comment, or the comment at its end. An address has no space before its `//`. */
const WHOLE = /^\s*(?:\/\*\*?|\*\/?|\/\/|--)(.*)$/;
const AT_END = /\s(?:\/\/|\/\*\*?|--) (.*)$/;

type CommentLine = { isWhole: boolean; text: string };

/** The comment in a line, without its signs; undefined: it has none. */
export function commentIn(line: string): CommentLine | undefined {
  const whole = WHOLE.exec(line);
  const text = (whole ?? AT_END.exec(line))?.[1];
  return text === undefined ? undefined : { isWhole: whole !== null, text: text.replace(/\*\/.*$/, '').trim() };
}

/** The comments of a source, the lines of each joined, and code in them as `X`. */
export function commentsOf(source: string): string[] {
  const comments: string[] = [];
  let isOpen = false;
  for (const line of source.split('\n')) {
    const { isWhole = false, text = '' } = commentIn(line) ?? {};
    const words = text.replaceAll(/`[^`]+`/g, 'X');
    if (words !== '') comments.push(isWhole && isOpen ? `${comments.pop()!} ${words}` : words);
    isOpen = isWhole && words !== '';
  }
  return comments;
}
