/** What is an IBAN and a BIC, by the examples of ISO 13616. Pure rules. */
import { expect, test } from 'vitest';
import { parseBic, parseIban } from '#domain/money/iban.ts';

// The examples of the registry of ISO 13616.
const EXAMPLES = [
  'DE89370400440532013000',
  'GB29NWBK60161331926819',
  'FR1420041010050500013M02606',
  'NO9386011117947',
  'MT84MALT011000012345MTLCAST001S',
  'KW81CBKU0000000000001234560101',
];

test.each(EXAMPLES)('%s is an IBAN, with blanks and in small letters too', iban => {
  expect(parseIban(iban)).toBe(iban);
  expect(parseIban(` ${iban.toLowerCase().replaceAll(/(.{4})/g, '$1 ')}`)).toBe(iban);
});

test('one wrong digit or two swapped neighbors are detected', () => {
  const wrong = EXAMPLES.flatMap(iban =>
    [...iban].flatMap((digit, at) => {
      if (!/\d/.test(digit)) return [];
      const next = iban[at + 1] ?? '';
      const others = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(
        by => iban.slice(0, at) + ((Number(digit) + by) % 10) + iban.slice(at + 1),
      );
      return /\d/.test(next) && next !== digit
        ? [...others, iban.slice(0, at) + next + digit + iban.slice(at + 2)]
        : others;
    }),
  );
  expect(wrong.length).toBeGreaterThan(1_000);
  expect(wrong.filter(text => parseIban(text) !== undefined)).toEqual([]);
});

test.each([
  '',
  'DE',
  'DE8937040044053201300',
  'DE89370400440532013000X'.repeat(2),
  '1289370400440532013000',
  'DE89-3704-0044-0532-0130-00',
])('%j is not an IBAN', text => {
  expect(parseIban(text)).toBeUndefined();
});

test('a BIC has 8 or 11 characters', () => {
  expect(['cobadeff', 'COBADEFFXXX', 'COBADEF', 'COBADEFFXX', '12345678'].map(parseBic)).toEqual([
    'COBADEFF',
    'COBADEFFXXX',
    undefined,
    undefined,
    undefined,
  ]);
});
