/**
 * The format of API keys and device tokens: what a key says, and that a mistyped one is noticed. Pure rules, driven by
 * random secrets.
 */
import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayKey, formatDeviceToken, formatKey, isDeviceToken, parseKey } from '#domain/access/key.ts';

const secret = fc.uint8Array({ minLength: 32, maxLength: 32 });
const mode = fc.constantFrom('live' as const, 'test' as const);

describe('keys', () => {
  test('a key is its prefix, 43 characters of base62 and 6 of checksum, and says its mode', () => {
    fc.assert(
      fc.property(secret, mode, (secret, mode) => {
        const key = formatKey(secret, mode);
        expect(key).toMatch(new RegExp(`^sk_${mode}_[0-9A-Za-z]{49}$`));
        expect(parseKey(key)).toEqual({ mode });
      }),
    );
  });

  test('the body is the secret in base62 and the checksum is the CRC-32 of all before it', () => {
    const value = (text: string) =>
      [...text].reduce(
        (sum, digit) =>
          sum * 62n + BigInt('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.indexOf(digit)),
        0n,
      );
    fc.assert(
      fc.property(secret, secret => {
        const key = formatKey(secret, 'live');
        expect(value(key.slice(8, 51))).toBe(BigInt(`0x${Buffer.from(secret).toString('hex')}`));
        // node:zlib has crc32 since Node 20.15.
        expect(value(key.slice(51))).toBe(BigInt(crc32(key.slice(0, 51))));
      }),
    );
  });

  test('one wrong character anywhere is noticed', () => {
    fc.assert(
      fc.property(secret, fc.nat({ max: 56 }), fc.constantFrom(...'0Aaz_-é'), (secret, index, character) => {
        const key = formatKey(secret, 'live');
        fc.pre(key[index] !== character);
        expect(parseKey(key.slice(0, index) + character + key.slice(index + 1))).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
  });

  test('a truncated key, a longer key, a device token and an empty text are not keys', () => {
    const key = formatKey(new Uint8Array(32).fill(7), 'test');
    for (const text of [
      key.slice(0, -1),
      `${key}0`,
      ` ${key}`,
      formatDeviceToken(new Uint8Array(32)),
      '',
      'sk_live_',
      'sk_test_',
    ])
      expect(parseKey(text)).toBeUndefined();
  });

  test('a body beyond 256 bits is not a key, even with a right checksum', () => {
    const body = `sk_live_${'z'.repeat(43)}`;
    let checksum = '';
    for (let rest = crc32(body), digit = 0; digit < 6; digit += 1, rest = Math.floor(rest / 62))
      checksum = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'[rest % 62]! + checksum;
    expect(parseKey(body + checksum)).toBeUndefined();
  });

  test('a list shows the mode and eight characters of a key', () => {
    expect(displayKey(formatKey(new Uint8Array(32).fill(255), 'test'))).toBe('sk_test_yhjs...ZkIP');
  });

  test('a device token differs from a key and from a mistyped token', () => {
    fc.assert(
      fc.property(secret, secret => {
        const token = formatDeviceToken(secret);
        expect(token).toMatch(/^dt_[0-9A-Za-z]{49}$/);
        expect(isDeviceToken(token)).toBe(true);
        expect(isDeviceToken(formatKey(secret, 'live'))).toBe(false);
        expect(isDeviceToken(token.slice(0, -1))).toBe(false);
      }),
    );
  });

  test('a secret of another length is a bug', () => {
    expect(() => formatKey(new Uint8Array(31), 'live')).toThrow('32 bytes');
  });
});
