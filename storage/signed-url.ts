/**
 * Addresses that carry their own permission: a path, the moment at which it ends, and an HMAC-SHA256 over both. Every
 * holder of the address may use it; without the key it can be neither made nor prolonged.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

export type SignedQuery = { expires: string; signature: string };

/** A key for one purpose, derived from a signing key, so that a signature for one purpose is none for another. */
export function derivePurposeKey(signingKey: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', signingKey, '', `marquee ${purpose}`, 32));
}

function sign(key: Uint8Array, path: string, expires: string): Buffer {
  return createHmac('sha256', key).update(`${expires}\n${path}`).digest();
}

/** `path?expires=<ms>&signature=<base64url>`, good until `expiresAt` (ms). */
export function signPath(path: string, { key, expiresAt }: { key: Uint8Array; expiresAt: number }): string {
  const expires = String(expiresAt);
  return `${path}?expires=${expires}&signature=${sign(key, path, expires).toString('base64url')}`;
}

/** Judges a signed address. Several keys may verify (the current one and those before it); time is in ms. */
export function checkPath(
  path: string,
  query: SignedQuery,
  { keys, now }: { keys: readonly Uint8Array[]; now: number },
): 'good' | 'expired' | 'forged' {
  const given = Buffer.from(query.signature, 'base64url');
  const genuine = keys.some(key => {
    const expected = sign(key, path, query.expires);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!genuine) return 'forged';
  return Number(query.expires) > now ? 'good' : 'expired';
}
