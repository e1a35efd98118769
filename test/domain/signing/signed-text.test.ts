/** Texts of signed bytes are Node's base64url, whatever lies behind them. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { spellSigned } from '../../../domain/signing/signed-text.ts';
import { sipBytes } from '../../../domain/signing/siphash.ts';

const BYTES_MAX = 156;
const UNTOUCHED = 0x21;
const signed = sipBytes(BYTES_MAX + 3);
const out = new Uint8Array(240);

/** What `out` has after the bytes were written from `at` on, beside what it should have. */
function spelled(bytes: Uint8Array, at: number): { found: string; wanted: string } {
  const text = Buffer.from(bytes).toString('base64url');
  signed.set(bytes);
  out.fill(UNTOUCHED);
  const end = spellSigned(signed, bytes.length, out, at);
  const around = '!'.repeat(out.length);
  return {
    found: `${end} ${Buffer.from(out).toString('latin1')}`,
    wanted: `${at + text.length} ${around.slice(0, at)}${text}${around.slice(at + text.length)}`,
  };
}

test('any bytes are encoded as by Node, and only into their place', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: BYTES_MAX }),
      fc.nat({ max: 16 }),
      fc.nat({ max: 255 }),
      (bytes, at, rest) => {
        signed.fill(rest);
        const { found, wanted } = spelled(bytes, at);
        expect(found).toBe(wanted);
      },
    ),
  );
});

test('every value is encoded at every position of every length', () => {
  for (let length = 0; length <= BYTES_MAX; length++) {
    for (const byte of [0x00, 0xff, 0xfb, 0xf0, 0x41]) {
      signed.fill(0xff);
      const { found, wanted } = spelled(new Uint8Array(length).fill(byte), 3);
      expect(found).toBe(wanted);
    }
  }
  for (let value = 0; value < 256; value++) {
    const { found, wanted } = spelled(
      Uint8Array.from({ length: 24 }, (_, at) => value + at),
      0,
    );
    expect(found).toBe(wanted);
  }
});

test('more bytes than room are a bug', () => {
  expect(() => spellSigned(signed, BYTES_MAX + 1, out, 0)).toThrow('a text of signed bytes is short');
});
