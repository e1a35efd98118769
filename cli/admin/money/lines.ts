/**
 * Names and addresses as they are printed on invoices: the commands of invoices and of the operator check them here.
 */
import { isPlainText } from '#domain/text.ts';
import { UsageError } from '../../arguments.ts';

const ADDRESS_LINES_MAX = 6;
const LINE_LENGTH_MAX = 70;

/** @throws UsageError for a text that is empty or too long */
export function shortLine(flag: string, text: string): string {
  if (!isPlainText(text, LINE_LENGTH_MAX))
    throw new UsageError(`--${flag} takes a text of at most ${LINE_LENGTH_MAX} characters, not '${text}'`);
  return text.trim();
}

/** The lines of an address, which vertical bars separate. @throws UsageError for too many */
export function addressLines(address: string | undefined): string[] {
  const lines = address === undefined ? [] : address.split('|').map(text => shortLine('address', text));
  if (lines.length > ADDRESS_LINES_MAX)
    throw new UsageError(`--address takes at most ${ADDRESS_LINES_MAX} lines between bars`);
  return lines;
}
