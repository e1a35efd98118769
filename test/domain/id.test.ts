/**
 * The format of ids: each gives its handle back, and no other text does. Pure rules, driven by random handles; a few
 * ids are written down, because the format may never change.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KINDS, formatId, handleOf, parseId } from '#domain/id.ts';
import { handle } from '../support/handle.ts';

const anyHandle = fc.oneof(
  fc.integer({ min: 1, max: 5000 }),
  fc.maxSafeInteger().filter(value => value >= 1),
  fc.constantFrom(1, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1),
);
const kind = fc.constantFrom(...KINDS);

describe('ids', () => {
  test('an id gives its handle back, for every kind', () => {
    fc.assert(
      fc.property(kind, anyHandle, (kind, value) => {
        expect(parseId(kind, formatId(kind, handle(kind, value)))).toBe(value);
      }),
      { numRuns: 2000 },
    );
  });

  test('an id is the prefix of its kind and 13 characters without i, l, o and u', () => {
    expect(KINDS.map(kind => formatId(kind, handle(kind, 1)).split('_')[0])).toEqual([
      'cmp',
      'cre',
      'scr',
      'ven',
      'pay',
      'aud',
      'usr',
      'ws',
      'whk',
      'ast',
      'key',
      'evt',
      'scan',
      'req',
      'pair',
      'top',
      'inv',
      'trf',
      'pls',
      'whd',
      'exp',
      'fnd',
      'per',
      'ivt',
      'ply',
      'txn',
      'pmc',
      'ses',
      'shr',
    ]);
    fc.assert(
      fc.property(kind, anyHandle, (kind, value) => {
        expect(formatId(kind, handle(kind, value))).toMatch(/^[a-z]+_[0-9a-f][0-9a-hjkmnp-tv-z]{12}$/);
      }),
    );
  });

  test('an id of another kind is refused, also under the right prefix', () => {
    fc.assert(
      fc.property(kind, kind, anyHandle, (kind, other, value) => {
        fc.pre(kind !== other);
        const id = formatId(other, handle(other, value));
        expect(parseId(kind, id)).toBeUndefined();
        const swapped = `${formatId(kind, handle(kind, 1)).split('_')[0]}_${id.split('_')[1]}`;
        expect(parseId(kind, swapped)).not.toBe(value);
      }),
    );
  });

  test('a parsed id is the only form of its handle', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz'), minLength: 13, maxLength: 13 }),
        text => {
          const parsed = parseId('campaign', `cmp_${text}`);
          expect([undefined, `cmp_${text}`]).toContain(parsed && formatId('campaign', parsed));
        },
      ),
      { numRuns: 5000 },
    );
  });

  test('the ids of ten thousand neighbors are all different and not ascending', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => formatId('screen', handle('screen', index + 1)));
    expect(new Set(ids).size).toBe(ids.length);
    const rises = ids.filter((id, index) => index > 0 && id > ids[index - 1]!).length;
    expect(rises).toBeGreaterThan(4700);
    expect(rises).toBeLessThan(5300);
  });

  test('the format of an id never changes', () => {
    expect([
      formatId('campaign', handle('campaign', 1)),
      formatId('campaign', handle('campaign', 2)),
      formatId('campaign', handle('campaign', 2 ** 53 - 1)),
    ]).toEqual(['cmp_0j4wx1371m066', 'cmp_02dgzkvkbb55c', 'cmp_achr6vq37akez']);
  });

  const good = formatId('campaign', handle('campaign', 42));
  test.each([
    ['nothing', ''],
    ['the prefix alone', 'cmp_'],
    ['another separator', good.replace('_', '-')],
    ['one character more', `${good}0`],
    ['one character less', good.slice(0, -1)],
    ['upper case', good.toUpperCase()],
    ['upper case after the prefix', `cmp_${good.slice(4).toUpperCase()}`],
    ['a letter outside the alphabet', `${good.slice(0, -1)}u`],
    ['a character beyond ASCII', `${good.slice(0, -1)}é`],
    ['a character beyond ASCII for a zero', 'cmp_éj4wx1371m066'],
    ['a NUL', `${good.slice(0, -1)}\u0000`],
    ['more than 64 bits', `cmp_g${good.slice(5)}`],
    ['a space around it', ` ${good}`.slice(0, good.length)],
    ['the handle itself', '42'],
  ])('%s is not an id', (_, text) => {
    expect(parseId('campaign', text)).toBeUndefined();
  });

  test.each([0, -1, 1.5, 2 ** 53, Number.NaN])('a handle of %s is a bug', value => {
    expect(() => formatId('campaign', handle('campaign', value))).toThrow('campaign handle');
    expect(() => handleOf('campaign', value)).toThrow('campaign handle');
  });
});
