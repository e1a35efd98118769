/** The comments of a source in TypeScript, CSS, SQL or Lua, as a reader sees them: the lines of each joined. */

/** A line that is a comment, or the comment at its end. An address has no space before its `//`. */
const WHOLE = /^\s*(?:\/\*\*?|\*(?!\/)|\/\/|--)(.*)$/;
const AT_END = /\s(?:\/\/|\/\*\*?) (.*)$/;

export function commentsOf(source: string): string[] {
  const comments: string[] = [];
  let isOpen = false;
  for (const line of source.split('\n')) {
    const whole = WHOLE.exec(line);
    const text = (whole ?? AT_END.exec(line))?.[1]
      ?.replace(/\*\/.*$/, '')
      .replaceAll(/`[^`]+`/g, 'X')
      .trim();
    if (text !== undefined && text !== '') {
      if (whole && isOpen) comments.push(`${comments.pop()!} ${text}`);
      else comments.push(text);
    }
    isOpen = whole !== null && text !== undefined && text !== '';
  }
  return comments;
}
