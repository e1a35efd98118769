/** The Range header of a file, from text to first and last byte. A pure function; no engine is needed. */
import { describe, expect, test } from 'vitest';
import { parseByteRange } from '../../../api/uploads/byte-range.ts';

describe('the Range header of a file of 100 bytes', () => {
  test.each([
    [undefined, 'whole'],
    ['bytes=0-9', { first: 0, last: 9 }],
    ['bytes=90-', { first: 90, last: 99 }],
    ['bytes=90-500', { first: 90, last: 99 }],
    ['bytes=-10', { first: 90, last: 99 }],
    ['bytes=-500', { first: 0, last: 99 }],
    ['bytes=99-99', { first: 99, last: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=100-200', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=9-0', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=0-1,5-6', 'whole'],
    ['items=0-1', 'whole'],
    ['bytes=a-b', 'whole'],
  ] as const)('%s is %o', (header, range) => {
    expect(parseByteRange(header, 100)).toEqual(range);
  });
});
