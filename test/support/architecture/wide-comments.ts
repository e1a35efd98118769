/** Finds comments in source files that are too wide to be read. The formatter leaves them alone. */
import { commentIn } from './comments.ts';

const COLUMNS_MAX = 120;

/** The numbers of such lines. */
export function wideComments(text: string): number[] {
  return text
    .split('\n')
    .flatMap((line, index) => (line.length > COLUMNS_MAX && commentIn(line) !== undefined ? [index + 1] : []));
}
