/** Spellings of mail addresses that are one, and those that are two. */
import { expect, test } from 'vitest';
import { foldAddress, isSameAddress } from '../../../domain/access/mail-address.ts';

test.each([
  ['letters in another case', 'Anna@Example.com', 'anna@EXAMPLE.COM'],
  ['composed and decomposed letters', 'zo\u00eb@example.com', 'zoe\u0308@example.com'],
  ['an international domain and its xn-- form', 'anna@b\u00fccher.example', 'anna@XN--BCHER-KVA.example'],
  ['a decomposed domain and its xn-- form', 'anna@bu\u0308cher.example', 'anna@xn--bcher-kva.example'],
  ['an ideographic full stop and a dot', 'anna@\u4f8b\u3048\u3002jp', 'anna@\u4f8b\u3048.jp'],
  ['a domain with a soft hyphen and without', 'anna@exa\u00admple.com', 'anna@example.com'],
  ['letters beyond ASCII in another case', '\u00c4nne@example.com', '\u00e4nne@example.com'],
])('%s are one address', (_what, one, other) => {
  expect(foldAddress(one)).toBe(foldAddress(other));
  expect(isSameAddress(one, other)).toBe(true);
});

test.each([
  ['a dotted capital I and i', '\u0130nes@example.com', 'ines@example.com'],
  ['a Kelvin sign in the domain part and another domain', 'anna@\u212aiel.example', 'anna@iel.example'],
  ['an escaped domain and the domain', 'anna@ex%61mple.com', 'anna@example.com'],
  ['a port and none', 'anna@\u00e4.example:80', 'anna@\u00e4.example'],
  ['sharp s and double s', 'stra\u00dfe@example.com', 'strasse@example.com'],
  ['a Cyrillic letter and a Latin one', '\u0430nna@example.com', 'anna@example.com'],
])('%s are two addresses', (_what, one, other) => {
  expect(isSameAddress(one, other)).toBe(false);
});

test('only ASCII letters are lowercased, as Postgres does under the collation "C"', () => {
  const ascii = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join('');
  expect(foldAddress(`${ascii}@0x7F.EXAMPLE.`)).toBe(
    `${ascii.replaceAll(/[A-Z]/g, letter => String.fromCharCode(letter.charCodeAt(0) + 32))}@0x7f.example.`,
  );
});

test('a folded address folds to itself, for every letter that Unicode has', () => {
  const changed: string[] = [];
  for (let code = 0x80; code < 0x30000; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue;
    for (const address of [`${String.fromCodePoint(code)}@example.com`, `a@x${String.fromCodePoint(code)}y.example`]) {
      const folded = foldAddress(address);
      if (foldAddress(folded) !== folded) changed.push(address);
    }
  }
  expect(changed).toEqual([]);
});
