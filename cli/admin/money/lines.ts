/**
 * Names and addresses as they are printed on invoices: the commands of invoices and of the operator check them here.
 */
import { isRefusal } from '#domain/refusal.ts';
import { readVatDetails } from '#domain/tax/vat-party.ts';
import { isPlainText } from '#domain/text.ts';
import { UsageError } from '../../arguments.ts';

const ADDRESS_LINES_MAX = 6;
const LINE_LENGTH_MAX = 70;

/** @throws UsageError for a text that is empty or too long */
export function shortLine(flag: string, text: string): string {
  if (!isPlainText(text, LINE_LENGTH_MAX)) throw tooLong(flag, text, LINE_LENGTH_MAX);
  return text.trim();
}

/** Names the text by its beginning, so that a file given by mistake does not fill the terminal. */
function tooLong(flag: string, text: string, max: number): UsageError {
  return new UsageError(`--${flag} takes a text of at most ${max} characters, not '${text.slice(0, max)}'`);
}

/** The lines of an address, which vertical bars separate. @throws UsageError for too many */
export function addressLines(address: string | undefined): string[] {
  const lines = address === undefined ? [] : address.split('|').map(text => shortLine('address', text));
  if (lines.length > ADDRESS_LINES_MAX)
    throw new UsageError(`--address takes at most ${ADDRESS_LINES_MAX} lines between bars`);
  return lines;
}

/** Options for the address and the tax of a party. */
export type VatOptions = {
  city?: string | undefined;
  postalCode?: string | undefined;
  country?: string | undefined;
  vatId?: string | undefined;
  vatExemption?: string | undefined;
};

const POSTAL_CODE_LENGTH_MAX = 20;
const EXEMPTION_LENGTH_MAX = 200; // a sentence that names a paragraph of law

/** The given options, as texts that may be printed. @throws UsageError that names the option */
export function placeDetails({ city, postalCode, country, vatId, vatExemption }: VatOptions) {
  for (const [flag, text, max] of [
    ['postal-code', postalCode, POSTAL_CODE_LENGTH_MAX],
    ['vat-exemption', vatExemption, EXEMPTION_LENGTH_MAX],
  ] as const)
    if (text !== undefined && !isPlainText(text, max)) throw tooLong(flag, text, max);
  return {
    ...(city !== undefined && { city: shortLine('city', city) }),
    ...(postalCode !== undefined && { postal_code: postalCode.trim() }),
    ...(country !== undefined && { country }),
    ...(vatId !== undefined && { vat_id: vatId }),
    ...(vatExemption !== undefined && { vat_exemption: vatExemption.trim() }),
  };
}

/** The same with a known country and a VAT id of it. @throws UsageError that names the option */
export function vatDetails(options: VatOptions) {
  const read = readVatDetails(placeDetails(options), field => `--${field.replace('_', '-')}`);
  if (isRefusal(read)) throw new UsageError(read.detail);
  return read;
}
