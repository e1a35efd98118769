/**
 * Signed addresses: good until their moment, and forged with any other path, end or key. Pure functions, driven by
 * random addresses.
 */
import { assert, base64String, nat, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkPath, derivePurposeKey, signPath } from '../../storage/signed-url.ts';

const key = derivePurposeKey(Buffer.alloc(16, 1), 'upload address');
const other = derivePurposeKey(Buffer.alloc(16, 2), 'upload address');
const queryOf = (address: string) =>
  Object.fromEntries(new URL(address, 'http://x').searchParams) as { expires: string; signature: string };

describe('signed addresses', () => {
  test('an address is valid until its expiry', () => {
    const query = queryOf(signPath('/uploads/cre_1', { key, expiresAt: 5_000 }));
    expect(checkPath('/uploads/cre_1', query, { keys: [key], now: 4_999 })).toBe('good');
    expect(checkPath('/uploads/cre_1', query, { keys: [key], now: 5_000 })).toBe('expired');
  });

  test('another path, another end, another key or a changed signature is forged', () => {
    assert(
      property(
        string().filter(text => text !== '/uploads/cre_1'),
        nat().filter(moment => moment !== 5_000),
        base64String(),
        (path, expires, signature) => {
          const query = queryOf(signPath('/uploads/cre_1', { key, expiresAt: 5_000 }));
          expect(checkPath(path, query, { keys: [key], now: 0 })).toBe('forged');
          expect(checkPath('/uploads/cre_1', { ...query, expires: String(expires) }, { keys: [key], now: 0 })).toBe(
            'forged',
          );
          expect(checkPath('/uploads/cre_1', { ...query, signature }, { keys: [key], now: 0 })).toBe('forged');
          expect(checkPath('/uploads/cre_1', query, { keys: [other], now: 0 })).toBe('forged');
        },
      ),
    );
  });

  test('an older key still verifies', () => {
    const query = queryOf(signPath('/p', { key: other, expiresAt: 5_000 }));
    expect(checkPath('/p', query, { keys: [key, other], now: 0 })).toBe('good');
  });

  test('keys of two purposes differ', () => {
    expect(derivePurposeKey(Buffer.alloc(16), 'a')).not.toEqual(derivePurposeKey(Buffer.alloc(16), 'b'));
  });
});
