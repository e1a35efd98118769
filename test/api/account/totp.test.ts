/** Codes by time, against the vectors of RFC 6238 (appendix B, SHA-1) and RFC 4648 (section 10). */
import { describe, expect, test } from 'vitest';
import { base32, codeOfStep, otpauthUrl, stepOfCode } from '../../../sql/people/totp.ts';

const SECRET = Buffer.from('12345678901234567890');

describe('a code by time', () => {
  test.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('at %i s matches the RFC', (seconds, code) => {
    expect(codeOfStep(SECRET, Math.floor(seconds / 30), 8)).toBe(code);
  });

  test('is valid in its own time step and the two next to it', () => {
    const step = 41_152_263;
    const code = codeOfStep(SECRET, step);
    const at = (steps: number) => stepOfCode(SECRET, code, (step + steps) * 30_000 + 29_999);
    expect([-2, -1, 0, 1, 2].map(at)).toEqual([undefined, step, step, step, undefined]);
    expect(stepOfCode(SECRET, code.slice(1), step * 30_000)).toBeUndefined();
  });
});

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foob', 'MZXW6YQ'],
  ['foobar', 'MZXW6YTBOI'],
])('base32 of %j matches the RFC, without padding', (text, expected) => {
  expect(base32(Buffer.from(text))).toBe(expected);
});

test('an address cannot add parameters to the one that apps read', () => {
  const url = new URL(otpauthUrl('MZXW6', 'a@b.example?secret=EVIL&issuer=Bank#'));
  expect([...url.searchParams]).toEqual([
    ['secret', 'MZXW6'],
    ['issuer', 'Marquee'],
  ]);
});
