/** SipHash against the vectors that its authors published. A pure function. */
import { describe, expect, test } from 'vitest';
import { sipBytes, sipHash128, sipKeyOf } from '../../../domain/signing/siphash.ts';

// vectors.h of the authors' reference implementation (vectors_sip128): key 00..0f, message 00, 00 01, ... by length.
const VECTORS: [length: number, tag: string][] = [
  [0, 'a3817f04ba25a8e66df67214c7550293'],
  [1, 'da87c1d86b99af44347659119b22fc45'],
  [2, '8177228da4a45dc7fca38bdef60affe4'],
  [3, '9c70b60c5267a94e5f33b6b02985ed51'],
  [4, 'f88164c12d9c8faf7d0f6e7c7bcd5579'],
  [5, '1368875980776f8854527a07690e9627'],
  [6, '14eeca338b208613485ea0308fd7a15e'],
  [7, 'a1f1ebbed8dbc153c0b84aa61ff08239'],
  [8, '3b62a9ba6258f5610f83e264f31497b4'],
  [9, '264499060ad9baabc47f8b02bb6d71ed'],
  [15, '5493e99933b0a8117e08ec0f97cfc3d9'],
  [16, '6ee2a4ca67b054bbfd3315bf85230577'],
  [31, '2939b0183223fafc1723de4f52c43d35'],
  [32, '7c3956ca5eeafc3e363e9d556546eb68'],
  [47, 'e61c432b720b19d18ec8d84bdc63151b'],
  [56, '1938f2cf72d54ee97e94166fa91d2a36'],
  [61, '7697009a6a831dfecca91c5993670f7a'],
  [62, '5853542321f567a005d547a4f04759bd'],
  [63, '5150d1772f50834a503e069a973fbd7c'],
];

const bytes = sipBytes(84);
/** The first bytes: 0, 1, 2, ... */
const fill = (count: number): typeof bytes => {
  for (let index = 0; index < count; index++) bytes[index] = index;
  return bytes;
};
const key = sipKeyOf(Uint8Array.from({ length: 16 }, (_, index) => index));

describe('SipHash-2-4-128', () => {
  test.each(VECTORS)('the published vector of %i bytes holds', (length, tag) => {
    sipHash128(key, fill(84), length, 66);
    expect(Buffer.from(bytes.subarray(66, 82)).toString('hex')).toBe(tag);
    expect([bytes[64], bytes[65], bytes[82], bytes[83]]).toEqual([64, 65, 82, 83]);
  });

  test.each(VECTORS)(
    'the first half of the tag of %i bytes is the same alone, even after the message',
    (length, tag) => {
      sipHash128(key, fill(80), length, length, 8);
      expect(Buffer.from(bytes.subarray(length, length + 8)).toString('hex')).toBe(tag.slice(0, 16));
      expect(bytes[length + 8]).toBe(length + 8);
    },
  );

  test('keys take turns', () => {
    const other = sipKeyOf(new Uint8Array(16).fill(1));
    const tagBy = (by: typeof key): string => {
      sipHash128(by, fill(84), 15, 66);
      return Buffer.from(bytes.subarray(66, 82)).toString('hex');
    };
    const [first, second, third, fourth] = [key, other, key, other].map(tagBy);
    expect([first, second]).toEqual([third, fourth]);
    expect(first).toBe('5493e99933b0a8117e08ec0f97cfc3d9');
    expect(second).not.toBe(first);
  });

  test('more bytes than the memory has room for are refused', () => {
    expect(() => sipBytes(65_536)).toThrow('there is no room left');
  });

  test('a key of another length is refused', () => {
    expect(() => sipKeyOf(new Uint8Array(15))).toThrow(RangeError);
  });
});
