/** Checks signatures of Ed25519 (RFC 8032), with which sensing modules attest their counts. */
import { createPublicKey, verify, type KeyObject } from 'node:crypto';

/**
 * The points of small order without their sign, as libsodium refuses them (ge25519_has_small_order), in hex. Under such
 * a key one signature is good for every eighth text or for all, so anybody signs. The last two are 0 and 1 once more.
 */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
]);

/**
 * A public key of 32 bytes (RFC 8032) as what signatures are checked with; undefined for one that proves nothing.
 * @throws if the bytes are not a public key
 */
export function openPublicKey(bytes: Uint8Array): KeyObject | undefined {
  const unsigned = Buffer.from(bytes);
  unsigned[31]! &= 0x7f;
  if (SMALL_ORDER.has(unsigned.toString('hex'))) return undefined;
  return createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(bytes).toString('base64url') },
    format: 'jwk',
  });
}

/**
 * Whether the holder of the key signed this text; the signature is 64 bytes in base64url. About a tenth of a
 * millisecond. A key of small order proves nothing and has no holder.
 */
export function hasSigned(key: KeyObject | undefined, text: string, signature: string): boolean {
  return key !== undefined && verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
}
