/**
 * International bank account numbers (ISO 13616): two letters of the country, two check digits, up to 30 letters and
 * digits of the account. The check digits make the number, first four characters moved to the end and letters read as
 * 10..35, leave 1 modulo 97.
 */
const SHAPE = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/;

/** The IBAN without blanks and in capitals, or undefined if it is invalid. */
export function parseIban(text: string): string | undefined {
  const iban = text.replaceAll(/\s/g, '').toUpperCase();
  if (!SHAPE.test(iban)) return undefined;
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    for (const digit of String(Number.parseInt(character, 36))) rest = (rest * 10 + Number(digit)) % 97;
  }
  return rest === 1 ? iban : undefined;
}

/** As much of an IBAN as tells accounts apart without naming them: its country and its last four characters. */
export function maskIban(iban: string): string {
  return `${iban.slice(0, 2)}${'*'.repeat(iban.length - 6)}${iban.slice(-4)}`;
}

/** A bank's code (BIC, ISO 9362): 8 or 11 characters. Undefined if it is invalid. */
export function parseBic(text: string): string | undefined {
  const bic = text.replaceAll(/\s/g, '').toUpperCase();
  return /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(bic) ? bic : undefined;
}
