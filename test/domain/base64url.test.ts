/** base64url as Node writes it, without Node. Pure rules, driven by random bytes. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { base64urlLength, decodeBase64url, decodeBase64urlInto, encodeBase64url } from '../../domain/base64url.ts';

describe('base64url', () => {
  test('encodes as Node does and decodes its own output', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), bytes => {
        const text = encodeBase64url(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64url'));
        expect(decodeBase64url(text)).toEqual(bytes);
        expect(base64urlLength(bytes.length)).toBe(text.length);
      }),
    );
  });

  test.each(['A', 'AAAAA', 'AA==', 'A+AA', 'A/AA', 'AA A', 'AB', 'AAB', 'é', '𝒜𝒜'])('%j is refused', text => {
    expect(decodeBase64url(text)).toBeUndefined();
  });

  test('a text longer than its room is refused', () => {
    expect(decodeBase64urlInto('AAAA', new Uint8Array(2))).toBe(-1);
  });
});
