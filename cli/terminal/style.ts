/** Colors of a terminal: none in a file or pipe, and none under NO_COLOR (no-color.org). */
const paint =
  (code: number) =>
  (text: string): string =>
    process.env['NO_COLOR'] || !process.stdout.isTTY ? text : `\u001b[${code}m${text}\u001b[0m`;

export const bold = paint(1);
export const dim = paint(2);
export const red = paint(31);
export const green = paint(32);
export const yellow = paint(33);
